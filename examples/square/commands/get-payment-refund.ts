import { answer, defineQuery, idOf, openView, z } from 'bellhop/pack'

export const getPaymentRefund = defineQuery({
  name: 'square get-payment-refund',
  summary: 'Retrieves a specific refund using the refund_id',
  area: 'square',
  input: z.object({
    refundId: idOf('refund id').describe('The unique ID for the desired PaymentRefund'),
  }),
  positional: ['refundId'],
  examples: ['square get-payment-refund example'],
  uses: ['square.getPaymentRefund'],
  async run({ refundId }, { read }) {
    const { data } = await read('square.getPaymentRefund', { params: { refund_id: refundId } })
    return answer(openView('Get payment refund', data))
  },
})
