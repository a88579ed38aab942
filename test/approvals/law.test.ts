import { describe, expect, it } from 'vitest'
import { cardOf } from '../../src/approvals/card.ts'
import { isEnded, type LawEvent, stateWords, step } from '../../src/approvals/law.ts'
import { type ChangeState, type Clause, states } from '../../src/model/change.ts'
import { approvals, asStored, changeIn, outcome, party, stepped } from './sample.ts'

const digest = changeIn('pending').digest
const nothing = { votes: [], lapsed: [] }
const byBob = { votes: [{ by: party('bob'), at: 2_000, digest }], lapsed: [] }
const terms = changeIn('pending', { digest: 'fedcba9876543210', plan: { amount: 30 }, expiresAt: 200_000 })

/** Each kind of event at its most allowed: by the right person, in time, about what they saw, with a reason. */
const events: Record<LawEvent['kind'], LawEvent> = {
  vote: { kind: 'vote', by: party('bob'), mayVote: true, digest, weighed: nothing, at: 2_000 },
  reject: { kind: 'reject', by: party('bob'), mayVote: true, reason: 'no', at: 2_000 },
  cancel: { kind: 'cancel', by: party('ann'), at: 2_000 },
  expire: { kind: 'expire', at: 100_000 },
  remind: { kind: 'remind', step: 0, at: 2_000 },
  nudge: { kind: 'nudge', by: party('ann'), mayVote: false, at: 2_000 },
  escalate: { kind: 'escalate', at: 3_000 },
  void: { kind: 'void', message: 'gone', at: 2_000 },
  ask_again: { kind: 'ask_again', terms, drift: { message: 'look again', changes: [] }, at: 2_000 },
  lapse: { kind: 'lapse', weighed: nothing, expiresAt: 200_000, at: 2_000 },
  wait: { kind: 'wait', message: 'It waits for slack.', at: 2_000 },
  claim: { kind: 'claim', process: 'process-1', weighed: byBob, clauses: [], at: 2_000 },
  finish: { kind: 'finish', process: 'process-1', state: 'applied', outcome: outcome('done') },
  lost: { kind: 'lost', message: 'died', at: 2_000 },
  checked: { kind: 'checked', check: { n: 1, at: 2_000, happened: true, message: 'It is there.' } },
  late: { kind: 'late', learned: 'applied', outcome: outcome('it was done') },
  fail: { kind: 'fail', message: 'frozen', at: 2_000 },
  reach: { kind: 'reach', reach: { refusals: [], asked: [] } },
  resolve: {
    kind: 'resolve',
    by: party('bob'),
    mayVote: true,
    happened: true,
    reason: 'seen',
    others: 'Bob can.',
    at: 2_000,
  },
}

/** The whole law: the states an event leads to. Every pair that is not here is refused. */
const table: Record<LawEvent['kind'], Partial<Record<ChangeState, ChangeState>>> = {
  vote: { pending: 'approved' },
  reject: { pending: 'rejected' },
  cancel: { pending: 'cancelled' },
  expire: { pending: 'expired' },
  remind: { pending: 'pending' },
  nudge: { pending: 'pending' },
  escalate: { pending: 'pending' },
  void: { pending: 'voided', approved: 'voided' },
  ask_again: { pending: 'pending', approved: 'pending' },
  lapse: { approved: 'pending' },
  wait: { approved: 'approved' },
  claim: { approved: 'applying' },
  finish: { applying: 'applied' },
  lost: { applying: 'unknown' },
  checked: { unknown: 'unknown' },
  late: { unknown: 'unknown' },
  reach: { pending: 'pending', approved: 'approved', applying: 'applying', unknown: 'unknown' },
  fail: { approved: 'failed' },
  resolve: { unknown: 'applied' },
}

const escalating = { clauses: [{ ...approvals(1), escalate: [{ afterMs: 2_000, to: ['cfo'] }] } as Clause] }

const kinds = Object.keys(table) as LawEvent['kind'][]

describe('every state and every event', () => {
  const pairs = states.flatMap((state) => kinds.map((kind) => [state, kind, table[kind][state]] as const))

  it.each(pairs.filter(([, , next]) => next !== undefined))('%s, then %s, is %s', (state, kind, next) => {
    const before = changeIn(state, escalating)
    expect(stepped(before, events[kind])).toMatchObject({ state: next, version: before.version + 1 })
  })

  it.each(pairs.filter(([, , next]) => next === undefined))('%s refuses %s', (state, kind) => {
    const before = changeIn(state)
    expect(stepped(before, events[kind])).toBe('not_pending')
    expect(before).toEqual(changeIn(state))
  })
})

it.each(states)('a change that is %s says so in words', (state) => {
  expect(stateWords[state]).toMatch(/^(is|has|was|did)\b/)
  expect(isEnded(state)).toBe(!['pending', 'approved', 'applying'].includes(state))
})

describe('votes', () => {
  const vote = (over: Partial<Extract<LawEvent, { kind: 'vote' }>>): LawEvent => ({
    kind: 'vote',
    by: party('bob'),
    mayVote: true,
    digest,
    weighed: nothing,
    at: 2_000,
    ...over,
  })
  const needsTwo = changeIn('pending', { clauses: [approvals(2)] })

  it('nobody approves their own request', () => {
    expect(stepped(changeIn('pending'), vote({ by: party('ann') }))).toBe('own_request')
  })
  it('nobody approves their own request from their other account', () => {
    const elsewhere = party('ann', { platform: 'discord', account: '42' })
    expect(stepped(changeIn('pending'), vote({ by: elsewhere }))).toBe('own_request')
  })
  it('only people whom the policy names count', () => {
    expect(stepped(changeIn('pending'), vote({ mayVote: false }))).toBe('may_not_approve')
  })
  it('a vote is bound to what the voter saw', () => {
    expect(stepped(changeIn('pending'), vote({ digest: 'another' }))).toBe('changed_since')
  })
  it('a vote that comes at the end of the time is too late', () => {
    expect(stepped(changeIn('pending'), vote({ at: 99_999 }))).toMatchObject({ state: 'approved' })
    expect(stepped(changeIn('pending'), vote({ at: 100_000 }))).toBe('not_pending')
  })
  it('two approvals need two people, and one person counts once, whichever account they click from', () => {
    const once = stepped(needsTwo, vote({}))
    if (typeof once === 'string') throw new Error(once)
    expect(once).toMatchObject({ state: 'pending', votes: [{ by: { person: 'bob' }, digest }] })
    const elsewhere = party('bob', { platform: 'discord', account: '42' })
    expect(stepped(once, vote({ by: elsewhere, weighed: asStored(once) }))).toBe('already_voted')
    expect(stepped(once, vote({ by: party('cat'), weighed: asStored(once) }))).toMatchObject({
      state: 'approved',
    })
  })
  it('a confirmation is the requester’s alone', () => {
    const confirm = changeIn('pending', { clauses: [{ kind: 'confirm' }] })
    expect(stepped(confirm, vote({}))).toBe('not_requester')
    expect(stepped(confirm, vote({ by: party('ann'), mayVote: false }))).toMatchObject({ state: 'approved' })
  })
})

describe('who may not is told', () => {
  const words = (before: Parameters<typeof step>[0], event: LawEvent) => {
    const result = step(before, event)
    return result.ok ? 'nothing' : result.refusal.message
  }
  it.each<[string, Clause[]]>([
    ['Only finance can decide about this.', [approvals(1)]],
    ['Only finance or cfo can decide about this.', [approvals(1), approvals(1, ['cfo'])]],
    ['Only finance or cfo can decide about this.', [{ ...approvals(1), also: ['cfo'] } as Clause]],
    ['You may not decide about this.', [approvals(1, [])]],
    ['You may not decide about this.', [approvals(1), approvals(1, [])]],
  ])('%s', (said, clauses) => {
    expect(words(changeIn('pending', { clauses }), { ...events.vote, mayVote: false } as LawEvent)).toBe(said)
  })
  it('also where nobody is asked but the requester', () => {
    const own = changeIn('pending', { clauses: [{ kind: 'confirm' }] })
    expect(words(own, { ...events.reject, mayVote: false } as LawEvent)).toBe(
      'You may not decide about this.',
    )
  })
  it('whose vote is counted already, and that the time is over', () => {
    const { votes } = byBob
    const needsTwo = changeIn('pending', { clauses: [approvals(2)], votes })
    const again = { ...events.vote, weighed: asStored({ votes }) } as LawEvent
    expect(words(needsTwo, again)).toBe('Your vote is counted already.')
    const instead = { ...again, by: party('cat'), for: party('bob') } as LawEvent
    expect(words(needsTwo, instead)).toBe('The vote of Bob is counted already.')
    expect(words(needsTwo, { ...again, at: 100_000 } as LawEvent)).toBe('This request has expired.')
    expect(words(changeIn('applied'), again)).toBe('This change has been done.')
  })
})

describe('other decisions', () => {
  const reject: LawEvent = { kind: 'reject', by: party('bob'), mayVote: true, reason: 'too much', at: 2_000 }
  it('one rejection by somebody who may approve ends it, with the reason', () => {
    const needsTwo = changeIn('pending', { clauses: [approvals(2, [])] })
    expect(stepped(needsTwo, reject)).toMatchObject({
      state: 'rejected',
      ended: { by: { person: 'bob' }, reason: 'too much', at: 2_000 },
    })
  })
  it('a rejection needs a right and a reason, and nobody rejects their own request', () => {
    expect(stepped(changeIn('pending'), { ...reject, mayVote: false })).toBe('may_not_approve')
    expect(stepped(changeIn('pending'), { ...reject, reason: '  ' })).toBe('needs_reason')
    expect(stepped(changeIn('pending'), { ...reject, by: party('ann') })).toBe('own_request')
  })
  it('only the requester cancels', () => {
    expect(stepped(changeIn('pending'), { kind: 'cancel', by: party('bob'), at: 2_000 })).toBe(
      'not_requester',
    )
  })
  it('nothing expires before its time', () => {
    expect(stepped(changeIn('pending'), { kind: 'expire', at: 99_999 })).toBe('not_pending')
  })
  it('a change without enough votes is not claimed', () => {
    const claim = { kind: 'claim', process: 'process-1', weighed: byBob, clauses: [], at: 2_000 } as const
    const approved = changeIn('approved', { votes: byBob.votes })
    expect(stepped(approved, claim)).toMatchObject({ state: 'applying' })
    expect(stepped(approved, { ...claim, weighed: nothing })).toBe('not_pending')
    // As many people, but the policy has come to ask for others.
    expect(stepped(approved, { ...claim, clauses: [approvals(1, ['cfo'])] })).toBe('not_pending')
  })
  it('asking again voids the votes, and takes over what is asked now', () => {
    const voted = changeIn('approved', { votes: [{ by: party('bob'), at: 2_000, digest }] })
    expect(stepped(voted, events.ask_again)).toMatchObject({
      state: 'pending',
      votes: [],
      plan: { amount: 30 },
      digest: 'fedcba9876543210',
      expiresAt: 200_000,
      drift: { message: 'look again' },
    })
  })
  it('only the process that claimed a change finishes it, as it found it', () => {
    const applying = changeIn('applying')
    const finish = (process: string, state: 'applied' | 'failed' | 'unknown'): LawEvent => ({
      kind: 'finish',
      process,
      state,
      outcome: outcome('so'),
    })
    expect(stepped(applying, finish('process-2', 'applied'))).toBe('not_pending')
    for (const state of ['applied', 'failed', 'unknown'] as const) {
      expect(stepped(applying, finish('process-1', state))).toMatchObject({
        state,
        claimedBy: null,
        outcome: { message: 'so' },
      })
    }
  })
  it('an answer that comes late is told, and resolves nothing', () => {
    expect(stepped(changeIn('unknown'), events.late)).toMatchObject({
      state: 'unknown',
      outcome: { message: 'it was done' },
      late: { learned: 'applied', contradicts: null },
    })
  })
  it.each([
    ['not_applied', 'applied', 'unknown'],
    ['not_applied', 'unknown', 'unknown'],
    ['not_applied', 'failed', 'not_applied'],
    ['applied', 'applied', 'applied'],
    ['applied', 'unknown', 'applied'],
    ['applied', 'failed', 'unknown'],
  ] as const)(
    'a change that bob called %s, and is %s as is learned late, is then %s',
    (said, learned, then) => {
      const ended = { by: party('bob'), at: 1_500, reason: 'looked' }
      const told = { by: ended.by, happened: said === 'applied' }
      const isOpen = then === 'unknown'
      expect(
        stepped(changeIn(said, { ended }), { kind: 'late', learned, outcome: outcome('so') }),
      ).toMatchObject({
        state: then,
        ended: isOpen ? null : ended,
        late: { learned, message: 'so', contradicts: isOpen ? told : null },
      })
    },
  )
  it('an unknown change is resolved by a person with a right and a reason, never by its requester', () => {
    const resolve = {
      kind: 'resolve',
      by: party('bob'),
      mayVote: true,
      happened: false,
      others: 'Bob can.',
      at: 2_000,
    } as const
    expect(stepped(changeIn('unknown'), { ...resolve, reason: 'not in the list' })).toMatchObject({
      state: 'not_applied',
      ended: { by: { person: 'bob' }, reason: 'not in the list' },
    })
    expect(stepped(changeIn('unknown'), { ...resolve, reason: ' ' })).toBe('needs_reason')
    expect(stepped(changeIn('unknown'), { ...resolve, mayVote: false, reason: 'x' })).toBe('may_not_approve')
    const own = { ...resolve, by: party('ann'), mayVote: true, reason: 'x' }
    expect(stepped(changeIn('unknown'), own)).toBe('own_request')
    expect(stepped(changeIn('unknown'), { ...own, happened: true })).toBe('own_request')
  })
})

describe('an approved change that waits for a messenger', () => {
  const waiting = stepped(changeIn('approved', { votes: byBob.votes }), events.wait)
  if (typeof waiting === 'string') throw new Error(waiting)

  it('says for what, and is claimed when it is known', () => {
    expect(waiting).toMatchObject({ state: 'approved', waiting: 'It waits for slack.' })
    expect(stepped(waiting, events.claim)).toMatchObject({ state: 'applying', waiting: undefined })
  })
  it('can be cancelled by its requester or an approver, and expires in its time', () => {
    const cancel = (person: string, mayVote: boolean) =>
      stepped(waiting, { kind: 'cancel', by: party(person), mayVote, at: 2_000 })
    expect(cancel('ann', false)).toMatchObject({ state: 'cancelled' })
    expect(cancel('cat', true)).toMatchObject({ state: 'cancelled' })
    expect(cancel('dan', false)).toBe('not_requester')
    expect(stepped(waiting, { kind: 'expire', at: 99_999 })).toBe('not_pending')
    expect(stepped(waiting, { kind: 'expire', at: 100_000 })).toMatchObject({ state: 'expired' })
  })
  it('goes back to its voters when a vote no longer counts, with the votes that still do', () => {
    const lapsed = [{ person: 'bob', name: 'Bob', why: 'they may no longer approve this' }]
    const votes = [{ by: party('cat'), at: 2_000, digest }]
    const lapse: LawEvent = { kind: 'lapse', weighed: { votes, lapsed }, expiresAt: 200_000, at: 3_000 }
    const back = stepped(waiting, lapse)
    if (typeof back === 'string') throw new Error(back)
    expect(back).toMatchObject({ state: 'pending', votes, lapsed, waiting: undefined, expiresAt: 200_000 })
    const again = {
      kind: 'vote',
      by: party('bob'),
      mayVote: true,
      digest,
      weighed: asStored(back),
      at: 4_000,
    }
    expect(stepped(back, again as LawEvent)).toMatchObject({ state: 'approved', lapsed: [] })
  })
})

describe('a hold', () => {
  const waiting = changeIn('pending', { holdMs: 5_000 })
  const approved = stepped(waiting, events.vote)
  if (typeof approved === 'string') throw new Error(approved)

  it('starts with the last vote, and nothing is claimed before it is over', () => {
    expect(approved).toMatchObject({ state: 'approved', holdUntil: 7_000 })
    const claim = (at: number): LawEvent => ({
      kind: 'claim',
      process: 'process-1',
      weighed: byBob,
      clauses: [],
      at,
    })
    expect(stepped(approved, claim(6_999))).toBe('not_pending')
    expect(stepped(approved, claim(7_000))).toMatchObject({ state: 'applying' })
  })
  it('lets the requester or an approver stop it while it lasts, and nobody else', () => {
    const cancel = (person: string, mayVote: boolean, at: number) =>
      stepped(approved, { kind: 'cancel', by: party(person), mayVote, at })
    expect(cancel('ann', false, 6_999)).toMatchObject({ state: 'cancelled' })
    expect(cancel('cat', true, 6_999)).toMatchObject({ state: 'cancelled' })
    expect(cancel('dan', false, 6_999)).toBe('not_requester')
    expect(cancel('ann', false, 7_000)).toBe('not_pending')
  })
  it('has a Cancel button on its card while it lasts, and none after', () => {
    expect(
      cardOf(approved, 6_999)
        .actions?.filter(({ isMore }) => !isMore)
        .map(({ verb }) => verb),
    ).toEqual(['cancel'])
    expect(cardOf(approved, 7_000).actions?.filter(({ isMore }) => !isMore)).toEqual([])
  })
  it('starts anew when people are asked again', () => {
    expect(stepped(approved, events.ask_again)).toMatchObject({ state: 'pending', holdUntil: undefined })
  })
})
