import { z } from 'zod'
import { refundIntent } from '../../packs/billing/intents.ts'
import { refundTypeWords } from '../../packs/billing/sent-words.ts'
import { amountParam, type TypedAmount, toAmount } from '../../src/kernel/command/amount.ts'
import type { Applied } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { filled } from '../../src/lib/services/endpoints/request-fields.ts'
import { money } from '../../src/lib/view/format.ts'
import { theirs, theirWord } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts } from '../../src/lib/view/view.ts'
import { transactionFind } from '../transaction/find.ts'
import { transactionRefunds } from '../transaction/refunds.ts'
import { checkRefund } from './check.ts'
import {
  type Evidence,
  knownAddress,
  leftToRefund,
  lookAtPayment,
  lookedAt,
  unseenNext,
  unseenWords,
} from './evidence.ts'
import { customersIn, kinds, refundPlan } from './plan.ts'
import { doneWords, refundBlocks, refundFacts, refundTitle, toldWords } from './words.ts'

export const refund = defineServiceChange({
  name: 'refund',
  area: 'billing',
  summary: 'Refund a payment in full or in part, or record a refund',
  input: z.object({
    paymentId: idOf('the payment id').describe('Payment to refund').meta({ kind: 'payment' }),
    amount: amountParam
      .optional()
      .describe('How much, a whole number; without it, all that is left if the payment can be looked at')
      .meta({ rest: true }),
    customer: idOf('the customer id')
      .optional()
      .describe('Whose payment it is; the payment is then looked at first')
      .meta({ kind: 'customer' }),
    refundType: z
      .enum(kinds)
      .meta({
        aliases: { credit: 'refund_credit', record: 'record_refund' },
        words: refundTypeWords.values,
      })
      .optional()
      .describe('Kind of refund: pay back, give credit, or only record a refund'),
    description: filled('the description')
      .optional()
      .describe('Why, for those who decide; it is stored with the refund')
      .meta({ also: ['reason'] }),
  }),
  positional: ['paymentId', 'amount'],
  examples: [
    'refund pay_1001 20 --customer cus_1001 --reason "Charged twice"',
    'refund pay_1003',
    'refund pay_1006 90 --refund-type refund_credit --description "Goodwill"',
  ],
  suggestions: { amount: leftToRefund },
  workflow: true,
  uses: ['billing.refundPayment', 'billing.findTransactions', 'billing.findRefunds'],
  plan: refundPlan,
  intent: ({ paymentId, amount }) => refundIntent(paymentId, toAmount(amount)?.value),
  amountOf: ({ amount, evidence }) => ({
    value: amount ?? evidence?.left ?? null,
    currency: evidence?.currency.code ?? evidence?.currency.symbol ?? null,
  }),
  reasonOf: ({ description }) => description,
  evidenceOf: ({ unseen }) =>
    unseen === undefined ? undefined : { why: unseenWords(unseen), next: unseenNext(unseen) },
  lookedUpBy: {
    param: 'customer',
    title: 'Whose payment is it?',
    question: ({ paymentId, unseen }) => {
      if (unseen === undefined || typeof unseen === 'string') return undefined
      switch (unseen.state) {
        case 'nobody':
          return `Whose payment is ${theirs(paymentId)}?`
        case 'elsewhere':
          return `Whose payment is ${theirs(paymentId)}, if not that of customer ${lookedAt(unseen)
            .map((one) => theirs(one))
            .join(' or ')}?`
        case 'unread':
          return undefined
      }
    },
  },
  async prepare({ customer, amount: written, ...wanted }, context) {
    const typed = toAmount(written)
    const looked = await lookAtPayment(wanted.paymentId, customer, context)
    if (looked.state === 'contradicted') {
      return no(
        refusal('bad_value', looked.why, {
          field: 'customer',
          next: 'Leave the customer out, or check the payment id. Nobody was asked.',
        }),
      )
    }
    const kept = { ...wanted, ...(typed?.currency && { typed: typed.currency }) }
    if (looked.state !== 'seen') return ok({ ...kept, amount: typed?.value, unseen: looked })
    const amount = amountFrom(wanted.paymentId, typed, looked.evidence)
    return amount.ok ? ok({ ...kept, amount: amount.value, evidence: looked.evidence }) : amount
  },
  recipientOf: ({ evidence }) => knownAddress(evidence),
  tellWords: toldWords,
  preview: (wanted, who) => ({
    title: refundTitle(wanted, who),
    tone: 'warn',
    blocks: refundBlocks(wanted, who),
  }),
  row: 'billing.refundPayment',
  request: ({ paymentId, amount, refundType, description }) => ({
    params: { payment_id: paymentId },
    body: { amount, refund_type: refundType, description },
  }),
  done: (wanted, answer, who) => ({
    message: doneWords(wanted, who),
    moved: movedBy(answer.message),
    view: {
      title: doneWords(wanted, who),
      tone: 'good',
      blocks: [refundFacts(wanted, who), facts({ 'The service says': answer.message })],
    },
  }),
  checkOutcome: checkRefund,
  // Without a customer no documented read can tell.
  lookUps: (plan) =>
    customersIn(plan).flatMap((customerId) =>
      [transactionRefunds, transactionFind].map((command) => lineFor(command, { customerId })),
    ),
})

/** "Payment refunded: 20 USD". No document shows the sentence, so one that reads otherwise says nothing. */
const movedBy = (message: string | undefined): Applied['moved'] => {
  const [, value, currency] = /(?<![\d.,])(\d+(?:\.\d\d?)?) ([A-Z][A-Z][A-Z])\b/.exec(message ?? '') ?? []
  return currency === undefined ? undefined : { value: Number(value), currency }
}

/** What to refund: what was asked for, or all that is left where it is a whole number. */
const amountFrom = (
  paymentId: string,
  typed: TypedAmount | undefined,
  { paid, refunded, left, currency }: Evidence,
): Result<number | undefined> => {
  const words = (amount: number) => money(amount, currency)
  if (typed?.currency && !isIn(typed.currency, currency)) {
    return no(
      refusal(
        'bad_value',
        `Payment ${theirs(paymentId)} was paid in ${theirWord(currency.code ?? currency.symbol ?? '')}, not in ${theirWord(typed.currency)}.`,
        {
          field: 'amount',
          next: 'Say the amount in the currency of the payment.',
        },
      ),
    )
  }
  if (paid === null || refunded === null || left === null) return ok(typed?.value)
  if (left <= 0) {
    return no(
      refusal(
        'too_much',
        `Nothing is left of payment ${theirs(paymentId)}: ${words(refunded)} of ${words(paid)} was refunded already.`,
        { next: 'Look at it with transaction refunds.' },
      ),
    )
  }
  if (typed !== undefined && typed.value > left) {
    return no(
      refusal(
        'too_much',
        `Only ${words(left)} of payment ${theirs(paymentId)} is left to refund, not ${words(typed.value)}.`,
        {
          field: 'amount',
          next: `Ask for ${words(left)} at most, or leave the amount out for all of it.`,
        },
      ),
    )
  }
  return ok(typed?.value ?? (Number.isInteger(left) ? left : undefined))
}

/** Letters before a sign say whose it is: A$ is not taken for the dollars of a payment in USD. */
const isIn = (typed: string, { code, symbol }: Evidence['currency']): boolean => {
  const [, letters = '', sign] = /^(.*)(\p{Sc})$/u.exec(typed) ?? []
  if (sign === undefined) return code === undefined || code.toUpperCase() === typed
  if (typed === symbol) return true
  return (symbol ?? sign) === sign && (code ?? '').toUpperCase().startsWith(letters.toUpperCase())
}
