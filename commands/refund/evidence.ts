import { z } from 'zod'
import type { ReadContext } from '../../src/command/context.ts'
import type { SuggestValues } from '../../src/command/define.ts'
import { serviceRefusal } from '../../src/core/context/error-refusals.ts'
import { endsOfKind } from '../../src/model/known-person.ts'
import { isServiceError } from '../../src/services/errors.ts'
import { plural } from '../../src/view/button-labels.ts'
import { absolute, money, when } from '../../src/view/format.ts'
import type { ThingReference } from '../../src/view/thing.ts'
import { joinWords, sentence, type Words, wordsSchema } from '../../src/view/words.ts'
import { textIn } from '../billing/loose.ts'
import { addressOf, sourceName, sourceWords } from '../person/who.ts'
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
} from '../transaction/payments.ts'
import { statusIn } from '../transaction/record.ts'

/**
 * What the service says of a payment, at the time of asking. It is part of the plan, so whatever of it changes before
 * the refund is sent is shown and asked about again.
 */
export const evidencePlan = z.object({
  customer: z.string(),
  /** An address that a link leads to, and how the customer of the payment is known. */
  address: z.string().nullable(),
  knownFrom: wordsSchema,
  /** Where the address comes from; what was said names who said it. Plans that were stored earlier do not have it. */
  addressFrom: z.object({ words: wordsSchema, isSaid: z.boolean() }).nullish(),
  paid: z.number().nullable(),
  currency: z.object({ code: z.string().optional(), symbol: z.string().optional() }),
  at: z.string().nullable(),
  status: z.string().nullable(),
  /** Plans that were stored earlier do not have it. */
  invoice: z.string().nullish(),
  refunded: z.number().nullable(),
  refunds: z.array(z.object({ id: z.string(), words: wordsSchema })),
  left: z.number().nullable(),
  twins: z.array(wordsSchema),
})
export type Evidence = z.infer<typeof evidencePlan>

/** The address of whoever paid; one that somebody said is nobody's name. */
export const knownAddress = (
  evidence: Pick<Evidence, 'address' | 'addressFrom'> | undefined,
): string | undefined => (evidence?.addressFrom?.isSaid ? undefined : (evidence?.address ?? undefined))

/** The payment as the service shows it now, or in words why nobody could look at it. */
export const lookAtPayment = async (
  paymentId: string,
  given: string | undefined,
  context: Pick<ReadContext, 'billing' | 'links'>,
): Promise<{ evidence: Evidence } | { why: string; isContradicted?: true }> => {
  const owners = await customersOf(paymentId, context)
  if (given !== undefined && owners.length > 0 && !owners.some(({ id }) => id === given)) {
    const known = owners.map(({ id, name }) => `customer ${id} (${name})`).join(' or ')
    return { why: `payment ${paymentId} is of ${known}, not of customer ${given}.`, isContradicted: true }
  }
  const customers = given === undefined ? owners : [{ id: given, from: 'given' }]
  if (customers.length === 0) {
    return { why: noCustomer }
  }
  const whys: string[] = []
  for (const { id, from } of customers.slice(0, mostCustomers)) {
    try {
      const [payments, refunds] = await Promise.all([
        paymentsOf(id, context),
        refundsOf(id, context).catch(asUnreadable),
      ])
      const payment = payments.find((one) => one.id === paymentId)
      if (payment !== undefined) {
        return {
          evidence: evidenceOf(payment, payments, refunds, {
            customer: id,
            knownFrom: from,
            ...(await addressOf({ kind: 'customer', id }, context)),
          }),
        }
      }
      whys.push(
        `the billing service lists ${plural(payments.length, 'payment')} of customer ${id}, and this one is not among them.`,
      )
    } catch (error) {
      if (!isServiceError(error)) throw error
      whys.push(`${serviceRefusal(error).message.replace(/^The/, 'the')}`)
    }
  }
  return { why: whys.join(' ') }
}

export const noCustomer = 'no customer is known for it.'

const mostCustomers = 3

/** What is left of the payment beside it, where somebody can look and it is a whole number. */
export const leftToRefund: SuggestValues = async (beside, context) => {
  const idOf = (kind: ThingReference['kind']) => beside.find((one) => one.kind === kind)?.id
  const payment = idOf('payment')
  const looked = payment === undefined ? undefined : await lookAtPayment(payment, idOf('customer'), context)
  if (looked === undefined || !('evidence' in looked)) return []
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
    refunds: refunds.slice(0, mostRefunds).map((one) => ({ id: one.id, words: refundWords(one) })),
    left: amount === undefined || refunded === undefined ? null : cents(amount - refunded),
    twins: twinsOf(payment, payments, all)
      .slice(0, 2)
      .map((twin) => twiceWords(payment, twin)),
  }
}

const mostRefunds = 20

/** Whether every refund that there was is named in it. */
export const isAllNoted = (evidence: Evidence | undefined): boolean =>
  evidence !== undefined && evidence.refunds.length < mostRefunds

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
