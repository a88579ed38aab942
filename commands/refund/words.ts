import { money } from '../../src/view/format.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, facts, note } from '../../src/view/view.ts'
import type { Evidence } from './evidence.ts'
import type { RefundPlan } from './plan.ts'

export const refundBlocks = (wanted: RefundPlan): Block[] => [
  refundFacts(wanted),
  ...(wanted.evidence?.twins ?? []).map((words) => note('warn', words)),
  ...warningsOf(wanted).map((words) => note('warn', words)),
  ...(wanted.refundType === 'record_refund'
    ? [note('plain', 'This only records a refund: no money is asked to move.')]
    : []),
]

export const refundFacts = ({ paymentId, amount, refundType, description, evidence }: RefundPlan): Block =>
  facts({
    Payment: thing('payment', paymentId, {
      of: evidence && { kind: 'customer', id: evidence.customer },
    }),
    Amount: amountWords(amount, evidence),
    Kind: refundType?.replaceAll('_', ' ') ?? 'not given, the service decides',
    Reason: description ?? 'none given',
    ...(evidence && evidenceFacts(evidence, amount)),
  })

const amountWords = (amount: number | undefined, evidence: Evidence | undefined): string => {
  if (amount !== undefined) return money(amount, evidence?.currency)
  const { left = null, currency } = evidence ?? {}
  return left === null ? 'not given, the service decides' : `all that is left, ${money(left, currency)}`
}

const evidenceFacts = (evidence: Evidence, amount: number | undefined) => {
  const { knownFrom, addressFrom, paid, currency, at, status, refunded, refunds, left } = evidence
  const words = (value: number | null) =>
    value === null ? 'an amount that could not be read' : money(value, currency)
  const after = left === null ? null : Math.round((left - (amount ?? left)) * 100) / 100
  return {
    Customer: customerWords(evidence),
    'Customer known from': knownFrom === 'given' ? 'the request' : knownFrom,
    'Address known from': addressFrom?.words,
    Paid: [words(paid), at, status].filter(Boolean).join(', '),
    'Refunded already':
      refunded === null
        ? 'could not be read'
        : refunded === 0
          ? 'nothing'
          : `${words(refunded)}${refunds.length === 0 ? '' : ` (${refunds.map((one) => one.words).join('; ')})`}`,
    'Left after this': after === null ? 'not known' : words(after),
    'Looked up in': 'the billing service',
  }
}

/** An address that somebody said stands beside their name. */
const customerWords = ({ customer, address, addressFrom }: Evidence): string => {
  if (address === null) return customer
  return `${customer}, ${address}${addressFrom?.isSaid ? ` (${addressFrom.words})` : ''}`
}

const warningsOf = ({ amount, typed, evidence, unseen }: RefundPlan): string[] => [
  ...(unseen === undefined ? [] : [`Nobody has looked at this payment: ${unseen}`]),
  ...(unseen !== undefined && typed !== undefined
    ? [`${typed} was typed, but only the number is sent: in which currency it was paid is not known.`]
    : []),
  ...(amount === undefined && evidence?.left == null
    ? ['No amount was given: how much the service then refunds is not documented.']
    : []),
  ...(amount === undefined && evidence?.left != null
    ? [
        'What is left is no whole number, so no amount is sent: the service is asked to refund all of it, which is not documented.',
      ]
    : []),
]

export const doneWords = ({ paymentId, amount, refundType, evidence }: RefundPlan): string => {
  const much = amount === undefined ? ', without an amount' : `: ${money(amount, evidence?.currency)}`
  if (refundType === 'record_refund') return `A refund of payment ${paymentId} was recorded${much}.`
  const how = refundType === 'refund_credit' ? 'refunded as credit' : 'refunded'
  return `Payment ${paymentId} was ${how}${much}.`
}
