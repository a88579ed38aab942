import { expect, it } from 'vitest'
import { purposeOf } from '../../src/kernel/model/purpose.ts'

it.each<[unknown, Partial<ReturnType<typeof purposeOf>>]>([
  [{ reason: 'a', description: 'b', body: { description: 'c' } }, { reason: 'a' }],
  [{ reason: '', description: 'b', body: { description: 'c' } }, { reason: 'b' }],
  [{ reason: 7, body: { description: 'c' } }, { reason: 'c' }],
  [
    { customer: 'a', customerId: 'b', evidence: { customer: 'c' }, body: { customer_id: 'd' } },
    { customer: 'a' },
  ],
  [{ customerId: 'b', evidence: { customer: 'c' }, body: { customer_id: 'd' } }, { customer: 'b' }],
  [{ evidence: { customer: 'c' }, body: { customer_id: 'd' } }, { customer: 'c' }],
  [{ evidence: null, body: { customer_id: 'd' } }, { customer: 'd' }],
  [{ paymentId: 'p' }, { target: 'p' }],
  [null, {}],
  ['words', {}],
])('the purpose in the plan %j is %j', (plan, expected) => {
  expect(purposeOf(plan)).toEqual({ reason: null, customer: null, target: null, ...expected })
})
