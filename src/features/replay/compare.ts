import { isVoterFor, needsApproval, needsOf } from '../../kernel/law/clauses.ts'
import type { ApprovalClause, Clause } from '../../kernel/model/change.ts'
import { mayApprove } from '../../kernel/policy/people.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { printDuration } from '../../lib/codecs/duration.ts'

/** One thing in which a version of the policy asks for more or for less than another. */
export type Part = { direction: 'stricter' | 'looser'; kind: string; words: string }

/** What is needed, under a policy that says who may approve it. */
export type Side = { policy: Policy; names: readonly string[]; clauses: readonly Clause[] }

/**
 * How two lists of clauses compare: the second is stricter if some votes that are enough for the first are not enough
 * for it, and looser the other way round; both can be true. Whose votes count is what each policy says. A group may hold
 * any number of people.
 */
export const compareClauses = (before: Side, after: Side, requester: string): Part[] => {
  const [first, second] = [rankOf(before.clauses), rankOf(after.clauses)]
  if (first !== second) {
    return [
      {
        direction: second > first ? 'stricter' : 'looser',
        kind: `${ranks[second]} instead of ${ranks[first]}`,
        words: insteadOf(before, after),
      },
    ]
  }
  const people = votersOf(before, after, requester)
  const [old, now] = [placed(before, people, 'before'), placed(after, people, 'after')]
  return [
    ...now
      .filter((clause) => !isImplied(old, clause))
      .map((clause) => partOf('stricter', clause, old, people)),
    ...old.filter((clause) => !isImplied(now, clause)).map((clause) => partOf('looser', clause, now, people)),
    ...orders(before, after),
    ...escalations(before, after),
  ]
}

const ranks = ['nothing', 'a confirmation', 'an approval'] as const

const rankOf = (clauses: readonly Clause[]): 0 | 1 | 2 =>
  needsApproval(clauses) ? 2 : clauses.length === 0 ? 0 : 1

const insteadOf = (before: Side, after: Side): string =>
  `${listOf(after.clauses)} instead of ${listOf(before.clauses)}`

const listOf = (clauses: readonly Clause[]): string =>
  clauses.length === 0 ? 'nothing' : clauses.map(withReason).join(' and ')

const withReason = (clause: Clause): string =>
  clause.kind === 'confirm' ? needsOf(clause) : `${needsOf(clause)} (${clause.because})`

/** Who stands where: nobody is asked before those of a lower stage, and each stage takes other people. */
const orders = (before: Side, after: Side): Part[] => {
  const orderOf = ({ clauses }: Side) =>
    clauses
      .flatMap((clause) => (clause.kind === 'approvals' && clause.stage !== undefined ? needsOf(clause) : []))
      .join(', then ')
  const [old, now] = [orderOf(before), orderOf(after)]
  if (old === now) return []
  const part = (direction: Part['direction'], words: string): Part => ({ direction, kind: 'order', words })
  return [
    ...(now === '' ? [] : [part('stricter', `in order: ${now}`)]),
    ...(old === '' ? [] : [part('looser', `no longer in order: ${old}`)]),
  ]
}

type Voter = { id?: string; name: string; before: readonly string[]; after: readonly string[]; many: boolean }

/** Everybody whom one of the files lists, and whoever may be in a group, with their roles under each. */
const votersOf = (before: Side, after: Side, requester: string): Voter[] => {
  const names = new Map([...before.policy.people, ...after.policy.people].map(({ id, name }) => [id, name]))
  names.delete(requester)
  const rolesOf = ({ policy }: Side, id: string) => policy.people.find((one) => one.id === id)?.roles ?? []
  const listed = [...names].map(([id, name]) => ({
    id,
    name,
    before: rolesOf(before, id),
    after: rolesOf(after, id),
    many: false,
  }))
  const groupIn = ({ policy }: Side) =>
    Object.entries(policy.groups).flatMap(([platform, groups]) =>
      Object.entries(groups).map(([group, roles]) => [`${platform} ${group}`, roles] as const),
    )
  const [old, now] = [before, after].map((side) => new Map<string, readonly string[]>(groupIn(side))) as [
    Map<string, readonly string[]>,
    Map<string, readonly string[]>,
  ]
  const keys = [...new Set([...old.keys(), ...now.keys()])]
  const rolesIn = (some: readonly string[]) => ({
    before: some.flatMap((key) => old.get(key) ?? []),
    after: some.flatMap((key) => now.get(key) ?? []),
    many: true,
  })
  const inOne = keys.map((key) => ({ name: `members of ${key}`, ...rolesIn([key]) }))
  return [
    ...listed,
    ...inOne,
    ...(keys.length > 1 ? [{ name: 'members of every group', ...rolesIn(keys) }] : []),
  ]
}

/** A clause with the numbers of the voters who count for it. */
type Placed = { clause: ApprovalClause; able: ReadonlySet<number>; voters: readonly Voter[] }

const placed = (
  { policy, names, clauses }: Side,
  voters: readonly Voter[],
  when: 'before' | 'after',
): Placed[] =>
  clauses.flatMap((clause) => {
    if (clause.kind === 'confirm') return []
    const able = voters.flatMap((voter, at) => {
      const roles = voter[when]
      const is = { person: voter.id, roles, mayApprove: mayApprove(policy, { roles }, names) }
      return isVoterFor(clause, is) ? at : []
    })
    return [{ clause, able: new Set(able), voters }]
  })

/** Whether all votes that satisfy the whole list also satisfy the clause. */
const isImplied = (given: readonly Placed[], asked: Placed): boolean => {
  const sizeOf = (at: number) => (asked.voters[at]?.many ? Number.POSITIVE_INFINITY : 1)
  const count = (some: Iterable<number>) => [...some].reduce((sum, at) => sum + sizeOf(at), 0)
  // Nothing satisfies the list, so nothing that does can miss the clause.
  if (given.some(({ clause, able }) => count(able) < clause.count)) return true
  // Votes that do not help the clause are free: only what they leave open needs people who do help it.
  // Nobody who need not sign can be counted on to have signed.
  const open = given
    .filter(({ clause }) => asked.clause.sign === undefined || clause.sign !== undefined)
    .map(({ clause, able }) => ({
      able,
      left: clause.count - count([...able].filter((at) => !asked.able.has(at))),
    }))
  const fillsOf = (at: number) => open.map(({ able }) => able.has(at))
  const helpers = Map.groupBy(asked.able, (at) => fillsOf(at).join())
  return !isCoverable(
    open.map(({ left }) => left),
    [...helpers.values()].map((alike) => ({ fills: fillsOf(alike[0] as number), count: count(alike) })),
    asked.clause.count - 1,
  )
}

/** Whether at most so many helpers can fill what is left open; those who fill the same are counted together. */
const isCoverable = (
  left: readonly number[],
  helpers: readonly { fills: readonly boolean[]; count: number }[],
  most: number,
): boolean => {
  const hardest = Math.max(0, ...left)
  if (hardest === 0) return true
  // Each helper fills at most one place of each clause.
  if (hardest > most) return false
  const open = left.indexOf(hardest)
  return helpers.some(({ fills, count }, at) => {
    if (!fills[open] || count === 0) return false
    const after = left.map((one, n) => (fills[n] ? one - 1 : one))
    return isCoverable(after, helpers.with(at, { fills, count: count - 1 }), most - 1)
  })
}

/** In what a clause asks for more than the one in its place on the other side: what it is called when it comes, and when it goes. */
const differences = {
  count: ['more approvals', 'fewer approvals'],
  signature: ['signed approvals', 'unsigned approvals'],
  people: ['fewer people', 'more people'],
  roles: ['fewer roles', 'more roles'],
  clause: ['another clause', 'one clause less'],
} as const

const partOf = (
  direction: Part['direction'],
  { clause, able }: Placed,
  others: readonly Placed[],
  voters: readonly Voter[],
): Part => {
  const isMore = direction === 'stricter'
  const alike = others.find((one) => sameRoles(one.clause, clause))
  const other = alike ?? others.find((one) => isWithin(clause, one.clause))
  const difference = alike ? differenceTo(alike.clause, clause) : other ? 'roles' : 'clause'
  const kind = differences[difference][isMore ? 0 : 1]
  if (alike !== undefined && difference === 'people') {
    const names = [...alike.able].filter((at) => !able.has(at)).map((at) => voters[at]?.name)
    return { direction, kind, words: `${kind} count for ${withReason(clause)}: ${names.join(', ')}` }
  }
  const words =
    other === undefined
      ? `${isMore ? 'also' : 'no longer'} ${withReason(clause)}`
      : isMore
        ? `${withReason(clause)} instead of ${withReason(other.clause)}`
        : `${withReason(other.clause)} instead of ${withReason(clause)}`
  return { direction, kind, words: `${kind}: ${words}` }
}

const differenceTo = (alike: ApprovalClause, clause: ApprovalClause): keyof typeof differences => {
  if (clause.count > alike.count) return 'count'
  return clause.sign !== undefined && alike.sign === undefined ? 'signature' : 'people'
}

const sameRoles = (one: ApprovalClause, other: ApprovalClause): boolean => wordsOf(one) === wordsOf(other)

/** The same for clauses that ask the same people in the same stage. */
const wordsOf = ({ from, people, stage }: ApprovalClause): string =>
  JSON.stringify([from.toSorted(), people?.map(({ person }) => person).toSorted(), stage])

/** Whether every role of one clause is a role of the other; a clause without roles takes anybody. */
const isWithin = (inner: ApprovalClause, outer: ApprovalClause): boolean =>
  inner.stage === outer.stage &&
  inner.people === undefined &&
  outer.people === undefined &&
  (outer.from.length === 0 ||
    (inner.from.length > 0 && inner.from.every((role) => outer.from.includes(role))))

const escalations = (before: Side, after: Side): Part[] => {
  const wordsIn = ({ clauses }: Side) =>
    new Set(
      clauses.flatMap((clause) =>
        clause.kind === 'confirm'
          ? []
          : (clause.escalate ?? []).map(
              ({ afterMs, to }) => `to ${to.join(' or ')} after ${printDuration(afterMs)}`,
            ),
      ),
    )
  const [old, now] = [wordsIn(before), wordsIn(after)]
  return [
    ...[...now]
      .filter((one) => !old.has(one))
      .map((one) => ({ direction: 'looser' as const, kind: 'escalation', words: `it now escalates ${one}` })),
    ...[...old]
      .filter((one) => !now.has(one))
      .map((one) => ({
        direction: 'stricter' as const,
        kind: 'escalation',
        words: `it no longer escalates ${one}`,
      })),
  ]
}
