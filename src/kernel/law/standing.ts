import { plural } from '../../lib/view/button-labels.ts'
import { due, fewNames } from '../../lib/view/format.ts'
import { joinWords, sentence, type Words } from '../../lib/view/words.ts'
import { refuseToRunNow } from '../actors/authorization.ts'
import type { ApprovalClause, Change } from '../model/change.ts'
import { partiesBehind, requestAuthors } from '../policy/behind-request.ts'
import { administratorWords, isListed } from '../policy/listed.ts'
import {
  approveNamesOf,
  delegatedRoles,
  groupsOn,
  mayApprove,
  personNow,
  rolesNow,
} from '../policy/people.ts'
import type { Person, Policy } from '../policy/policy.ts'
import { allAccountsOf, isListedIn } from '../policy/workspaces.ts'
import type { Absence } from '../store/absences.ts'
import {
  ballotOf,
  fromWords,
  isConfirmOnly,
  isVoterFor,
  needsApproval,
  partiesOf,
  progressOf,
  stageWords,
  type Voter,
} from './clauses.ts'
import { weigh } from './weigh.ts'

/** Why what a request needs cannot come any more, and who can do something about it. */
export type Standing = NonNullable<Change['stuck']>

/** Clauses that those who remain cannot satisfy, with who they are. */
type Shortfall = {
  clause: ApprovalClause
  missing: number
  able: readonly Person[]
  away: readonly Absence[]
  /** Who could, had they not changed what is asked. */
  behind: readonly string[]
}

/**
 * How a request that waits stands: undefined as long as the people who are left can give it all that it needs. Who is in a
 * messenger's groups is known of those whom it names as `members`; of others, whoever could be in one counts.
 */
export const standing = (
  policy: Policy,
  change: Change,
  absences: readonly Absence[],
): Standing | undefined => {
  if (change.state !== 'pending') return undefined
  return requesterStanding(policy, change) ?? peopleStanding(policy, change, absences)
}

/** Whoever asks is listed where others are to decide, and still has the right to what they ask for. */
const requesterStanding = (policy: Policy, change: Change): Standing | undefined => {
  const { requester, clauses } = change
  const helpers = administratorWords(policy)
  const known = isListed(policy, requester)
  if (needsApproval(clauses) && !known) {
    return {
      why: `This cannot be approved as it stands: bellhop.yml no longer lists ${requester.name}, who asks.`,
      help: `${helpers} can list that account in bellhop.yml.`,
    }
  }
  const roles = rolesNow(policy, requester, undefined)
  if (refuseToRunNow(policy, { ...requester, known, roles }, change) === undefined) return undefined
  return {
    why: `This cannot run as it stands: ${requester.name} may no longer run ${change.names[0]}.`,
    help: `${helpers} can give ${requester.name} a role for it in bellhop.yml, or somebody who may run it asks for it.`,
  }
}

const peopleStanding = (
  policy: Policy,
  change: Change,
  absences: readonly Absence[],
): Standing | undefined => {
  if (isConfirmOnly(change.clauses)) return undefined
  const { votes, short } = shortfallOf(policy, change, absences)
  const [first, ...others] = short
  if (first === undefined) return undefined
  const { clause, missing, able, away, behind } = first
  const more = votes > 0 ? 'more approval' : 'approval'
  const needed = `${plural(missing, more)}${fromWords(clause)}${stageWords(clause)} ${missing === 1 ? 'is' : 'are'} needed`
  const left =
    able.length === 0
      ? `nobody is left who could give ${missing === 1 ? 'it' : 'them'}`
      : able.length < missing
        ? `only ${fewNames(able.map(({ name }) => name))} could give one`
        : `nobody votes in two stages: ${fewNames(able.map(({ name }) => name))} ${able.length === 1 ? 'is' : 'are'} needed in another`
  const also = others.length === 0 ? '' : ` ${plural(others.length, 'more need')} cannot be met either.`
  return {
    why: joinWords(
      [
        `This cannot be approved as it stands: ${needed}, and ${left}.${also}`,
        ...(behind.length === 0 ? [] : [`${fewNames(behind)} changed it, and so cannot approve it.`]),
        ...away.slice(0, 3).map(({ by, endsAt }) => sentence`${by.name} is away until ${due(endsAt)}.`),
      ],
      ' ',
    ),
    help: helpOf(policy, change, first),
  }
}

const helpOf = (policy: Policy, { requester }: Change, { clause, away, behind }: Shortfall): Words => {
  const who = fewNames(away.map(({ by }) => by.name))
  const back = away.length === 0 ? [] : [`${who} can decide all the same, or be back with away end.`]
  const anew = `${requester.name} can cancel it and ask anew${behind.length === 0 ? '' : `: then ${fewNames(behind)} can approve it`}.`
  const role =
    clause.from.length > 0
      ? `somebody else the role ${clause.from.join(' or ')}`
      : clause.people === undefined
        ? 'somebody else the right to approve it'
        : 'back a right that was taken'
  return [...back, `${administratorWords(policy)} can give ${role} in bellhop.yml.`, anew].join(' ')
}

/** Which clauses cannot be met by those who remain: none where they can, together. */
const shortfallOf = (
  policy: Policy,
  change: Change,
  absences: readonly Absence[],
): { votes: number; short: Shortfall[] } => {
  const keys = new Map(
    change.votes.flatMap(({ by, signed }) =>
      signed === undefined ? [] : [[signed.key, personNow(policy, by)] as const],
    ),
  )
  const rolesOf = (party: Parameters<typeof rolesNow>[1]) => rolesNow(policy, party, undefined)
  const { votes } = weigh({ policy, vouchesFor: () => true }, change, rolesOf, absences, keys)
  const open = progressOf(change.clauses, ballotOf({ ...change, votes })).flatMap(({ clause, missing }) =>
    clause.kind === 'approvals' && missing > 0 ? [{ clause, missing }] : [],
  )
  const own = requestAuthors(change, policy)
  const taken = new Set([...own, ...partiesOf(votes).map((party) => personNow(policy, party))])
  const others = policy.people.filter(({ id }) => isListedIn(policy, id, change))
  const free = others.filter(({ id }) => !taken.has(id))
  const longAway = new Map(
    absences
      .filter(({ endsAt }) => endsAt >= change.expiresAt)
      .map((absence) => [personNow(policy, absence.by), absence]),
  )
  const asVoter = voterFor(policy, change)
  const meets = (voter: Voter): ReadonlySet<number> =>
    new Set(open.flatMap(({ clause }, at) => (isVoterFor(clause, voter) ? at : [])))
  const ownMeets = (one: Person) => meets(asVoter(one.id, hopedRoles(policy, one, change.members)))
  const here = free.flatMap((one) => {
    if (longAway.has(one.id)) return []
    const mine = ownMeets(one)
    if (mine.size > 0) return { one, meets: mine }
    const lent = free
      .filter(({ id }) => longAway.get(id)?.to === one.id)
      .map((away) =>
        meets(asVoter(undefined, delegatedRoles(policy, hopedRoles(policy, away, change.members)))),
      )
    return { one, meets: new Set(lent.flatMap((those) => [...those])) }
  })
  const short = open.map(({ clause, missing }, at): Shortfall => {
    const could = (one: Person) => ownMeets(one).has(at)
    return {
      clause,
      missing,
      able: here.flatMap(({ one, meets: those }) => (those.has(at) ? one : [])),
      away: free.flatMap((one) => (could(one) ? (longAway.get(one.id) ?? []) : [])),
      behind: partiesBehind(change)
        .filter((party) => personNow(policy, party) !== personNow(policy, change.requester))
        .filter((party) => others.some((one) => one.id === personNow(policy, party) && could(one)))
        .map(({ name }) => name),
    }
  })
  const alone = short.filter(({ missing, able }) => able.length < missing)
  if (alone.length > 0) return { votes: votes.length, short: alone }
  const staged = short.filter(({ clause }) => clause.stage !== undefined)
  const isEnough = canFill(
    staged.map(({ missing }) => missing),
    staged.map(({ clause }) => clause.stage ?? 0),
    here.map(({ one }) => staged.map(({ able }) => able.includes(one))),
  )
  return { votes: votes.length, short: isEnough ? [] : staged.slice(-1) }
}

/**
 * Whether people suffice for all of these at once: nobody votes twice, so each is spent on one stage, and counts there for
 * whatever they can.
 */
const canFill = (
  missing: readonly number[],
  stages: readonly number[],
  people: readonly (readonly boolean[])[],
): boolean => {
  const at = missing.findIndex((count) => count > 0)
  if (at === -1) return true
  const tried = new Set<string>()
  return people.some((one, place) => {
    const kind = one.join()
    if (one[at] !== true || tried.has(kind)) return false
    tried.add(kind)
    const left = missing.map((count, other) =>
      stages[other] === stages[at] && one[other] === true ? count - 1 : count,
    )
    return canFill(left, stages, people.toSpliced(place, 1))
  })
}

/** The people of whom only their groups say whether they could decide, where it hangs on them whether enough can. */
export const hopedFor = (policy: Policy, change: Change, absences: readonly Absence[]): Person[] => {
  const nobody = Object.fromEntries(policy.people.map(({ id }) => [id, []]))
  if (standing(policy, { ...change, members: nobody }, absences) === undefined) return []
  const asVoter = voterFor(policy, change)
  const meetsBy = (one: Person, members: Change['members']) => {
    const voter = asVoter(one.id, hopedRoles(policy, one, members))
    return change.clauses.filter((clause) => clause.kind === 'approvals' && isVoterFor(clause, voter)).length
  }
  const own = requestAuthors(change, policy)
  return policy.people.filter(
    (one) =>
      !own.includes(one.id) &&
      isListedIn(policy, one.id, change) &&
      meetsBy(one, undefined) > meetsBy(one, nobody),
  )
}

const voterFor =
  (policy: Policy, change: Change) =>
  (person: string | undefined, roles: readonly string[]): Voter => ({
    person,
    roles,
    mayApprove: mayApprove(policy, { roles }, approveNamesOf(change)),
  })

/** The roles of the file, and those of the groups that they are in; where nobody has asked, of every group that they could be in. */
const hopedRoles = (policy: Policy, person: Person, members: Change['members'] = {}): string[] => [
  ...new Set([
    ...person.roles,
    ...(members[person.id] ??
      allAccountsOf(person).flatMap(({ platform }) => Object.values(groupsOn(policy, platform)).flat())),
  ]),
]
