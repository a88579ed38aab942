import { expect, test } from 'vitest'
import type { KeptPlans } from '../../packs/billing/last-plan.ts'
import { plansWords } from '../../packs/billing/plan-words.ts'
import { openTestApp, textOf } from '../harness/app.ts'

const opened = await openTestApp()

const person = async () => textOf(await opened.say('person get ada@example.com'))
const run = async (line: string) => {
  const reply = await opened.say(line)
  if (reply.kind !== 'change') throw new Error(textOf(reply))
  await opened.press('approve', reply.change.id, 'p-finance')
}

test('a person shows the plan that the last plan change answered with, when it renews, and what it moves to', async () => {
  expect(await person()).toMatch(/^Paid 218 USD, refunded nothing$/m)
  await run('upgrade sub_1001 plan_desk_business_m --payment-mode offline --activate now')
  expect(await person()).toMatch(/^Paid .+ · Desk Business, renews \d+ \w+( \d{4})?$/m)
  await run('downgrade sub_1001 plan_desk_team_m --payment-mode offline --activate eot')
  expect(await person()).toMatch(/^Paid .+ · Desk Business, moves to Desk Team on \d+ \w+( \d{4})?$/m)
})

const now = Date.UTC(2026, 10, 19)
const payment = (at: number, record: object) => ({
  ...{ id: `pay_${at}`, amount: 1, currency: { code: undefined, symbol: undefined }, refunded: 0 },
  ...{ at, record: record as Record<string, unknown> },
})
const wordsOf = (records: object[], kept = new Map<string, KeptPlans>()) =>
  plansWords(
    records.map((record, at) => payment(at, record)),
    kept,
    { now, zone: 'UTC' },
  )

test('where no plan was changed here, the newest payment says it, if its record does', () => {
  expect(wordsOf([{ subscription_id: 'sub_1', amount: 3 }])).toEqual([])
  const shown = { plan: { plan_name: 'Team' }, id: 'sub_1', next_billing_date: '2026-12-01T00:00:00Z' }
  expect(wordsOf([{ subscription: shown }])).toEqual(['Team, renews 1 Dec'])
  // The older one is of a plan that was left since.
  expect(wordsOf([{ subscription_id: 'sub_1', plan_name: 'Starter' }, { subscription: shown }])).toEqual([
    'Team, renews 1 Dec',
  ])
  expect(wordsOf([{ subscription: { ...shown, next_billing_date: '2026-11-01T00:00:00Z' } }])).toEqual([
    'Team',
  ])
  const kept = { subscription: 'sub_1', id: 'plan_9', name: undefined, at: undefined, renews: undefined }
  expect(wordsOf([{ subscription: shown }], new Map([['sub_1', { now: kept, next: undefined }]]))).toEqual([
    'plan_9',
  ])
  expect(wordsOf([], new Map([['sub_1', { now: undefined, next: { ...kept, name: 'Pro' } }]]))).toEqual([
    'moves to Pro at the end of its term',
  ])
})
