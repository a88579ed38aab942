import type { Actor } from '../command/context.ts'
import type { Core } from '../core.ts'
import type { Change } from '../model/change.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import { votesFor } from '../policy/delegation.ts'
import { rolesNow } from '../policy/people.ts'
import type { Policy } from '../policy/policy.ts'
import { isOfWorkspace } from '../policy/workspaces.ts'
import { maySee } from './authorization.ts'

/** Which changes somebody could vote on now for a person who is away. */
export const delegatedVotes = async (
  { policy, store }: Pick<Core, 'policy' | 'store'>,
  actor: Actor,
): Promise<(change: Change) => boolean> => {
  const absences = (await store.absences.active()).filter(({ to }) => to === actor.person)
  if (absences.length === 0) return () => false
  return (change) =>
    change.state === 'pending' &&
    votesFor(policy, change, actor, absences, (party) => rolesNow(policy, party, undefined)) !== undefined
}

/**
 * A change by its id, for somebody who names or presses it: one of a workspace that they are not of is as good as none. What
 * they may do with it is looked at apart.
 */
export const changeFor = async (
  { policy, store }: Pick<Core, 'policy' | 'store'>,
  actor: Actor,
  id: string,
): Promise<Change | null> => {
  const change = await store.changes.get(id)
  return change !== null && isReachable(policy, actor, change) ? change : null
}

const isReachable = (policy: Policy, actor: Actor, change: Change): boolean =>
  requestAuthors(change, policy).includes(actor.person) || isOfWorkspace(policy, actor, change)

/** Which changes somebody may see now: one answer for every place that shows changes of others. */
export const sightOf = async (
  core: Pick<Core, 'policy' | 'store'>,
  actor: Actor,
): Promise<(change: Change) => boolean> => {
  const mayVoteFor = await delegatedVotes(core, actor)
  return (change) => maySee(core.policy, actor, change) || mayVoteFor(change)
}

/** Of some changes, those that somebody may see now. */
export const changesSeen = async (
  core: Pick<Core, 'policy' | 'store'>,
  actor: Actor,
  ids: readonly string[],
): Promise<Change[]> => {
  if (ids.length === 0) return []
  const [sees, found] = await Promise.all([
    sightOf(core, actor),
    core.store.changes.list({ ids, limit: ids.length }),
  ])
  return found.filter(sees)
}
