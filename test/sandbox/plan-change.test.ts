import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prorate } from '../../packs/billing/sandbox/proration.ts'
import { dueDate, termAt, termEnd } from '../../packs/billing/sandbox/terms.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { createSandboxClient, november } from './client.ts'

const day = 86_400_000
let clock = november
let sandbox: Sandbox
beforeEach(async () => {
  clock = november
  sandbox = await startSandbox({ now: () => clock })
})
afterEach(() => sandbox.close())

const change = (id: string, body: object) =>
  createSandboxClient(sandbox)('billing', 'PUT', `/subscription/${id}/upgrade-downgrade`, {
    payment_mode: 'offline',
    ...body,
  })
const subscription = (id: string) => sandbox.state.billing.subscriptions.find((one) => one.id === id)

test('an immediate upgrade is live on the new plan, with an invoice and a credit note that add up', async () => {
  const { body } = await change('sub_1001', { plan_id: 'plan_desk_business_m', update_reason: 'Grew' })
  const { data } = body
  expect(data).toMatchObject({
    user: { email: 'owner@example.com' },
    customer: { id: 'cus_1001' },
    product: { id: 'prod_desk' },
    plan: { id: 'plan_desk_business_m' },
    subscription: {
      id: 'sub_1001',
      status: 'live',
      plan_id: 'plan_desk_business_m',
      update_type: 'upgrade',
      update_reason: 'Grew',
    },
    invoice: {
      status: 'paid',
      subscription_id: 'sub_1001',
      subscription: { plan_id: 'plan_desk_business_m' },
    },
  })
  expect(data.invoice.invoice_id).toMatch(/^INV-\d+$/)
  const note = data.invoice.credit_note
  expect(note).toMatchObject({
    current_plan_name: 'Desk Team',
    new_plan_name: 'Desk Business',
    current_plan_total: 49,
    new_plan_total: '120.00',
  })
  expect(note.used_days + note.remaining_days).toBe(30)
  expect(note.used_amount + note.new_credits).toBeCloseTo(49, 2)
  expect(note.total_credit_amount + note.charge_amount).toBeCloseTo(120, 2)
  expect(data.invoice.amount).toBe(note.charge_amount)
  expect(sandbox.state.billing.transactions.at(-1)).toMatchObject({
    customer_id: 'cus_1001',
    amount: note.charge_amount,
  })
  expect(sandbox.state.billing.invoices).toHaveLength(1)
})

test('a downgrade charges nothing and leaves the rest as credit, which the next change uses', async () => {
  const down = (await change('sub_1002', { plan_id: 'plan_desk_starter_m', quantity: '1' })).body.data
  const note = down.invoice.credit_note
  expect(note).toMatchObject({ update_type: 'downgrade', charge_amount: 0 })
  expect(note.credit_applied[0]).toMatchObject({ amount: 19, deducted_from: note.total_credit_amount })
  expect(down.customer.credit).toBeCloseTo(note.total_credit_amount - 19, 2)
  const up = (await change('sub_1002', { plan_id: 'plan_desk_business_y' })).body.data
  expect(up.invoice.credit_note.total_credit_amount).toBeCloseTo(down.customer.credit + 19, 2)
  expect(up.customer.credit).toBe(null)
})

test('price, quantity, setup fee, coupon and add-ons all reach the total', async () => {
  const { data } = (
    await change('sub_1001', {
      plan_id: 'plan_desk_business_m',
      price: '100.50',
      quantity: '2',
      setup_fee: '10',
      coupon_code: 'SPRING20',
      addons: '[{"id":"addon_seats","quantity":2}]',
      payment_term: 'net30',
    })
  ).body
  expect(data.invoice.credit_note.new_plan_total).toBe(((2 * 100.5 + 50) * 0.8 + 10).toFixed(2))
  expect(data.subscription).toMatchObject({
    quantity: 2,
    amount: 200.8,
    setup_fee: 10,
    payment_terms: 'net30',
    coupon: { coupon_code: 'SPRING20', used_redemption: 4 },
    addons: [{ id: 'addon_seats', quantity: 2, adjusted_amount: 50 }],
  })
  expect(Date.parse(data.invoice.due_date)).toBe(november + 30 * day)
})

test('a change at the end of the term waits for it, and is then applied once', async () => {
  const end = Date.parse(subscription('sub_1001')?.next_billing_date ?? '')
  const said = await change('sub_1001', { plan_id: 'plan_desk_starter_m', activated_at_val: 'eot' })
  expect(said.body.data).toMatchObject({
    invoice: null,
    plan: { id: 'plan_desk_starter_m' },
    subscription: { plan_id: 'plan_desk_team_m' },
  })
  clock = end - 1
  expect(subscription('sub_1001')?.plan_id).toBe('plan_desk_team_m')
  clock = end
  expect(subscription('sub_1001')).toMatchObject({
    plan_id: 'plan_desk_starter_m',
    status: 'live',
    update_type: 'downgrade',
    scheduled_change: null,
    last_billing_date: new Date(end).toISOString(),
  })
  expect(sandbox.state.billing.invoices).toMatchObject([
    { amount: 19, credit_note: { remaining_days: 0, new_credits: 0 } },
  ])
  clock = end + 40 * day
  expect(sandbox.state.billing.invoices).toHaveLength(1)
})

test('an immediate change puts a waiting one aside', async () => {
  await change('sub_1001', { plan_id: 'plan_desk_starter_m', activated_at_val: 'eot' })
  await change('sub_1001', { plan_id: 'plan_desk_business_m', activated_at_val: 'immediately' })
  clock = november + 100 * day
  expect(subscription('sub_1001')?.plan_id).toBe('plan_desk_business_m')
})

test('a subscription that nobody touched for years is prorated over its present term', async () => {
  clock = Date.UTC(2031, 4, 20)
  const note = (await change('sub_1001', { plan_id: 'plan_desk_business_m' })).body.data.invoice.credit_note
  expect(note.used_days + note.remaining_days).toBeGreaterThanOrEqual(28)
  expect(note.used_days + note.remaining_days).toBeLessThanOrEqual(31)
  expect(note.remaining_days).toBeGreaterThan(0)
})

test('the figures add up whatever the prices and days are', () => {
  const money = fc.integer({ min: 0, max: 10_000_000 }).map((amount) => amount / 100)
  fc.assert(
    fc.property(
      money,
      money,
      money,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: -50, max: 400 }),
      (price, next, credit, quantity, days) => {
        const order = {
          ...{ plan_id: 'p', price: next, quantity, setup_fee: 0, addons: [], coupon_code: '' },
          ...{ payment_term: 'net0', payment_mode: 'offline', card_id: '', update_reason: '' },
        }
        const term = { start: november, end: termEnd(november, 'm', 1) }
        const note = prorate({
          current: { price, quantity },
          term,
          now: november + days * day,
          credit,
          order,
          discount: undefined,
        })
        expect(note.usedAmount + note.newCredits).toBeCloseTo(note.currentTotal, 2)
        expect(note.creditApplied + note.charge).toBeCloseTo(note.newTotal, 2)
        expect(note.creditApplied + note.creditLeft).toBeCloseTo(note.totalCredit, 2)
        expect(Math.min(note.charge, note.creditLeft)).toBe(0)
      },
    ),
    { numRuns: 300 },
  )
})

test('a month that is too short ends on its last day', () => {
  const end = (start: string, period: string, count = 1) =>
    new Date(termEnd(Date.parse(start), period, count)).toISOString().slice(0, 10)
  expect(end('2027-01-31', 'm')).toBe('2027-02-28')
  expect(end('2026-11-15', 'm', 3)).toBe('2027-02-15')
  expect(end('2028-02-29', 'y')).toBe('2029-02-28')
  expect(end('2026-12-28', 'w')).toBe('2027-01-04')
  const first = { start: Date.parse('2026-11-01'), end: Date.parse('2026-12-01') }
  expect(termAt(first, 'm', 1, Date.parse('2027-01-01'))).toEqual({
    start: Date.parse('2027-01-01'),
    end: Date.parse('2027-02-01'),
  })
})

test('payment terms end where they say', () => {
  const due = (term: string) => new Date(dueDate(Date.parse('2026-12-10'), term)).toISOString().slice(0, 10)
  expect(['net0', 'net15', 'net45', 'neteom', 'neteonm'].map(due)).toEqual([
    '2026-12-10',
    '2026-12-25',
    '2027-01-24',
    '2026-12-31',
    '2027-01-31',
  ])
})
