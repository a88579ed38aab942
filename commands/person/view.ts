import { stateNames } from '../../src/approvals/card.ts'
import type { Change } from '../../src/model/change.ts'
import { endsOfKind } from '../../src/model/known-person.ts'
import { plural } from '../../src/view/button-labels.ts'
import { absolute, formatNumber } from '../../src/view/format.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, facts, list, note, text, type View } from '../../src/view/view.ts'
import { looseTable } from '../billing/loose.ts'
import { contactFacts, contactName } from '../contact/record.ts'
import { nameOf, subscriberFacts } from '../subscriber/record.ts'
import { standingOf } from '../subscriber/standing.ts'
import { type Payment, type Refund, twiceCharged } from '../transaction/payments.ts'
import {
  paymentColumns,
  paymentOf,
  refundColumns,
  refundedPaymentOf,
  totalWords,
} from '../transaction/record.ts'
import type { Looked } from './look.ts'
import { contradictionsIn, endWords, isSaid, sourceWords } from './who.ts'

const mostPayments = 10

/** One view of a person: a part for each service, so that every fact shows where it comes from. */
export const personView = (who: string, looked: Looked, planChanges: readonly Change[]): View => {
  const { person, email, chat } = looked
  const name =
    (email?.value && nameOf(email.value)) || chat?.value?.find((one) => one.name)?.name || undefined
  return {
    title: name ? `${name} (${who})` : who,
    tone: email?.value && standingOf(email.value) !== undefined ? 'warn' : 'plain',
    blocks: [
      ...contradictionsIn(person).map((words) => note('warn', words)),
      ...emailBlocks(looked),
      ...chatBlocks(looked),
      ...billingBlocks(looked),
      ...(planChanges.length === 0
        ? []
        : [
            text('Plan changes asked for here'),
            list(
              planChanges.map(
                ({ preview, state, createdAt }) =>
                  `${preview.title}: ${stateNames[state]} (${absolute(createdAt)})`,
              ),
            ),
          ]),
      ...linkBlocks(looked),
    ],
  }
}

const emailBlocks = ({ email }: Looked): Block[] => [
  text('Email service'),
  email?.value === undefined
    ? note('plain', email?.why ?? 'No address or subscriber id is known, so it was not asked.')
    : subscriberFacts(email.value),
]

const chatBlocks = ({ chat }: Looked): Block[] => {
  const contacts = chat?.value ?? []
  return [
    text('Messaging service'),
    ...(contacts.length === 0
      ? [note('plain', chat?.why ?? 'No number or contact id is known, so it was not asked.')]
      : contacts.length === 1
        ? contacts.map((one) => contactFacts(one))
        : [
            note('warn', `${plural(contacts.length, 'contact')} fit: look at one by its id.`),
            list(contacts.map((one) => `person get ${one._id}  ${contactName(one, '')}`)),
          ]),
  ]
}

const billingBlocks = ({ billing, person, customers }: Looked): Block[] => {
  if (billing === undefined) {
    const said = endsOfKind(person, 'customer').filter(({ link }) => isSaid(link))
    const why =
      customers.length > 1
        ? 'More than one customer is linked, so neither was asked about. Look at one of them:'
        : 'No customer is linked to this person, so it was not asked. Set the link with person link and --customer.'
    return [
      text('Billing service'),
      note(customers.length > 1 ? 'warn' : 'plain', why),
      ...said.map((end) =>
        note('warn', `Not looked at: ${endWords(end)}, ${end.link && sourceWords(end.link)}.`),
      ),
      ...(customers.length > 1 ? [list(customers.map(({ id }) => `person get ${id}`))] : []),
    ]
  }
  const { payments, refunds } = billing
  return [
    text('Billing service'),
    facts({ Customer: thing('customer', billing.customerId), ...sums(billing) }),
    ...(payments.value === undefined
      ? [note('warn', `Payments: ${payments.why}`)]
      : paymentBlocks(payments.value, refunds.value, billing.customerId)),
    ...(refunds.value === undefined
      ? [note('warn', `Refunds: ${refunds.why}`)]
      : refunds.value.length === 0
        ? [note('plain', 'No refunds.')]
        : [
            text('Refunds'),
            looseTable(
              newest(refunds.value).map(({ record }) => record),
              refundColumns,
              refundedPaymentOf(billing.customerId),
            ),
          ]),
  ]
}

const sums = ({ payments, refunds }: NonNullable<Looked['billing']>) => ({
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

const linkBlocks = ({ person }: Looked): Block[] => {
  const linked = person.ends.flatMap(({ link }) => link ?? [])
  const words = [...new Set(linked)].map((link) => {
    const [one, other] = link.ends
    return `${endWords(one)} and ${endWords(other)}: ${sourceWords(link)}`
  })
  return words.length === 0 ? [] : [text('Links'), list(words)]
}
