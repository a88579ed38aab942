import { describe, expect, it } from 'vitest'
import { cardOf } from '../../src/approvals/card.ts'
import { isEnded, type LawEvent, stateWords, step } from '../../src/approvals/law.ts'
import { type Clause, states } from '../../src/model/change.ts'
import { approvals, asStored, changeIn, party, stepped } from './sample.ts'

// What becomes of a change is told by `law-model.test.ts`; here is what people read about it.

const digest = changeIn('pending').digest
const byBob = { votes: [{ by: party('bob'), at: 2_000, digest }], lapsed: [] }
const vote = {
  kind: 'vote',
  by: party('bob'),
  mayVote: true,
  digest,
  weighed: { votes: [], lapsed: [] },
  at: 2_000,
} satisfies LawEvent

it.each(states)('a change that is %s says so in words', (state) => {
  expect(stateWords[state]).toMatch(/^(is|has|was|did)\b/)
  expect(isEnded(state)).toBe(!['pending', 'approved', 'applying'].includes(state))
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
    expect(words(changeIn('pending', { clauses }), { ...vote, mayVote: false })).toBe(said)
  })
  it('also where nobody is asked but the requester', () => {
    const own = changeIn('pending', { clauses: [{ kind: 'confirm' }] })
    const reject: LawEvent = { kind: 'reject', by: party('bob'), mayVote: false, reason: 'no', at: 2_000 }
    expect(words(own, reject)).toBe('You may not decide about this.')
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
      .actions?.filter(({ isMore }) => !isMore)
      .map(({ verb }) => verb)
  expect([verbsAt(6_999), verbsAt(7_000)]).toEqual([['cancel'], []])
})
