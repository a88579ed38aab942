import { money, when } from '../../src/lib/view/format.ts'
import { type Thing, thing } from '../../src/lib/view/thing.ts'
import type { Moment } from '../../src/lib/view/words.ts'
import { shortTime } from '../../src/lib/view/zones.ts'
import { type Column, type Loose, numberIn, textIn } from './loose.ts'

export const amountIn = (record: Loose): number | undefined =>
  numberIn(record, 'amount', 'total_amount', 'total', 'payment_amount', 'paid_amount', 'refund_amount')

export const currencyIn = (record: Loose) => ({
  code: textIn(record, 'currency_code', 'currency'),
  symbol: textIn(record, 'currency_symbol'),
})

const paid = (record: Loose): string | undefined => {
  const amount = amountIn(record)
  return amount === undefined ? undefined : money(amount, currencyIn(record))
}

export const dateIn = (record: Loose): string | undefined =>
  textIn(
    record,
    ...['createdAt', 'created_at', 'date', 'payment_date', 'transaction_date', 'refund_date', 'updatedAt'],
  )

const since = (record: Loose): Moment | string | undefined => when(dateIn(record))

/** What a row of payments is about. */
export const paymentOf =
  (customerId: string, zone: string) =>
  (record: Loose): Thing | undefined =>
    thing('payment', paymentId(record), {
      name: paymentLabel(record, zone),
      of: { kind: 'customer', id: customerId },
      ...(hasNothingLeft(record) ? { closedTo: ['refund'] } : {}),
    })

/** All of it was paid back, or it never came in. */
export const hasNothingLeft = (record: Loose): boolean => {
  const [amount, back] = [amountIn(record), refundedIn(record)]
  const isBack = amount !== undefined && back !== undefined && amount > 0 && back >= amount
  return (
    isBack || /^(?:refunded|failed|declined|void|voided|canceled|cancelled)$/i.test(statusIn(record) ?? '')
  )
}

/** "49 USD · 1 Nov 09:14 · INV-513": what tells one payment from another, where its id would not. */
export const paymentLabel = (record: Loose, zone: string): string | undefined => {
  const at = Date.parse(dateIn(record) ?? '')
  const parts = [paid(record), Number.isNaN(at) ? undefined : shortTime(at, zone), invoiceIn(record)]
  return parts.filter((part) => part !== undefined && part !== '').join(' · ') || undefined
}

export const statusIn = (record: Loose): string | undefined =>
  textIn(record, 'status', 'payment_status', 'state')

/** What the record itself says was refunded of it. */
export const refundedIn = (record: Loose): number | undefined =>
  numberIn(record, 'refunded_amount', 'refund_amount', 'amount_refunded')

const invoiceIn = (record: Loose) => textIn(record, 'invoice_id', 'invoice', 'invoice_number')

const paymentId = (record: Loose) => textIn(record, 'id', '_id', 'transaction_id', 'payment_id')

/** A refund has no command of its own, but the payment behind it has. */
export const refundedPaymentOf =
  (customerId: string) =>
  (record: Loose): Thing | undefined =>
    thing('payment', textIn(record, 'payment_id', 'transaction_id'), {
      of: { kind: 'customer', id: customerId },
    })

/** The service calls what came in a success. */
const paidWords = (status: string | undefined): string | undefined =>
  status !== undefined && /^(?:success|succeeded|successful)$/i.test(status)
    ? 'paid'
    : status?.replaceAll('_', ' ')

export const paymentColumns: readonly Column[] = [
  { label: 'When@', of: since },
  { label: 'Amount#', of: paid },
  { label: 'Status', of: (record) => paidWords(statusIn(record)) },
  { label: 'Invoice', of: invoiceIn },
  { label: 'Refunded#+', of: refunded },
  { label: 'Payment+', of: paymentId },
]

export const refundColumns: readonly Column[] = [
  { label: 'When@', of: since },
  { label: 'Amount#', of: paid },
  {
    label: 'Kind',
    of: (record) => textIn(record, 'refund_type', 'type', 'status')?.replaceAll('_', ' '),
  },
  { label: 'Reason', of: (record) => textIn(record, 'description', 'reason', 'note') },
  { label: 'Payment+', of: (record) => textIn(record, 'payment_id', 'transaction_id') },
  { label: 'Refund+', of: (record) => textIn(record, 'id', '_id', 'refund_id') },
]

/** Totals by currency, as text; undefined if any amount is unknown, because then the total is unknown too. */
export const totalWords = (records: readonly Loose[]): string | undefined => {
  const sums = new Map<string, { amount: number; currency: ReturnType<typeof currencyIn> }>()
  for (const record of records) {
    const amount = amountIn(record)
    if (amount === undefined) return undefined
    const currency = currencyIn(record)
    const key = currency.code ?? currency.symbol ?? ''
    sums.set(key, { amount: (sums.get(key)?.amount ?? 0) + amount, currency })
  }
  return [...sums.values()].map(({ amount, currency }) => money(amount, currency)).join(' and ')
}

function refunded(record: Loose): string | undefined {
  const amount = refundedIn(record)
  return amount === undefined || amount === 0 ? undefined : money(amount, currencyIn(record))
}
