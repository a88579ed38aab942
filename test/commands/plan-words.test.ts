import { describe, expect, test } from 'vitest'
import { addonsSent, addonsWords } from '../../commands/upgrade/addons.ts'
import { type KnownPlan, lookUpPlan, planWords } from '../../commands/upgrade/known-plans.ts'
import { doneMessage, doneView, loweredWords, moveTitle, planFacts } from '../../commands/upgrade/words.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { factsIn } from './bot.ts'

const body = { plan_id: 'plan_1', payment_mode: 'offline' } as const
const own: KnownPlan = {
  ...{ name: 'Team', price: '20 USD', period: 'each month', trial: null, setupFee: '5 USD' },
  ...{ listPrice: 20, listFee: 5 },
}
const shownOf = (...given: Parameters<typeof planFacts>) =>
  factsIn({ title: '', tone: 'plain', blocks: [planFacts(...given)] })

describe('less than the plan’s own', () => {
  test.each([
    [{ price: '20' }, own, []],
    [{ price: '19.99' }, own, ['The price asked for, 19.99, is below the plan’s own, 20 USD.']],
    [{ price: '20.01' }, own, []],
    [{ price: '0' }, own, ['The price asked for, 0, is below the plan’s own, 20 USD.']],
    [{ setup_fee: '5' }, own, []],
    [{ setup_fee: '4.99' }, own, ['The setup fee asked for, 4.99, is below the plan’s own, 5 USD.']],
    [{ price: '1' }, { ...own, listPrice: null }, []],
    [{ price: '1' }, undefined, []],
    [{}, own, []],
    [{ coupon_code: 'X' }, undefined, ['A coupon lowers what is charged; by how much nobody can read.']],
  ])('%j of %j is said: %j', (given, known, words) => {
    expect(loweredWords({ ...body, ...given }, known)).toEqual(words)
  })
})

test.each<[object, string | undefined, object]>([
  [{ activated_at_val: 'immediately' }, undefined, { When: 'now', Paid: 'offline' }],
  [{ activated_at_val: 'eot' }, undefined, { When: 'at the end of the term' }],
  [{ payment_mode: 'credit_card' }, undefined, { Paid: 'by credit card' }],
  [{ payment_mode: 'credit_card', card_id: 'card_9' }, undefined, { Paid: 'by credit card, card card_9' }],
  [{ card_id: 'card_9' }, undefined, { Paid: 'offline, card card_9' }],
  [{ payment_term: 'neteonm' }, undefined, { 'Invoice due': 'at the end of next month' }],
  [{ customer_id: 'cus_1' }, 'Ada', { Customer: 'cus_1', Subscription: 'sub_1 of Ada' }],
  [{ customer_id: 'cus_1' }, undefined, { Customer: 'cus_1', Subscription: 'sub_1' }],
  [{}, 'Ada', { Subscription: 'sub_1 of Ada' }],
  [{ update_reason: 'more seats', coupon_code: 'C' }, undefined, { Reason: 'more seats', Coupon: 'C' }],
])('%j of %s is on the card as %j', (given, who, shown) => {
  const facts = shownOf('sub_1', { ...body, ...given } as never, { who })
  expect(facts).toMatchObject(shown)
  expect('Customer' in facts).toBe('Customer' in shown)
  expect('Add-ons' in facts).toBe(false)
})

test('a card says what is charged, and what is the plan’s own', () => {
  expect(shownOf('sub_1', body, { known: own })).toMatchObject({
    To: 'Team: 20 USD each month, no trial (plan_1)',
    'Setup fee': '5 USD',
  })
  expect(Object.keys(shownOf('sub_1', body))).toEqual(['Subscription', 'To', 'Paid', 'What it will cost'])
  const given = { ...body, price: '99.5', setup_fee: '1', quantity: '3', addons: '{"a":2}' }
  expect(shownOf('sub_1', given, { known: own })).toMatchObject({
    ...{ Quantity: '3', Price: '99.50', 'Setup fee': '1', 'Add-ons': 'a × 2' },
  })
})

test('a card says from what it moves and when the term ends, where that is on record', () => {
  const from = { plan: 'Starter (plan_0)', at: Date.UTC(2026, 10, 3, 9) }
  expect(shownOf('sub_1', body, { from }).From).toBe('Starter (plan_0), since 3 Nov 2026, 09:00 UTC')
  const named = { ...from, name: 'Starter', ends: Date.UTC(2026, 11, 1) }
  const later = { ...body, activated_at_val: 'eot' } as const
  expect(shownOf('sub_1', later, { from: named })).toMatchObject({
    From: 'Starter, since 3 Nov 2026, 09:00 UTC',
    When: 'at the end of the term, 1 Dec 2026, 00:00 UTC',
  })
  expect(moveTitle('Ada', later, { known: own, from: named })).toBe('Move Ada from Starter to Team')
})

describe('a plan on the checkout pages', () => {
  const look = async (data: unknown, id = 'plan_1') =>
    lookUpPlan(id, {
      billing: { findMultiplans: async () => ({ data }) } as unknown as ReadContext['billing'],
    })
  const page = (plan: object) => [
    { id: 'm', plans: [{ id: 'plan_0', price: 1 }, { id: 'plan_1', ...plan }, null] },
  ]
  test.each<[object, string]>([
    [
      { plan_name: 'Team', price: 20, currency_code: 'USD', billing_period: 'm', billing_period_num: 1 },
      'Team: 20 USD each month, no trial',
    ],
    [
      { name: 'Solo', price: 0, currency_symbol: '$', billing_period: 'y', billing_period_num: 2 },
      'Solo: $0 each 2 years, no trial',
    ],
    [{ billing_period: 'quarter', trial_period: 14 }, ' each quarter, 14 days of trial'],
    [{ trial_period: 1, trial_type: 'month' }, ', 1 month of trial'],
    [{ trial_period: 0 }, ', no trial'],
  ])('%j is said as %j', async (plan, words) => {
    const { plan: known, seen } = await look(page(plan))
    expect([seen, known && planWords(known)]).toEqual(['yes', words])
  })
  test('without a fee has none to say, and one that no page has is not seen', async () => {
    expect((await look(page({ setup_fee: 0, price: 3 }))).plan).toMatchObject({
      setupFee: null,
      price: '3',
      listFee: 0,
      listPrice: 3,
    })
    expect((await look(page({ setup_fee: 2 }))).plan).toMatchObject({
      setupFee: '2',
      price: null,
      listPrice: null,
    })
    expect((await look(page({}))).plan).toMatchObject({
      ...{ name: null, price: null, period: null, trial: null, setupFee: null },
      ...{ listPrice: null, listFee: null },
    })
    // The first page that sells it tells its price.
    expect((await look([...page({ price: 3 }), ...page({ price: 4 })])).plan).toMatchObject({ price: '3' })
    expect(await look(page({}), 'plan_9')).toEqual({ seen: 'no' })
    expect(await look([{ id: 'm', plans: 'none' }])).toEqual({ seen: 'unread' })
    expect(await look([])).toEqual({ seen: 'unread' })
  })
})

describe('add-ons', () => {
  test.each([
    ['a:2, b', '[{"id":"a","quantity":2},{"id":"b","quantity":1}]', 'a × 2, b'],
    ['a:999999999', '[{"id":"a","quantity":999999999}]', 'a × 999999999'],
    ['a:1000000000', undefined, ''],
    ['a:0', undefined, ''],
    ['a,a:2', undefined, ''],
    ['a b', undefined, ''],
    ['a,', undefined, ''],
    ['null', undefined, ''],
    ['"a"', undefined, ''],
    ['[]', '[]', 'none'],
    ['[{"id":"a"}]', '[{"id":"a"}]', 'a'],
    ['{"a":2,"b":"1"}', '{"a":2,"b":"1"}', 'a × 2, b'],
    ['[{"addon":"a"}]', '[{"addon":"a"}]', '[{"addon":"a"}]'],
  ])('%j are sent as %j and said as %j', (written, sent, words) => {
    expect(addonsSent(written, 'json')).toBe(sent)
    if (sent !== undefined) expect(addonsWords(sent)).toBe(words)
  })
  test('are sent as a list or an object where the service wants that', () => {
    expect(addonsSent('[{"id":"a"}]', 'list')).toEqual([{ id: 'a' }])
    expect(addonsSent('{"a":1}', 'object')).toEqual({ a: 1 })
    expect(addonsWords([{ id: 'a', quantity: 2 }])).toBe('a × 2')
    expect(addonsWords([{ addon: 'a' }])).toBe('[{"addon":"a"}]')
  })
})

describe('after the change', () => {
  const view = (changed: object) => factsIn(doneView('sub_1', changed as never, 'ok'))
  test('says what was charged and credited, what is due and what comes next', () => {
    const note = {
      ...{
        current_plan_name: 'Solo',
        new_plan_name: 'Team',
        charge_amount: 12.5,
        new_plan_total: '20',
        new_credits: 7.5,
      },
      ...{
        total_credit_amount: 9,
        used_days: 1,
        remaining_days: 29,
        credit_applied: [{ amount: 3, remaining_amount: 1 }],
      },
    }
    expect(
      view({
        plan: { currency_code: 'USD', plan_name: 'Other', price: 99 },
        invoice: {
          ...{ invoice_id: 'INV-1', id: 'x', status: 'paid', amount: 99, due_amount: 2, credit_note: note },
          tax_apply: { total_tax: '2.5', total_amount: 12.5, country: 'SE', tax_id: 'tax_1' },
        },
        subscription: {
          ...{ quantity: 2, amount: 40, setup_fee: 5, customer_id: 'cus_9' },
          addons: [{ name: 'Seats', quantity: 2, adjusted_amount: 4 }, { id: 'addon_x' }],
          coupon: { coupon_code: 'SPRING', discount: 20, discount_type: 'percent', apply_to: 'total_amount' },
        },
        customer: { first_name: 'Ada', last_name: 'L', email_id: 'ada@x.io', credit: 1 },
      }),
    ).toEqual({
      Plan: 'Solo → Team',
      Charged: '12.50 USD',
      Invoice: 'INV-1, paid',
      'Still due': '2 USD',
      'New plan costs': '20 USD',
      'Credit for the old plan': '7.50 USD',
      'Total credit': '9 USD',
      'Old plan used': '1 day of 30 days',
      'Credit used': '3 USD, 1 USD left',
      'Credit of the customer': '1 USD',
      Tax: '2.50 USD of 12.50 USD (SE, tax_1)',
      Quantity: '2',
      Amount: '40 USD',
      'Setup fee': '5 USD',
      'Add-ons': 'Seats × 2 (4 USD), addon_x',
      Coupon: 'SPRING, 20 percent off the total amount',
      Customer: 'Ada L, ada@x.io, cus_9',
      'The service says': 'ok',
    })
  })
  test('says nothing of what is not there, or is nothing', () => {
    expect(
      view({
        plan: { plan_name: 'Team', price: 20 },
        invoice: {
          ...{ id: 'inv', amount: 0, due_amount: 0, currency_symbol: '$', tax_apply: { total_tax: '0' } },
          credit_note: {
            new_credits: 3,
            total_credit_amount: 3,
            used_days: 1,
            new_plan_total: 'x',
            total_tax: '1',
          },
        },
        subscription: { setup_fee: 0, coupon: { coupon_name: 'C', discount: 5 }, currency_symbol: '€' },
      }),
    ).toEqual({
      'New plan': 'Team',
      Charged: '$0',
      Invoice: 'inv',
      'New plan costs': '$20',
      'Credit for the old plan': '$3',
      Coupon: 'C, 5 off',
      'The service says': 'ok',
    })
    expect(
      view({ invoice: { credit_note: { total_tax: '1' } }, subscription: { coupon: { coupon_code: 'C' } } }),
    ).toMatchObject({
      Tax: '1',
      Coupon: 'C',
    })
    expect(view({ subscription: { coupon: { discount: 5 } } })).not.toHaveProperty('Coupon')
  })
  test('is said as done, or as something to come', () => {
    expect(doneMessage('s', body, undefined)).toBe('Moved s to plan_1.')
    expect(
      doneMessage('s', { ...body, activated_at_val: 'eot' }, { plan: { plan_name: 'Team' } } as never),
    ).toBe('Will move s to Team at the end of its term.')
  })
  const credit = {
    ...{ charge_amount: 31.2, new_credits: 17.8, remaining_days: 11, current_plan_name: 'Starter' },
    ...{ new_plan_total: '49', new_plan_price: 48 },
  }
  const usd = { plan_name: 'Business', currency_code: 'USD' }
  test.each<[object, string]>([
    [
      { plan: usd, invoice: { amount: 5, credit_note: credit } },
      '31.20 USD: 49 USD for Business, less 17.80 USD for 11 unused days of Starter.',
    ],
    [
      { plan: usd, invoice: { credit_note: { ...credit, new_plan_total: null } } },
      '31.20 USD: 48 USD for Business, less 17.80 USD for 11 unused days of Starter.',
    ],
    [
      { plan: usd, invoice: { credit_note: { ...credit, new_plan_total: 'x', new_plan_price: null } } },
      '31.20 USD: for Business.',
    ],
    [{ plan: usd, invoice: { credit_note: { ...credit, new_credits: 0 } } }, '31.20 USD: for Business.'],
    [
      { plan: usd, invoice: { credit_note: { ...credit, remaining_days: null } } },
      '31.20 USD: for Business.',
    ],
    [
      { plan: usd, invoice: { credit_note: { ...credit, current_plan_name: '' } } },
      '31.20 USD: for Business.',
    ],
    [{ plan: usd, invoice: { amount: 5 } }, '5 USD: for Business.'],
    [{ plan: { currency_symbol: '€' }, invoice: { amount: 5, currency_symbol: '$' } }, '$5: for plan_1.'],
    [{ plan: { currency_symbol: '€' }, invoice: { amount: 0 } }, '€0: for plan_1.'],
  ])('of %j it is said: charged %s', (changed, words) => {
    expect(doneMessage('Ada', body, changed as never)).toBe(`Charged Ada ${words}`)
  })
  test.each<[object, object]>([
    [
      {
        subscription: { amount: 1, currency_symbol: '€', payment_terms: 'net15' },
        plan: { currency_symbol: '$' },
      },
      { Amount: '€1', 'Invoice due': 'in 15 days' },
    ],
    [{ subscription: { amount: 1 }, plan: { currency_symbol: '$' } }, { Amount: '$1' }],
    [
      { invoice: { payment_term: 'net30' }, subscription: { payment_terms: 'net15', amount: null } },
      { 'Invoice due': 'in 30 days' },
    ],
    [{ invoice: { credit_note: { new_plan_price: 7 } }, plan: { price: 9 } }, { 'New plan costs': '7' }],
    [{ invoice: { credit_note: { current_plan_name: 'Solo' } } }, {}],
    [{ invoice: { credit_note: { credit_applied: [{ amount: null, remaining_amount: null }] } } }, {}],
    [{ invoice: { credit_note: { remaining_days: 3 } } }, {}],
    [{ subscription: { addons: [{}] } }, {}],
    [
      { subscription: { coupon: { coupon_code: 'C', discount: 5 }, customer_id: 'c' } },
      { Coupon: 'C, 5 off', Customer: 'c' },
    ],
    [{ customer: { id: 'own' }, subscription: { customer_id: 'other' } }, { Customer: 'own' }],
  ])('of %j it shows %j', (changed, shown) => {
    expect(view(changed)).toEqual({ 'The service says': 'ok', ...shown })
  })
})
