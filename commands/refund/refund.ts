import { z } from 'zod'
import { refundIntent } from '../../packs/billing/intents.ts'
import { amountParam, type TypedAmount, toAmount } from '../../src/command/amount.ts'
import type { Applied } from '../../src/command/define.ts'
import { idOf } from '../../src/command/id.ts'
import { lineFor } from '../../src/command/line/print.ts'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { no, ok, type Result } from '../../src/model/result.ts'
import { filled } from '../../src/services/endpoints/request-fields.ts'
import { money } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { facts } from '../../src/view/view.ts'
import { transactionFind } from '../transaction/find.ts'
import { transactionRefunds } from '../transaction/refunds.ts'
import { checkRefund } from './check.ts'
import { type Evidence, knownAddress, leftToRefund, lookAtPayment, noCustomer } from './evidence.ts'
import { kinds, refundPlan } from './plan.ts'
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
      .meta({ aliases: { credit: 'refund_credit', record: 'record_refund' } })
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
    unseen === undefined
      ? undefined
      : `Nobody has looked at this payment: ${unseen} Say whose payment it is.`,
  lookedUpBy: {
    param: 'customer',
    question: ({ paymentId, unseen }) =>
      unseen === noCustomer ? `Whose payment is ${paymentId}?` : undefined,
  },
  async prepare({ customer, amount: written, ...wanted }, context) {
    const typed = toAmount(written)
    const looked = await lookAtPayment(wanted.paymentId, customer, context)
    if ('why' in looked && looked.isContradicted) {
      return no(
        refusal('bad_value', capital(looked.why), {
          field: 'customer',
          next: 'Leave the customer out, or check the payment id. Nobody was asked.',
        }),
      )
    }
    const kept = { ...wanted, ...(typed?.currency && { typed: typed.currency }) }
    if (!('evidence' in looked)) return ok({ ...kept, amount: typed?.value, unseen: looked.why })
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
  // Without the customer no documented read can tell.
  lookUps: ({ evidence }) =>
    evidence === undefined
      ? []
      : [transactionRefunds, transactionFind].map((command) =>
          lineFor(command, { customerId: evidence.customer }),
        ),
})

/** "Payment refunded: 20 USD". No document shows the sentence, so one that reads otherwise says nothing. */
const movedBy = (message: string | undefined): Applied['moved'] => {
  const [, value, currency] = /(?<![\d.,])(\d+(?:\.\d\d?)?) ([A-Z][A-Z][A-Z])\b/.exec(message ?? '') ?? []
  return currency === undefined ? undefined : { value: Number(value), currency }
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

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
        `Payment ${paymentId} was paid in ${currency.code ?? currency.symbol}, not in ${typed.currency}.`,
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
        `Nothing is left of payment ${paymentId}: ${words(refunded)} of ${words(paid)} was refunded already.`,
        { next: 'Look at it with transaction refunds.' },
      ),
    )
  }
  if (typed !== undefined && typed.value > left) {
    return no(
      refusal(
        'too_much',
        `Only ${words(left)} of payment ${paymentId} is left to refund, not ${words(typed.value)}.`,
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
