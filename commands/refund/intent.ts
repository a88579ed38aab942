/** What makes two refunds the same wish, however they are typed. */
export const refundIntent = (paymentId: unknown, amount: unknown) => ({
  row: 'billing.refundPayment',
  paymentId,
  amount: amount ?? null,
})

/** Without an amount nobody knows yet how much will go back. */
export const refundAmount = (amount: unknown) => ({
  value: typeof amount === 'number' && Number.isFinite(amount) && amount > 0 ? amount : null,
  currency: null,
})
