import type { Asker } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import type { Parsed } from '../../command/line/parse.ts'
import { isThingKind } from '../../command/params.ts'
import type { Core } from '../../core/core.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { candidatesFor } from '../../things/candidates.ts'
import { type Action, text } from '../../view/view.ts'
import { candidateTable, choiceAmong } from './act.ts'
import { draftsOf } from './drafts.ts'

/**
 * Whoever asks without saying whose it is may know it, and those who decide cannot say it: they are asked first. Undefined
 * where somebody has looked, where nobody can answer, and where it is wanted as it is.
 */
export const askWhose = async (
  core: Core,
  asker: Asker,
  definition: ChangeCommand,
  { command, given }: Pick<Parsed, 'command' | 'given'>,
  { from, canBeAsked, isUnseen, forms }: Pick<Inbound, 'from' | 'canBeAsked' | 'isUnseen' | 'forms'>,
  plan: unknown,
  isDemanded: boolean,
): Promise<Reply | undefined> => {
  const { lookedUpBy } = definition
  const question = lookedUpBy?.question(plan)
  const param = command.params.find(({ name }) => name === lookedUpBy?.param)
  if (core.policy.unseen === 'pass' && !isDemanded) return undefined
  if (!canBeAsked || isUnseen || question === undefined || param === undefined) return undefined
  const candidates = await candidatesFor(core, asker, param.kinds.filter(isThingKind), '').catch(() => [])
  // Where there is nobody to choose from, a question helps nobody: the card says what is not known.
  if (candidates.length === 0 && !isDemanded) return undefined
  const draft = { command: command.name, values: given }
  const drafts = draftsOf(core)
  const actions: Action[] = [
    ...(forms
      ? [{ verb: 'edit' as const, id: await drafts.save(from, draft), label: `Say the ${param.flag}` }]
      : []),
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
    asker,
    command,
    given,
    { param: param.name, at: 0 },
    {
      title: question,
      tone: 'plain',
      blocks: [
        text(`Choose the ${param.flag}, by name or address, and those who decide see what was paid.`),
        ...(candidates.length === 0 ? [] : [candidateTable(candidates)]),
      ],
      actions,
    },
  )
}
