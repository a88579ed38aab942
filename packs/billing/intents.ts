/** Two refunds with the same intent count as the same request, however they are typed. */
export const refundIntent = (paymentId: unknown, amount: unknown) => ({
  row: 'billing.refundPayment',
  paymentId,
  amount: amount ?? null,
})

/** Without an amount, the sum that will be refunded is not known yet. */
export const refundAmount = (amount: unknown) => ({
  value: typeof amount === 'number' && Number.isFinite(amount) && amount > 0 ? amount : null,
  currency: null,
})

/** Two changes of one subscription to one plan count as the same request. */
export const planChangeIntent = (subscriptionId: unknown, planId: unknown) => ({
  row: 'billing.changePlan',
  subscriptionId,
  planId,
})
