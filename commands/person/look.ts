import { subscriber } from '../../packs/email/records.ts'
import type { ReadContext } from '../../src/command/context.ts'
import { serviceRefusal } from '../../src/core/context/error-refusals.ts'
import { endsOfKind, type KnownEnd, type KnownPerson } from '../../src/model/known-person.ts'
import { type LinkEnd, linkEnd } from '../../src/model/link.ts'
import { contactId } from '../../src/services/endpoints/request-fields.ts'
import { isServiceError } from '../../src/services/errors.ts'
import { recordIn } from '../../src/services/read-answer.ts'
import { contactsIn } from '../contact/all.ts'
import type { Contact } from '../contact/record.ts'
import type { Subscriber } from '../subscriber/record.ts'
import { type Payment, paymentsOf, type Refund, refundsOf } from '../transaction/payments.ts'

/** What one service says: what was found, or in words why there is nothing, and whether it could be asked at all. */
export type Found<T> =
  | { value: T; why?: undefined; isAsked: true }
  | { value?: undefined; why: string; isAsked: boolean }

export type Billing = { customerId: string; payments: Found<Payment[]>; refunds: Found<Refund[]> }

export type Looked = {
  person: KnownPerson
  /** The customers that links lead to which may steer money; of the others nothing is looked up. */
  customers: KnownEnd[]
  email?: Found<Subscriber>
  chat?: Found<Contact[]>
  billing?: Billing
}

/** A person waits for this view, so no service may take longer than this, all its steps together. */
const limitMs = 1_600

/**
 * Everything that the services know of one person. Each service is asked as soon as it is known by what, on its own
 * and within one limit, and what it answers may lead to the next.
 */
export const lookAt = async (start: LinkEnd, context: ReadContext): Promise<Looked> => {
  const until = performance.now() + limitMs
  const looked: Looked = { person: { start, ends: [{ ...start, link: undefined }] }, customers: [] }
  const within = () => ({ deadlineMs: Math.max(1, Math.floor(until - performance.now())) })
  const begun = new Set<string>()
  const once = (key: string, work: () => Promise<void>): Promise<void>[] => {
    if (begun.has(key)) return []
    begun.add(key)
    return [work()]
  }
  const advance = async (): Promise<void> => {
    const { person } = looked
    looked.person = await context.links.personOf(start).catch(() => person)
    const [address, ...addresses] = endsOfKind(looked.person, 'email')
    const [id, ...ids] = endsOfKind(looked.person, 'subscriber')
    const contacts = endsOfKind(looked.person, 'contact')
    const phones = endsOfKind(looked.person, 'phone')
    const payer = await payerOf(start, looked.person, context).catch(() => undefined)
    looked.customers = payer === undefined ? looked.customers : endsOfKind(payer, 'customer')
    const [customer, ...customers] = looked.customers
    const email =
      address && (addresses.length === 0 || start.kind === 'email')
        ? () => context.email.getSubscriber({ params: { email: startOr(address).id } }, within())
        : id && ids.length === 0
          ? () => subscriberById(id.id, context, within())
          : undefined
    await Promise.all(
      [
        ...(email === undefined
          ? []
          : once('email', async () => {
              looked.email = await found(async () => (await email()).data, 'subscriber')
            })),
        ...(contacts.length > 0 || phones.length > 0
          ? once('chat', async () => {
              looked.chat = await found(() => contactsFor(contacts, phones, context, within()), 'contact')
            })
          : []),
        ...(customer && customers.length === 0
          ? once('billing', async () => {
              const [payments, refunds] = await Promise.all([
                found(() => paymentsOf(customer.id, context, within()), 'customer'),
                found(() => refundsOf(customer.id, context, within()), 'customer'),
              ])
              looked.billing = { customerId: customer.id, payments, refunds }
            })
          : []),
      ].map((one) => one.then(advance)),
    )
  }
  /** Whoever was asked about is meant, also where a link names another. */
  const startOr = (end: LinkEnd): LinkEnd => (start.kind === end.kind ? start : end)
  await advance()
  return looked
}

/** A contact leads to money only over the address that it has elsewhere. */
const payerOf = (
  start: LinkEnd,
  person: KnownPerson,
  { links }: Pick<ReadContext, 'links'>,
): Promise<KnownPerson> => {
  const [address, ...others] = start.kind === 'contact' ? endsOfKind(person, 'email') : []
  return links.payerOf(address === undefined || others.length > 0 ? start : address)
}

const subscriberById = async (
  id: string,
  { email }: Pick<ReadContext, 'email'>,
  options: { deadlineMs: number },
): Promise<{ data: Subscriber | undefined }> => {
  const { data } = await email.getSubscriberById({ params: { id } }, options)
  const record = recordIn(data, 'subscriber')
  const isOne = record?.email !== undefined || record?._id !== undefined
  return { data: isOne ? subscriber.safeParse(record).data : undefined }
}

/** By their ids if links know them, which takes one short read each, otherwise by their number in the listing. */
const contactsFor = async (
  contacts: readonly LinkEnd[],
  phones: readonly LinkEnd[],
  { chat }: Pick<ReadContext, 'chat'>,
  options: { deadlineMs: number },
): Promise<Contact[] | undefined> => {
  const ids = contacts.map(({ id }) => id).filter((id) => contactId.safeParse(id).success)
  if (ids.length > 0) {
    const read = await Promise.all(
      ids.slice(0, mostContacts).map((id) => chat.getContact({ params: { id } }, options)),
    )
    return read.map(({ data }) => data).filter((one) => one !== undefined)
  }
  const { data } = await chat.findContacts({}, options)
  const numbers = new Set(phones.map(({ id }) => id))
  const fitting = contactsIn(data).contacts.filter(({ mobile }) =>
    numbers.has(linkEnd('phone', mobile)?.id ?? ''),
  )
  return fitting.length === 0 ? undefined : fitting
}

const mostContacts = 5

const found = async <T>(read: () => Promise<T | undefined>, what: string): Promise<Found<T>> => {
  try {
    const value = await read()
    return value === undefined ? { why: `No ${what} was found.`, isAsked: true } : { value, isAsked: true }
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.kind === 'not_found')
      return { why: `It answered 404: it knows no such ${what}, or has no such read.`, isAsked: true }
    return { why: serviceRefusal(error).message, isAsked: false }
  }
}
