import { expect, it } from 'vitest'
import type { Evidence } from '../../commands/refund/evidence.ts'
import type { RefundPlan } from '../../commands/refund/plan.ts'
import { doneWords, paymentTitle, refundBlocks, refundTitle, toldWords } from '../../commands/refund/words.ts'
import { doneMessage, doneView, planFacts } from '../../commands/upgrade/words.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { Block } from '../../src/lib/view/view.ts'

const textOf = (blocks: Block[]) =>
  textOfView({ title: '', tone: 'plain', blocks }, { details: true, isWhole: true }).trim()

/** The whole, and then the same with one thing otherwise at a time. */
const variationsOf = <T extends object>(whole: T, otherwise: Partial<T>[]): T[] => [
  whole,
  ...otherwise.map((over) => ({ ...whole, ...over })),
]
/** The same without one of its fields at a time, those within its parts among them. */
const withoutEach = (whole: object): object[] =>
  Object.entries(whole).flatMap(([key, value]): object[] => {
    const { [key]: _, ...rest } = whole as Record<string, unknown>
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value)
    return [rest, ...(isPart ? withoutEach(value).map((part) => ({ ...whole, [key]: part })) : [])]
  })

const evidence: Evidence = {
  customer: 'cus_1',
  address: 'ada@x.io',
  knownFrom: 'the billing service',
  addressFrom: { words: 'the billing service', isSaid: false },
  paid: 49,
  currency: { code: 'USD' },
  at: '1 Nov 2026, 09:14 UTC',
  status: 'paid',
  invoice: 'INV-513',
  refunded: 9,
  refunds: [
    { id: 'ref_1', words: 'ref_1, 4 USD' },
    { id: 'ref_2', words: 'ref_2, 5 USD' },
  ],
  left: 40,
  twins: ['It was paid twice.'],
}

it('a card of a refund says what is known, and what is not', async () => {
  const seen = variationsOf(evidence, [
    { address: null },
    { addressFrom: { words: 'said by Sam', isSaid: true } },
    { addressFrom: null, knownFrom: 'given' },
    { paid: null, left: null },
    { left: 39.5 },
    { at: null, invoice: null, status: null },
    { at: null },
    { refunded: 0, refunds: [], twins: [] },
    { refunded: null, left: null },
    { refunds: [] },
  ])
  const plans: RefundPlan[] = [
    ...seen.flatMap((one): RefundPlan[] => [
      { paymentId: 'pay_1', amount: 20, evidence: one },
      { paymentId: 'pay_1', evidence: one },
    ]),
    ...(['refund', 'refund_credit', 'record_refund'] as const).flatMap((refundType): RefundPlan[] => [
      { paymentId: 'pay_1', amount: 20, refundType, evidence, description: 'Charged twice' },
      { paymentId: 'pay_1', refundType, unseen: { state: 'nobody' } },
    ]),
    { paymentId: 'pay_1', amount: 20, unseen: 'nobody knows why.', typed: 'EUR' },
    ...[0, 1, 2].map(
      (payments): RefundPlan => ({
        paymentId: 'pay_1',
        amount: 20,
        unseen: { state: 'elsewhere', looked: [{ customer: 'cus_1', payments }] },
      }),
    ),
    {
      paymentId: 'pay_1',
      amount: 20,
      unseen: { state: 'unread', customers: ['cus_1'], why: 'The billing service does not answer.' },
    },
    { paymentId: 'pay_1', amount: 20, evidence, typed: 'EUR' },
  ]
  const said = plans.flatMap((plan) =>
    [undefined, 'Ada Lindqvist', 'ada@x.io'].map((who) =>
      [
        refundTitle(plan, who),
        doneWords(plan, who),
        toldWords(plan),
        ...(plan.evidence ? [paymentTitle(plan.evidence, who)] : []),
        textOf(refundBlocks(plan, who)),
      ].join('\n'),
    ),
  )
  await expect(`${[...new Set(said)].join('\n\n')}\n`).toMatchFileSnapshot('refund-words.txt')
})

it('a card of a plan change, and what came of it, say what the service says, field by field', async () => {
  const body = {
    plan_id: 'plan_1',
    payment_mode: 'credit_card',
    activated_at_val: 'immediately',
    payment_term: 'net30',
    customer_id: 'cus_1',
    card_id: 'card_1',
    coupon_code: 'SPRING',
    price: '19.5',
    quantity: '3',
    setup_fee: '5',
    addons: '{"a":2}',
    update_reason: 'Asked for it',
  }
  const cards = [body, ...withoutEach(body), { ...body, payment_mode: 'offline', activated_at_val: 'eot' }]
  const shown = cards.flatMap((one) =>
    [undefined, 'Ada'].map((who) => textOf([planFacts('sub_1', one as never, { who })])),
  )
  await expect(`${[...new Set(shown)].join('\n\n')}\n`).toMatchFileSnapshot('plan-asked.txt')

  const changed = {
    plan: { currency_code: 'USD', plan_name: 'Business', price: 99, currency_symbol: '$' },
    invoice: {
      invoice_id: 'INV-1',
      id: 'inv',
      status: 'sent',
      amount: 31,
      due_amount: 2,
      due_date: '2026-12-01T00:00:00Z',
      payment_term: 'net30',
      currency_symbol: 'US$',
      credit_note: {
        charge_amount: 31.2,
        new_plan_total: '49',
        new_plan_price: 48,
        new_credits: 17.8,
        remaining_days: 11,
        used_days: 19,
        current_plan_name: 'Starter',
        new_plan_name: 'Business plan',
        total_credit_amount: 20,
        credit_applied: [{ amount: 3, remaining_amount: 1 }, {}],
        total_tax: '1.5',
        transaction_note: 'A note',
      },
      tax_apply: { total_tax: '2.5', total_amount: 12.5, country: 'SE', tax_id: 'tax_1' },
    },
    subscription: {
      status: 'live',
      quantity: 2,
      amount: 40,
      setup_fee: 5,
      customer_id: 'cus_9',
      currency_symbol: '€',
      payment_terms: 'net15',
      gateway_type: 'card',
      gateway_id: 'g1',
      payment_method: 'visa',
      update_reason: 'Because',
      trial_expiry_date: '2026-11-01T00:00:00Z',
      last_billing_date: '2026-11-02T00:00:00Z',
      next_billing_date: '2026-12-02T00:00:00Z',
      expiry_date: '2027-11-02T00:00:00Z',
      canceled_date: '2026-11-03T00:00:00Z',
      addons: [{ name: 'Seats', id: 'addon_s', quantity: 2, adjusted_amount: 4 }, { id: 'addon_x' }, {}],
      coupon: {
        coupon_code: 'SPRING',
        coupon_name: 'Spring',
        discount: 20,
        discount_type: 'of_sum',
        apply_to: 'total_amount',
      },
    },
    customer: { first_name: 'Ada', last_name: 'L', email_id: 'ada@x.io', id: 'cus_1', credit: 1 },
    product: { product_name: 'Mail' },
  }
  const done = [changed, ...withoutEach(changed), {}].map((one) =>
    [
      doneMessage('Ada', { plan_id: 'plan_1', payment_mode: 'offline' } as never, one as never),
      textOf(doneView('sub_1', one as never, 'ok').blocks),
    ].join('\n'),
  )
  const [whole = '', ...others] = done
  const lines = new Set(whole.split('\n'))
  const differences = others.map((one) => {
    const its = one.split('\n')
    const gone = [...lines].filter((line) => !its.includes(line)).map((line) => `- ${line}`)
    return [...gone, ...its.filter((line) => !lines.has(line)).map((line) => `+ ${line}`)].join('\n')
  })
  await expect(`${[whole, ...differences].join('\n\n')}\n`).toMatchFileSnapshot('plan-done.txt')
})
