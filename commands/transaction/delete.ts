import { z } from 'zod'
import { idOf } from '../../src/command/id.ts'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { endsOfKind } from '../../src/model/known-person.ts'
import { ok } from '../../src/model/result.ts'
import { money } from '../../src/view/format.ts'
import { facts, note } from '../../src/view/view.ts'
import { evidencePlan, knownAddress, lookAtPayment } from '../refund/evidence.ts'
import { customerWords, paymentTitle, paymentWords } from '../refund/words.ts'
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
  uses: ['billing.deleteTransaction', 'billing.findTransactions', 'billing.findRefunds'],
  plan: z.object({ transactionId: z.string(), evidence: evidencePlan.optional() }),
  async prepare({ transactionId }, context) {
    const looked = await lookAtPayment(transactionId, undefined, context)
    return ok({ transactionId, ...('evidence' in looked ? { evidence: looked.evidence } : {}) })
  },
  recipientOf: ({ evidence }) => knownAddress(evidence),
  preview: ({ transactionId, evidence }, who) => ({
    title:
      evidence === undefined
        ? `Delete transaction ${transactionId}`
        : `Delete a payment: ${paymentTitle(evidence, who)}`,
    tone: 'warn',
    blocks: [
      facts({
        Payment: evidence === undefined ? transactionId : paymentWords(transactionId, evidence),
        Customer: evidence && customerWords(evidence, who),
      }),
      note('warn', 'Bellhop cannot restore a deleted transaction.'),
      ...(evidence === undefined
        ? [note('warn', 'Nobody has looked at it: no customer is known for it.')]
        : evidence.refunded
          ? [note('warn', `${money(evidence.refunded, evidence.currency)} of it was refunded.`)]
          : []),
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
