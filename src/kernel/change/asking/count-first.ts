import { ok, type Result } from '../../../lib/result.ts'
import { verbs } from '../../../lib/view/button-labels.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import { isRawFile } from '../../command/line/coerce.ts'
import type { Input, Parsed } from '../../command/line/parse.ts'
import { movesMoney } from '../../command/moves-money.ts'
import type { Core } from '../../core.ts'
import { needsApproval } from '../../law/clauses.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { draftsOf } from '../../request/reading/drafts.ts'
import { sayReply } from '../../request/reading/understand.ts'
import { judge, pastIn } from '../deciding/decide-clauses.ts'
import { pin } from './pin.ts'
import { policyNamesOf, prepare } from './prepare.ts'

/**
 * Whoever chose many people in a form reads how many they are before others are asked to approve it. Where nobody else is
 * asked, the card itself says so first; undefined then.
 */
export const countFirst = async (
  core: Core,
  actor: Actor,
  definition: ChangeCommand,
  { command, given }: Pick<Parsed, 'command' | 'given'>,
  input: Input,
  { from, intent }: Pick<Inbound, 'from' | 'intent'>,
): Promise<Result<Reply> | undefined> => {
  const isChosen = definition.bulk !== undefined && intent.kind === 'form'
  // A file is not kept in a draft, and whoever attaches one has it before them.
  if (!isChosen || Object.values(given).some(isRawFile)) return undefined
  const { clauses } = await judge(
    core,
    pastIn(core.store),
    {
      id: '',
      names: policyNamesOf(definition),
      area: definition.area,
      movesMoney: movesMoney(definition, input),
      amount: null,
      currency: null,
      intent: '',
      requester: actor,
      createdAt: core.now(),
    },
    'ask',
  )
  if (!needsApproval(clauses)) return undefined
  const pinning = await pin(core, actor, definition, input)
  if (!pinning.ok) return pinning
  const { pinned } = pinning.value
  if (pinned === undefined) return undefined
  const prepared = await prepare(core, actor, definition, pinning.value.input, pinned)
  if (!prepared.ok) return prepared
  const id = await draftsOf(core).save(from, { command: command.name, values: given })
  const preview = definition.preview(prepared.value.plan)
  return ok(
    sayReply({
      ...preview,
      title: `${preview.title}?`,
      footer: `Nobody is asked yet. ${verbs.run_it.label} asks those who approve it.`,
      actions: [
        { verb: 'run_it', id },
        { verb: 'edit', id },
      ],
    }),
  )
}
