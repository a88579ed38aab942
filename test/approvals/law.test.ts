import { describe, expect, it } from 'vitest'
import { cardOf } from '../../src/kernel/cards/card.ts'
import { isEnded, type LawEvent, stateWords, step } from '../../src/kernel/law/law.ts'
import { type Change, type Clause, type Party, states } from '../../src/kernel/model/change.ts'
import type { Signature } from '../../src/kernel/model/passkey.ts'
import { shownIn } from '../../src/kernel/model/shown.ts'
import { approvals, asStored, changeIn, party, stepped } from './sample.ts'

// What becomes of a change is told by `law-model.test.ts`; here is what people read about it.

const digest = changeIn('pending').digest
const byBob = { votes: [{ by: party('bob'), at: 2_000, digest }], lapsed: [] }
const vote = {
  kind: 'vote',
  by: party('bob'),
  mayVote: true,
  shown: shownIn(changeIn('pending')),
  weighed: { votes: [], lapsed: [] },
  at: 2_000,
} satisfies LawEvent
const { shown } = vote
const reject = {
  ...{ kind: 'reject', by: party('bob'), mayVote: true, shown, reason: 'no', at: 2_000 },
} satisfies LawEvent
const resolve = {
  ...{ kind: 'resolve' as const, by: party('bob'), mayVote: true, shown, happened: true },
  ...{ reason: 'looked', others: 'Bob can.', at: 2_000 },
}

it.each(states)('a change that is %s says so in words', (state) => {
  expect(stateWords[state]).toMatch(/^(is|has|was|did)\b/)
  expect(isEnded(state)).toBe(!['pending', 'approved', 'applying'].includes(state))
})

const cat = { person: 'cat', name: 'Cat', as: 'asked' as const }

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
    ['Only Cat can decide about this.', [{ ...approvals(1, []), people: [cat], also: ['cfo'] } as Clause]],
    [
      'Only Cat or finance can decide about this.',
      [{ ...approvals(1), people: [cat] } as Clause, { kind: 'confirm' }],
    ],
    ['You may not decide about this.', [{ ...approvals(1, []), people: [] } as Clause]],
  ])('%s', (said, clauses) => {
    expect(words(changeIn('pending', { clauses }), { ...vote, mayVote: false })).toBe(said)
  })
  it('also where nobody is asked but the requester', () => {
    const own = changeIn('pending', { clauses: [{ kind: 'confirm' }] })
    expect(words(own, { ...reject, mayVote: false })).toBe('You may not decide about this.')
  })
  it('whose vote is counted already, and that the time is over', () => {
    const { votes } = byBob
    const needsTwo = changeIn('pending', { clauses: [approvals(2)], votes })
    const again = { ...vote, weighed: asStored({ votes }) }
    expect(words(needsTwo, again)).toBe('Your vote is counted already.')
    const instead = { ...again, by: party('cat'), for: party('bob') }
    expect(words(needsTwo, instead)).toBe('The vote of Bob is counted already.')
    expect(words(needsTwo, { ...again, at: 100_000 })).toBe('This request has expired.')
    expect(words(changeIn('applied'), again)).toBe('This change has been done.')
  })
})

it('a hold has a Cancel button on its card while it lasts, and none after', () => {
  const approved = stepped(changeIn('pending', { holdMs: 5_000 }), vote)
  if (typeof approved === 'string') throw new Error(approved)
  const verbsAt = (now: number) =>
    cardOf(approved, now)
      .view.actions?.filter(({ isMore }) => !isMore)
      .map(({ verb }) => verb)
  expect([verbsAt(6_999), verbsAt(7_000)]).toEqual([['cancel'], []])
})

/** Every sentence that refuses something, with what to do next. */
it.each<[said: string, change: Partial<Change>, event: Partial<LawEvent>, next?: string]>([
  ['You asked for this yourself, so you cannot approve it.', {}, { ...vote, by: party('ann') }],
  [
    'You asked for this yourself, so you cannot approve it.',
    {},
    { ...vote, by: party('cat'), for: party('ann') },
  ],
  ['You changed this yourself, so you cannot approve it.', { changedBy: [party('bob')] }, vote],
  ['Only Ann can confirm this request.', { clauses: [{ kind: 'confirm' }] }, vote],
  ['The request changed since you saw it.', { digest: 'other' }, vote],
  ['The request changed since you saw it.', { edition: 2 }, vote],
  ['The request changed since you saw it.', { round: 1 }, reject],
  ['This is your own request.', {}, { ...reject, by: party('ann') }, 'Press Cancel to take it back.'],
  ['A rejection needs a reason.', {}, { ...reject, reason: ' ' }],
  ['Only Ann can cancel this request.', {}, { kind: 'cancel', by: party('bob'), at: 2_000 }],
  [
    'You asked for this yourself, so you cannot say what came of it.',
    { state: 'unknown' },
    { ...resolve, by: party('ann') },
    'Bob can.',
  ],
  ['Say how you know.', { state: 'unknown' }, { ...resolve, reason: '' }],
  ['There is no emergency here that waits for a review.', {}, { ...resolve, kind: 'review' }],
  [
    'You did this alone yourself, so you cannot review it.',
    { emergency: { why: 'x', usedAt: 1 } },
    { ...resolve, kind: 'review', by: party('ann') },
    'Bob can.',
  ],
  ['Say what you found.', { emergency: { why: 'x', usedAt: 1 } }, { ...resolve, kind: 'review', reason: '' }],
  [
    'Stage 1 comes first: it needs approval from cfo.',
    { clauses: [inStage(1, ['cfo']), inStage(2, ['finance'])] },
    vote,
  ],
  [
    'The stage that you are asked in is complete.',
    { clauses: [inStage(1, ['finance']), inStage(2, ['cfo'])] },
    {
      ...vote,
      by: party('cat'),
      weighed: { votes: [{ by: party('bob'), at: 1, digest, stage: 1 }], lapsed: [] },
    },
    'There is nothing to do: the others decide now.',
  ],
  [
    'What somebody does alone is not changed.',
    { emergency: { why: 'x' } },
    { ...resolve, kind: 'amend' } as never,
    'Cancel it, and ask anew.',
  ],
  [
    'Only Ann can confirm this, so nobody is reminded.',
    { clauses: [{ kind: 'confirm' }] },
    { ...resolve, kind: 'nudge' } as never,
    'Wait, or ask them.',
  ],
  [
    'Only Ann and those who may approve this can remind people of it.',
    {},
    { ...resolve, kind: 'nudge', mayVote: false } as never,
  ],
  [
    'People were reminded of this 3 times by hand already.',
    { nudges: [1, 2, 3].map((at) => ({ person: 'bob', at })) },
    { ...resolve, kind: 'nudge' } as never,
    'Talk to one of them, or cancel the request.',
  ],
])('%s', (said, over, event, next) => {
  const { state = 'pending', ...rest } = over
  const result = step(changeIn(state, rest), event as LawEvent)
  expect(result.ok ? 'nothing' : result.refusal.message).toBe(said)
  if (next !== undefined) expect(result.ok || result.refusal.next).toBe(next)
})

function inStage(stage: number, from: string[]): Clause {
  return { ...approvals(1, from), stage } as Clause
}

/** Only a signature of this person over this digest and for this purpose is one. */
describe('where a signature is asked for', () => {
  const sign = { sign: 'passkey' as const }
  const signed = { person: 'bob', digest, purpose: 'approve' as const } as never as Signature
  const answered = (
    clauses: Clause[],
    over: Partial<typeof vote> & { signed?: Signature; granted?: true; for?: Party } = {},
  ) => {
    const result = step(changeIn('pending', { clauses }), { ...vote, ...over } as LawEvent)
    return result.ok ? result.value.state : result.refusal.code
  }
  const asked = { ...approvals(1), ...sign } as Clause
  it.each<[string, Clause[], Parameters<typeof answered>[1], string]>([
    ['a press is none', [asked], {}, 'needs_passkey'],
    ['a signature counts', [asked], { signed }, 'approved'],
    ['of somebody else is none', [asked], { signed: { ...signed, person: 'cat' } }, 'bad_signature'],
    ['over something else is none', [asked], { signed: { ...signed, digest: 'x' } }, 'bad_signature'],
    ['for something else is none', [asked], { signed: { ...signed, purpose: 'emergency' } }, 'bad_signature'],
    [
      'nobody is asked who would not count',
      [approvals(1), { ...asked, from: ['cfo'] } as Clause],
      {},
      'pending',
    ],
    [
      'a vote for somebody is asked by their roles',
      [{ ...asked, from: ['cfo'] } as Clause],
      { for: party('cat', { roles: ['cfo'] }) },
      'needs_passkey',
    ],
    [
      'whoever is named is asked',
      [{ ...asked, from: [], people: [{ ...cat, person: 'bob', as: 'manager' }] } as Clause],
      { granted: true },
      'needs_passkey',
    ],
    [
      'nobody is asked in the name of another',
      [{ ...asked, from: [], people: [{ ...cat, person: 'bob' }] } as Clause],
      { for: party('dan', { roles: [] }) },
      'pending',
    ],
    [
      'a right that only names give counts for no role',
      [approvals(1, []), asked],
      { granted: true },
      'pending',
    ],
    [
      'later stages ask later',
      [inStage(1, ['finance']), { ...inStage(2, ['finance']), ...sign } as Clause],
      {},
      'pending',
    ],
    ['no signature is needed, and one is given', [approvals(1)], { signed }, 'approved'],
    [
      'the requester signs what they do alone',
      [{ kind: 'confirm', ...sign }],
      { by: party('ann') },
      'needs_passkey',
    ],
    [
      'and for that',
      [{ kind: 'confirm', ...sign }],
      { by: party('ann'), signed: { ...signed, person: 'ann', purpose: 'emergency' } },
      'approved',
    ],
    [
      'not for another purpose',
      [{ kind: 'confirm', ...sign }],
      { by: party('ann'), signed: { ...signed, person: 'ann' } },
      'bad_signature',
    ],
  ])('%s', (_, clauses, over, code) => {
    expect(answered(clauses, over)).toBe(code)
  })
})

it('whoever comes in a later stage reads whom the first open clause waits for', () => {
  const staged = (from: string, stage: number) => ({ ...approvals(1, [from]), stage }) as Clause
  const change = changeIn('pending', {
    clauses: [staged('legal', 1), staged('cfo', 1), staged('finance', 2)],
  })
  const result = step(change, vote)
  expect(!result.ok && result.refusal.message).toBe('Stage 1 comes first: it needs approval from legal.')
})

it('what is approved in the very moment it is to run is not held', () => {
  const result = step(changeIn('pending', { runAt: { at: 2_000, zone: 'UTC' } }), vote)
  expect(result.ok && [result.value.state, result.value.holdUntil]).toEqual(['approved', undefined])
})

it('an emergency that is signed was used at that moment, and one that is not is not', () => {
  const alone = changeIn('pending', { clauses: [{ kind: 'confirm' }], emergency: { why: 'down' } })
  const result = step(alone, { ...vote, by: party('ann') })
  expect(result.ok && result.value.emergency).toEqual({ why: 'down', usedAt: 2_000 })
  const plain = step(changeIn('pending'), vote)
  expect(plain.ok && 'emergency' in plain.value).toBe(false)
})

it('of whom a request was for before, nothing stays when it is changed', () => {
  const { votes: _, ...terms } = changeIn('pending')
  const told = changeIn('pending', { recipient: 'Ada', tell: { command: 'message media', to: '1' } })
  const amended = step(told, {
    ...{ kind: 'amend', by: party('ann'), mayVote: false, at: 2_000 },
    ...{ terms: terms as never, drift: { message: 'x', changes: [] } },
  })
  expect(amended.ok && [amended.value.recipient, amended.value.tell]).toEqual([undefined, undefined])
})

it('an agent cancels and answers its own requests alone', () => {
  const hers = changeIn('pending', { requester: party('ann', { agent: 'hers' }) })
  const codes = [undefined, 'hers', 'other'].map((agent) =>
    codeOf(hers, { kind: 'cancel', by: party('ann', agent ? { agent } : {}), at: 2_000 }),
  )
  expect(codes).toEqual(['cancelled', 'cancelled', 'not_requester'])
})

function codeOf(change: Change, event: LawEvent): string {
  const result = step(change, event)
  return result.ok ? result.value.state : result.refusal.code
}
