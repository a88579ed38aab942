import { describe, expect, it } from 'vitest'
import { cardOf } from '../../src/approvals/card.ts'
import { step } from '../../src/approvals/law.ts'
import type { Change, Party } from '../../src/model/change.ts'
import { sampleChange } from '../storage/sample.ts'
import { approvals, asStored } from './sample.ts'

const ann: Party = { person: 'ann', name: 'Ann', platform: 'slack', account: 'U1', roles: [] }
const bob: Party = { ...ann, person: 'bob', name: 'Bob', account: 'U2' }
const asked: Change = {
  ...sampleChange(),
  state: 'pending',
  requester: ann,
  clauses: [approvals(1, [])],
  votes: [],
  expiresAt: 1_000,
  holdMs: 60,
}
const approved = (() => {
  const voted = step(asked, {
    kind: 'vote',
    by: bob,
    mayVote: true,
    digest: asked.digest,
    weighed: asStored(asked),
    at: 100,
  })
  if (!voted.ok) throw new Error(voted.refusal.message)
  return voted.value
})()
const claim = (at: number) =>
  step(approved, { kind: 'claim', process: 'p', weighed: asStored(approved), clauses: [], at })

describe('the law of a held change', () => {
  it('counts from the last vote', () => {
    expect(approved).toMatchObject({ state: 'approved', holdUntil: 160 })
  })

  it('lets nobody claim it before its time', () => {
    expect(claim(159)).toMatchObject({ ok: false, refusal: { code: 'not_pending' } })
    expect(claim(160)).toMatchObject({ ok: true, value: { state: 'applying' } })
  })

  it('can be cancelled until then by the requester or by those who may approve it', () => {
    const cancel = (by: Party, mayVote: boolean, at: number) =>
      step(approved, { kind: 'cancel', by, mayVote, at })
    expect(cancel(ann, false, 159)).toMatchObject({ ok: true, value: { state: 'cancelled' } })
    expect(cancel(bob, true, 159)).toMatchObject({ ok: true, value: { state: 'cancelled' } })
    expect(cancel(bob, false, 159)).toMatchObject({ ok: false, refusal: { code: 'not_requester' } })
    expect(cancel(ann, false, 160)).toMatchObject({ ok: false, refusal: { code: 'not_pending' } })
  })

  it('has a Cancel button on its card until then, and none after', () => {
    expect(cardOf(approved, 159).actions?.map(({ verb }) => verb)).toEqual(['cancel'])
    expect(cardOf(approved, 160).actions).toEqual([])
  })

  it('starts its hold anew when people are asked again', () => {
    const { plan, digest, preview, amount, currency, rule, clauses, warnings, expiresAt, lookUps } = asked
    const again = step(approved, {
      kind: 'ask_again',
      terms: {
        plan,
        digest,
        preview,
        amount,
        currency,
        rule,
        clauses,
        warnings,
        expiresAt,
        lookUps,
        holdMs: 60,
      },
      drift: { message: 'It differs.', changes: [] },
      at: 200,
    })
    expect(again.ok && again.value.holdUntil).toBeUndefined()
  })
})
