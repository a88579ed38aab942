import { type Refusal, withNext } from '../../../lib/view/refusals.ts'
import type { Actor } from '../../command/context.ts'
import type { Core } from '../../core.ts'
import { entryBy } from '../../model/audit-entry.ts'
import type { Change } from '../../model/change.ts'
import { othersWho } from '../../policy/deciders.ts'

const recorded: ReadonlySet<Refusal['code']> = new Set([
  'may_not_approve',
  'own_request',
  'not_requester',
  'unlisted',
  'bad_signature',
])

/** Somebody tried what they may not: that is worth an entry. Whoever the file lists reads who can. */
export const recordRefusal = async (
  core: Pick<Core, 'store' | 'policy'>,
  actor: Actor,
  change: Change,
  refused: Refusal,
): Promise<Refusal> => {
  if (!recorded.has(refused.code)) return refused
  await core.store.audit.append(entryBy(actor, 'refused', change, { code: refused.code }))
  return refused.code === 'may_not_approve' && actor.known && actor.agent === undefined
    ? withNext(refused, othersWho(core.policy, change))
    : refused
}
