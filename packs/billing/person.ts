import { looseTable } from '../../commands/billing/loose.ts'
import { endWords, isSaid, sourceWords } from '../../commands/person/who.ts'
import {
  type Payment,
  paymentsOf,
  type Refund,
  refundsOf,
  twiceCharged,
} from '../../commands/transaction/payments.ts'
import {
  paymentColumns,
  paymentOf,
  refundColumns,
  refundedPaymentOf,
  totalWords,
} from '../../commands/transaction/record.ts'
import { stateNames } from '../../src/approvals/card.ts'
import type { ReadContext } from '../../src/command/context.ts'
import type { PersonKnown, PersonPart } from '../../src/command/pack.ts'
import { type Found, found } from '../../src/core/context/person-part.ts'
import type { Change } from '../../src/model/change.ts'
import { endsOfKind, type KnownEnd } from '../../src/model/known-person.ts'
import { when } from '../../src/view/format.ts'
import { formatNumber } from '../../src/view/format-number.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, facts, list, note, text } from '../../src/view/view.ts'
import { sentence } from '../../src/view/words.ts'

const mostPayments = 5

export const person: PersonPart = {
  uses: ['billing.findTransactions', 'billing.findRefunds'],
  look: (known, context, within) => {
    const [customer, ...others] = customersOf(known)
    if (customer === undefined || others.length > 0) return undefined
    return async () => {
      const [payments, refunds] = await Promise.all([
        found(() => paymentsOf(customer.id, context, within()), 'customer'),
        found(() => refundsOf(customer.id, context, within()), 'customer'),
      ])
      return {
        isFound: (payments.value?.length ?? 0) > 0,
        isAsked: payments.isAsked,
        blocks: paidBlocks(customer.id, payments, refunds, context.zone),
        details: [facts({ Customer: thing('customer', customer.id) }), ...refundBlocks(customer.id, refunds)],
      }
    }
  },
  absent: (known) => {
    const customers = customersOf(known)
    const said = endsOfKind(known.person, 'customer').filter(({ link }) => isSaid(link))
    const isUnclear = customers.length > 1
    const why = isUnclear
      ? 'More than one customer is linked, so neither was asked about. Look at one of them:'
      : 'No customer is linked to this person, so it was not asked. Set the link with person link and --customer.'
    return [
      note('plain', why),
      ...said.map((end) =>
        note('plain', sentence`Not looked at: ${endWords(end)}, ${end.link && sourceWords(end.link)}.`),
      ),
      ...(isUnclear ? [list(customers.map(({ id }) => `person get ${id}`))] : []),
    ]
  },
  more: async (known, context) => {
    const changes = await planChangesOf(known, context)
    return changes.length === 0
      ? []
      : [
          text('Plan changes asked for here'),
          list(
            changes.map(
              ({ preview, state, createdAt }) =>
                sentence`${preview.title}: ${stateNames[state]} (${when(createdAt)})`,
            ),
          ),
        ]
  },
}

/** The customers that links lead to which may steer money; of the others nothing is looked up. */
const customersOf = ({ payer }: PersonKnown): KnownEnd[] =>
  payer === undefined ? [] : endsOfKind(payer, 'customer')

/** Plan changes stand in no documented read; those that were asked for here are in our own records. */
const planChangesOf = async (
  { person: { ends } }: PersonKnown,
  { records }: Pick<ReadContext, 'records'>,
): Promise<Change[]> => {
  const ids = (kind: string) => ends.flatMap((one) => (one.kind === kind ? one.id : []))
  const [customers, subscriptions] = [ids('customer'), ids('subscription')]
  if (customers.length + subscriptions.length === 0) return []
  const recent = await records.changes({ limit: 200, page: 1 }).catch(() => [])
  return recent
    .filter(
      ({ names, input }) =>
        names.includes('upgrade') &&
        (customers.includes(String(input.customerId)) ||
          subscriptions.includes(String(input.subscriptionId))),
    )
    .slice(0, 5)
}

const paidBlocks = (
  customerId: string,
  payments: Found<Payment[]>,
  refunds: Found<Refund[]>,
  zone: string,
): Block[] => {
  if (payments.value === undefined) return [note('plain', `Payments: ${payments.why}`)]
  if (payments.value.length === 0) return [note('plain', 'No payments.')]
  const shown = newest(payments.value)
  const part =
    shown.length < payments.value.length
      ? `; the newest ${shown.length} of ${formatNumber(payments.value.length)} payments`
      : ''
  return [
    ...twiceCharged(payments.value, refunds.value).map((words) => note('warn', words)),
    text(`${moneyWords(payments.value, refunds)}${part}`),
    looseTable(
      shown.map(({ record }) => record),
      paymentColumns,
      paymentOf(customerId, zone),
    ),
  ]
}

/** "Paid 218 USD, refunded 120 USD" */
const moneyWords = (payments: readonly Payment[], refunds: Found<Refund[]>): string => {
  const paid = `Paid ${totalWords(payments.map(({ record }) => record))}`
  if (refunds.value === undefined) return `${paid}; what was refunded could not be read`
  if (refunds.value.length === 0) return `${paid}, refunded nothing`
  return `${paid}, refunded ${totalWords(refunds.value.map(({ record }) => record))}`
}

const refundBlocks = (customerId: string, refunds: Found<Refund[]>): Block[] => {
  if (refunds.value === undefined) return [note('plain', `Refunds: ${refunds.why}`)]
  if (refunds.value.length === 0) return [note('plain', 'No refunds.')]
  return [
    text('Refunds'),
    looseTable(
      newest(refunds.value).map(({ record }) => record),
      refundColumns,
      refundedPaymentOf(customerId),
    ),
  ]
}

const newest = <T extends { at: number | undefined }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0)).slice(0, mostPayments)
