import { z } from 'zod'
import { type Loose, looseTable, textIn } from '../../packs/billing/loose.ts'
import { type Payment, paymentsOf } from '../../packs/billing/payments.ts'
import { paymentColumns, paymentOf } from '../../packs/billing/transaction.ts'
import { isWithin, splitBound, sumsParam, toAmount } from '../../src/kernel/command/amount.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { isServiceError } from '../../src/lib/services/errors.ts'
import { isRecord } from '../../src/lib/services/read-answer.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { note, text } from '../../src/lib/view/view.ts'
import { timeParam } from '../audit/filters.ts'
import { ownerWords } from '../person/who.ts'

/** Whose payments are read: the billing service lists those of one customer at a time, and has no list of customers. */
const maxCustomers = 20
const maxShown = 20

/** What is searched for; a customer alone is listed, not searched. */
export const searchParams = {
  amount: sumsParam.optional().describe('Payments of this sum: 49, 49 USD, "about 50" or "over 900"'),
  since: timeParam.optional().describe('Paid since then: "1 nov", yesterday or 2026-11-01'),
  until: timeParam.optional().describe('Paid until the end of then; now if not given'),
  invoice: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('Payments with this part of an invoice number or of a payment id')
    .meta({ takes: 'reference' }),
  card: z
    .string()
    .trim()
    .regex(/^\d{4}$/, 'the last four digits of a card')
    .optional()
    .describe('Paid with a card that ends in these four digits'),
}

type Given = { readonly [Name in keyof typeof searchParams | 'customerId']?: string | undefined }

/** Payments by sum, day, invoice or card: of one customer, or of those whom somebody has looked at here. */
export const searchPayments = async (
  { amount, since, until, invoice, card, customerId }: Given,
  context: ReadContext,
) => {
  const wanted = {
    amount,
    from: since === undefined ? undefined : (await context.past(since))?.from,
    to: until === undefined ? undefined : (await context.past(until))?.to,
    invoice,
    card,
  }
  const known = customerId === undefined ? await context.links.known('customer', maxCustomers) : [customerId]
  const read = await Promise.all(known.map((customer) => paidBy(customer, context)))
  const found = read.flatMap(({ customer, payments }) =>
    payments.filter((one) => isWanted(one, wanted)).map((payment) => ({ customer, payment })),
  )
  const shown = found
    .toSorted((one, other) => (other.payment.at ?? 0) - (one.payment.at ?? 0))
    .slice(0, maxShown)
  const owners = new Map(
    await Promise.all(
      [...new Set(shown.map(({ customer }) => customer))].map(
        async (id) => [id, await ownerWords({ kind: 'customer', id }, context)] as const,
      ),
    ),
  )
  const whose = new Map<Loose, string>(shown.map(({ customer, payment }) => [payment.record, customer]))
  const missed = read.filter(({ isRead }) => !isRead).length
  return answer({
    title:
      found.length === 0
        ? 'No payment like that among the customers seen here'
        : `${plural(found.length, 'payment')} like that`,
    tone: 'plain',
    blocks: [
      ...(shown.length === 0
        ? [text('Say whose it could be, by name, address or customer id: their payments can then be listed.')]
        : [
            looseTable(
              shown.map(({ payment }) => payment.record),
              [{ label: 'Paid by', of: (record) => owners.get(whose.get(record) ?? '') }, ...paymentColumns],
              (record) => paymentOf(whose.get(record) ?? '', context.zone)(record),
            ),
          ]),
      ...(card !== undefined && read.every(({ payments }) => payments.every(({ record }) => !cardOf(record)))
        ? [
            note(
              'plain',
              'The billing service does not say with which card these payments were made. Look by sum and day, or by who pays.',
            ),
          ]
        : []),
      ...(missed === 0
        ? []
        : [note('warn', `The payments of ${plural(missed, 'customer')} could not be read now.`)]),
    ],
    footer:
      customerId === undefined
        ? `Looked through ${plural(known.length, 'customer')} that somebody has looked at here; the billing service lists no others.`
        : undefined,
  })
}

type Wanted = {
  amount: string | undefined
  from: number | undefined
  to: number | undefined
  invoice: string | undefined
  card: string | undefined
}

const isWanted = (
  { id, amount, currency, at, record }: Payment,
  { amount: wanted, from, to, invoice, card }: Wanted,
): boolean => {
  const named = wanted === undefined ? null : toAmount(splitBound(wanted).written)?.currency?.toLowerCase()
  const isCurrency =
    (named ?? null) === null ||
    [currency.code, currency.symbol].every((one) => one === undefined) ||
    [currency.code, currency.symbol].some((one) => one?.toLowerCase() === named)
  const isSum = wanted === undefined || (amount !== undefined && isWithin(amount, wanted) && isCurrency)
  const isThen =
    (from === undefined || (at !== undefined && at >= from)) &&
    (to === undefined || (at !== undefined && at < to))
  const names = [id, textIn(record, 'invoice_id', 'invoice', 'invoice_number') ?? '']
  const isInvoice = invoice === undefined || names.some((one) => keyOf(one).includes(keyOf(invoice)))
  return isSum && isThen && isInvoice && (card === undefined || cardOf(record)?.endsWith(card) === true)
}

/** "INV513" is INV-513. */
const keyOf = (text: string): string => text.toLowerCase().replace(/[\s-]/g, '')

/** The digits of a card that a payment names; the shape of payments is not documented. */
const cardOf = (record: Loose): string | undefined => {
  const digits = textIn(record, 'last4', 'last_four', 'card_last4', 'card_last_four', 'card_number', 'card')
  const inner = [record.card, record.payment_method, record.payment_source].find(isRecord)
  return (digits ?? (inner && textIn(inner, 'last4', 'last_four', 'number', 'masked_number')))?.trim()
}

/** One customer who cannot be read does not hide what the others paid. */
const paidBy = async (
  customer: string,
  context: ReadContext,
): Promise<{ customer: string; payments: Payment[]; isRead: boolean }> => {
  try {
    const payments = await paymentsOf(customer, context, { deadlineMs: context.patienceMs })
    return { customer, payments, isRead: true }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { customer, payments: [], isRead: false }
  }
}
