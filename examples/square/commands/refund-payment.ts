import { defineServiceChange, fromMinorUnits, ok, openView, toMinorUnits, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const refundPayment = defineServiceChange({
  name: 'square refund-payment',
  summary: 'Refunds a payment',
  area: 'square',
  input: z.object({
    paymentId: z.string().describe('The unique ID of the payment being refunded'),
    amount: z.number().positive('an amount is more than 0').describe('Amount, as 12.50'),
    currency: z.string().regex(/^[A-Z]{3}$/, 'a currency is three capital letters').describe('Currency, as USD'),
    reason: z.string().optional().describe('A description of the reason for the refund'),
  }),
  positional: ['paymentId', 'amount', 'currency'],
  examples: ['square refund-payment UNOE3kv2BZwqHlJ830RCt5YCuaB 1 USD'],
  uses: ['square.refundPayment'],
  plan: z.object({ body: requests.refundPayment.body.omit({ idempotency_key: true }) }),
  async prepare({ paymentId, amount, currency, reason }) {
    return ok({ body: { amount_money: toMinorUnits(amount, currency), payment_id: paymentId, reason } })
  },
  amountOf: ({ body }) => fromMinorUnits(body.amount_money),
  reasonOf: ({ body }) => body.reason,
  preview: () => ({ title: 'Refund payment', tone: 'warn', blocks: [] }),
  row: 'square.refundPayment',
  request: ({ body }, newId) => ({ body: { ...body, idempotency_key: newId() } }),
  done: (_, { data }) => ({ message: 'Refund payment: done.', view: openView('Refund payment', data) }),
})
