import type { Change } from '../model/change.ts'
import { fewNames } from '../view/format.ts'
import { mayVote } from './evaluate.ts'
import { approveNamesOf, mayApprove } from './people.ts'
import type { Policy } from './policy.ts'

/** Who besides the requester may decide about a change, as a sentence: people of the file, or else the roles to give. */
export const othersWho = (
  policy: Policy,
  change: Pick<Change, 'clauses' | 'names' | 'standsFor' | 'requester'>,
): string => {
  const { clauses, requester } = change
  const names = approveNamesOf(change)
  const people = policy.people
    .filter((one) => one.id !== requester.person && mayVote(policy, one, clauses, names))
    .map(({ name }) => name)
  const roles = Object.keys(policy.roles).filter((role) => mayApprove(policy, { roles: [role] }, names))
  if (people.length > 0) return `${fewNames(people)} can.`
  return roles.length > 0
    ? `Somebody else who has the role ${roles.join(' or ')} can.`
    : `Nobody may approve ${names[0]} yet: the policy file must give somebody that right.`
}
