import { expect, it } from 'vitest'
import { checkRefund } from '../../commands/refund/check.ts'
import { lookAtPayment, whyUnseen } from '../../commands/refund/evidence.ts'
import type { RefundPlan } from '../../commands/refund/plan.ts'
import { ServiceError } from '../../src/lib/services/errors.ts'
import { plainWords } from '../../src/lib/view/words.ts'

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
const contextOf = (payments: Row[] | Error, refunds: Row[] | Error, customer?: string) => {
  const answer = (rows: Row[] | Error) => async () => {
    if (rows instanceof Error) throw rows
    return { data: rows, understood: true, status: 200, body: rows, message: undefined }
  }
  return {
    billing: { findTransactions: answer(payments), findRefunds: answer(refunds) },
    links: {
      payerOf: async () => ({ ends: customer === undefined ? [] : [{ kind: 'customer', id: customer }] }),
    },
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
const { evidence: __, ...unseen } = whole
/** As many as are noted, all of them old. */
const noted = Array.from({ length: 20 }, (_, at) => row(`old_${at}`, { amount: 1, created_at: iso(-9_000) }))
const afterMany = plan({
  evidence: {
    ...(whole.evidence as NonNullable<RefundPlan['evidence']>),
    refunds: noted.map(({ id }) => ({ id: String(id), words: '' })),
  },
})
const paid = (refunded: number | undefined) => ({ ...payment, refunded_amount: refunded })

const withRefunded = (refunded: number) =>
  plan({ evidence: { ...(whole.evidence as NonNullable<RefundPlan['evidence']>), refunded } })
const old = row('ref_old', { created_at: iso(-1) })
const atOnce = row('ref_1', { created_at: iso(0) })
const undated = row('ref_1', { created_at: undefined })

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
  ['a new one that failed', whole, [payment], [before, row('ref_1', { status: 'failed' })], false],
  ['as much more, where cents are counted', withRefunded(20.3), [paid(40.3)], [], true],
  ['one that is older than the request and was not noted', afterMany, [payment], [...noted, old], false],
  ['one that is newer, where others were not noted', afterMany, [payment], [...noted, row('ref_1')], true],
  ['one since the request, where nobody had looked', unseen, [payment], [atOnce], true],
  ['one from before the request, where nobody had looked', unseen, [payment], [old], false],
  ['one without a time, where nobody had looked', unseen, [payment], [undated], false],
  ['one without a time', whole, [payment], [before, undated], true],
  ['neither refunds nor what was refunded', whole, [paid(undefined)], down, null],
  ['no payment', whole, [], [before], null],
  ['a service that is down', whole, down, down, null],
])('the service shows %s: %o', async (_, wanted, payments, refunds, happened) => {
  const context = contextOf(payments, refunds, wanted.evidence === undefined ? 'c' : undefined)
  const found = await checkRefund(wanted, context, { createdAt: asked })
  expect(found.happened).toBe(happened)
  expect(found.message).not.toBe('')
})

it.each<[RefundPlan, Row[] | Error, Row[] | Error, string]>([
  [
    whole,
    [payment],
    [before, row('ref_1')],
    'A refund of 20 USD is there since 5 Jan 2026, 12:00 UTC, ref_1.',
  ],
  [all, [payment], [row('ref_1', { amount: undefined, created_at: undefined })], 'A refund is there, ref_1.'],
  [whole, [paid(30)], down, 'Payment pay_1 now shows 30 USD as refunded, 10 USD before.'],
  [whole, [paid(undefined)], down, 'What was refunded of the payment could not be read.'],
  [whole, [payment], [before], 'No such refund of payment pay_1 has appeared.'],
  [whole, [], [before], 'Customer c was looked at, and the billing service shows no payments there.'],
])('of %o it is said: %s', async (wanted, payments, refunds, words) => {
  const found = await checkRefund(wanted, contextOf(payments, refunds), { createdAt: asked })
  expect(plainWords(found.message)).toBe(words)
})

const lookedAt = async (
  payments: Row[] | Error,
  refunds: Row[] | Error,
  { given, owners = [] }: { given?: string; owners?: object[] } = { given: 'c' },
) => {
  const context = { ...(contextOf(payments, refunds) as object), links: linksOf(owners) }
  return lookAtPayment('pay_1', given, context as never)
}
const linksOf = (ends: object[]) => ({
  payerOf: async () => ({ ends }),
  personOf: async () => ({ ends: [] }),
})
const owner = (id: string) => ({ kind: 'customer', id })

it('the evidence is what the service says of the payment, its refunds and charges like it', async () => {
  const twin = (id: string, minutes: number) => ({
    ...{ id, amount: 100, currency_code: 'USD', status: 'paid', refunded_amount: 0 },
    created_at: iso(minutes * 60_000),
  })
  const one = await lookedAt(
    [
      { ...payment, status: 'partially_refunded', invoice_id: 'INV-1', created_at: iso(0) },
      { ...payment, amount: 7 },
    ],
    [before, row('ref_1', { created_at: undefined, amount: 0.1 }), row('ref_2', { payment_id: 'pay_2' })],
  )
  expect(one).toMatchObject({
    evidence: {
      customer: 'c',
      knownFrom: 'given',
      paid: 100,
      currency: { code: 'USD' },
      at: '5 Jan 2026, 12:00 UTC',
      invoice: 'INV-1',
      status: 'partially refunded',
      refunded: 10.1,
      left: 89.9,
      twins: [],
    },
  })
  if (!('evidence' in one)) throw new Error(one.state)
  expect(one.evidence.refunds.map(({ id, words }) => [id, plainWords(words)])).toEqual([
    ['ref_0', 'ref_0, 10 USD, 5 Jan 2026, 11:59 UTC'],
    ['ref_1', 'ref_1, 0.10 USD'],
  ])
  const bare = await lookedAt([{ id: 'pay_1', currency_symbol: '$' }], [row('ref_1', { amount: undefined })])
  expect(bare).toMatchObject({
    evidence: {
      paid: null,
      currency: { symbol: '$' },
      at: null,
      invoice: null,
      status: null,
      refunded: null,
      left: null,
    },
  })
  const many = Array.from({ length: 21 }, (_, at) => row(`r${at}`, { amount: 1 }))
  const alike = [twin('pay_1', 0), twin('t1', 3), twin('t2', 2), twin('t3', 1)]
  const much = await lookedAt(alike, [])
  const cut = await lookedAt([{ ...payment, amount: undefined }], many)
  if (!('evidence' in much) || !('evidence' in cut)) throw new Error('nobody looked')
  expect(
    much.evidence.twins.map((words) => /charged twice, (.*) apart/.exec(plainWords(words))?.[1]),
  ).toEqual(['1 minute', '2 minutes'])
  expect([cut.evidence.refunds.length, cut.evidence.refunds[0]?.id, cut.evidence.left]).toEqual([
    20,
    'r0',
    null,
  ])
})

it('what came of looking has a sentence of its own in each state, of three customers at most', async () => {
  const none = (id: string) =>
    `Customer ${id} was looked at, and the billing service shows no payments there.`
  const wordsOf = async (...about: Parameters<typeof lookedAt>) => whyUnseen(await lookedAt(...about))
  const nobody = 'Nobody has looked at this payment: no customer is known for it.'
  expect(await wordsOf([], [], {})).toBe(nobody)
  const four = ['a', 'b', 'c', 'd'].map(owner)
  expect(await wordsOf([], [], { owners: four })).toBe(['a', 'b', 'c'].map(none).join(' '))
  expect(await wordsOf([], [], { given: 'd', owners: four })).toBe(none('d'))
  const others = Array.from({ length: 3 }, (_, at) => ({ ...payment, id: `other_${at}` }))
  const elsewhere = await wordsOf(others, [], { given: 'd' })
  expect(elsewhere).toBe(
    'Customer d was looked at: this payment is not among the 3 that the billing service shows there.',
  )
  expect(await wordsOf([], [], { given: 'x', owners: four.slice(0, 2) })).toBe(
    'Payment pay_1 is of customer a (given) or customer b (given), not of customer x.',
  )
  const unread = await wordsOf(down, [], { given: 'd' })
  expect(unread).toMatch(/^The payments of customer d could not be read, so nobody knows .* The billing/)
  expect(await wordsOf([payment], [], { given: 'd' })).toBeUndefined()
  await expect(lookedAt(new Error('a fault of ours'), [])).rejects.toThrow('a fault of ours')
  await expect(lookedAt([payment], new Error('a fault of ours'))).rejects.toThrow('a fault of ours')
})

it('a customer who was given is looked at again when nobody knows the outcome', async () => {
  const looked = [{ customer: 'c', payments: 0 }]
  const sought = plan({ evidence: undefined, unseen: { state: 'elsewhere', looked } })
  const { message } = await checkRefund(sought, contextOf([], []), { createdAt: asked })
  expect(message).toMatch(/^Customer c was looked at/)
})
