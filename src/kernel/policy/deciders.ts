import { fewNames } from '../../lib/view/format.ts'
import type { Change } from '../model/change.ts'
import { requestAuthors } from './behind-request.ts'
import { countsByRoles } from './evaluate.ts'
import { approveNamesOf, mayApprove } from './people.ts'
import type { Person, Policy } from './policy.ts'
import { isListedIn } from './workspaces.ts'

type Decided = Pick<Change, 'clauses' | 'names' | 'standsFor' | 'requester' | 'changedBy'>

/** The people of the file who may decide about a change of somebody else. */
export const decidersOf = (policy: Policy, change: Decided): Person[] => {
  const names = approveNamesOf(change)
  const own = requestAuthors(change)
  return policy.people.filter(
    (one) =>
      !own.includes(one.id) &&
      isListedIn(policy, one.id, change) &&
      countsByRoles(policy, { person: one.id, roles: one.roles }, change.clauses, names),
  )
}

/** Who besides the requester may decide about a change, as a sentence: people of the file, or else the roles to give. */
export const othersWho = (policy: Policy, change: Decided): string => {
  const names = approveNamesOf(change)
  const people = decidersOf(policy, change).map(({ name }) => name)
  const roles = Object.keys(policy.roles).filter((role) => mayApprove(policy, { roles: [role] }, names))
  if (people.length > 0) return `${fewNames(people)} can.`
  return roles.length > 0
    ? `Somebody else who has the role ${roles.join(' or ')} can.`
    : `Nobody may approve ${names[0]} yet: the policy file must give somebody that right.`
}
