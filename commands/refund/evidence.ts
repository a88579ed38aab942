import { z } from 'zod'
import { textIn } from '../../packs/billing/loose.ts'
import {
  cents,
  type Payment,
  paymentsOf,
  type Refund,
  refundedOf,
  refundsIn,
  refundsOf,
  twiceWords,
  twinsOf,
} from '../../packs/billing/payments.ts'
import { statusIn } from '../../packs/billing/transaction.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { SuggestValues } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { serviceRefusal } from '../../src/kernel/context/error-refusals.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { sourceName, sourceWords } from '../../src/kernel/things/link-words.ts'
import { isServiceError } from '../../src/lib/services/errors.ts'
import { absolute, money, when } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import type { ThingReference } from '../../src/lib/view/thing.ts'
import { joinWords, sentence, type Words, wordsSchema } from '../../src/lib/view/words.ts'
import { addressOf } from '../person/who.ts'

/**
 * What the service says of a payment, at the time of asking. It is part of the plan, so whatever of it changes before
 * the refund is sent is shown and asked about again, but for its wording.
 */
export const evidencePlan = z.object({
  customer: z.string(),
  /** An address that a link leads to, and how the customer of the payment is known. */
  address: z.string().nullable(),
  knownFrom: wordsSchema,
  /** Where the address comes from; what was said names who said it. Plans that were stored earlier do not have it. */
  addressFrom: wording(z.object({ words: wordsSchema, isSaid: z.boolean() })).nullish(),
  paid: z.number().nullable(),
  currency: z.object({ code: z.string().optional(), symbol: z.string().optional() }),
  at: wording(z.string()).nullable(),
  status: z.string().nullable(),
  /** Plans that were stored earlier do not have it. */
  invoice: wording(z.string()).nullish(),
  refunded: z.number().nullable(),
  refunds: z.array(z.object({ id: z.string(), words: wordsSchema })),
  left: z.number().nullable(),
  twins: z.array(wordsSchema),
})
export type Evidence = z.infer<typeof evidencePlan>

/** Why nobody has looked at a payment, or what came of looking; each has a sentence of its own. */
export const unseenPlan = z.discriminatedUnion('state', [
  /** No customer was given, and none is known. */
  z.object({ state: z.literal('nobody') }),
  /** These customers were looked at, and have other payments. */
  z.object({
    state: z.literal('elsewhere'),
    looked: z.array(z.object({ customer: z.string(), payments: wording(z.int()) })),
  }),
  /** The service did not show the payments of one of these. */
  z.object({ state: z.literal('unread'), customers: z.array(z.string()), why: wording(z.string()) }),
])
export type Unseen = z.infer<typeof unseenPlan>

type Look =
  | { state: 'seen'; evidence: Evidence }
  /** It belongs to somebody else than the customer who was given. */
  | { state: 'contradicted'; why: string }
  | Unseen

/** What is known instead of the payment. Plans that were stored earlier hold half a sentence. */
export const unseenWords = (unseen: Unseen | string): string => {
  if (typeof unseen === 'string') return `Nobody has looked at this payment: ${unseen}`
  switch (unseen.state) {
    case 'nobody':
      return 'Nobody has looked at this payment: no customer is known for it.'
    case 'elsewhere':
      return unseen.looked
        .map(({ customer, payments }) =>
          payments === 0
            ? `Customer ${theirs(customer)} was looked at, and the billing service shows no payments there.`
            : `Customer ${theirs(customer)} was looked at: this payment is not among the ${payments === 1 ? 'one' : formatNumber(payments)} that the billing service shows there.`,
        )
        .join(' ')
    case 'unread':
      return `The payments of customer ${unseen.customers.map((one) => theirs(one)).join(' and ')} could not be read, so nobody knows whether this one is among them. ${unseen.why}`
  }
}

export const whyUnseen = (look: Look): string | undefined => {
  if (look.state === 'seen') return undefined
  return look.state === 'contradicted' ? look.why : unseenWords(look)
}

/** What could be done about it. */
export const unseenNext = (unseen: Unseen | string): string =>
  typeof unseen === 'string' || unseen.state === 'nobody'
    ? 'Say whose payment it is, so that it can be looked up.'
    : unseen.state === 'elsewhere'
      ? 'Check the payment id, or say whose payment it is.'
      : 'Try again in a moment.'

/** The customers that were looked at. */
export const lookedAt = (unseen: Unseen | string | undefined): string[] => {
  if (unseen === undefined || typeof unseen === 'string' || unseen.state === 'nobody') return []
  return unseen.state === 'elsewhere' ? unseen.looked.map(({ customer }) => customer) : unseen.customers
}

/** The address of whoever paid; one that one person alone said is nobody's name. */
export const knownAddress = (
  evidence: Pick<Evidence, 'address' | 'addressFrom'> | undefined,
): string | undefined => (evidence?.addressFrom?.isSaid ? undefined : (evidence?.address ?? undefined))

/** The payment as the service shows it now, or what came of looking for it. */
export const lookAtPayment = async (
  paymentId: string,
  given: string | undefined,
  context: Pick<ReadContext, 'billing' | 'links'>,
): Promise<Look> => {
  const owners = await customersOf(paymentId, context)
  if (given !== undefined && owners.length > 0 && !owners.some(({ id }) => id === given)) {
    const known = owners.map(({ id, name }) => `customer ${theirs(id)} (${name})`).join(' or ')
    return {
      state: 'contradicted',
      why: `Payment ${theirs(paymentId)} is of ${known}, not of customer ${theirs(given)}.`,
    }
  }
  const customers = given === undefined ? owners : [{ id: given, from: 'given' }]
  if (customers.length === 0) return { state: 'nobody' }
  const looked: { customer: string; payments: number }[] = []
  const unread: { customer: string; why: string }[] = []
  for (const { id, from } of customers.slice(0, maxCustomers)) {
    try {
      const [payments, refunds] = await Promise.all([
        paymentsOf(id, context),
        refundsOf(id, context).catch(asUnreadable),
      ])
      const payment = payments.find((one) => one.id === paymentId)
      if (payment !== undefined) {
        return {
          state: 'seen',
          evidence: evidenceOf(payment, payments, refunds, {
            customer: id,
            knownFrom: from,
            ...(await addressOf({ kind: 'customer', id }, context)),
          }),
        }
      }
      looked.push({ customer: id, payments: payments.length })
    } catch (error) {
      if (!isServiceError(error)) throw error
      unread.push({ customer: id, why: serviceRefusal(error).message })
    }
  }
  return unread.length === 0
    ? { state: 'elsewhere', looked }
    : {
        state: 'unread',
        customers: unread.map(({ customer }) => customer),
        why: [...new Set(unread.map(({ why }) => why))].join(' '),
      }
}

const maxCustomers = 3

/** What is left of the payment beside it, where somebody can look and it is a whole number. */
export const leftToRefund: SuggestValues = async (beside, context) => {
  const idOf = (kind: ThingReference['kind']) => beside.find((one) => one.kind === kind)?.id
  const payment = idOf('payment')
  const looked = payment === undefined ? undefined : await lookAtPayment(payment, idOf('customer'), context)
  if (looked?.state !== 'seen') return []
  const { left, currency } = looked.evidence
  if (left === null || left < 1 || !Number.isInteger(left)) return []
  return [{ value: String(left), label: `${money(left, currency)} left` }]
}

const asUnreadable = (error: unknown): undefined => {
  if (!isServiceError(error)) throw error
  return undefined
}

const customersOf = async (paymentId: string, { links }: Pick<ReadContext, 'links'>) => {
  const person = await links.payerOf({ kind: 'payment', id: paymentId })
  return endsOfKind(person, 'customer').map(({ id, link }) => ({
    id,
    from: link === undefined ? 'given' : sourceWords(link),
    name: link === undefined ? 'given' : sourceName(link),
  }))
}

const evidenceOf = (
  payment: Payment,
  payments: readonly Payment[],
  all: readonly Refund[] | undefined,
  known: Pick<Evidence, 'customer' | 'address' | 'addressFrom' | 'knownFrom'>,
): Evidence => {
  const { amount, currency, at, record } = payment
  const refunds = refundsIn(payment, all ?? [])
  const refunded = refundedOf(payment, all)
  return {
    ...known,
    paid: amount ?? null,
    currency: {
      ...(currency.code && { code: currency.code }),
      ...(currency.symbol && { symbol: currency.symbol }),
    },
    at: at === undefined ? null : absolute(at),
    invoice: textIn(record, 'invoice_id', 'invoice', 'invoice_number') ?? null,
    status: statusIn(record)?.replaceAll('_', ' ') ?? null,
    refunded: refunded ?? null,
    refunds: refunds.slice(0, maxRefunds).map((one) => ({ id: one.id, words: refundWords(one) })),
    left: amount === undefined || refunded === undefined ? null : cents(amount - refunded),
    twins: twinsOf(payment, payments, all)
      .slice(0, 2)
      .map((twin) => twiceWords(payment, twin)),
  }
}

const maxRefunds = 20

/** Whether every refund that there was is named in it. */
export const isAllNoted = (evidence: Evidence | undefined): boolean =>
  evidence !== undefined && evidence.refunds.length < maxRefunds

/** "ref_1042, 20 USD, 3 Nov 2026, 09:31 UTC" */
const refundWords = ({ id, amount, currency, at }: Refund): Words =>
  joinWords(
    [
      id,
      ...(amount === undefined ? [] : [money(amount, currency)]),
      ...(at === undefined ? [] : [sentence`${when(at)}`]),
    ],
    ', ',
  )
