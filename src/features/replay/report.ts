import { type Ballot, isSatisfied, needsApproval, stageIn } from '../../kernel/law/clauses.ts'
import type { Judged, PastRequest } from '../../kernel/model/change.ts'
import { countsByRoles, type PolicyDecision } from '../../kernel/policy/evaluate.ts'
import { isListed } from '../../kernel/policy/listed.ts'
import { approveNamesOf, mayApprove, personNow, rolesNow } from '../../kernel/policy/people.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { isListedIn } from '../../kernel/policy/workspaces.ts'
import { madeOnce } from '../../lib/made-once.ts'
import type { ClauseList } from './clause-lists.ts'
import type { Part } from './compare.ts'

/** One request as the version of its time judged it, and as another one would have. */
export type Replayed =
  /** Why it cannot be judged again. */
  | { request: PastRequest; reason: string }
  | {
      request: PastRequest
      judged: Judged
      before: Policy
      decision: PolicyDecision
      /** What was asked for then, and what would be now. */
      asked: ClauseList
      needed: ClauseList
      /** The requester may not even ask. */
      isRefused: boolean
      parts: Part[]
    }

type Verdict = 'same' | 'stricter' | 'looser' | 'mixed' | 'not_replayable'

export type ReplayItem = {
  id: string
  at: string
  line: string
  requester: string
  amount: number | null
  currency: string | null
  /** `mixed` is stricter in one thing and looser in another, and is counted as both. */
  verdict: Verdict
  reason?: string
  parts: Part[]
  before?: { rule: string; require: string[] }
  after?: { rule: string; require: string[] }
  /** How long it waited for its decision, and would have by the votes that were given; null: not known. */
  wait?: { before_ms: number | null; after_ms: number | null }
}

export type Replay = {
  policy: string
  since: string
  requests: number
  same: number
  stricter: number
  looser: number
  not_replayable: number
  /** So many are counted as stricter and as looser. */
  mixed: number
  /** Amounts by verdict and currency; `none` is an amount without a currency. */
  sums: Record<Verdict, Record<string, number>>
  /** Listed people who would have been asked for more or fewer decisions. */
  asked: { person: string; name: string; before: number; after: number }[]
  /** Of the requests of which both are known, the middle one. */
  wait: { known: number; before_ms: number | null; after_ms: number | null; not_known: number }
  items: ReplayItem[]
}

/** Counts what a replay finds. */
export const createReport = (policy: Policy, since: number) => {
  const items: ReplayItem[] = []
  const sums: Replay['sums'] = { same: {}, stricter: {}, looser: {}, mixed: {}, not_replayable: {} }
  const asked = new Map<string, { before: number; after: number }>()
  const waits: { before: number; after: number }[] = []
  let notKnown = 0
  const count = (person: string, when: 'before' | 'after') => {
    const counts = asked.get(person) ?? { before: 0, after: 0 }
    counts[when] += 1
    asked.set(person, counts)
  }
  const deciders = createDeciders()
  return {
    add: (replayed: Replayed): void => {
      const { request } = replayed
      const item = itemOf(replayed)
      items.push(item)
      if (request.amount !== null) {
        const currency = request.currency ?? 'none'
        const sum = (sums[item.verdict][currency] ?? 0) + request.amount
        sums[item.verdict][currency] = Math.round(sum * 1e4) / 1e4
      }
      if ('reason' in replayed) return
      const { judged, decision, before, asked: then, needed, isRefused } = replayed
      for (const person of deciders(before, request, then)) count(person, 'before')
      if (!isRefused) for (const person of deciders(policy, request, needed)) count(person, 'after')
      const wait = isRefused ? undefined : waitOf(policy, request, judged, decision)
      if (wait === undefined) return
      item.wait = wait
      if (wait.before_ms === null || wait.after_ms === null) notKnown += 1
      else waits.push({ before: wait.before_ms, after: wait.after_ms })
    },
    done: (): Replay => {
      const of = (verdict: Verdict) => items.filter((item) => item.verdict === verdict).length
      const mixed = of('mixed')
      return {
        policy: policy.digest,
        since: new Date(since).toISOString(),
        requests: items.length,
        same: of('same'),
        stricter: of('stricter') + mixed,
        looser: of('looser') + mixed,
        not_replayable: of('not_replayable'),
        mixed,
        sums,
        asked: [...asked]
          .filter(([, counts]) => counts.before !== counts.after)
          .map(([person, counts]) => ({ person, name: nameOf(policy, person), ...counts }))
          .sort((one, other) => growthOf(other) - growthOf(one)),
        wait: {
          known: waits.length,
          before_ms: middleOf(waits.map(({ before }) => before)),
          after_ms: middleOf(waits.map(({ after }) => after)),
          not_known: notKnown,
        },
        items,
      }
    },
  }
}

const itemOf = (replayed: Replayed): ReplayItem => {
  const { id, createdAt, line, requester, amount, currency } = replayed.request
  const about = {
    id,
    at: new Date(createdAt).toISOString(),
    line,
    requester: requester.person,
    amount,
    currency,
  }
  if ('reason' in replayed) return { ...about, verdict: 'not_replayable', reason: replayed.reason, parts: [] }
  const { judged, decision, asked, needed, isRefused, parts } = replayed
  const has = (direction: Part['direction']) => parts.some((part) => part.direction === direction)
  const [isMore, isLess] = [has('stricter'), has('looser')]
  return {
    ...about,
    verdict: isMore && isLess ? 'mixed' : isMore ? 'stricter' : isLess ? 'looser' : 'same',
    parts,
    before: { rule: judged.rule, require: asked.words },
    after: isRefused ? { rule: 'refused', require: [] } : { rule: decision.rule, require: needed.words },
  }
}

const growthOf = ({ before, after }: { before: number; after: number }): number => after - before

const nameOf = ({ people }: Policy, id: string): string => people.find((one) => one.id === id)?.name ?? id

/** Who is asked to decide: the requester for a confirmation, else every listed person whose vote would count. */
const createDeciders = () => {
  const known = new Map<string, string[]>()
  return (policy: Policy, request: PastRequest, { id: list, clauses }: ClauseList): string[] => {
    const { requester } = request
    if (clauses.length === 0) return []
    if (!needsApproval(clauses)) return [requester.person]
    const names = approveNamesOf(request)
    const key = [policy.digest, requester.person, requester.space, names.join(), list].join(' ')
    return madeOnce(known, key, () =>
      policy.people
        .filter(
          (one) =>
            one.id !== requester.person &&
            isListedIn(policy, one.id, request) &&
            countsByRoles(policy, { person: one.id, roles: one.roles }, clauses, names),
        )
        .map(({ id }) => id),
    )
  }
}

const holdOf = (decision: Record<string, unknown>): number =>
  typeof decision.holdMs === 'number' ? decision.holdMs : 0

/** By the votes that were given and nothing else: where they would not have been enough, nobody knows. */
const waitOf = (policy: Policy, request: PastRequest, judged: Judged, decision: PolicyDecision) => {
  const { createdAt, steps = [], votes, requester } = request
  const { clauses } = decision
  const holdMs = holdOf(decision)
  const approvedAt = steps.find(({ state }) => state === 'approved')?.at
  const before = approvedAt === undefined ? null : approvedAt - createdAt + holdOf(judged.terms)
  if (clauses.length === 0) return { before_ms: before, after_ms: holdMs }
  const names = approveNamesOf(request)
  const own = personNow(policy, requester)
  const cast: (Ballot['votes'][number] & { at: number })[] = []
  for (const { by, at } of votes) {
    const roles = rolesNow(policy, by, undefined)
    cast.push({
      at,
      person: personNow(policy, by),
      roles,
      mayApprove: mayApprove(policy, { roles }, names) && isListed(policy, by),
      stage: stageIn(clauses, { requester: own, votes: cast }),
    })
  }
  const enough = cast.findIndex((_, index) =>
    isSatisfied(clauses, { requester: own, votes: cast.slice(0, index + 1) }),
  )
  const at = cast[enough]?.at
  return { before_ms: before, after_ms: at === undefined ? null : at - createdAt + holdMs }
}

const middleOf = (values: number[]): number | null =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? null
