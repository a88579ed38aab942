import { type Action, text } from '../../../lib/view/view.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import type { Parsed } from '../../command/line/parse.ts'
import { isThingKind } from '../../command/params.ts'
import type { Core } from '../../core.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { candidatesFor } from '../../things/candidates.ts'
import { candidateTable, choiceAmong } from './act.ts'
import { draftsOf } from './drafts.ts'

/**
 * Whoever asks without saying whose it is may know it, and those who decide cannot say it: they are asked first. Undefined
 * where somebody has looked, where nobody can answer, and where it is wanted as it is.
 */
export const askWhose = async (
  core: Core,
  actor: Actor,
  definition: ChangeCommand,
  { command, given }: Pick<Parsed, 'command' | 'given'>,
  { from, canBeAsked, isUnseen }: Pick<Inbound, 'from' | 'canBeAsked' | 'isUnseen'>,
  plan: unknown,
  isDemanded: boolean,
): Promise<Reply | undefined> => {
  const { lookedUpBy } = definition
  const question = lookedUpBy?.question(plan)
  const param = command.params.find(({ name }) => name === lookedUpBy?.param)
  if (core.policy.unseen === 'pass' && !isDemanded) return undefined
  if (!canBeAsked || isUnseen || lookedUpBy === undefined || question === undefined || param === undefined)
    return undefined
  // Those that somebody has looked at lately are there to be pressed; everybody else is searched for.
  const lately = await candidatesFor(core, actor, param.kinds.filter(isThingKind), '').catch(() => [])
  const draft = { command: command.name, values: given }
  const drafts = draftsOf(core)
  const asks = { param: param.name, title: lookedUpBy.title, question }
  const actions: Action[] = [
    { verb: 'edit', id: await drafts.save(from, { ...draft, asks }), label: `Say the ${param.flag}` },
    ...(isDemanded
      ? []
      : [
          {
            verb: 'run_it' as const,
            id: await drafts.save(from, { ...draft, isUnseen: true }),
            label: 'Ask without it',
          },
        ]),
  ]
  return choiceAmong(
    core,
    actor,
    command,
    given,
    { param: param.name, at: 0, isOpen: true },
    {
      title: question,
      tone: 'plain',
      blocks: [
        text(
          `Say the ${param.flag} by name, address, number or id, and those who decide see what was paid. Nobody was asked yet.`,
        ),
        ...(lately.length === 0 ? [] : [candidateTable(lately)]),
      ],
      actions,
    },
  )
}
