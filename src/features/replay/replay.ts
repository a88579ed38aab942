import { refuseToRunNow } from '../../kernel/actors/authorization.ts'
import { isGuarded, isRepeatable, spendingStates } from '../../kernel/change/deciding/decide-clauses.ts'
import { isMoneyChange } from '../../kernel/command/moves-money.ts'
import type { Registry } from '../../kernel/command/registry.ts'
import { isManagerless } from '../../kernel/law/clauses.ts'
import { type Clause, openStates, type PastRequest } from '../../kernel/model/change.ts'
import { type Spent, spentThen } from '../../kernel/policy/budget.ts'
import { evaluate, type PolicyDecision, type PolicyInput, usesOf } from '../../kernel/policy/evaluate.ts'
import type { PolicySource } from '../../kernel/policy/in-force/policy-source.ts'
import { isAnyMatch } from '../../kernel/policy/pattern.ts'
import {
  approveNamesOf,
  groupsAsked,
  isGrantRole,
  managersOf,
  personNow,
  personOf,
} from '../../kernel/policy/people.ts'
import type { Budget, Policy } from '../../kernel/policy/policy.ts'
import { compareTerms } from '../../kernel/policy/rule-terms.ts'
import type { Store } from '../../kernel/store/store.ts'
import { madeOnce } from '../../lib/made-once.ts'
import { type ClauseList, createClauseLists } from './clause-lists.ts'
import { compareClauses, type Part } from './compare.ts'
import { createReport, type Replay, type Replayed } from './report.ts'
import { createTimeline, type Timeline } from './timeline.ts'

export type ReplayDeps = {
  store: { changes: Pick<Store['changes'], 'past'>; policies: Pick<Store['policies'], 'text'> }
  registry: Registry
  load: PolicySource['load']
}

/** Every request on record since a time, judged by another version of the policy. Nothing is guessed. */
export const replayRequests = async (
  { store, registry, load }: ReplayDeps,
  policy: Policy,
  { since }: { since: number },
): Promise<Replay> => {
  const longestMs = Math.max(
    0,
    policy.duplicates?.windowMs ?? 0,
    ...policy.budgets.map(({ windowMs }) => windowMs),
  )
  const past: PastRequest[] = []
  for await (const page of store.changes.past(since - longestMs)) past.push(...page)
  const asked = past.filter(({ createdAt }) => createdAt >= since)
  asked.sort((one, other) => one.createdAt - other.createdAt)
  const policies = await policiesOf(store, load, policy, asked)
  const measures = createMeasures(policy, past)
  const listOf = createClauseLists()
  const compare = createComparison(policy)
  const decide = createDecisions(policy, listOf)
  const report = createReport(policy, since)
  for (const request of asked)
    report.add(judgeAgain(registry, policy, policies, measures, { listOf, decide, compare }, request))
  return report.done()
}

/** The versions that judged these requests, as far as they are on record and can still be read. */
const policiesOf = async (
  store: ReplayDeps['store'],
  load: ReplayDeps['load'],
  policy: Policy,
  requests: readonly PastRequest[],
): Promise<Map<string, Policy>> => {
  const found = new Map([[policy.digest, policy]])
  for (const digest of new Set(requests.flatMap(({ judged }) => judged?.policy ?? []))) {
    const text = await store.policies.text(digest)
    const reading = text === undefined ? undefined : load(text)
    if (reading?.ok) found.set(digest, reading.policy)
  }
  return found
}

/** What is worked out once for all requests that are alike. */
type Judging = {
  listOf(clauses: readonly Clause[]): ClauseList
  decide(ask: PolicyInput & { requester: string }): { decision: PolicyDecision; needed: ClauseList }
  compare: ReturnType<typeof createComparison>
}

type Measures = {
  spent(budget: Budget, request: PastRequest, person: string): Spent | undefined
  same(request: PastRequest, windowMs: number): number | undefined
}

const demands = ['reason', 'evidence'] as const

/** In the place of what is not on record; that it is not there is told in the place of what would follow from it. */
const notKnown = Number.NaN

/** Sums are kept in whole numbers of a hundredth of a cent, so that they add up exactly. */
const unit = 1e4

/** What the windows of this policy held at any moment. Each is built when it is first asked for: most were counted then. */
const createMeasures = (policy: Policy, past: readonly PastRequest[]): Measures => {
  const budgets = new Map<string, Timeline>()
  let same: Timeline | undefined
  const keyOf = ({ per }: Budget, person: string, currency: string | null) =>
    `${per === 'requester' ? person : ''}\n${currency ?? ''}`
  const currencies = [...new Set([null, ...past.map(({ currency }) => currency)])]
  return {
    spent: (budget, request, person) => {
      const timeline = madeOnce(budgets, budget.name, () =>
        createTimeline(past, {
          states: spendingStates.ask,
          windowMs: budget.windowMs,
          keyOf: (one) =>
            isAnyMatch(budget.commands, one.names)
              ? keyOf(budget, personNow(policy, one.requester), one.currency)
              : undefined,
          weightOf: (amount) => Math.round((amount ?? 0) * unit),
        }),
      )
      const sums = currencies.map((currency) => ({
        currency,
        sum: timeline.at(keyOf(budget, person, currency), request.createdAt, request),
      }))
      return sums.some(({ sum }) => sum === undefined)
        ? undefined
        : sums.map(({ currency, sum = notKnown }) => ({ currency, sum: sum / unit }))
    },
    same: (request, windowMs) => {
      same ??= createTimeline(past, {
        states: [...openStates, 'applied'],
        windowMs,
        keyOf: ({ intent }) => intent,
        weightOf: () => 1,
      })
      return same.at(request.intent, request.createdAt, request)
    },
  }
}

const judgeAgain = (
  registry: Registry,
  policy: Policy,
  policies: ReadonlyMap<string, Policy>,
  measures: Measures,
  { listOf, decide, compare }: Judging,
  request: PastRequest,
): Replayed => {
  const { judged, requester, names, area } = request
  if (judged === undefined)
    return { request, reason: 'It was asked before what a replay needs was recorded.' }
  const before = policies.get(judged.policy)
  if (before === undefined) {
    return {
      request,
      reason: `The version ${judged.policy.slice(0, 12)} that judged it is not on record, or cannot be read any more.`,
    }
  }
  const groups = groupsAsked(policy, requester.platform)
  const unasked = groups.filter((group) => !judged.groups.known.includes(group))
  if (unasked.length > 0 && requester.workspace === undefined) {
    return { request, reason: `Nobody had asked whether ${requester.name} was in ${unasked.join(' or ')}.` }
  }
  const person = personOf(policy, { ...requester, groups: judged.groups.in })
  // What somebody was given for a while is no part of a file.
  const isGranted = requester.roles.some((role) => isGrantRole(role))
  const isRefused = !isGranted && refuseToRunNow(policy, { ...requester, ...person }, request) !== undefined
  const missing: string[] = []
  const amount = judged.amount === undefined ? request.amount : judged.amount
  const heldThen = (budget: Budget): Spent => {
    const counted = judged.spent.find((one) => isSameMeasure(one, budget))
    const held = counted === undefined ? measures.spent(budget, request, person.person) : spentThen(counted)
    if (held === undefined) missing.push(`What the budget "${budget.name}" held then is not on record.`)
    return held ?? spentThen(undefined)
  }
  const duplicates = (): number => {
    if (policy.duplicates === null || isRepeatable(registry, names)) return 0
    if (judged.same?.windowMs === policy.duplicates.windowMs) return judged.same.count
    const count = measures.same(request, policy.duplicates.windowMs)
    if (count === undefined) missing.push('Whether the same was asked shortly before is not on record.')
    return count ?? notKnown
  }
  const spent = new Map(
    policy.budgets
      .filter(({ commands }) => isAnyMatch(commands, names))
      .map((budget) => [budget.name, heldThen(budget)]),
  )
  const { decision, needed } = decide({
    names,
    area,
    movesMoney: isMoneyChange(registry, request),
    amount,
    currency: request.currency,
    spent: ({ name }) => spent.get(name) ?? spentThen(undefined),
    duplicates: duplicates(),
    requester: person.person,
    space: requester.space,
    agent: person.agent,
    guarded: isGuarded(registry, names),
    byNature: judged.byNature,
    demanded: judged.demanded,
  })
  /** Whether it came with what is demanded now; of what was demanded then, that is known. */
  const isMet = (key: string): boolean => demands.some((one) => one === key && judged.had?.[one] === true)
  for (const key of demands) {
    if (decision[key] !== undefined && judged.terms[key] === undefined && judged.had === undefined)
      missing.push(`Whether it came with ${key === 'reason' ? 'a reason' : 'evidence'} is not on record.`)
  }
  if (missing.length > 0) return { request, reason: missing.join(' ') }
  const asked = listOf(judged.clauses)
  const parts: Part[] = isRefused
    ? [
        {
          direction: 'stricter',
          kind: 'may no longer ask',
          words: `may no longer ask: none of their roles may run ${request.command}`,
        },
      ]
    : [
        ...(decision.clauses.some(isManagerless) && !judged.clauses.some(isManagerless) ? [noManager] : []),
        ...compare(before, approveNamesOf(request), asked, needed, person.person),
        ...compareTerms(judged.terms, decision)
          .filter(({ key, direction }) => direction === 'looser' || !isMet(key))
          .map(({ key, direction, words }) => ({ direction, kind: key, words })),
      ]
  return { request, judged, before, decision, asked, needed, isRefused, parts }
}

const noManager: Part = {
  direction: 'stricter',
  kind: 'no manager',
  words: 'no manager: a manager must approve it, and the requester has none',
}

/**
 * What a policy decides depends on where an amount stands among the ends of its ranges, not on the amount itself, so each
 * such case is decided once. Only the words about budgets, which nobody reads here, are those of the first.
 */
const createDecisions = (policy: Policy, listOf: Judging['listOf']): Judging['decide'] => {
  const known = new Map<string, ReturnType<Judging['decide']>>()
  const ends = policy.policies.flatMap(({ amount }) => (amount === undefined ? [] : Object.values(amount)))
  const placeOf = (amount: number | null): string =>
    amount === null || amount < 0 ? '' : ends.map((end) => Math.sign(amount - end)).join()
  return (ask) => {
    const over = usesOf(policy, ask).map(({ isOver }) => isOver)
    const key = [
      ask.names.join(),
      ask.area,
      ask.movesMoney,
      placeOf(ask.amount),
      over.join(),
      ask.duplicates > 0,
      ask.agent,
      managersOf(policy, ask.requester, ask.space)?.map((one) => one.person),
    ].join('\n')
    return madeOnce(known, key, () => {
      const decision = evaluate(policy, ask)
      return { decision, needed: listOf(decision.clauses) }
    })
  }
}

/** Requests of one kind compare alike, so each comparison is made once. */
const createComparison = (policy: Policy) => {
  const known = new Map<string, Part[]>()
  return (
    before: Policy,
    names: readonly string[],
    old: ClauseList,
    now: ClauseList,
    requester: string,
  ): Part[] => {
    const key = [before.digest, names.join(), old.id, now.id, requester].join('\n')
    return madeOnce(known, key, () =>
      compareClauses(
        { policy: before, names, clauses: old.clauses },
        { policy, names, clauses: now.clauses },
        requester,
      ),
    )
  }
}

const isSameMeasure = (
  one: { commands: readonly string[]; per: string; windowMs: number },
  other: Budget,
): boolean =>
  one.per === other.per &&
  one.windowMs === other.windowMs &&
  one.commands.toSorted().join('\n') === other.commands.toSorted().join('\n')
