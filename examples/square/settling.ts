import { defineSandbox, notFound } from 'bellhop/pack'
import type { square } from './endpoints.ts'
import { sandbox as examples } from './sandbox.ts'

type Refund = {
  id: string
  status: 'PENDING' | 'COMPLETED' | 'REJECTED' | 'FAILED'
  payment_id: string
  amount_money: { amount: number; currency: string }
  created_at: string
  updated_at: string
}
type State = { refunds: Refund[] }

const { handlers } = examples as unknown as { handlers: Parameters<typeof defineSandbox<State, typeof square.rows>>[0]['handlers'] }

/**
 * The service as it is: a refund is PENDING when it is taken, and somebody settles it later. The document's own examples
 * answer everything else. `settle` stands for the bank behind it.
 */
export const settling = defineSandbox<State, typeof square.rows>({
  seed: () => ({ refunds: [] }),
  handlers: {
    ...handlers,
    refundPayment: ({ state, body, now }) => {
      const { payment_id, amount_money } = body as Pick<Refund, 'payment_id' | 'amount_money'>
      const at = new Date(now).toISOString()
      const id = `${payment_id}_refund_${state.refunds.length + 1}`
      const refund: Refund = { id, status: 'PENDING', payment_id, amount_money, created_at: at, updated_at: at }
      state.refunds.push(refund)
      return { body: { refund } }
    },
    getPaymentRefund: ({ state, params: [id = ''] }) => ({
      body: { refund: state.refunds.find((one) => one.id === id) ?? notFound(`refund ${id}`) },
    }),
    listPaymentRefunds: ({ state }) => ({ body: { refunds: state.refunds } }),
  },
})

/** What becomes of a refund behind the service. */
export const settle = (state: State, id: string, status: Refund['status'], at: number): void => {
  const refund = state.refunds.find((one) => one.id === id) ?? notFound(`refund ${id}`)
  Object.assign(refund, { status, updated_at: new Date(at).toISOString() })
}
