import type { Mention } from '../../lib/view/view.ts'
import { openClausesOf, partiesOf, rolesIn } from '../law/clauses.ts'
import type { Change } from '../model/change.ts'
import { spaceOfId } from '../model/workspace.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import { countsByRoles } from '../policy/evaluate.ts'
import { isOutsideGroup } from '../policy/outside-groups.ts'
import { approveNamesOf, delegatedRoles, mayApprove, onceForRoles } from '../policy/people.ts'
import type { Person, Policy } from '../policy/policy.ts'
import { accountsWithin, isListedIn } from '../policy/workspaces.ts'
import type { Absence } from '../store/absences.ts'

/**
 * The people of the file who could satisfy a clause that is still open. In the place of somebody who is away stands who
 * may vote for them; if only people are left who are away, they are asked all the same.
 */
export const peopleWhoseTurn = (policy: Policy, change: Change, absences: readonly Absence[]): Person[] => {
  const names = approveNamesOf(change)
  const open = openClausesOf(change)
  const done = new Set([...requestAuthors(change), ...partiesOf(change.votes).map(({ person }) => person)])
  const counts = onceForRoles((roles) => open.length > 0 && countsByRoles(policy, { roles }, open, names))
  const named = open.filter(({ people = [] }) => people.length > 0)
  const isNamed = ({ id, roles }: Person) =>
    named.length > 0 && countsByRoles(policy, { person: id, roles }, named, names)
  const awayOf = new Map(absences.map((absence) => [absence.by.person, absence]))
  const isAsked = ({ id }: Person) => !done.has(id) && isListedIn(policy, id, change)
  const able = policy.people.filter((one) => isAsked(one) && (counts(one.roles) || isNamed(one)))
  const here = able.flatMap((one): Person[] => {
    const away = awayOf.get(one.id)
    if (away === undefined) return [one]
    const delegate = policy.people.find((other) => other.id === away.to && isAsked(other))
    return delegate !== undefined && counts(delegatedRoles(policy, one.roles)) ? [delegate] : []
  })
  return here.length === 0 ? able : [...new Set(here)]
}

/** Whose turn it is, to be mentioned: those people, and the groups whose members have a role that is asked for. */
export const turnOf = (policy: Policy, change: Change, absences: readonly Absence[]): Mention[] => {
  if (change.state !== 'pending') return []
  return [
    ...peopleWhoseTurn(policy, change, absences).map((person) => ({
      name: person.name,
      accounts: accountsWithin(person, change.requester.space),
      isGroup: false,
    })),
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
          ? clause.people === undefined && mayApprove(policy, { roles: [role] }, names)
          : rolesIn(clause).includes(role),
      ),
    )
  // Who is in a group outside is among the people, by name.
  const ofMessengers = Object.entries(policy.groups).filter(([platform]) => !isOutsideGroup(platform))
  return ofMessengers.flatMap(([platform, groups]) =>
    Object.entries(groups).flatMap(([id, roles]) => {
      const isHere = spaceOfId(platform, id) === change.requester.space
      const called = isHere && mayApprove(policy, { roles }, names) ? asked(roles) : []
      return called.length === 0
        ? []
        : { name: called.join(' and '), accounts: { [platform]: id }, isGroup: true }
    }),
  )
}
