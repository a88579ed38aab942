import { describe, expect, test } from 'vitest'
import { factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
const payment = (id: string) => bot.sandbox.state.billing.transactions.find((one) => one.id === id)

describe('refund', () => {
  test('shows payment, amount, kind and reason before anybody is asked', async () => {
    const change = await bot.ask('refund pay_1001 20 --refund-type refund --description "Charged twice"')
    expect(change.preview.title).toBe('Refund payment pay_1001')
    expect(factsIn(change.preview)).toEqual({
      Payment: 'pay_1001',
      Amount: '20',
      Kind: 'refund',
      Reason: 'Charged twice',
    })
    expect(change).toMatchObject({ amount: 20, currency: null, area: 'billing', rule: 'small refund' })
    expect(bot.sandbox.wire).toEqual([])
  })

  test('sends what was shown, once, and says what the service said', async () => {
    const change = await bot.run(
      'refund pay_1001 20 --refund-type refund_credit --description "Charged twice"',
    )
    expect(change).toMatchObject({
      state: 'applied',
      outcome: { message: 'Payment pay_1001 was refunded as credit: 20.' },
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
    expect(factsIn(change.preview)).toMatchObject({
      Amount: 'not given, the service decides',
      Reason: 'none given',
    })
    expect(notesIn(change.preview)).toContain('No amount was given')
    expect(change).toMatchObject({ amount: null, rule: 'large refund' })
    const settled = await bot.settle(change)
    expect(settled.outcome?.message).toBe('Payment pay_1003 was refunded, without an amount.')
    expect(bot.sent('refundPayment')).toEqual([{}])
    expect(payment('pay_1003')?.refunded_amount).toBe(900)
  })

  test('records a refund under the name that people use for it', async () => {
    const asked = await bot.ask('refund pay_1002 9 --refund-type record')
    expect(notesIn(asked.preview)).toContain('no money is asked to move')
    const change = await bot.settle(asked)
    expect(change.outcome?.message).toBe('A refund of payment pay_1002 was recorded: 9.')
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
    expect(change.lookUps).toEqual(['audit find --command refund'])
    expect(bot.sent('refundPayment')).toHaveLength(1)
    expect(notesIn(change.preview)).toContain('transaction refunds')
  })

  test('accepted with an unreadable answer is applied, with a warning', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'refundPayment', kind: 'garbage' })
    const change = await bot.run('refund pay_1001 20')
    expect(change.state).toBe('applied')
    expect(change.outcome?.warning).not.toBeNull()
  })
})
