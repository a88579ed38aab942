import type { ApprovalClause, Change } from '../model/change.ts'
import { isFromRoles, progressOf, rolesIn } from '../policy/clauses.ts'
import { mayVote } from '../policy/evaluate.ts'
import { approveNamesOf, mayApprove } from '../policy/people.ts'
import type { Person, Policy } from '../policy/policy.ts'
import type { Mention } from '../view/view.ts'
import { ballotOf } from './law.ts'

/** The people of the file who could satisfy a clause that is still open. */
export const peopleWhoseTurn = (policy: Policy, change: Change): Person[] => {
  const names = approveNamesOf(change)
  const open = openClausesOf(change)
  const voted = new Set(change.votes.map(({ by }) => by.person))
  return policy.people.filter(
    (one) =>
      one.id !== change.requester.person &&
      !voted.has(one.id) &&
      open.some((clause) => isFromRoles(clause, one.roles) && mayVote(policy, one, [clause], names)),
  )
}

/** Whose turn it is, to be mentioned: those people, and the groups whose members have a role that is asked for. */
export const turnOf = (policy: Policy, change: Change): Mention[] => {
  if (change.state !== 'pending') return []
  return [
    ...peopleWhoseTurn(policy, change).map(({ name, accounts }) => ({ name, accounts, isGroup: false })),
    ...groupsWhoseTurn(policy, change),
  ]
}

const groupsWhoseTurn = (policy: Policy, change: Change): Mention[] => {
  const names = approveNamesOf(change)
  const open = openClausesOf(change)
  const asked = (roles: readonly string[]) =>
    roles.filter((role) =>
      open.some((clause) =>
        clause.from.length === 0
          ? mayApprove(policy, { roles: [role] }, names)
          : rolesIn(clause).includes(role),
      ),
    )
  return Object.entries(policy.groups).flatMap(([platform, groups]) =>
    Object.entries(groups).flatMap(([id, roles]) => {
      const called = mayApprove(policy, { roles }, names) ? asked(roles) : []
      return called.length === 0
        ? []
        : { name: called.join(' and '), accounts: { [platform]: id }, isGroup: true }
    }),
  )
}

const openClausesOf = (change: Change): ApprovalClause[] =>
  progressOf(change.clauses, ballotOf(change)).flatMap(({ clause, missing }) =>
    clause.kind === 'approvals' && missing > 0 ? clause : [],
  )
