import type { ApprovalClause, Clause } from '../model/change.ts'
import { plural } from '../view/button-labels.ts'
import type { Need } from './policy.ts'

/** Who has voted, with what each of them may do now. */
export type Ballot = {
  requester: string
  votes: readonly { person: string; mayApprove: boolean; roles: readonly string[] }[]
}

/** What a rule or a budget needs, with why. */
export const clausesOf = (needs: readonly Need[], because: string): Clause[] =>
  needs.map((need) =>
    need.kind === 'confirm' ? { kind: 'confirm' } : { ...need, from: [...need.from], because },
  )

/**
 * All clauses of all lists. Of two for the same roles the one for more people stays, the first if they are alike.
 * An approval says more than a confirmation, so where one is needed no confirmation is.
 */
export const combine = (...lists: readonly (readonly Clause[])[]): Clause[] => {
  const kept = new Map<string, Clause>()
  for (const clause of lists.flat()) {
    const key = clause.kind === 'confirm' ? '' : `from ${JSON.stringify(clause.from.toSorted())}`
    const before = kept.get(key)
    if (before === undefined || countOf(clause) > countOf(before)) kept.set(key, clause)
  }
  const all = [...kept.values()]
  return needsApproval(all) ? all.filter(isApproval) : all
}

export const needsApproval = (clauses: readonly Clause[]): boolean => clauses.some(isApproval)

/** Its requester alone decides. */
export const isConfirmOnly = (clauses: readonly Clause[]): boolean =>
  clauses.length > 0 && !needsApproval(clauses)

/** Whether the second list asks for something that the first does not. */
export const asksMore = (before: readonly Clause[], after: readonly Clause[]): boolean =>
  addedTo(before, after).length > 0

/** The clauses that are not in the first list, or that ask there for fewer people. */
export const addedTo = (before: readonly Clause[], after: readonly Clause[]): Clause[] => {
  const own = new Set(before.map(needsOf))
  return combine(before, after).filter((clause) => !own.has(needsOf(clause)))
}

export const isFromRoles = ({ from }: Pick<ApprovalClause, 'from'>, roles: readonly string[]): boolean =>
  from.length === 0 || from.some((role) => roles.includes(role))

/** How each clause stands: the people who count for it, in the order of their votes, and how many more it needs. */
export const progressOf = (
  clauses: readonly Clause[],
  { requester, votes }: Ballot,
): { clause: Clause; people: string[]; missing: number }[] =>
  clauses.map((clause) => {
    const counted = votes.filter((vote) =>
      clause.kind === 'confirm'
        ? vote.person === requester
        : vote.person !== requester && vote.mayApprove && isFromRoles(clause, vote.roles),
    )
    const people = [...new Set(counted.map(({ person }) => person))]
    return { clause, people, missing: Math.max(0, countOf(clause) - people.length) }
  })

export const isSatisfied = (clauses: readonly Clause[], ballot: Ballot): boolean =>
  progressOf(clauses, ballot).every(({ missing }) => missing === 0)

/** `2 approvals from finance`. */
export const needsOf = (clause: Clause): string =>
  clause.kind === 'confirm'
    ? 'a confirmation by the requester'
    : `${plural(clause.count, 'approval')}${fromWords(clause)}`

export const fromWords = ({ from }: Pick<ApprovalClause, 'from'>): string =>
  from.length === 0 ? '' : ` from ${from.join(' or ')}`

const isApproval = (clause: Clause): clause is ApprovalClause => clause.kind === 'approvals'

const countOf = (clause: Clause): number => (clause.kind === 'confirm' ? 1 : clause.count)
