import { describe, expect, test } from 'vitest'
import { leftToRefund } from '../../commands/refund/evidence.ts'
import { refundAmount, refundIntent } from '../../packs/billing/intents.ts'
import { factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
type Payments = typeof bot.sandbox.state.billing.transactions
type Refunds = ((typeof bot.sandbox.state.billing.refunds)[number] & { status?: string })[]

/** A payment of cus_1001 as the test wants it, and the refunds of it. */
const paid = (payment: Partial<Payments[number]>, ...refunds: Partial<Refunds[number]>[]) => {
  const { billing } = bot.sandbox.state
  const [some, one] = [billing.transactions[0], billing.refunds[0]]
  if (some === undefined || one === undefined) throw new Error('no payments')
  billing.transactions.push({ ...some, id: 'pay_t', customer_id: 'cus_1001', refunded_amount: 0, ...payment })
  for (const [at, refund] of refunds.entries())
    billing.refunds.push({
      ...one,
      id: `ref_t${at}`,
      payment_id: 'pay_t',
      customer_id: 'cus_1001',
      ...refund,
    })
}
const line = (amount: string) => `refund pay_t ${amount} --customer cus_1001`

describe('of what is left', () => {
  type Left = [string, Partial<Payments[number]>, Partial<Refunds[number]>[], string, number | null, string]
  test.each<Left>([
    ['all, to the last', { amount: 49 }, [], '49', 49, '0 USD'],
    ['one less', { amount: 49 }, [], '48', 48, '1 USD'],
    ['all, where none is named', { amount: 49 }, [], '', 49, '0 USD'],
    ['the least', { amount: 49 }, [], '1', 1, '48 USD'],
    ['cents stay', { amount: 49.5 }, [], '49', 49, '0.50 USD'],
    ['with cents, all is no amount', { amount: 49.5 }, [], '', 49.5, '0 USD'],
    ['after a refund that the payment says', { amount: 49, refunded_amount: 9 }, [], '40', 40, '0 USD'],
    ['after refunds that are listed', { amount: 49 }, [{ amount: 4 }, { amount: 5 }], '40', 40, '0 USD'],
    ['after the larger of the two', { amount: 49, refunded_amount: 3 }, [{ amount: 9 }], '40', 40, '0 USD'],
    [
      'a refund that failed does not count',
      { amount: 49 },
      [{ amount: 9, status: 'failed' }],
      '49',
      49,
      '0 USD',
    ],
    [
      'a tenth and two tenths are three',
      { amount: 5.3 },
      [{ amount: 0.1 }, { amount: 0.2 }],
      '5',
      5,
      '0 USD',
    ],
    [
      'in a currency that nobody knows',
      { amount: 49 },
      [{ amount: 9, currency_code: 'EUR' }],
      '99',
      99,
      'not known',
    ],
    ...[1e308, -1e308, 2 ** 60, '9'.repeat(400) as never].flatMap((amount): Left[] => [
      [`${amount} was paid`, { amount }, [], '99', 99, 'not known'],
      [`${amount} was refunded`, { amount: 49 }, [{ amount }], '99', 99, 'not known'],
    ]),
  ])('%s', async (_, payment, refunds, typed, amount, after) => {
    paid(payment, ...refunds)
    const change = await bot.ask(line(typed))
    expect(change.amount).toBe(amount)
    expect(factsIn(change.preview)['Left after this']).toMatch(new RegExp(`^${after}( of |$)`))
  })

  test.each<[string, Partial<Payments[number]>, Partial<Refunds[number]>[], string, RegExp]>([
    [
      'one more than there is',
      { amount: 49 },
      [],
      '50',
      /^Only 49 USD of payment pay_t is left to refund, not 50 USD/,
    ],
    ['half more than there is', { amount: 49.5 }, [], '50', /^Only 49\.50 USD/],
    ['less than one is left', { amount: 49.5, refunded_amount: 49 }, [], '1', /^Only 0\.50 USD/],
    ['one more than is left', { amount: 49 }, [{ amount: 9 }], '41', /^Only 40 USD/],
    [
      'nothing is left',
      { amount: 49, refunded_amount: 49 },
      [],
      '1',
      /^Nothing is left .*: 49 USD of 49 USD/,
    ],
    [
      'nothing is left, and none is named',
      { amount: 0.3 },
      [{ amount: 0.1 }, { amount: 0.2 }],
      '',
      /^Nothing is left/,
    ],
    ['more is refunded than was paid', { amount: 49, refunded_amount: 60 }, [], '', /^Nothing is left/],
  ])('is refused where %s', async (_, payment, refunds, typed, words) => {
    paid(payment, ...refunds)
    const refusal = await bot.refused(line(typed))
    expect(refusal.code).toBe('too_much')
    expect(refusal.message).toMatch(words)
    expect(bot.sent('refundPayment')).toEqual([])
  })

  test('no amount is sent where it is no whole number, and the card says so', async () => {
    paid({ amount: 49.5 })
    const change = await bot.ask(line(''))
    expect(factsIn(change.preview).Amount).toBe('all that is left, 49.50 USD')
    expect(notesIn(change.preview)).toContain('What is left is no whole number')
    expect(notesIn(change.preview)).not.toContain('No amount was given')
    await bot.settle(change)
    expect(bot.sent('refundPayment')).toEqual([{}])
  })

  test.each([
    [49, ['49', '49 USD left']],
    [1, ['1', '1 USD left']],
    [0.5, undefined],
    [49.5, undefined],
    [0, undefined],
  ])('%d is suggested as %j', async (amount, suggested) => {
    paid({ amount })
    const { billing } = bot.services
    const links = { payerOf: async () => ({ ends: [] }) }
    const beside = [
      { kind: 'payment' as const, id: 'pay_t' },
      { kind: 'customer' as const, id: 'cus_1001' },
    ]
    const context = { billing, links } as never
    const [first] = await leftToRefund(beside, context)
    expect(first && [first.value, first.label]).toEqual(suggested)
    expect(await leftToRefund([], context)).toEqual([])
  })
})

describe('a currency that was typed', () => {
  test.each([
    ['20 USD', { currency_code: 'USD', currency_symbol: '$' }, true],
    ['20 usd', { currency_code: 'USD', currency_symbol: '$' }, true],
    ['$20', { currency_code: 'USD', currency_symbol: '$' }, true],
    ['20 EUR', { currency_code: 'USD', currency_symbol: '$' }, false],
    ['20 €', { currency_code: 'USD', currency_symbol: '$' }, false],
    ['20 EUR', { currency_code: 'eur', currency_symbol: '€' }, true],
    ['€20', { currency_code: 'EUR', currency_symbol: '€' }, true],
    ['$20', { currency_code: 'EUR', currency_symbol: '€' }, false],
    ['20 USD', { currency_code: 'EUR', currency_symbol: '$' }, false],
    ['US$20', { currency_code: 'USD', currency_symbol: '$' }, true],
    ['us$20', { currency_code: 'USD', currency_symbol: '$' }, true],
    ['A$20', { currency_code: 'USD', currency_symbol: '$' }, false],
    ['A$20', { currency_code: 'AUD', currency_symbol: '$' }, true],
    ['A$20', { currency_code: 'AUD', currency_symbol: 'A$' }, true],
    ['$20', { currency_code: 'AUD', currency_symbol: 'A$' }, false],
    ['US$20', { currency_code: 'EUR', currency_symbol: '€' }, false],
    ['20 €', { currency_code: 'EUR', currency_symbol: '' }, true],
    ['A$20', { currency_code: 'USD', currency_symbol: '' }, false],
    ['A$20', { currency_code: '', currency_symbol: '$' }, false],
    ['$20', { currency_code: '', currency_symbol: '$' }, true],
  ])('%s of a payment in %j is taken: %s', async (typed, currency, isTaken) => {
    paid({ amount: 49, ...currency })
    if (isTaken) expect(await bot.ask(line(`"${typed}"`))).toMatchObject({ amount: 20 })
    else expect(await bot.refused(line(`"${typed}"`))).toMatchObject({ code: 'bad_value', field: 'amount' })
  })

  test('is told from that of the payment by the sign, where the service names no code', async () => {
    paid({ amount: 49, currency_code: '', currency_symbol: '$' })
    expect(await bot.ask(line('20'))).toMatchObject({ amount: 20, currency: '$' })
    expect(await bot.refused(line('"20 €"'))).toMatchObject({
      message: 'Payment pay_t was paid in $, not in €.',
    })
  })

  test('is named where nobody could look at the payment', async () => {
    const change = await bot.ask('refund pay_unseen "20 EUR"')
    expect(notesIn(change.preview)).toContain('EUR was typed, but only the number is sent')
    expect(notesIn(await bot.ask('refund pay_unseen 21').then(({ preview }) => preview))).not.toContain(
      'was typed',
    )
  })
})

test('two refunds are the same request by payment and amount', () => {
  expect(refundIntent('p', undefined)).toEqual({ row: 'billing.refundPayment', paymentId: 'p', amount: null })
  expect(
    [5, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', undefined].map((one) => refundAmount(one).value),
  ).toEqual([5, ...Array.from({ length: 6 }, () => null)])
})

test('a payment is looked up with its customer only: another one is contradicted', async () => {
  await bot.look('transaction find cus_1004')
  const refusal = await bot.refused('refund pay_1006 1 --customer cus_1001')
  expect(refusal).toMatchObject({ code: 'bad_value', field: 'customer' })
  expect(refusal.message).toMatch(
    /^Payment pay_1006 is of customer cus_1004 \(.*\), not of customer cus_1001\.$/,
  )
})

test('of a payment that is not the customer’s nobody says anything, but that it is not there', async () => {
  const change = await bot.ask('refund pay_zz 1 --customer cus_1002')
  expect(notesIn(change.preview)).toMatch(
    /Customer cus_1002 was looked at: this payment is not among the \w+ that/,
  )
  expect(change.lookUps).toEqual(['transaction refunds cus_1002', 'transaction find cus_1002'])
})
