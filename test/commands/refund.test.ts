import { describe, expect, test } from 'vitest'
import { textOfView } from '../../src/lib/view/text.ts'
import { factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
const payment = (id: string) => bot.sandbox.state.billing.transactions.find((one) => one.id === id)

describe('refund', () => {
  test('shows payment, amount, kind and reason before anybody is asked', async () => {
    const change = await bot.ask('refund pay_1001 20 --refund-type refund --description "Charged twice"')
    expect(change.preview.title).toBe('Refund 20 of payment pay_1001')
    expect(factsIn(change.preview)).toEqual({
      Payment: 'pay_1001',
      Amount: '20',
      Kind: 'back to how it was paid',
      Reason: 'Charged twice',
    })
    expect(change).toMatchObject({ amount: 20, currency: null, area: 'billing', rule: 'small refund' })
    expect(notesIn(change.preview)).toContain(
      'Nobody has looked at this payment: no customer is known for it',
    )
    expect(bot.sandbox.wire).toEqual([])
  })

  test('sends what was shown, once, and says what the service said', async () => {
    const change = await bot.run(
      'refund pay_1001 20 --refund-type refund_credit --description "Charged twice"',
    )
    expect(change).toMatchObject({
      state: 'applied',
      outcome: { message: 'Refunded 20 of payment pay_1001 as credit.' },
    })
    expect(bot.sent('refundPayment')).toEqual([
      { amount: 20, refund_type: 'refund_credit', description: 'Charged twice' },
    ])
    expect(bot.asked()).toEqual(['POST /billing/api/v1/transaction/refund/pay_1001'])
    expect(factsIn(change.outcome?.view)).toMatchObject({ 'The service says': 'Payment refunded: 20 USD' })
    expect(payment('pay_1001')?.refunded_amount).toBe(20)
  })

  test('without an amount claims nothing about how much goes back, and sends no amount', async () => {
    const change = await bot.ask('refund pay_1003')
    expect(factsIn(change.preview)).toMatchObject({ Amount: 'not given, the service decides' })
    expect(factsIn(change.preview)).not.toHaveProperty('Reason')
    expect(notesIn(change.preview)).toContain('No amount was given')
    expect(change).toMatchObject({ amount: null, rule: 'large refund' })
    const settled = await bot.settle(change)
    expect(settled.outcome?.message).toBe('Refunded payment pay_1003, no amount given.')
    expect(bot.sent('refundPayment')).toEqual([{}])
    expect(payment('pay_1003')?.refunded_amount).toBe(900)
  })

  test('records a refund under the name that people use for it', async () => {
    const asked = await bot.ask('refund pay_1002 9 --refund-type record')
    expect(notesIn(asked.preview)).toContain('no money is asked to move')
    const change = await bot.settle(asked)
    expect(change.outcome?.message).toBe('Recorded a refund of 9 of payment pay_1002.')
    expect(bot.sent('refundPayment')).toEqual([{ amount: 9, refund_type: 'record_refund' }])
  })

  test.each([
    ['12.50', /whole number/],
    ['0', /at least 1/],
    ['-5', /at least 1/],
    ['lots', /whole number/],
  ])('refuses the amount %s by name', async (amount, sentence) => {
    const refusal = await bot.refused(`refund pay_1001 ${amount}`)
    expect(refusal).toMatchObject({ code: 'bad_value', field: 'amount' })
    expect(refusal.message).toMatch(sentence)
    expect(bot.sandbox.wire).toEqual([])
  })

  test.each(['..', '"pay 1001"', '""', 'a/../b'])('refuses %s as a payment id', async (id) => {
    expect(await bot.refused(`refund ${id} 5`)).toMatchObject({ code: 'bad_value', field: 'paymentId' })
  })

  test('is one request whether its id is encoded, has a slash behind it, or comes as an api call', async () => {
    const lines = [
      'refund pay_1001 5',
      'refund pay%5F1001 5',
      'refund pay_1001/ 5',
      `api call billing POST /transaction/refund/pay%5f1001/ --body '{"amount": 5}'`,
    ]
    const intents = []
    for (const line of lines) intents.push((await bot.ask(line)).intent)
    expect(new Set(intents).size).toBe(1)
  })

  test('refuses an id that hides a character', async () => {
    for (const id of ['pay_\u200b1001', 'pay_1001\u2800', '"pay_1001\u00ad"']) {
      expect(await bot.refused(`refund ${id} 5`)).toMatchObject({ code: 'bad_value', field: 'paymentId' })
    }
  })

  test('keeps an id with odd characters in one piece of the path', async () => {
    const change = await bot.run('refund "pay/10%01?x=ü" 5')
    expect(change.state).toBe('failed')
    expect(bot.asked()).toEqual(['POST /billing/api/v1/transaction/refund/pay%2F10%2501%3Fx%3D%C3%BC'])
  })

  test('that the service refuses has failed, in the service’s words', async () => {
    const change = await bot.run('refund pay_1012 5')
    expect(change.state).toBe('failed')
    expect(change.outcome?.message).toContain('refunded already')
  })

  test('whose answer is lost is unknown, and is not sent again', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'refundPayment', kind: 'drop_after' })
    const change = await bot.run('refund pay_1001 20')
    expect(change.state).toBe('unknown')
    expect(change.lookUps).toEqual([])
    expect(bot.sent('refundPayment')).toHaveLength(1)
  })

  test('answered with what nobody can read is unknown, and is not sent again', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'refundPayment', kind: 'garbage' })
    const change = await bot.run('refund pay_1001 20')
    expect(change.state).toBe('unknown')
    expect(bot.sent('refundPayment')).toHaveLength(1)
  })
})

describe('a refund whose customer is known', () => {
  const billing = () => bot.sandbox.state.billing
  const pay = (change: Partial<ReturnType<typeof billing>['transactions'][number]>) => {
    const [some] = billing().transactions
    if (some === undefined) throw new Error('no payments')
    billing().transactions.push({ ...some, id: 'pay_new', ...change })
  }

  test('shows who, what was paid, when, what was refunded and what would be left', async () => {
    const change = await bot.ask('refund pay_1011 45 --customer cus_1009 --reason "Charged twice"')
    expect(factsIn(change.preview)).toMatchObject({
      Payment: '23 Oct 2026, 09:00 UTC, INV-511 (pay_1011)',
      Amount: '45 USD',
      Reason: 'Charged twice',
      Customer: 'cus_1009',
      Paid: '245 USD, 23 Oct 2026, 09:00 UTC, partially refunded',
      'Refunded already': '100 USD (ref_901, 100 USD, 30 Oct 2026, 09:00 UTC)',
      'Left after this': '100 USD of 245 USD',
    })
    expect(change).toMatchObject({ amount: 45, currency: 'USD', rule: 'small refund' })
    expect(bot.sent('refundPayment')).toEqual([])
  })
  test('is known again when its payment was seen in any answer', async () => {
    await bot.look('transaction find cus_1004')
    const change = await bot.ask('refund pay_1006 490')
    expect(factsIn(change.preview)).toMatchObject({ Customer: 'cus_1004', Amount: '490 USD' })
    expect(factsIn(change.preview)['Customer known from']).toMatch(/^learned from the billing service/)
  })
  test('without an amount asks for all that is left, as a known amount', async () => {
    const change = await bot.ask('refund pay_1011 --customer cus_1009')
    expect(change).toMatchObject({ amount: 145, currency: 'USD' })
    const done = await bot.settle(change)
    expect(bot.sent('refundPayment')).toEqual([{ amount: 145 }])
    expect(done.outcome?.message).toBe('Refunded 145 USD to customer cus_1009.')
  })
  test('of more than is left is refused before anybody is asked', async () => {
    expect(await bot.refused('refund pay_1011 4900 --customer cus_1009')).toMatchObject({
      code: 'too_much',
      field: 'amount',
      message: 'Only 145 USD of payment pay_1011 is left to refund, not 4,900 USD.',
    })
    expect(await bot.refused('refund pay_1012 --customer cus_1010')).toMatchObject({ code: 'too_much' })
  })
  test('says when the same amount was charged twice within days, and not when the currency differs', async () => {
    pay({ amount: 49, createdAt: '2026-11-02T09:00:00.000Z' })
    pay({ id: 'pay_euro', amount: 49, currency_code: 'EUR', createdAt: '2026-11-01T10:00:00.000Z' })
    const change = await bot.ask('refund pay_1002 --customer cus_1001')
    const notes = notesIn(change.preview)
    expect(notes).toContain(
      '49 USD was charged twice, 1 day apart: 1 Nov 2026, 09:00 UTC and 2 Nov 2026, 09:00 UTC',
    )
    expect(notes).not.toContain('10:00 UTC')
  })
  test.each([
    ['failed', { status: 'failed' }],
    ['pending', { status: 'pending' }],
    ['of a status that nobody knows', { status: 'whatever' }],
    ['refunded in part', { refunded_amount: 1 }],
    ['refunded', { status: 'refunded', refunded_amount: 49 }],
  ])('does not say so when the other payment is %s', async (_, other) => {
    pay({ amount: 49, createdAt: '2026-11-02T09:00:00.000Z', ...other })
    const change = await bot.ask('refund pay_1002 --customer cus_1001')
    expect(notesIn(change.preview)).not.toContain('2 Nov 2026')
    expect(textOfView(await bot.look('person get cus_1001'))).not.toMatch(/charged twice.*2 Nov 2026/)
  })
  test('does not say so when a refund of the other one is listed apart', async () => {
    pay({ amount: 49, createdAt: '2026-11-02T09:00:00.000Z' })
    const [some] = billing().refunds
    if (some === undefined) throw new Error('no refunds')
    billing().refunds.push({
      ...some,
      id: 'ref_n',
      payment_id: 'pay_new',
      customer_id: 'cus_1001',
      amount: 5,
    })
    const change = await bot.ask('refund pay_1002 --customer cus_1001')
    expect(notesIn(change.preview)).not.toContain('2 Nov 2026')
  })
  test('in another currency than the payment is refused', async () => {
    expect(await bot.refused('refund pay_1001 20 EUR --customer cus_1001')).toMatchObject({
      code: 'bad_value',
      message: 'Payment pay_1001 was paid in USD, not in EUR.',
    })
    expect(await bot.ask('refund pay_1001 20 USD --customer cus_1001')).toMatchObject({ amount: 20 })
    expect(await bot.ask('refund pay_1001 $21 --customer cus_1001')).toMatchObject({ amount: 21 })
  })
  test('of a customer with five thousand payments is looked at all the same', async () => {
    for (let n = 0; n < 5_000; n++)
      pay({ id: `pay_m${n}`, amount: n + 1, createdAt: new Date(1.7e12 + n * 6e6).toISOString() })
    const change = await bot.ask('refund pay_m4999 --customer cus_1001')
    expect(change).toMatchObject({ amount: 5_000, currency: 'USD' })
  })
  test('that was refunded elsewhere between card and click is asked about again', async () => {
    const change = await bot.ask('refund pay_1003 700 --customer cus_1002')
    const payment = billing().transactions.find(({ id }) => id === 'pay_1003')
    if (payment === undefined) throw new Error('no payment')
    payment.refunded_amount = 100
    billing().refunds.push({
      ...(billing().refunds[0] as never as object),
      id: 'ref_x',
      payment_id: 'pay_1003',
      customer_id: 'cus_1002',
      amount: 100,
    } as never)
    const asked = await bot.settle(change)
    expect(asked).toMatchObject({ state: 'pending', votes: [] })
    expect(asked.drift?.changes.map(({ label }) => label)).toContain('Refunded already')
    payment.refunded_amount = 300
    expect(await bot.settle(asked)).toMatchObject({
      state: 'voided',
      outcome: { message: expect.stringContaining('Only 600 USD') },
    })
    expect(bot.sent('refundPayment')).toEqual([])
  })
  test.each([
    [{ kind: 'status', status: 404 }, /found nothing by that name/],
    [{ kind: 'status', status: 405 }, /refused/],
    [{ kind: 'status', status: 503 }, /has an error/],
    [{ kind: 'wrong_shape' }, /shows no payments there|could not be read/],
    [{ kind: 'garbage' }, /could not be read/],
  ] as const)('says what came of looking where the service answers with %j', async (fault, why) => {
    bot.sandbox.fault({ service: 'billing', row: 'findTransactions', times: 9, ...fault })
    const change = await bot.ask('refund pay_1001 20 --customer cus_1001')
    expect(notesIn(change.preview)).toMatch(/cus_1001 (could not be read|was looked at)/)
    expect(notesIn(change.preview)).toMatch(why)
    expect(change).toMatchObject({ amount: 20, currency: null })
  })
  test('whose refunds cannot be read says so, and goes by what the payment says itself', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'findRefunds', times: 9, kind: 'status', status: 405 })
    const change = await bot.ask('refund pay_1011 45 --customer cus_1009')
    expect(factsIn(change.preview)).toMatchObject({
      'Refunded already': '100 USD',
      'Left after this': '100 USD of 245 USD',
    })
  })
})
