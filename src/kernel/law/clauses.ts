import { isDeepStrictEqual } from 'node:util'
import { plural } from '../../lib/view/button-labels.ts'
import type { ApprovalClause, AskedPerson, Change, Clause, Escalation, Party } from '../model/change.ts'
import type { Need } from '../policy/policy.ts'

/** Who has voted, with what each of them may do now. */
export type Ballot = {
  requester: string
  /** Who else stands behind the request, and so approves nothing of it. */
  changedBy?: readonly string[]
  votes: readonly {
    person: string
    for?: string | undefined
    mayApprove: boolean
    roles: readonly string[]
    stage?: number | undefined
    isSigned?: boolean
  }[]
}

type Balloted = Pick<Change, 'votes' | 'requester' | 'changedBy'>

/** The votes as they were last weighed. */
export const ballotOf = ({ votes, requester, changedBy = [] }: Balloted): Ballot => ({
  requester: requester.person,
  changedBy: changedBy.map(({ person }) => person),
  votes: votes.map(({ by, for: away, stage, granted, signed }) => ({
    person: by.person,
    for: away?.person,
    mayApprove: granted !== true,
    roles: (away ?? by).roles,
    stage,
    isSigned: signed !== undefined,
  })),
})

/** In the place of a role: whoever is the manager of the person who asks. */
export const managerWord = 'manager'

/** What a rule or a budget needs, with why. `managers` are those of whoever asks; not given where it is the name of a role. */
export const clausesOf = (
  needs: readonly Need[],
  because: string,
  escalate?: Escalation,
  managers?: readonly AskedPerson[],
): Clause[] =>
  needs.map((need) =>
    need.kind === 'confirm'
      ? { kind: 'confirm' }
      : {
          ...need,
          from: need.from.filter((role) => managers === undefined || role !== managerWord),
          because,
          ...(managers !== undefined && need.from.includes(managerWord) ? { people: [...managers] } : {}),
          ...(escalate === undefined ? {} : { escalate: [{ ...escalate, to: [...escalate.to] }] }),
        },
  )

/**
 * All clauses of all lists. Of two for the same people and the same stage the one for more of them stays, the first if they are alike.
 * An approval says more than a confirmation, so where one is needed no confirmation is. Whoever may satisfy one of two
 * that become one may satisfy it.
 */
export const combine = (...lists: readonly (readonly Clause[])[]): Clause[] => {
  const kept = new Map<string, Clause>()
  for (const clause of lists.flat()) {
    const key = keyOf(clause)
    const before = kept.get(key)
    if (before === undefined) kept.set(key, clause)
    else kept.set(key, countOf(clause) > countOf(before) ? joined(clause, before) : joined(before, clause))
  }
  const all = [...kept.values()]
  return needsApproval(all) ? all.filter(isApproval) : all
}

/** Two clauses with the same ask the same people in the same way at the same time, if not for as many of them. */
const keyOf = (clause: Clause): string =>
  clause.kind === 'confirm'
    ? (clause.sign ?? '')
    : JSON.stringify([
        clause.from.toSorted(),
        clause.stage ?? 0,
        clause.people?.map(({ person, as }) => `${as} ${person}`).toSorted() ?? null,
        ...(clause.sign === undefined ? [] : [clause.sign]),
      ])

export const needsApproval = (clauses: readonly Clause[]): boolean => clauses.some(isApproval)

/** Its requester alone decides. */
export const isConfirmOnly = (clauses: readonly Clause[]): boolean =>
  clauses.length > 0 && !needsApproval(clauses)

/** What is asked for at least: the requester's own yes, or, as an agent has none to give, that of somebody else. */
export const leastClause = (agent: string | undefined): Clause =>
  agent === undefined
    ? { kind: 'confirm' }
    : { kind: 'approvals', count: 1, from: [], because: 'an agent asked' }

/** Whether the second list asks for something that the first does not. */
export const asksMore = (before: readonly Clause[], after: readonly Clause[]): boolean =>
  addedTo(before, after).length > 0

/** The clauses that are not in the first list, or that ask there for fewer people. */
export const addedTo = (before: readonly Clause[], after: readonly Clause[]): Clause[] => {
  const wordOf = (clause: Clause) => `${countOf(clause)} ${keyOf(clause)}`
  const own = new Set(before.map(wordOf))
  return combine(before, after).filter((clause) => !own.has(wordOf(clause)))
}

/** Whether a clause takes people for their roles. One that names people and no role takes nobody else. */
const isFromRoles = (clause: RolesOfClause, roles: readonly string[]): boolean =>
  clause.from.length === 0
    ? clause.people === undefined
    : rolesIn(clause).some((role) => roles.includes(role))

/** Asks for a manager, and there is none. */
export const isManagerless = (clause: Clause): clause is ApprovalClause =>
  clause.kind === 'approvals' && clause.from.length === 0 && clause.people?.length === 0

/** Somebody as the clauses look at them: a vote in another's place is worth the roles of that person, and no name. */
export type Voter = { person?: string | undefined; roles: readonly string[]; mayApprove: boolean }

export const isVoterFor = (clause: ApprovalClause, { person, roles, mayApprove }: Voter): boolean => {
  const named = clause.people?.find((one) => one.person === person)
  return named?.as === 'manager' || (mayApprove && (named !== undefined || isFromRoles(clause, roles)))
}

/** The roles whose members may satisfy it: those that it asks for, and those that an escalation has added. */
export const rolesIn = ({ from, also = [] }: RolesOfClause): string[] => [...new Set([...from, ...also])]

type RolesOfClause = Pick<ApprovalClause, 'from' | 'also' | 'people' | 'sign'>

/**
 * How each clause stands: the people who count for it, in the order of their votes, how many more it needs, and whether
 * it is their turn. A vote counts in the stage that was open when it was cast, so each stage takes different people.
 */
export const progressOf = (
  clauses: readonly Clause[],
  { requester, changedBy = [], votes }: Ballot,
): { clause: Clause; people: string[]; missing: number; isOpen: boolean }[] => {
  const counted = clauses.map((clause) => {
    const people: string[] = []
    const seen = new Set<string>()
    for (const vote of votes) {
      const names = vote.for === undefined ? [vote.person] : [vote.person, vote.for]
      const counts =
        clause.sign !== undefined && vote.isSigned !== true
          ? false
          : clause.kind === 'confirm'
            ? vote.for === undefined && vote.person === requester
            : !names.some((name) => name === requester || changedBy.includes(name)) &&
              (clause.stage === undefined || clause.stage === vote.stage) &&
              isVoterFor(clause, { ...vote, person: vote.for === undefined ? vote.person : undefined })
      // Nobody stands behind two votes, under their own name or another's.
      if (!counts || names.some((name) => seen.has(name))) continue
      for (const name of names) seen.add(name)
      people.push(vote.person)
    }
    return { clause, people, missing: Math.max(0, countOf(clause) - people.length) }
  })
  const now = Math.min(
    ...counted.flatMap(({ clause, missing }) => (missing > 0 ? (stageOf(clause) ?? []) : [])),
  )
  return counted.map((one) => ({ ...one, isOpen: one.missing > 0 && (stageOf(one.clause) ?? now) <= now }))
}

const stageOf = (clause: Clause): number | undefined =>
  clause.kind === 'approvals' ? clause.stage : undefined

/** The clauses that somebody can satisfy now. */
export const openClausesOf = (change: Balloted & Pick<Change, 'clauses'>): ApprovalClause[] =>
  progressOf(change.clauses, ballotOf(change)).flatMap(({ clause, isOpen }) =>
    clause.kind === 'approvals' && isOpen ? clause : [],
  )

/** The stage that is open; undefined where there is none, or none is left. */
export const stageIn = (clauses: readonly Clause[], ballot: Ballot): number | undefined =>
  progressOf(clauses, ballot)
    .flatMap(({ clause, isOpen }) => (isOpen ? (stageOf(clause) ?? []) : []))
    .at(0)

export const openStageOf = (change: Balloted & Pick<Change, 'clauses'>): number | undefined =>
  stageIn(change.clauses, ballotOf(change))

export const isSatisfied = (clauses: readonly Clause[], ballot: Ballot): boolean =>
  progressOf(clauses, ballot).every(({ missing }) => missing === 0)

/** `2 approvals from finance`. */
export const needsOf = (clause: Clause): string =>
  clause.kind === 'confirm'
    ? `a confirmation by the requester${signWords(clause)}`
    : `${plural(clause.count, 'approval')}${fromWords(clause)}${stageWords(clause)}`

export const fromWords = (clause: RolesOfClause): string => {
  const named = clause.people?.map(({ name, as }) => (as === 'manager' ? `${name} as manager` : name)) ?? []
  const all = [...named, ...(clause.from.length === 0 ? [] : rolesIn(clause))]
  if (all.length === 0 && clause.people !== undefined) return ' from a manager, and there is none'
  return `${all.length === 0 ? '' : ` from ${all.join(' or ')}`}${signWords(clause)}`
}

const signWords = ({ sign }: Pick<Clause, 'sign'>): string =>
  sign === undefined ? '' : ' signed with a passkey'

/** " in stage 2" */
export const stageWords = ({ stage }: Pick<ApprovalClause, 'stage'>): string =>
  stage === undefined ? '' : ` in stage ${stage}`

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
