import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { CallOptions } from '../../src/lib/services/client/caller.ts'
import { recordsIn } from '../../src/lib/services/read-answer.ts'
import { date, money, when } from '../../src/lib/view/format.ts'
import { sentence, type Words } from '../../src/lib/view/words.ts'
import { type Loose, textIn } from './loose.ts'
import { amountIn, currencyIn, dateIn, refundedIn, statusIn } from './transaction.ts'

export type Currency = { code: string | undefined; symbol: string | undefined }

/** A payment or a refund, as far as the answer says; the shapes of both are not documented. */
export type Payment = {
  id: string
  amount: number | undefined
  currency: Currency
  /** What the record itself says was refunded of it. */
  refunded: number | undefined
  at: number | undefined
  record: Loose
}
export type Refund = Omit<Payment, 'refunded'> & { paymentId: string | undefined }

type Reads = Pick<ReadContext, 'billing'>

export const paymentsOf = async (
  customerId: string,
  { billing }: Reads,
  options?: CallOptions,
): Promise<Payment[]> => {
  const { data } = await billing.findTransactions({ params: { customer_id: customerId } }, options)
  return recordsIn(data).flatMap((record) => {
    const id = textIn(record, 'id', '_id', 'transaction_id', 'payment_id')
    if (id === undefined) return []
    return [{ id, refunded: refundedIn(record), ...commonOf(record) }]
  })
}

export const refundsOf = async (
  customerId: string,
  { billing }: Reads,
  options?: CallOptions,
): Promise<Refund[]> => {
  const { data } = await billing.findRefunds({ params: { customer_id: customerId } }, options)
  return recordsIn(data).flatMap((record) => {
    const id = textIn(record, 'id', '_id', 'refund_id')
    const paymentId = textIn(record, 'payment_id', 'transaction_id')
    return id === undefined && paymentId === undefined
      ? []
      : [{ id: id ?? '', paymentId, ...commonOf(record) }]
  })
}

const commonOf = (record: Loose) => ({
  amount: amountIn(record),
  currency: currencyIn(record),
  at: timeOf(dateIn(record)),
  record,
})

const timeOf = (text: string | undefined): number | undefined => {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** Whether two amounts are of one currency; a currency that nobody named fits any. */
const isSameCurrency = (one: Currency, other: Currency): boolean => {
  if (one.code !== undefined && other.code !== undefined) return sameText(one.code, other.code)
  if (one.symbol !== undefined && other.symbol !== undefined) return one.symbol === other.symbol
  return true
}

const sameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** What the payment says itself and what its refunds add up to: the larger, where they differ. Unknown if neither tells. */
export const refundedOf = (payment: Payment, all: readonly Refund[] | undefined): number | undefined => {
  const refunds = all && refundsIn(payment, all)
  const isReadable = refunds?.every(
    ({ amount, currency }) => amount !== undefined && isSameCurrency(currency, payment.currency),
  )
  if (refunds !== undefined && !isReadable) return undefined
  const sum = refunds?.reduce((total, { amount = 0 }) => total + amount, 0)
  const known = [sum, payment.refunded].filter((one) => one !== undefined)
  return known.length === 0 ? undefined : cents(Math.max(...known))
}

/** The refunds of one payment. One that did not come about says so in its status; every other word counts. */
export const refundsIn = (payment: Pick<Payment, 'id'>, all: readonly Refund[]): Refund[] =>
  all.filter(
    ({ paymentId, record }) =>
      paymentId === payment.id &&
      !/^(failed|declined|canceled|cancelled|rejected|void)/i.test(statusIn(record) ?? ''),
  )

/** 0.1 + 0.2 is 0.3 in money. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100

/** Money that came in and is still here, all of it: a failed payment is no charge, and of a refunded one nothing is owed. */
const isWholeCharge = (payment: Payment, refunds: readonly Refund[] | undefined): boolean =>
  /^(success|succeeded|successful|paid|settled|captured|complete|completed)$/i.test(
    statusIn(payment.record)?.trim() ?? '',
  ) && refundedOf(payment, refunds) === 0

/** Within so many days the same amount may well have been charged twice for one thing. */
const twinDays = 7

/** Other charges of the same amount and currency within days of this one, the nearest first. */
export const twinsOf = (
  payment: Payment,
  all: readonly Payment[],
  refunds: readonly Refund[] | undefined,
): Payment[] => {
  const { at, amount } = payment
  if (at === undefined || amount === undefined || !isWholeCharge(payment, refunds)) return []
  return all
    .filter(
      (one) =>
        one.id !== payment.id &&
        isWholeCharge(one, refunds) &&
        one.amount === amount &&
        one.at !== undefined &&
        Math.abs(one.at - at) <= twinDays * dayMs &&
        isSameCurrency(one.currency, payment.currency),
    )
    .sort((one, other) => Math.abs((one.at ?? 0) - at) - Math.abs((other.at ?? 0) - at))
}

/** A sentence for each pair of payments that look like one charge made twice, the newest first, a few at most. */
export const twiceCharged = (
  payments: readonly Payment[],
  refunds: readonly Refund[] | undefined,
): { words: Words; second: Payment }[] => {
  const sorted = payments
    .filter((one) => one.at !== undefined && one.amount !== undefined && isWholeCharge(one, refunds))
    .sort((one, other) => (other.at ?? 0) - (one.at ?? 0))
  const seen = new Map<string, Payment>()
  const found: { words: Words; second: Payment }[] = []
  for (const payment of sorted) {
    const key = `${payment.amount} ${payment.currency.code ?? payment.currency.symbol ?? ''}`
    const later = seen.get(key)
    if (later !== undefined && (later.at ?? 0) - (payment.at ?? 0) <= twinDays * dayMs) {
      found.push({ words: twiceWords(payment, later), second: later })
      if (found.length === maxTwins) break
    }
    seen.set(key, payment)
  }
  return found
}

const maxTwins = 3
const dayMs = 24 * 3_600_000

/** "49 USD was charged twice, 14 minutes apart: 3 Nov 2026, 09:30 UTC and 3 Nov 2026, 09:44 UTC." */
export const twiceWords = (one: Payment, other: Payment): Words => {
  const [first, second] = [one.at ?? 0, other.at ?? 0].toSorted((a, b) => a - b) as [number, number]
  const apart = date('formatDistanceStrict')(first, second)
  return sentence`${money(one.amount ?? 0, one.currency)} was charged twice, ${apart} apart: ${when(first)} and ${when(second)}.`
}
