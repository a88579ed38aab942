import { z } from 'zod'
import { isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { cents } from './proration.ts'
import { customerById, success, transactionById } from './records.ts'
import type { BillingState } from './state.ts'

const request = z.object({
  amount: z.int().min(1).optional(),
  refund_type: z.enum(['refund', 'refund_credit', 'record_refund']).default('refund'),
  description: z.string().default(''),
})

/** How the three kinds differ in effect is not documented: each is kept by its name and counts against the payment. */
export function refundPayment({ state, params: [paymentId = ''], body, now }: HandlerCall<BillingState>) {
  const payment = transactionById(state, paymentId)
  const { amount, refund_type, description } = parseOrRefuse(request, body)
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
  return success(`Payment refunded: ${refunded} ${payment.currency_code}`)
}

export function findRefunds({ state, params: [customerId = ''] }: HandlerCall<BillingState>) {
  const customer = customerById(state, customerId)
  return success(
    'Refunds retrieved',
    state.refunds.filter((one) => one.customer_id === customer.id),
  )
}

export function findTransactions({ state, params: [customerId = ''] }: HandlerCall<BillingState>) {
  const customer = customerById(state, customerId)
  return success(
    'Transactions retrieved',
    state.transactions.filter((one) => one.customer_id === customer.id),
  )
}

export function deleteTransaction({ state, params: [id = ''] }: HandlerCall<BillingState>) {
  const gone = transactionById(state, id)
  state.transactions = state.transactions.filter((one) => one !== gone)
  return success('Transaction deleted')
}
