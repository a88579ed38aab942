import { z } from 'zod'
import { idOf } from '../../src/command/id.ts'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { endsOfKind } from '../../src/model/known-person.ts'
import { ok } from '../../src/model/result.ts'
import { facts, note } from '../../src/view/view.ts'
import { paymentsOf } from './payments.ts'

export const transactionDelete = defineServiceChange({
  name: 'transaction delete',
  area: 'billing',
  summary: 'Delete a transaction from the billing service',
  input: z.object({
    transactionId: idOf('the transaction id').describe('Transaction to delete').meta({ kind: 'payment' }),
  }),
  positional: ['transactionId'],
  examples: ['transaction delete pay_1008'],
  uses: ['billing.deleteTransaction'],
  plan: z.object({ transactionId: z.string() }),
  prepare: async ({ transactionId }) => ok({ transactionId }),
  preview: ({ transactionId }) => ({
    title: `Delete transaction ${transactionId}`,
    tone: 'warn',
    blocks: [
      facts({ Transaction: transactionId }),
      note(
        'warn',
        'The billing service cannot show a single transaction, so its contents are not shown here. Look at it first with transaction find and the customer’s id.',
      ),
    ],
  }),
  row: 'billing.deleteTransaction',
  request: ({ transactionId }) => ({ params: { transaction_id: transactionId } }),
  done: ({ transactionId }) => ({ message: `Transaction ${transactionId} was deleted.` }),
  async checkOutcome({ transactionId }, context) {
    const owners = endsOfKind(await context.links.payerOf({ kind: 'payment', id: transactionId }), 'customer')
    const [owner] = owners
    if (owner === undefined || owners.length > 1) {
      return { happened: null, message: 'Its customer is not known, so nobody can look.' }
    }
    const isThere = (await paymentsOf(owner.id, context)).some(({ id }) => id === transactionId)
    return isThere
      ? { happened: false, message: `It is still among the payments of customer ${owner.id}.` }
      : { happened: true, message: `It is no longer among the payments of customer ${owner.id}.` }
  },
})
