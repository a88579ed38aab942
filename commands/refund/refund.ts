import { z } from 'zod'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { ok } from '../../src/model/result.ts'
import { filled } from '../../src/services/endpoints/request-fields.ts'
import { money } from '../../src/view/format.ts'
import { facts, note } from '../../src/view/view.ts'
import { idOf } from '../billing/id.ts'
import { refundAmount, refundIntent } from './intent.ts'

const kinds = ['refund', 'refund_credit', 'record_refund'] as const

const plan = z.object({
  paymentId: z.string(),
  amount: z.int().positive().optional(),
  refundType: z.enum(kinds).optional(),
  description: z.string().optional(),
})
type Plan = z.infer<typeof plan>

export const refund = defineServiceChange({
  name: 'refund',
  area: 'billing',
  summary: 'Refund a payment in full or in part, or record a refund',
  input: z.object({
    paymentId: idOf('the payment id')
      .describe('Payment to refund: the id of its transaction')
      .meta({ kind: 'payment' }),
    amount: z
      .int('the amount is a whole number')
      .min(1, 'the amount is a whole number of at least 1; leave it out to let the service decide')
      .optional()
      .describe('How much, a whole number; the service decides if left out'),
    refundType: z
      .enum(kinds)
      .meta({ aliases: { credit: 'refund_credit', record: 'record_refund' } })
      .optional()
      .describe('Kind of refund: pay back, give credit, or only record a refund'),
    description: filled('the description').optional().describe('Reason, stored with the refund'),
  }),
  positional: ['paymentId', 'amount'],
  examples: [
    'refund pay_1001 20 --description "Charged twice"',
    'refund pay_1003',
    'refund pay_1006 90 --refund-type refund_credit --description "Goodwill"',
  ],
  uses: ['billing.refundPayment'],
  plan,
  intent: ({ paymentId, amount }) => refundIntent(paymentId, amount),
  amountOf: ({ amount }) => refundAmount(amount),
  // The service lists payments only by customer, and this command has no customer id, so there is nothing to
  // read.
  prepare: async (input) => ok(input),
  preview: (wanted) => ({
    title: `Refund payment ${wanted.paymentId}`,
    tone: 'warn',
    blocks: [
      factsOf(wanted),
      ...(wanted.amount === undefined
        ? [note('warn', 'No amount was given: how much the service then refunds is not documented.')]
        : []),
      ...(wanted.refundType === 'record_refund'
        ? [note('plain', 'This only records a refund: no money is asked to move.')]
        : []),
      note('plain', howToCheck),
    ],
  }),
  row: 'billing.refundPayment',
  request: ({ paymentId, amount, refundType, description }) => ({
    params: { payment_id: paymentId },
    body: { amount, refund_type: refundType, description },
  }),
  done: (wanted, answer) => ({
    message: doneWords(wanted),
    view: {
      title: `Refund of payment ${wanted.paymentId}`,
      tone: 'good',
      blocks: [factsOf(wanted), facts({ 'The service says': answer.message })],
      footer: howToCheck,
    },
  }),
  lookUps: () => ['audit find --command refund'],
})

const howToCheck = 'To check it later: transaction refunds with the customer’s id.'

const factsOf = ({ paymentId, amount, refundType, description }: Plan) =>
  facts({
    Payment: paymentId,
    Amount: amount === undefined ? 'not given, the service decides' : money(amount),
    Kind: refundType?.replaceAll('_', ' ') ?? 'not given, the service decides',
    Reason: description ?? 'none given',
  })

const doneWords = ({ paymentId, amount, refundType }: Plan): string => {
  const much = amount === undefined ? ', without an amount' : `: ${money(amount)}`
  if (refundType === 'record_refund') return `A refund of payment ${paymentId} was recorded${much}.`
  const how = refundType === 'refund_credit' ? 'refunded as credit' : 'refunded'
  return `Payment ${paymentId} was ${how}${much}.`
}
