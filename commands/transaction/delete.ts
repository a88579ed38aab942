import { z } from 'zod'
import { paymentsOf } from '../../packs/billing/payments.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { ok } from '../../src/lib/result.ts'
import { money } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { evidencePlan, knownAddress, lookAtPayment, unseenPlan, unseenWords } from '../refund/evidence.ts'
import { customerWords, paymentTitle, paymentWords } from '../refund/words.ts'

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
  plan: z.object({
    transactionId: z.string(),
    evidence: evidencePlan.optional(),
    /** Plans that were stored earlier do not have it. */
    unseen: unseenPlan.nullish(),
  }),
  async prepare({ transactionId }, context) {
    const looked = await lookAtPayment(transactionId, undefined, context)
    if (looked.state === 'seen') return ok({ transactionId, evidence: looked.evidence })
    // Nobody says here whose payment it is, so nobody is contradicted.
    return ok({ transactionId, ...(looked.state === 'contradicted' ? {} : { unseen: looked }) })
  },
  evidenceOf: ({ evidence, unseen }) =>
    evidence === undefined
      ? `${unseenWords(unseen ?? { state: 'nobody' })} transaction find and the customer shows it.`
      : undefined,
  recipientOf: ({ evidence }) => knownAddress(evidence),
  preview: ({ transactionId, evidence, unseen }, who) => ({
    title:
      evidence === undefined
        ? `Delete transaction ${theirs(transactionId)}`
        : `Delete a payment: ${paymentTitle(evidence, who)}`,
    tone: 'warn',
    blocks: [
      facts({
        Payment: {
          role: 'target',
          value: evidence === undefined ? transactionId : paymentWords(transactionId, evidence),
        },
        Customer: { role: 'target', value: evidence && customerWords(evidence, who) },
      }),
      note('warn', 'Bellhop cannot restore a deleted transaction.'),
      ...(evidence === undefined
        ? [note('warn', unseenWords(unseen ?? { state: 'nobody' }))]
        : evidence.refunded
          ? [note('warn', `${money(evidence.refunded, evidence.currency)} of it was refunded.`)]
          : []),
    ],
  }),
  row: 'billing.deleteTransaction',
  request: ({ transactionId }) => ({ params: { transaction_id: transactionId } }),
  done: ({ transactionId }) => ({ message: `Transaction ${theirs(transactionId)} was deleted.` }),
  async checkOutcome({ transactionId }, context) {
    const owners = endsOfKind(await context.links.payerOf({ kind: 'payment', id: transactionId }), 'customer')
    const [owner] = owners
    if (owner === undefined || owners.length > 1) {
      return { happened: null, message: 'Its customer is not known, so nobody can look.' }
    }
    const isThere = (await paymentsOf(owner.id, context)).some(({ id }) => id === transactionId)
    return isThere
      ? { happened: false, message: `It is still among the payments of customer ${theirs(owner.id)}.` }
      : { happened: true, message: `It is no longer among the payments of customer ${theirs(owner.id)}.` }
  },
})
