import { expect, it } from 'vitest'
import { checkRefund } from '../../commands/refund/check.ts'
import type { RefundPlan } from '../../commands/refund/plan.ts'
import { ServiceError } from '../../src/services/errors.ts'

type Row = Record<string, unknown>
const asked = Date.UTC(2026, 0, 5, 12)
const iso = (ms: number) => new Date(asked + ms).toISOString()

const payment = { id: 'pay_1', amount: 100, currency_code: 'USD', refunded_amount: 10, customer_id: 'c' }
const row = (id: string, over: Row = {}): Row => ({
  id,
  payment_id: 'pay_1',
  amount: 20,
  currency_code: 'USD',
  created_at: iso(1),
  ...over,
})
const down = new ServiceError({ kind: 'unavailable', outcome: 'not_done', service: 'billing', row: 'x' })
/** A service that lists these payments and refunds. */
const contextOf = (payments: Row[] | Error, refunds: Row[] | Error) => {
  const answer = (rows: Row[] | Error) => async () => {
    if (rows instanceof Error) throw rows
    return { data: rows, understood: true, status: 200, body: rows, message: undefined }
  }
  return {
    billing: { findTransactions: answer(payments), findRefunds: answer(refunds) },
    links: { payerOf: async () => ({ ends: [] }) },
  } as never
}
const plan = (over: Partial<RefundPlan> = {}): RefundPlan => ({
  paymentId: 'pay_1',
  amount: 20,
  evidence: {
    customer: 'c',
    address: null,
    knownFrom: 'given',
    paid: 100,
    currency: { code: 'USD' },
    at: null,
    status: null,
    refunded: 10,
    refunds: [{ id: 'ref_0', words: 'ref_0' }],
    left: 90,
    twins: [],
  },
  ...over,
})
const before = row('ref_0', { amount: 10, created_at: iso(-1_000) })
const whole = plan()
const { amount: _, ...all } = whole

it.each<[string, RefundPlan, Row[] | Error, Row[] | Error, boolean | null]>([
  ['a new one that fits', whole, [payment], [before, row('ref_1')], true],
  ['none', whole, [payment], [before], false],
  ['one that was there before', plan({ amount: 10 }), [payment], [before], false],
  ['a new one of another amount', whole, [payment], [before, row('ref_1', { amount: 21 })], false],
  ['a new one of another payment', whole, [payment], [before, row('ref_1', { payment_id: 'pay_2' })], false],
  ['a new one, where no amount was asked for', all, [payment], [before, row('ref_1', { amount: 7 })], true],
  ['as much more as was asked for', whole, [{ ...payment, refunded_amount: 30 }], [before], true],
  ['one more than was asked for', whole, [{ ...payment, refunded_amount: 31 }], [before], false],
  ['more, where no amount was asked for', all, [{ ...payment, refunded_amount: 11 }], [before], true],
  ['no more, where no amount was asked for', all, [payment], [before], false],
  [
    'refunds that nobody can read, and more refunded',
    whole,
    [{ ...payment, refunded_amount: 30 }],
    down,
    true,
  ],
  ['no payment', whole, [], [before], null],
  ['a service that is down', whole, down, down, null],
])('the service shows %s: %o', async (_, wanted, payments, refunds, happened) => {
  const found = await checkRefund(wanted, contextOf(payments, refunds), { createdAt: asked })
  expect(found.happened).toBe(happened)
  expect(found.message).not.toBe('')
})
