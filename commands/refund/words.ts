import { refundTypeWords } from '../../packs/billing/sent-words.ts'
import { money, when } from '../../src/lib/view/format.ts'
import { theirs, theirWord } from '../../src/lib/view/outside.ts'
import type { Thing } from '../../src/lib/view/thing.ts'
import { type Block, facts, note } from '../../src/lib/view/view.ts'
import { joinWords, sentence, type Words } from '../../src/lib/view/words.ts'
import { type Evidence, knownAddress, unseenWords } from './evidence.ts'
import type { RefundPlan } from './plan.ts'

/** "Refund 49 USD to Ada Lindqvist": by name, else by address or id, else by the payment. */
export const refundTitle = (wanted: RefundPlan, who?: string): string => {
  const { refundType } = wanted
  const much = `${sumWords(wanted)}${targetWords(wanted, who)}`.trim().replace(/^of /, '')
  const open = wanted.amount === undefined && wanted.evidence?.left == null ? ', no amount given' : ''
  if (refundType === 'record_refund') return `Record a refund of ${much}${open}`
  return `Refund ${much}${refundType === 'refund_credit' ? ' as credit' : ''}${open}`
}

export const doneWords = (wanted: RefundPlan, who?: string): string =>
  `${refundTitle(wanted, who)
    .replace(/^Refund/, 'Refunded')
    .replace(/^Record/, 'Recorded')}.`

/** "We refunded 49 USD of your payment of 1 Nov 2026, invoice INV-513." */
export const toldWords = (wanted: RefundPlan): string => {
  const { refundType, evidence } = wanted
  const sum = sumWords(wanted).replace(/^all that is left, (.+),$/, '$1')
  const did = refundType === 'refund_credit' ? 'gave you credit for' : 'refunded'
  const day = evidence?.at ? ` of ${evidence.at.replace(/,.*/, '')}` : ''
  const invoice = evidence?.invoice ? `, invoice ${theirs(evidence.invoice)}` : ''
  return `We ${did} ${sum === '' ? 'a part' : sum} of your payment${day}${invoice}.`
}

const sumWords = ({ amount, evidence }: RefundPlan): string => {
  if (amount !== undefined) return money(amount, evidence?.currency)
  return evidence?.left == null ? '' : `all that is left, ${money(evidence.left, evidence.currency)},`
}

const targetWords = ({ paymentId, evidence }: RefundPlan, who: string | undefined): string => {
  if (evidence === undefined) return ` of payment ${theirs(paymentId)}`
  return ` to ${who === undefined ? `customer ${theirs(evidence.customer)}` : theirs(who)}`
}

/** "49 USD paid by Ada Lindqvist, INV-513" */
export const paymentTitle = (evidence: Evidence, who?: string): string => {
  const { paid, currency, customer, invoice } = evidence
  const known = who ?? knownAddress(evidence)
  const by = known === undefined ? `customer ${theirs(customer)}` : theirs(known)
  return `${paid === null ? 'a payment' : `${money(paid, currency)} paid`} by ${by}${invoice ? `, ${theirs(invoice)}` : ''}`
}

export const refundBlocks = (wanted: RefundPlan, who?: string): Block[] => [
  refundFacts(wanted, who),
  ...againstWords(wanted).map((words) => note('warn', words)),
  ...forWords(wanted).map((words) => note('good', words)),
  ...(wanted.refundType === 'record_refund'
    ? [note('plain', 'This only records a refund: no money is asked to move.')]
    : []),
]

export const refundFacts = (
  { paymentId, amount, refundType, description, evidence }: RefundPlan,
  who?: string,
): Block => {
  const payment: Thing = {
    kind: 'payment',
    id: paymentId,
    ...(evidence && { of: { kind: 'customer', id: evidence.customer } }),
  }
  return facts({
    Customer: { role: 'target', value: evidence && customerWords(evidence, who) },
    Payment: { role: 'source', value: paymentWords(paymentId, evidence), thing: payment },
    Amount: {
      role: 'amount',
      value: amount === undefined ? amountWords(evidence) : money(amount, evidence?.currency),
    },
    [refundTypeWords.label]: refundType && refundTypeWords.values[refundType],
    ...(evidence && evidenceFacts(evidence, amount)),
    Reason: { role: 'reason', value: description },
  })
}

/** "1 Nov 2026, 09:14 UTC, INV-513 (pay_1013)" */
export const paymentWords = (id: string, evidence: Evidence | undefined): Words => {
  const known = joinWords(
    [...paidAt(evidence), ...(evidence?.invoice ? [theirs(evidence.invoice)] : [])],
    ', ',
  )
  return known === '' ? id : sentence`${known} (${theirs(id)})`
}

/** Plans hold it as text. */
const paidAt = (evidence: Evidence | undefined): Words[] =>
  evidence?.at ? [sentence`${when(evidence.at)}`] : []

const amountWords = ({ left = null, currency }: Partial<Evidence> = {}): string =>
  left === null ? 'not given, the service decides' : `all that is left, ${money(left, currency)}`

const evidenceFacts = (evidence: Evidence, amount: number | undefined) => {
  const { customer, knownFrom, addressFrom, paid, currency, status, refunded, refunds, left } = evidence
  const words = (value: number | null) =>
    value === null ? 'an amount that could not be read' : money(value, currency)
  const after = left === null ? null : Math.round((left - (amount ?? left)) * 100) / 100
  return {
    'Left after this': after === null ? 'not known' : `${words(after)} of ${words(paid)}`,
    Paid: joinWords(
      [
        words(paid),
        ...paidAt(evidence),
        ...(status && !/^(?:success|succeeded|successful|paid)$/i.test(status) ? [theirWord(status)] : []),
      ],
      ', ',
    ),
    'Refunded already':
      refunded === null
        ? 'could not be read'
        : refunded === 0
          ? 'nothing'
          : sentence`${words(refunded)}${
              refunds.length === 0
                ? ''
                : sentence` (${joinWords(
                    refunds.map((one) => one.words),
                    '; ',
                  )})`
            }`,
    'Customer id': customer,
    'Customer known from': knownFrom === 'given' ? 'the request' : knownFrom,
    'Address known from': addressFrom?.words,
    'Looked up in': 'the billing service',
  }
}

/** An address that somebody said stands beside their name, and then no name is taken from it. */
export const customerWords = (
  { customer, address, addressFrom }: Evidence,
  who: string | undefined,
): Words => {
  if (address === null) return theirs(customer)
  if (addressFrom?.isSaid) return sentence`${theirs(customer)}, ${theirs(address)} (${addressFrom.words})`
  return who === undefined || who === address
    ? `${theirs(customer)}, ${theirs(address)}`
    : `${theirs(who)}, ${theirs(address)}`
}

const againstWords = ({ amount, typed, evidence, unseen }: RefundPlan): string[] => [
  ...(unseen === undefined ? [] : [unseenWords(unseen)]),
  ...(unseen !== undefined && typed !== undefined
    ? [`${theirs(typed)} was typed, but only the number is sent: in which currency it was paid is not known.`]
    : []),
  ...(evidence?.refunded
    ? [`${money(evidence.refunded, evidence.currency)} of this payment was refunded before.`]
    : []),
  ...(amount === undefined && evidence?.left == null
    ? ['No amount was given: the service decides how much it refunds.']
    : []),
  ...(amount === undefined && evidence?.left != null
    ? ['What is left is no whole number, so no amount is sent, and the service decides how much it refunds.']
    : []),
]

const forWords = ({ evidence }: RefundPlan): Words[] => [
  ...(evidence?.twins ?? []),
  ...(evidence?.refunded === 0 ? ['Nothing of this payment is refunded yet.'] : []),
]
