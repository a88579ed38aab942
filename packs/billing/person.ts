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
import { absolute, formatNumber } from '../../src/view/format.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, facts, list, note, text } from '../../src/view/view.ts'

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
        blocks: billingBlocks(customer.id, payments, refunds),
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
        note('plain', `Not looked at: ${endWords(end)}, ${end.link && sourceWords(end.link)}.`),
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
                `${preview.title}: ${stateNames[state]} (${absolute(createdAt)})`,
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

const billingBlocks = (customerId: string, payments: Found<Payment[]>, refunds: Found<Refund[]>): Block[] => [
  facts({ Customer: thing('customer', customerId), ...sums(payments, refunds) }),
  ...(payments.value === undefined
    ? [note('plain', `Payments: ${payments.why}`)]
    : paymentBlocks(payments.value, refunds.value, customerId)),
  ...(refunds.value === undefined
    ? [note('plain', `Refunds: ${refunds.why}`)]
    : refunds.value.length === 0
      ? [note('plain', 'No refunds.')]
      : [
          text('Refunds'),
          looseTable(
            newest(refunds.value).map(({ record }) => record),
            refundColumns,
            refundedPaymentOf(customerId),
          ),
        ]),
]

const sums = (payments: Found<Payment[]>, refunds: Found<Refund[]>) => ({
  Paid:
    payments.value && payments.value.length > 0
      ? totalWords(payments.value.map(({ record }) => record))
      : undefined,
  Refunded:
    refunds.value && refunds.value.length > 0
      ? totalWords(refunds.value.map(({ record }) => record))
      : undefined,
})

const paymentBlocks = (
  payments: readonly Payment[],
  refunds: readonly Refund[] | undefined,
  customerId: string,
): Block[] => {
  if (payments.length === 0) return [note('plain', 'No payments.')]
  const shown = newest(payments)
  return [
    ...twiceCharged(payments, refunds).map((words) => note('warn', words)),
    text(
      shown.length < payments.length
        ? `Payments, the newest ${shown.length} of ${formatNumber(payments.length)}`
        : 'Payments',
    ),
    looseTable(
      shown.map(({ record }) => record),
      paymentColumns,
      paymentOf(customerId),
    ),
  ]
}

const newest = <T extends { at: number | undefined }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0)).slice(0, mostPayments)
