import { describe, expect, test } from 'vitest'
import { type RowId, rowById } from '../../src/lib/services/endpoints/tables.ts'
import { linksIn } from '../../src/lib/services/links-in.ts'
import { keyOfEnd } from '../../src/lib/things/link.ts'

const taught = (id: RowId, data: unknown, params = {}, fields = {}) =>
  linksIn(rowById(id), { params }, data, fields)
    .map((ends) => ends.map(keyOfEnd).join(' '))
    .sort()

describe('an answer teaches which ids belong together', () => {
  test('a plan change: customer, subscription and address, and nothing of the account itself', () => {
    const data = {
      user: { id: 'u1', email: 'owner@example.com', phone: '15550100000' },
      customer: { id: 'cus_1', email_id: 'Ada@Example.com' },
      subscription: { id: 'sub_1', customer_id: 'cus_1', email_id: 'ada@example.com' },
      invoice: { id: 'inv_1', customer_id: 'cus_1', subscription_id: 'sub_1' },
    }
    expect(taught('billing.changePlan', data)).toEqual([
      'customer:cus_1 email:ada@example.com',
      'customer:cus_1 subscription:sub_1',
    ])
  })
  test('payments and refunds: their customer, which the path may name alone', () => {
    const params = { customer_id: 'cus_1' }
    expect(taught('billing.findTransactions', [{ id: 'pay_1', amount: 5 }], params)).toEqual([
      'customer:cus_1 payment:pay_1',
    ])
    expect(
      taught('billing.findTransactions', { list: [{ _id: 7, amount: '5', customer_id: 'cus_2' }] }, params),
    ).toEqual(['customer:cus_2 payment:7'])
    expect(taught('billing.findRefunds', [{ id: 'ref_1', payment_id: 'pay_1', amount: 5 }], params)).toEqual([
      'customer:cus_1 payment:pay_1',
    ])
  })
  test('a subscriber: id, number, and the customer that a configured field holds', () => {
    const record = {
      _id: 's1',
      email: 'ada@example.com',
      mobile: '+1 (555) 011-0000',
      customFields: { billing_id: 'cus_9' },
    }
    const plain = ['email:ada@example.com phone:15550110000', 'email:ada@example.com subscriber:s1']
    expect(taught('email.getSubscriber', record)).toEqual(plain)
    expect(
      taught('email.findSubscribers', { subscribers: [record] }, {}, { customer: 'billing_id' }),
    ).toEqual(['customer:cus_9 email:ada@example.com', ...plain])
  })
  test('a contact: its number', () => {
    const contacts = [
      { _id: '64b000000000000000000001', mobile: '15550110000' },
      { _id: 'none', mobile: '15550110001' },
    ]
    expect(taught('chat.findContacts', { contacts })).toEqual([
      'contact:64b000000000000000000001 phone:15550110000',
    ])
  })
  test.each([
    null,
    'text',
    7,
    [],
    {},
    { data: [[[[[[[{ id: 1 }]]]]]]] },
    [{ id: {}, amount: [] }],
    [null, [null]],
  ])('an answer of any other shape teaches nothing: %j', (data) => {
    for (const id of ['billing.findTransactions', 'chat.findContacts', 'email.getSubscriberById'] as const) {
      expect(taught(id, data)).toEqual([])
    }
  })
})
