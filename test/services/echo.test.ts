import { expect, test } from 'vitest'
import { echoWarnings } from '../../src/lib/services/echo.ts'
import { type RowId, rowById } from '../../src/lib/services/endpoints/tables.ts'

const warnings = (id: RowId, body: unknown, data: unknown) => echoWarnings(rowById(id).row, { body }, data)

test('a field that came back different is named with both values', () => {
  expect(warnings('email.updateSubscriber', { tagsToAdd: ['vip'] }, { tags: [] })).toEqual([
    'Asked for tags vip; the service shows none.',
  ])
  expect(warnings('email.updateSubscriber', { leadScore: 80 }, { leadScore: 3 })).toEqual([
    'Asked for lead score 80; the service shows 3.',
  ])
  expect(warnings('email.updateSubscriber', { customFields: { vip: 'x' } }, { customFields: {} })).toEqual([
    'Asked for custom fields vip x; the service shows none.',
  ])
})

test('what should be gone and is not is told', () => {
  expect(warnings('chat.updateContact', { tagsToRemove: 'vip' }, { tags: ['vip', 'lead'] })).toEqual([
    'Asked for tags without vip; the service shows vip, lead.',
  ])
})

test('a field that the answer does not hold says nothing, and neither does an answer without a record', () => {
  expect(warnings('email.updateSubscriber', { leadScore: 80 }, {})).toEqual([])
  expect(warnings('billing.changePlan', { plan_id: 'p' }, undefined)).toEqual([])
  expect(warnings('billing.changePlan', { plan_id: 'p' }, [])).toEqual([])
})

test('another way to write the same is no difference', () => {
  expect(warnings('chat.updateContact', { mobile: '+15550110000' }, { mobile: '15550110000' })).toEqual([])
  expect(warnings('chat.sendCarousel', { to: 15550110000 }, { to: '15550110000' })).toEqual([])
  const addon = { status: 'true', price: 30, associate_plans: 'all_plans' }
  expect(
    warnings('billing.createAddon', addon, { status: true, price: '30.00', associate_plans: 'all' }),
  ).toEqual([])
  const attributes = '[{"name":"city","value":"Lund"},{"name":"plan","value":""}]'
  const shown = { attributes: [{ name: 'city', value: 'Lund', _id: '1' }] }
  expect(warnings('chat.updateContact', { attributes }, shown)).toEqual([])
  expect(
    warnings('billing.createMultiplan', { plans: ['a', 'b'] }, { plans: [{ id: 'b' }, { id: 'a' }] }),
  ).toEqual([])
})

test('a plan change is compared with the subscription, unless it waits for the end of the term', () => {
  const data = { subscription: { plan_id: 'old', quantity: 1, coupon: { coupon_code: 'A' } } }
  const body = { plan_id: 'new', quantity: '2', coupon_code: 'B' }
  expect(warnings('billing.changePlan', body, data)).toHaveLength(3)
  expect(warnings('billing.changePlan', { ...body, activated_at_val: 'eot' }, data)).toEqual([])
})
