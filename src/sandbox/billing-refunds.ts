import { z } from 'zod'
import { cents } from './billing-proration.ts'
import { answer, customerById, transactionById } from './billing-records.ts'
import type { BillingState } from './billing-state.ts'
import type { Call } from './call.ts'
import { read, refuse } from './refused.ts'
import { isoOf } from './seeded.ts'

const request = z.object({
  amount: z.int().min(1).optional(),
  refund_type: z.enum(['refund', 'refund_credit', 'record_refund']).default('refund'),
  description: z.string().default(''),
})

/** How the three kinds differ in effect is not documented: each is kept by its name and counts against the payment. */
export function refundPayment({ state, params: [paymentId = ''], body, now }: Call<BillingState>) {
  const payment = transactionById(state, paymentId)
  const { amount, refund_type, description } = read(request, body)
  const left = cents(payment.amount - payment.refunded_amount)
  if (left <= 0) refuse(`payment ${paymentId} is refunded already`)
  if (amount !== undefined && amount > left) {
    refuse(`only ${left} ${payment.currency_code} of payment ${paymentId} can still be refunded`)
  }
  const refunded = amount ?? left
  payment.refunded_amount = cents(payment.refunded_amount + refunded)
  payment.status = payment.refunded_amount === payment.amount ? 'refunded' : 'partially_refunded'
  state.refunds.push({
    id: `ref_${1000 + state.serial++}`,
    payment_id: payment.id,
    customer_id: payment.customer_id,
    amount: refunded,
    currency_code: payment.currency_code,
    refund_type,
    description,
    createdAt: isoOf(now),
  })
  return answer(`Payment refunded: ${refunded} ${payment.currency_code}`)
}

export function findRefunds({ state, params: [customerId = ''] }: Call<BillingState>) {
  const customer = customerById(state, customerId)
  return answer(
    'Refunds retrieved',
    state.refunds.filter((one) => one.customer_id === customer.id),
  )
}

export function findTransactions({ state, params: [customerId = ''] }: Call<BillingState>) {
  const customer = customerById(state, customerId)
  return answer(
    'Transactions retrieved',
    state.transactions.filter((one) => one.customer_id === customer.id),
  )
}

export function deleteTransaction({ state, params: [id = ''] }: Call<BillingState>) {
  const gone = transactionById(state, id)
  state.transactions = state.transactions.filter((one) => one !== gone)
  return answer('Transaction deleted')
}
