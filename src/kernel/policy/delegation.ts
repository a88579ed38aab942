import { openClausesOf } from '../law/clauses.ts'
import type { Change, Party } from '../model/change.ts'
import type { Absence } from '../store/absences.ts'
import { requestAuthors } from './behind-request.ts'
import { countsByRoles } from './evaluate.ts'
import { isListed } from './listed.ts'
import { approveNamesOf, delegatedRoles, personNow } from './people.ts'
import type { Policy } from './policy.ts'
import { isOfWorkspace } from './workspaces.ts'

type RolesOf = (party: Party) => readonly string[]
type Voted = Pick<Change, 'votes' | 'clauses' | 'names' | 'standsFor' | 'requester' | 'changedBy'>

/**
 * For whom somebody votes by pressing a button: for nobody, if they stand behind the request themselves, or as long as
 * their own vote would count for what is still open; else for a person who is away, has named them, and has not voted.
 * Who was named by somebody passes nothing on: only an absence that names this very person counts.
 */
export const votesFor = (
  policy: Policy,
  change: Voted,
  delegate: Pick<Party, 'person' | 'platform' | 'space'> & { roles: readonly string[] },
  absences: readonly Absence[],
  rolesOf: RolesOf,
): Party | undefined => {
  const names = approveNamesOf(change)
  const open = openClausesOf(change)
  const counts = (roles: readonly string[], person?: string) =>
    open.length > 0 && countsByRoles(policy, { person, roles }, open, names)
  const isOfIt = (party: Parameters<typeof isOfWorkspace>[1]) => isOfWorkspace(policy, party, change)
  const behind = requestAuthors(change, policy)
  if (behind.includes(delegate.person) || !isOfIt(delegate)) return undefined
  if (counts(delegate.roles, delegate.person) || !isListed(policy, change.requester)) return undefined
  const taken = new Set([
    ...behind,
    delegate.person,
    ...change.votes.flatMap(({ by, for: away }) => [by.person, ...(away === undefined ? [] : [away.person])]),
  ])
  return absences
    .filter(({ by, to }) => to === delegate.person && isListed(policy, by) && isOfIt(by))
    .filter(({ by }) => !taken.has(personNow(policy, by)))
    .map(({ by }) => ({ ...by, person: personNow(policy, by), roles: delegatedRoles(policy, rolesOf(by)) }))
    .find(({ roles }) => counts(roles))
}

/** Whether this absence still lets one person vote for the other. */
export const isDelegated = (
  policy: Policy,
  absences: readonly Absence[],
  away: Party,
  delegate: Party,
): boolean =>
  absences.some(
    ({ by, to }) => personNow(policy, by) === personNow(policy, away) && to === personNow(policy, delegate),
  )
