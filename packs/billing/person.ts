import { stateNames } from '../../src/kernel/cards/card.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { PersonKnown, PersonPart } from '../../src/kernel/command/pack.ts'
import { type Found, found } from '../../src/kernel/context/person-part.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { endsOfKind, type KnownEnd } from '../../src/kernel/model/known-person.ts'
import { endWords, isOneWord, sourceWords } from '../../src/kernel/things/link-words.ts'
import { money, when } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, facts, list, note, type Offer, text } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'
import { keptPlans } from './last-plan.ts'
import { looseTable } from './loose.ts'
import { type Payment, paymentsOf, type Refund, refundsOf, twiceCharged } from './payments.ts'
import { plansWords } from './plan-words.ts'
import { paymentColumns, paymentOf, refundColumns, refundedPaymentOf, totalWords } from './transaction.ts'

/** On the first screen. */
const maxPayments = 5

export const person: PersonPart = {
  uses: ['billing.findTransactions', 'billing.findRefunds'],
  look: (known, context, within) => {
    const [customer, ...others] = customersOf(known)
    if (customer === undefined || others.length > 0) return undefined
    return async () => {
      const [payments, refunds, plans] = await Promise.all([
        found(() => paymentsOf(customer.id, context, within()), 'customer'),
        found(() => refundsOf(customer.id, context, within()), 'customer'),
        keptPlans(isPlanChangeOf(known), context),
      ])
      return {
        isFound: (payments.value?.length ?? 0) > 0,
        isAsked: payments.isAsked,
        blocks: paidBlocks(
          customer.id,
          payments,
          refunds,
          plansWords(payments.value, plans, context),
          context.zone,
        ),
        offers: offersOf(customer.id, payments.value ?? [], refunds.value, context.zone),
        details: [
          facts({ Customer: thing('customer', customer.id) }),
          ...allPayments(customer.id, payments.value ?? [], context.zone),
          ...refundBlocks(customer.id, refunds),
        ],
      }
    }
  },
  absent: (known) => {
    const customers = customersOf(known)
    const said = endsOfKind(known.person, 'customer').filter(({ link }) => isOneWord(link))
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
  known: PersonKnown,
  { records }: Pick<ReadContext, 'records'>,
): Promise<Change[]> => {
  const recent = await records.changes({ limit: 200, page: 1 }).catch(() => ({ items: [] }))
  return recent.items.filter((one) => one.names.includes('upgrade') && isPlanChangeOf(known)(one))
}

const isPlanChangeOf =
  ({ person: { ends } }: PersonKnown) =>
  ({ input }: Pick<Change, 'input'>): boolean =>
    ends.some(
      ({ kind, id }) =>
        (kind === 'customer' && id === input.customerId) ||
        (kind === 'subscription' && id === input.subscriptionId),
    )

const paidBlocks = (
  customerId: string,
  payments: Found<Payment[]>,
  refunds: Found<Refund[]>,
  plans: readonly string[],
  zone: string,
): Block[] => {
  const planBlocks = plans.map((words) => text(words))
  if (payments.value === undefined) return [note('plain', `Payments: ${payments.why}`), ...planBlocks]
  if (payments.value.length === 0) return [note('plain', 'No payments.'), ...planBlocks]
  const shown = newest(payments.value).slice(0, maxPayments)
  const part =
    shown.length < payments.value.length
      ? `; the newest ${shown.length} of ${formatNumber(payments.value.length)} payments`
      : ''
  return [
    ...twiceCharged(payments.value, refunds.value).map(({ words }) => note('warn', words)),
    text([`${moneyWords(payments.value, refunds)}${part}`, ...plans].join(' · ')),
    paymentTable(customerId, shown, zone),
  ]
}

/** The second of what was charged twice first, then each payment that is shown, and the plan. */
const offersOf = (
  customerId: string,
  payments: readonly Payment[],
  refunds: readonly Refund[] | undefined,
  zone: string,
): Offer[] => {
  const thingOf = ({ record }: Payment) => paymentOf(customerId, zone)(record)
  const mending = twiceCharged(payments, refunds).flatMap(({ second }): Offer[] => {
    const one = thingOf(second)
    return one === undefined
      ? []
      : [
          {
            thing: one,
            command: 'refund',
            label: `Refund the second, ${money(second.amount ?? 0, second.currency)}`,
            mends: true,
          },
        ]
  })
  const isMended = ({ id }: Payment) => mending.some(({ thing: one }) => one.id === id)
  const others = newest(payments)
    .slice(0, maxPayments)
    .filter((one) => !isMended(one))
    .flatMap((one): Offer[] => {
      const of = thingOf(one)
      if (of === undefined || one.amount === undefined) return []
      const isTwin = payments.some(({ id, amount }) => id !== one.id && amount === one.amount)
      const day = isTwin ? (of.name?.split(' · ')[1] ?? '') : ''
      const label = `Refund ${money(one.amount, one.currency)}${day === '' ? '' : `, ${day}`}`
      return [{ thing: of, command: 'refund', label }]
    })
  const customer = thing('customer', customerId)
  return [
    ...mending,
    ...others,
    ...(customer === undefined ? [] : [{ thing: customer, command: 'upgrade', label: 'Change plan' }]),
  ]
}

const paymentTable = (customerId: string, payments: readonly Payment[], zone: string): Block =>
  looseTable(
    payments.map(({ record }) => record),
    paymentColumns,
    paymentOf(customerId, zone),
  )

/** Every payment stands behind the newest few, and in the file. What can be done with one is offered for the newest. */
const allPayments = (customerId: string, payments: readonly Payment[], zone: string): Block[] => {
  if (payments.length <= maxPayments) return []
  const all = paymentTable(customerId, newest(payments), zone)
  return [text('All payments'), all.kind === 'table' ? { ...all, things: undefined } : all]
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
  all.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))
