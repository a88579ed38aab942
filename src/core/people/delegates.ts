import type { Asker } from '../../command/context.ts'
import type { Change } from '../../model/change.ts'
import { peopleBehind } from '../../policy/behind-request.ts'
import { votesFor } from '../../policy/delegation.ts'
import { rolesNow } from '../../policy/people.ts'
import type { Policy } from '../../policy/policy.ts'
import { isOfWorkspace } from '../../policy/workspaces.ts'
import type { Core } from '../core.ts'
import { maySee } from './authorization.ts'

/** Which changes somebody could vote on now for a person who is away. */
export const delegatedVotes = async (
  { policy, store }: Pick<Core, 'policy' | 'store'>,
  asker: Asker,
): Promise<(change: Change) => boolean> => {
  const absences = (await store.absences.active()).filter(({ to }) => to === asker.person)
  if (absences.length === 0) return () => false
  return (change) =>
    change.state === 'pending' &&
    votesFor(policy, change, asker, absences, (party) => rolesNow(policy, party, undefined)) !== undefined
}

/**
 * A change by its id, for somebody who names or presses it: one of a workspace that they are not of is as good as none. What
 * they may do with it is looked at apart.
 */
export const changeFor = async (
  { policy, store }: Pick<Core, 'policy' | 'store'>,
  asker: Asker,
  id: string,
): Promise<Change | null> => {
  const change = await store.changes.get(id)
  return change !== null && isReachable(policy, asker, change) ? change : null
}

const isReachable = (policy: Policy, asker: Asker, change: Change): boolean =>
  peopleBehind(change, policy).includes(asker.person) || isOfWorkspace(policy, asker, change)

/** Which changes somebody may see now: one answer for every place that shows changes of others. */
export const sightOf = async (
  core: Pick<Core, 'policy' | 'store'>,
  asker: Asker,
): Promise<(change: Change) => boolean> => {
  const mayVoteFor = await delegatedVotes(core, asker)
  return (change) => maySee(core.policy, asker, change) || mayVoteFor(change)
}
