import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type LawEvent, step } from '../../src/kernel/law/law.ts'
import {
  type AskedPerson,
  type Change,
  type ChangeState,
  type Clause,
  type Party,
  states,
} from '../../src/kernel/model/change.ts'
import { type Shown, shownIn } from '../../src/kernel/model/shown.ts'
import { ok } from '../../src/lib/result.ts'
import { assertUntil } from '../harness/assert-until.ts'
import { approvals, changeIn, outcome, party } from './sample.ts'

/** The law as its sentences say it, read once more: the code of a refusal, or what becomes of the change. */
type Answer = string | ({ state: ChangeState; at: number } & Partial<Change>)
type Vote = Pick<Change['votes'][number], 'by' | 'for' | 'stage' | 'granted'>

const behind = ({ by, for: away }: Vote): string[] => [by.person, ...(away ? [away.person] : [])]
const isOneOf = (people: string[], votes: readonly Vote[]) =>
  votes.some((vote) => behind(vote).some((person) => people.includes(person)))

/** Whether a clause asks somebody: by name, where it names people, or by a role. A manager needs no other right. */
const asks = (clause: Clause, { by, for: away, granted }: Vote): boolean => {
  if (clause.kind === 'confirm') return false
  const named = away ? undefined : clause.people?.find(({ person }) => person === by.person)
  if (named?.as === 'manager') return true
  if (granted) return false
  const { roles } = away ?? by
  const isOpenToAll = clause.from.length === 0 && clause.people === undefined
  const wanted = clause.from.length === 0 ? [] : [...clause.from, ...(clause.also ?? [])]
  return named !== undefined || isOpenToAll || wanted.some((one) => roles.includes(one))
}
const isMet = (clause: Clause, votes: readonly Vote[], requesters: string[]): boolean => {
  if (clause.kind === 'confirm') return votes.some((vote) => behind(vote).join() === requesters[0])
  const counted: Vote[] = []
  for (const vote of votes) {
    const isInTime = clause.stage === undefined || vote.stage === clause.stage
    if (!isInTime || !asks(clause, vote) || behind(vote).some((one) => requesters.includes(one))) continue
    if (!isOneOf(behind(vote), counted)) counted.push(vote)
  }
  return counted.length >= clause.count
}
const askersOf = ({ requester, changedBy = [] }: Change): string[] =>
  [requester, ...changedBy].map(({ person }) => person)
/** The lowest stage that is not complete. */
const stageOf = (change: Change, votes: readonly Vote[]): number | undefined =>
  change.clauses
    .flatMap((clause) =>
      clause.kind === 'approvals' && clause.stage !== undefined && !isMet(clause, votes, askersOf(change))
        ? clause.stage
        : [],
    )
    .toSorted((one, other) => one - other)[0]
/** In stages: whose turn has not come, and whose is over. Where somebody is asked apart from them, they may vote. */
const isOutOfTurn = (change: Change, vote: Vote, votes: readonly Vote[]): boolean => {
  const own = change.clauses.flatMap((clause) =>
    clause.kind === 'approvals' && asks(clause, vote) ? [clause.stage] : [],
  )
  const now = stageOf(change, votes)
  if (own.length === 0 || own.includes(now)) return false
  return own.some((one) => one !== undefined && now !== undefined && one > now) || !own.includes(undefined)
}
/** Where somebody else approves, no confirmation is needed beside it. */
const areMet = (clauses: readonly Clause[], votes: readonly Vote[], requesters: string[]): boolean => {
  const others = clauses.filter(({ kind }) => kind === 'approvals')
  return (others.length > 0 ? others : clauses).every((clause) => isMet(clause, votes, requesters))
}

const model = (change: Change, event: LawEvent): Answer => {
  const { state, requester } = change
  const actors = askersOf(change)
  const isOfAskers = (vote: Vote) => behind(vote).some((one) => actors.includes(one))
  const isActor = ({ person, agent }: Party) =>
    [requester, ...(change.changedBy ?? [])].some(
      (one) => one.person === person && (agent === undefined || agent === one.agent),
    )
  const at =
    'outcome' in event ? event.outcome.at : 'check' in event ? event.check.at : 'at' in event ? event.at : 0
  const isHeld = state === 'approved' && at < (change.holdUntil ?? 0)
  const isStopped = isHeld || (state === 'approved' && change.waiting !== undefined)
  const message = 'message' in event ? { at, message: event.message, warning: null, view: null } : null
  const lapsing = (lapsed: NonNullable<Change['lapsed']>) =>
    lapsed.length === 0 ? change.lapsed : [...(change.lapsed ?? []), ...lapsed]
  const isFrom = (...from: ChangeState[]) => from.includes(state)
  const edition = change.edition ?? 1
  const isOlder = ({ shown }: { shown?: Shown | undefined }) =>
    shown !== undefined && (shown.edition !== edition || shown.digest !== change.digest)
  switch (event.kind) {
    case 'vote': {
      if (!isFrom('pending') || at >= change.expiresAt) return 'not_pending'
      const { by, for: away, shown, weighed, granted } = event
      const isConfirmed = change.clauses.every(({ kind }) => kind === 'confirm')
      if (isConfirmed && (behind(event).join() !== requester.person || requester.agent))
        return 'not_requester'
      if (!isConfirmed && isOfAskers(event)) return 'own_request'
      if (!isConfirmed && !event.mayVote) return 'may_not_approve'
      if (isOlder(event)) return 'changed_since'
      if (isOneOf(behind(event), weighed.votes)) return 'already_voted'
      if (!isConfirmed && isOutOfTurn(change, event, weighed.votes)) return 'not_your_turn'
      const stage = stageOf(change, weighed.votes)
      const vote = {
        ...{ by, at, shown, digest: change.digest },
        ...(away && { for: away }),
        ...(stage === undefined ? {} : { stage }),
        ...(granted && { granted }),
      }
      const votes = [...weighed.votes, vote]
      const lapsed = lapsing(weighed.lapsed)?.filter(({ person }) => person !== by.person)
      if (!areMet(change.clauses, votes, actors)) {
        const next = stageOf(change, votes)
        const reminder = { n: (change.reminder?.n ?? 0) + 1, why: `Stage ${next}` }
        return {
          state: 'pending',
          at,
          votes,
          lapsed,
          ...(next !== stage && next !== undefined ? { reminder } : {}),
        }
      }
      const runs = Math.max(at + (change.holdMs ?? 0), change.runAt?.at ?? 0)
      if (runs === at) return { state: 'approved', at, votes, lapsed }
      const expiresAt = Math.max(change.expiresAt, runs + change.expiresAt - change.createdAt)
      return { state: 'approved', at, votes, lapsed, holdUntil: runs, expiresAt }
    }
    case 'reject':
      if (!isFrom('pending')) return 'not_pending'
      if (isOfAskers(event)) return 'own_request'
      if (!event.mayVote) return 'may_not_approve'
      if (isOlder(event)) return 'changed_since'
      if (!/\S/.test(event.reason)) return 'needs_reason'
      return {
        state: 'rejected',
        at,
        ended: { by: event.by, ...(event.for && { for: event.for }), at, reason: event.reason },
      }
    case 'cancel':
      if (!isFrom('pending') && !isStopped) return 'not_pending'
      if (!isActor(event.by) && !(isStopped && event.mayVote)) return 'not_requester'
      if (isOlder(event)) return 'changed_since'
      return { state: 'cancelled', at, ended: { by: event.by, at, reason: null } }
    // What a feature notes has its own rules, and moves nothing.
    case 'note':
      return { state, at, notes: { ...change.notes, pets: 'x' } }
    case 'suggest':
      if (!isFrom('pending') || at >= change.expiresAt) return 'not_pending'
      if (isOfAskers(event)) return 'own_request'
      if (!event.mayVote) return 'may_not_approve'
      return { state, at, suggestion: { ...event.suggestion, by: event.by, at } }
    case 'expire':
      if (!isFrom('pending') && !(isFrom('approved') && change.waiting !== undefined)) return 'not_pending'
      return at < change.expiresAt ? 'not_pending' : { state: 'expired', at }
    case 'remind': {
      const done = change.reminded ?? 0
      if (!isFrom('pending') || at >= change.expiresAt || event.step !== done) return 'not_pending'
      const reminder = {
        n: (change.reminder?.n ?? 0) + 1,
        why: done === 0 ? 'Reminder' : `Reminder ${done + 1}`,
      }
      return { state, at, reminded: done + 1, reminder }
    }
    case 'void':
      return isFrom('pending', 'approved') ? { state: 'voided', at, outcome: message } : 'not_pending'
    case 'ask_again':
      if (!isFrom('pending', 'approved')) return 'not_pending'
      return {
        ...event.terms,
        ...{ state: 'pending', at, edition: edition + 1, votes: [], drift: event.drift },
        holdUntil: undefined,
      }
    case 'amend': {
      if (isFrom('pending') ? at >= change.expiresAt : !isStopped) return 'not_pending'
      if (!isActor(event.by) && !event.mayVote) return 'may_not_approve'
      const isNew = !actors.includes(event.by.person)
      return {
        ...event.terms,
        state: 'pending',
        at,
        edition: edition + 1,
        votes: [],
        lapsed: undefined,
        drift: event.drift,
        holdUntil: undefined,
        ...(isNew && { changedBy: [...(change.changedBy ?? []), event.by] }),
        reminder: { n: (change.reminder?.n ?? 0) + 1, why: `${event.by.name} changed it` },
      }
    }
    case 'lapse': {
      if (!isFrom('approved')) return 'not_pending'
      const { votes, lapsed } = event.weighed
      return {
        state: 'pending',
        at,
        votes,
        lapsed: lapsing(lapsed),
        expiresAt: event.expiresAt,
        holdUntil: undefined,
      }
    }
    case 'wait':
      return isFrom('approved') ? { state, at, waiting: event.message } : 'not_pending'
    case 'claim': {
      const { votes, lapsed } = event.weighed
      const isEnough = areMet([...change.clauses, ...event.clauses], votes, actors)
      if (!isFrom('approved') || isHeld || !isEnough) return 'not_pending'
      return { state: 'applying', at, votes, lapsed: lapsing(lapsed), claimedBy: event.process }
    }
    case 'finish':
      if (!isFrom('applying') || event.process !== change.claimedBy) return 'not_pending'
      return {
        ...{ state: event.state, at, outcome: event.outcome, claimedBy: null },
        ...(event.atService && { atService: event.atService }),
      }
    case 'service': {
      const { says, outcome: said } = event
      const known = change.atService
      // What is older than what is known, or of something else, says nothing.
      if (known?.service !== event.atService.service) return 'not_pending'
      if ((event.atService.saidAt ?? 9_999) < (known.saidAt ?? 0)) return 'not_pending'
      const atService = { ...event.atService, since: known.since }
      const late = { at, learned: says, message: said.message, contradicts: null }
      const made = { state: says, at, edition: edition + 1, outcome: said, atService }
      if (isFrom('held', 'accepted')) {
        if (says === state && known.said === atService.said) return 'not_pending'
        if (isFrom('accepted') && says === 'held') return 'not_pending'
        return isFrom('accepted') && says === 'failed' ? { ...made, late: { ...late, reversed: true } } : made
      }
      if (!isFrom('applied', 'not_applied', 'failed') || says === 'held' || says === 'accepted') {
        // A person who ended something else than an outcome is contradicted by nothing.
        return 'not_pending'
      }
      if (change.ended !== null) {
        if (!isFrom('applied', 'not_applied') || isFrom('applied') === (says === 'applied'))
          return 'not_pending'
        const contradicts = { by: change.ended.by, happened: isFrom('applied') }
        return {
          ...{ state: 'unknown', at, edition: edition + 1, outcome: said, ended: null },
          late: { ...late, contradicts },
        }
      }
      if (isFrom('applied') && says === 'failed') return { ...made, late: { ...late, reversed: true } }
      return isFrom('failed') && says === 'applied' ? { ...made, state: 'unknown', late } : 'not_pending'
    }
    case 'lost':
      return isFrom('applying') ? { state: 'unknown', at, outcome: message, claimedBy: null } : 'not_pending'
    case 'checked':
      if (!isFrom('unknown') || event.check.n !== (change.checked?.n ?? 0) + 1) return 'not_pending'
      // A look that found the same as the one before is no news to whoever decides.
      return event.check.happened === (change.checked?.happened ?? null)
        ? { state, at, checked: event.check }
        : { state, at, checked: event.check, edition: edition + 1 }
    case 'late': {
      const { learned } = event
      const late = { at, learned, message: event.outcome.message, contradicts: null }
      // A service that has it goes on with it.
      if (isFrom('unknown') && event.atService && (learned === 'held' || learned === 'accepted'))
        return {
          ...{ state: learned, at, edition: edition + 1, outcome: event.outcome, late },
          atService: event.atService,
        }
      if (isFrom('unknown')) return { state, at, edition: edition + 1, outcome: event.outcome, late }
      // Only a person's word about it can be contradicted.
      if (!isFrom('applied', 'not_applied') || change.ended === null) return 'not_pending'
      const happened = state === 'applied'
      if (happened === (learned !== 'failed')) return { state, at, edition: edition + 1, late }
      const contradicts = { by: change.ended.by, happened }
      return {
        ...{ state: 'unknown', at, edition: edition + 1, outcome: event.outcome, ended: null },
        late: { ...late, contradicts },
      }
    }
    case 'fail':
      return isFrom('approved') ? { state: 'failed', at, outcome: message } : 'not_pending'
    case 'resolve':
      if (!isFrom('unknown', 'held', 'accepted')) return 'not_pending'
      if (isOfAskers(event)) return 'own_request'
      if (!event.mayVote) return 'may_not_approve'
      if (isOlder(event)) return 'changed_since'
      if (!/\S/.test(event.reason)) return 'needs_reason'
      return {
        state: event.happened ? 'applied' : 'not_applied',
        at,
        ended: { by: event.by, at, reason: event.reason },
      }
    case 'nudge': {
      if (!isFrom('pending') || at >= change.expiresAt) return 'not_pending'
      const before = change.nudges ?? []
      const last = before.at(-1)?.at
      const { by } = event
      if (change.clauses.every(({ kind }) => kind === 'confirm')) return 'not_allowed_now'
      if (!actors.includes(by.person) && !event.mayVote) return 'not_requester'
      // Three times at most, and five minutes apart.
      if (before.length > 2 || (last !== undefined && at - last < 300_000)) return 'not_allowed_now'
      const reminder = { n: (change.reminder?.n ?? 0) + 1, why: `${by.name} asks again` }
      return { state, at, reminder, nudges: [...before, { person: by.person, at }] }
    }
    case 'escalate': {
      if (!isFrom('pending') || at >= change.expiresAt) return 'not_pending'
      const roles: string[] = []
      // Whoever is due joins those who may satisfy the clause, once.
      const clauses = change.clauses.map((clause): Clause => {
        if (clause.kind === 'confirm') return clause
        const also = [...(clause.also ?? [])]
        for (const { afterMs, to } of clause.escalate ?? []) {
          if (at - change.createdAt < afterMs || to.every((role) => clause.also?.includes(role))) continue
          for (const role of to) {
            if (!roles.includes(role)) roles.push(role)
            if (!also.includes(role)) also.push(role)
          }
        }
        return also.length > (clause.also ?? []).length ? { ...clause, also } : clause
      })
      if (roles.length === 0) return 'not_pending'
      const why = `Escalated to ${roles.join(' and ')}`
      return { state, at, clauses, reminder: { n: (change.reminder?.n ?? 0) + 1, why } }
    }
    case 'review':
    case 'reach':
    case 'stand':
    case 'recover':
    case 'recall':
      throw new Error('a test of its own tells what it does')
  }
}

/** What every step has in common: a new version, a time, an entry among the steps, and no waiting any more. */
const after = (change: Change, { at, ...made }: Exclude<Answer, string>): Change => {
  const { amount } = made
  const entry = {
    at,
    state: made.state,
    ...(amount === undefined || amount === change.amount ? {} : { amount }),
  }
  return {
    ...change,
    waiting: undefined,
    ...made,
    updatedAt: at,
    version: change.version + 1,
    ...(change.steps && { steps: [...change.steps, entry] }),
  }
}

const digests = ['0123456789abcdef', 'fedcba9876543210'] as const
/** Before, at and after each of the ends that a change can have. */
const time = fc.constantFrom(1_999, 2_000, 2_001, 2_999, 3_000, 3_001)
const end = fc.constantFrom(2_000, 3_000)
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined })
const person = fc
  .record({
    id: fc.constantFrom('ann', 'bob', 'cat', 'dan'),
    platform: fc.constantFrom('slack', 'discord'),
    roles: fc.constantFrom<string[]>([], ['finance'], ['cfo'], ['support', 'finance']),
    agent: fc.constantFrom(undefined, undefined, undefined, 'hers', 'other'),
  })
  .map(({ id, platform, roles, agent }) =>
    party(id, { platform, account: `${platform}-${id}`, roles, ...(agent && { agent }) }),
  )
const seen = fc.constantFrom(
  ...(
    [
      [digests[0], 1],
      [digests[0], 1],
      [digests[0], 2],
      [digests[1], 1],
    ] as const
  ).map(([digest, edition]) => shownIn({ digest, edition })),
)
const deputy = maybe(person)
function staged(stage: number, count: number, from: string[], people?: AskedPerson[]): Clause {
  return { ...approvals(count, from), stage, ...(people && { people }) } as Clause
}
const clauses = fc.constantFrom<Clause[]>(
  [{ kind: 'confirm' }],
  [approvals(1, [])],
  [approvals(1)],
  [approvals(2)],
  [approvals(2, []), approvals(1)],
  [{ ...approvals(1, ['legal']), also: ['cfo'] } as Clause],
  [staged(1, 1, ['cfo']), staged(2, 1, ['finance'])],
  [staged(1, 1, ['finance']), staged(2, 1, ['finance']), approvals(2, [])],
  [staged(1, 1, [], [{ person: 'cat', name: 'Cat', as: 'manager' }]), staged(2, 1, ['finance'])],
  [{ ...approvals(1, []), people: [{ person: 'bob', name: 'Bob', as: 'asked' }] } as Clause, approvals(1)],
)
const voteOf = fc
  .record({
    by: person,
    for: deputy,
    at: fc.constant(1_500),
    digest: fc.constant(digests[0]),
    stage: fc.constantFrom(undefined, 1, 1, 2),
    granted: fc.constantFrom<(true | undefined)[]>(undefined, undefined, true),
  })
  .filter((one) => one.for?.person !== one.by.person)
  .map(({ for: away, stage, granted, ...rest }) => ({
    ...rest,
    ...(away && { for: away }),
    ...(stage && { stage }),
    ...(granted && { granted }),
  }))
const escalating = fc.constantFrom<Clause[]>(
  [{ kind: 'confirm' }],
  [approvals(1)],
  [{ ...approvals(1), escalate: [{ afterMs: 1_000, to: ['cfo'] }] } as Clause],
  [{ ...approvals(1), also: ['cfo'], escalate: [{ afterMs: 1_000, to: ['cfo'] }] } as Clause],
  [
    {
      ...approvals(1),
      also: ['owner'],
      escalate: [
        { afterMs: 1_000, to: ['cfo'] },
        { afterMs: 2_000, to: ['cfo', 'owner'] },
      ],
    } as Clause,
    { ...approvals(2, ['legal']), escalate: [{ afterMs: 1_001, to: ['owner', 'cfo'] }] } as Clause,
  ],
)
const nudges = fc.array(
  fc.constantFrom(-300_000, -298_001, -298_000, -297_999).map((when) => ({ person: 'bob', at: when })),
  { maxLength: 3 },
)
const votes = fc.array(voteOf, { maxLength: 2 })
const lapsed = fc.array(
  fc.constantFrom('bob', 'cat').map((id) => ({ person: id, name: id, why: 'no role' })),
  { maxLength: 2 },
)
const weighed = fc.record({ votes, lapsed })
const reason = fc.constantFrom('', ' ', 'because')
const mayVote = fc.boolean()
const often = fc.constantFrom(true, true, true, false)
const process = fc.constantFrom('process-1', 'process-2')
const ended = fc.constant({ by: party('bob'), at: 1_500, reason: 'looked' })

const fields = fc.record({
  clauses,
  agent: maybe(fc.constant('hers')),
  waiting: maybe(fc.constant('for slack')),
  holdUntil: maybe(end),
  holdMs: maybe(fc.constant(500)),
  runAt: maybe(end.map((at) => ({ at, zone: 'UTC' }))),
  expiresAt: end,
  lapsed: maybe(lapsed),
  claimedBy: process,
  ended: fc.option(ended),
  changedBy: maybe(person.map((one) => [one])),
  edition: maybe(fc.constantFrom(1, 1, 2)),
  checked: maybe(
    fc
      .record({ n: fc.constantFrom(1, 2), happened: fc.constantFrom(null, true) })
      .map((one) => ({ ...one, at: 1_500, message: 'nothing' })),
  ),
  reminded: maybe(fc.constantFrom(1, 2)),
  reminder: maybe(fc.constant({ n: 4, why: 'before' })),
  steps: maybe(fc.constant<NonNullable<Change['steps']>>([{ at: 1_000, state: 'pending' }])),
  votes,
})
const changes = (state: fc.Arbitrary<ChangeState>): fc.Arbitrary<Change> =>
  fc.tuple(state, fields).map(([now, { agent, waiting, holdUntil, ...rest }]) =>
    changeIn(now, {
      ...rest,
      ...(now === 'approved' ? { waiting, holdUntil } : {}),
      requester: party('ann', { roles: ['support'], ...(agent && { agent }) }),
    }),
  )

const { requester: _, votes: __, ...shown } = changeIn('pending')
const terms = { ...shown, plan: { amount: 30 }, digest: digests[1], expiresAt: 9_000, amount: 30 }
const at = time
const by = person
const message = fc.constant('so')
const told = time.map((when) => ({ ...outcome('told'), at: when }))
const learned = fc.constantFrom('applied', 'failed', 'unknown', 'held', 'accepted')
const atService = fc.record(
  {
    service: fc.constantFrom('shop', 'shop', 'shop', 'other'),
    row: fc.constant('shop.refund'),
    id: fc.constant('re_1'),
    said: fc.constantFrom('PENDING', 'WAITING'),
    saidAt: fc.constantFrom(1_000, 2_000),
    since: fc.constant(1_000),
  },
  { requiredKeys: ['service', 'row', 'id', 'said', 'since'] },
)

type Tried = {
  [K in Exclude<LawEvent['kind'], 'reach' | 'stand' | 'review' | 'recover' | 'recall'>]: {
    event: fc.Arbitrary<Omit<Extract<LawEvent, { kind: K }>, 'kind'>>
    /** The states in which it means something; it is tried in the others less often. */
    states: ChangeState[]
    /** What came of it; each was there, or the comparison says nothing of it. */
    answers: string[]
    runs?: number
    /** Fields of the change that only this event looks at. */
    over?: fc.Arbitrary<Partial<Change>>
  }
}

const tried: Tried = {
  vote: {
    event: fc.record({
      by,
      for: deputy,
      mayVote: often,
      granted: fc.constantFrom<(true | undefined)[]>(undefined, undefined, true),
      shown: seen,
      weighed,
      at,
    }),
    states: ['pending'],
    answers: [
      'approved',
      'pending',
      'already_voted',
      'own_request',
      'not_requester',
      'may_not_approve',
      'changed_since',
      'not_your_turn',
      'not_pending',
    ],
    runs: 6_000,
  },
  reject: {
    event: fc.record({ by, for: deputy, mayVote: often, shown: seen, reason, at }),
    states: ['pending'],
    answers: ['rejected', 'own_request', 'may_not_approve', 'changed_since', 'needs_reason', 'not_pending'],
  },
  cancel: {
    event: fc.record({ by, mayVote, shown: maybe(seen), at }),
    states: ['pending', 'approved'],
    answers: ['cancelled', 'not_requester', 'changed_since', 'not_pending'],
  },
  note: {
    event: fc.record({
      ...{ of: fc.constant('pets'), as: fc.constant('pet'), by, text: reason, at },
      ...{ noted: fc.constant(() => ok('x')), news: fc.constant(() => []) },
    }),
    states: [...states],
    answers: [...states],
  },
  suggest: {
    event: fc.record({
      by,
      mayVote: often,
      suggestion: fc.constant({ values: { amount: '10' }, title: 'Refund 10', sum: '10 USD' }),
      at,
    }),
    states: ['pending'],
    answers: ['pending', 'own_request', 'may_not_approve', 'not_pending'],
  },
  expire: { event: fc.record({ at }), states: ['pending', 'approved'], answers: ['expired', 'not_pending'] },
  remind: {
    event: fc.record({ step: fc.constantFrom(0, 1, 2), at }),
    states: ['pending'],
    answers: ['pending', 'not_pending'],
  },
  nudge: {
    event: fc.record({ by, mayVote: often, at }),
    states: ['pending'],
    answers: ['pending', 'not_allowed_now', 'not_requester', 'not_pending'],
    over: fc.record({ nudges: maybe(nudges) }),
  },
  escalate: {
    event: fc.record({ at }),
    states: ['pending'],
    answers: ['pending', 'not_pending'],
    over: fc.record({ clauses: escalating }),
  },
  void: {
    event: fc.record({ message, at }),
    states: ['pending', 'approved'],
    answers: ['voided', 'not_pending'],
  },
  ask_again: {
    event: fc.record({
      terms: fc.constantFrom(terms, { ...terms, amount: 20 }),
      drift: fc.constant({ message: 'look', changes: [] }),
      at,
    }),
    states: ['pending', 'approved'],
    answers: ['pending', 'not_pending'],
  },
  amend: {
    event: fc.record({
      by,
      mayVote,
      terms: fc.constant({
        ...terms,
        ...{ line: 'refund pay_1 30', input: { amount: 30 }, intent: 'other', round: 1 },
        ...{ askedAt: 2_000, pinned: undefined, runAt: undefined, also: undefined, judged: undefined },
      }),
      drift: fc.constant({ message: 'look', changes: [] }),
      at,
    }),
    states: ['pending', 'approved'],
    answers: ['pending', 'may_not_approve', 'not_pending'],
  },
  lapse: {
    event: fc.record({ weighed, expiresAt: fc.constant(9_000), at }),
    states: ['approved'],
    answers: ['pending', 'not_pending'],
  },
  wait: { event: fc.record({ message, at }), states: ['approved'], answers: ['approved', 'not_pending'] },
  claim: {
    event: fc.record({
      process,
      weighed,
      clauses: fc.constantFrom([], [approvals(1)], [approvals(2, [])]),
      at,
    }),
    states: ['approved'],
    answers: ['applying', 'not_pending'],
    runs: 1_500,
  },
  finish: {
    event: fc.record({ process, state: learned, outcome: told, atService: maybe(atService) }),
    states: ['applying'],
    answers: ['applied', 'failed', 'unknown', 'held', 'accepted', 'not_pending'],
  },
  service: {
    event: fc.record({
      says: fc.constantFrom('held', 'accepted', 'applied', 'failed'),
      outcome: told,
      atService,
      told: fc.constantFrom('asked', 'called'),
    }),
    states: ['held', 'accepted', 'applied', 'failed', 'not_applied'],
    answers: ['held', 'accepted', 'applied', 'failed', 'unknown', 'not_pending'],
    runs: 2_000,
    over: fc.record({ atService: maybe(atService) }),
  },
  lost: { event: fc.record({ message, at }), states: ['applying'], answers: ['unknown', 'not_pending'] },
  checked: {
    event: fc.record({
      check: fc.record({ n: fc.constantFrom(1, 2, 3), at, happened: fc.constant(true), message }),
    }),
    states: ['unknown'],
    answers: ['unknown', 'not_pending'],
  },
  late: {
    event: fc.record({ learned, outcome: told, atService: maybe(atService) }),
    states: ['unknown', 'applied', 'not_applied'],
    answers: ['unknown', 'applied', 'not_applied', 'held', 'accepted', 'not_pending'],
  },
  fail: { event: fc.record({ message, at }), states: ['approved'], answers: ['failed', 'not_pending'] },
  resolve: {
    event: fc.record({
      by,
      mayVote: often,
      shown: seen,
      happened: fc.boolean(),
      reason,
      others: fc.constant('Bob can.'),
      at,
    }),
    states: ['unknown', 'held', 'accepted'],
    answers: [
      'applied',
      'not_applied',
      'own_request',
      'may_not_approve',
      'changed_since',
      'needs_reason',
      'not_pending',
    ],
  },
}

it.each(Object.keys(tried) as (keyof Tried)[])(
  'the event "%s" does in every state what the sentences of the law say, and nothing else',
  async (kind) => {
    const { event, states: likely, answers, runs = 400, over = fc.constant({}) } = tried[kind]
    const state = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...likely) }, fc.constantFrom(...states))
    const seen = new Set<string>()
    const events = event.map((one) => ({ kind, ...one }) as LawEvent)
    await assertUntil(
      fc.property(changes(state), over, events, (plain, more, one) => {
        const change = { ...plain, ...more }
        fc.pre(!('for' in one) || one.for?.person !== one.by.person)
        const answer = model(change, one)
        const result = step(change, one)
        seen.add(typeof answer === 'string' ? answer : answer.state)
        if (typeof answer === 'string') expect(result.ok ? result.value : result.refusal.code).toBe(answer)
        else expect(result).toEqual({ ok: true, value: after(change, answer) })
      }),
      runs,
      () => seen.size === answers.length,
    )
    expect([...seen].sort()).toEqual([...answers].sort())
  },
)

it('whom a card reached moves nothing, and is said of whatever can still be seen to', () => {
  for (const state of states) {
    const change = changeIn(state, { steps: [] })
    const reach = { people: ['Bob'], why: 'closed' } as unknown as NonNullable<Change['reach']>
    const result = step(change, { kind: 'reach', reach })
    const isOver = !['pending', 'approved', 'applying', 'unknown', 'held', 'accepted'].includes(state)
    expect(result.ok ? result.value : result.refusal.code).toEqual(
      isOver ? 'not_pending' : { ...change, reach, version: change.version + 1 },
    )
  }
})

/** Written from its sentence: somebody else, who may approve it, with a reason, once, of an emergency that was used; it moves nothing. */
it.each(states)('a review of what was done alone, of a change that is %s', (state) => {
  const used = { why: 'the shop is down', usedAt: 1_200 }
  const reviewed = { by: party('cyd'), at: 1_300, reason: 'fine' }
  const emergencies: Change['emergency'][] = [undefined, { why: used.why }, used, { ...used, reviewed }]
  for (const emergency of emergencies)
    for (const id of ['ada', 'bob'])
      for (const mayVote of [true, false])
        for (const reason of ['looked', ' ']) {
          const change = { ...changeIn(state, { steps: [] }), emergency }
          const by = party(id)
          const shown = shownIn(change)
          const event = { kind: 'review' as const, by, mayVote, shown, reason, others: 'Ask Bob.' }
          const result = step(change, { ...event, at: 1_400 })
          const waits = emergency?.usedAt !== undefined && emergency.reviewed === undefined
          const isOwn = change.requester.person === id
          const code = !waits
            ? 'not_pending'
            : isOwn
              ? 'own_request'
              : !mayVote
                ? 'may_not_approve'
                : reason.trim() === ''
                  ? 'needs_reason'
                  : undefined
          expect(result.ok ? result.value : result.refusal.code).toEqual(
            code ?? {
              ...change,
              emergency: { ...emergency, reviewed: { by, at: 1_400, reason } },
              version: change.version + 1,
            },
          )
        }
})
