import { isDeepStrictEqual } from 'node:util'
import type { ApprovalClause, Change, Clause, Escalation, Party } from '../model/change.ts'
import { plural } from '../view/button-labels.ts'
import type { Need } from './policy.ts'

/** Who has voted, with what each of them may do now. */
export type Ballot = {
  requester: string
  votes: readonly {
    person: string
    for?: string | undefined
    mayApprove: boolean
    roles: readonly string[]
  }[]
}

/** The votes as they were last weighed. */
export const ballotOf = ({ votes, requester }: Pick<Change, 'votes' | 'requester'>): Ballot => ({
  requester: requester.person,
  votes: votes.map(({ by, for: away }) => ({
    person: by.person,
    for: away?.person,
    mayApprove: true,
    roles: (away ?? by).roles,
  })),
})

/** What a rule or a budget needs, with why. */
export const clausesOf = (needs: readonly Need[], because: string, escalate?: Escalation): Clause[] =>
  needs.map((need) =>
    need.kind === 'confirm'
      ? { kind: 'confirm' }
      : {
          ...need,
          from: [...need.from],
          because,
          ...(escalate === undefined ? {} : { escalate: [{ ...escalate, to: [...escalate.to] }] }),
        },
  )

/**
 * All clauses of all lists. Of two for the same roles the one for more people stays, the first if they are alike.
 * An approval says more than a confirmation, so where one is needed no confirmation is. Whoever may satisfy one of two
 * that become one may satisfy it.
 */
export const combine = (...lists: readonly (readonly Clause[])[]): Clause[] => {
  const kept = new Map<string, Clause>()
  for (const clause of lists.flat()) {
    const key = clause.kind === 'confirm' ? '' : `from ${JSON.stringify(clause.from.toSorted())}`
    const before = kept.get(key)
    if (before === undefined) kept.set(key, clause)
    else kept.set(key, countOf(clause) > countOf(before) ? joined(clause, before) : joined(before, clause))
  }
  const all = [...kept.values()]
  return needsApproval(all) ? all.filter(isApproval) : all
}

export const needsApproval = (clauses: readonly Clause[]): boolean => clauses.some(isApproval)

/** Its requester alone decides. */
export const isConfirmOnly = (clauses: readonly Clause[]): boolean =>
  clauses.length > 0 && !needsApproval(clauses)

/** What is asked for at least: the requester's own yes, or, as an agent has none to give, that of somebody else. */
export const leastOf = (agent: string | undefined): Clause =>
  agent === undefined
    ? { kind: 'confirm' }
    : { kind: 'approvals', count: 1, from: [], because: 'an agent asked' }

/** Whether the second list asks for something that the first does not. */
export const asksMore = (before: readonly Clause[], after: readonly Clause[]): boolean =>
  addedTo(before, after).length > 0

/** The clauses that are not in the first list, or that ask there for fewer people. */
export const addedTo = (before: readonly Clause[], after: readonly Clause[]): Clause[] => {
  const own = new Set(before.map(needsOf))
  return combine(before, after).filter((clause) => !own.has(needsOf(clause)))
}

export const isFromRoles = (clause: RolesOfClause, roles: readonly string[]): boolean =>
  clause.from.length === 0 || rolesIn(clause).some((role) => roles.includes(role))

/** The roles whose members may satisfy it: those that it asks for, and those that an escalation has added. */
export const rolesIn = ({ from, also = [] }: RolesOfClause): string[] => [...new Set([...from, ...also])]

type RolesOfClause = Pick<ApprovalClause, 'from' | 'also'>

/** How each clause stands: the people who count for it, in the order of their votes, and how many more it needs. */
export const progressOf = (
  clauses: readonly Clause[],
  { requester, votes }: Ballot,
): { clause: Clause; people: string[]; missing: number }[] =>
  clauses.map((clause) => {
    const people: string[] = []
    const seen = new Set<string>()
    for (const vote of votes) {
      const names = vote.for === undefined ? [vote.person] : [vote.person, vote.for]
      const counts =
        clause.kind === 'confirm'
          ? vote.for === undefined && vote.person === requester
          : !names.includes(requester) && vote.mayApprove && isFromRoles(clause, vote.roles)
      // Nobody stands behind two votes, under their own name or another's.
      if (!counts || names.some((name) => seen.has(name))) continue
      for (const name of names) seen.add(name)
      people.push(vote.person)
    }
    return { clause, people, missing: Math.max(0, countOf(clause) - people.length) }
  })

export const isSatisfied = (clauses: readonly Clause[], ballot: Ballot): boolean =>
  progressOf(clauses, ballot).every(({ missing }) => missing === 0)

/** `2 approvals from finance`. */
export const needsOf = (clause: Clause): string =>
  clause.kind === 'confirm'
    ? 'a confirmation by the requester'
    : `${plural(clause.count, 'approval')}${fromWords(clause)}`

export const fromWords = (clause: RolesOfClause): string =>
  clause.from.length === 0 ? '' : ` from ${rolesIn(clause).join(' or ')}`

const joined = (clause: Clause, other: Clause): Clause => {
  if (clause.kind === 'confirm' || other.kind === 'confirm') return clause
  const also = [...new Set([...(clause.also ?? []), ...(other.also ?? [])])]
  const escalate = [...(clause.escalate ?? []), ...(other.escalate ?? [])].filter(
    (one, at, all) => all.findIndex((same) => isDeepStrictEqual(same, one)) === at,
  )
  return {
    ...clause,
    ...(also.length === 0 ? {} : { also }),
    ...(escalate.length === 0 ? {} : { escalate }),
  }
}

const isApproval = (clause: Clause): clause is ApprovalClause => clause.kind === 'approvals'

const countOf = (clause: Clause): number => (clause.kind === 'confirm' ? 1 : clause.count)

/** Everybody behind these votes. */
export const partiesOf = (votes: Change['votes']): Party[] =>
  votes.flatMap(({ by, for: away }) => (away === undefined ? by : [by, away]))
