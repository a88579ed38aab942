import { type LinkEnd, type LinkPair, linkEnd, pairOf } from '../model/link.ts'
import type { CallInput } from './client/request.ts'
import type { NamedRow } from './endpoints/tables.ts'
import { isRecord, type OpenRecord } from './read-answer.ts'

/** A subscriber's custom field that holds the id of a billing customer, if there is one. */
export type LinkFields = { customer?: string | undefined }

/**
 * The ids that an answer names together. Most answers are documented by path only, so records are recognised by the
 * fields that they have, wherever in the answer they stand.
 */
export const linksIn = (
  { id, service }: Pick<NamedRow, 'id' | 'service'>,
  { params }: CallInput,
  data: unknown,
  fields: LinkFields = {},
): LinkPair[] => {
  const asked = isRecord(params) ? params : {}
  const pairs = new Map<string, LinkPair>()
  const add = (one: LinkEnd | undefined, other: LinkEnd | undefined) => {
    const pair = pairOf(one, other)
    if (pair !== undefined && pairs.size < mostPairs) pairs.set(JSON.stringify(pair), pair)
  }
  for (const { key, record } of recordsWithin(data)) {
    if (service === 'email') fromSubscriber(record, fields, add)
    else if (service === 'chat') fromContact(record, add)
    else fromBilling(id, key, record, asked, add)
  }
  return [...pairs.values()]
}

const mostPairs = 50_000
const deepest = 5

type Add = (one: LinkEnd | undefined, other: LinkEnd | undefined) => void

const fromSubscriber = (record: OpenRecord, { customer }: LinkFields, add: Add): void => {
  const email = linkEnd('email', record.email)
  const subscriber = linkEnd('subscriber', record._id ?? record.id ?? record.subscriberId)
  if (email === undefined || subscriber === undefined) return
  add(email, subscriber)
  add(email, linkEnd('phone', record.mobile))
  if (customer !== undefined && isRecord(record.customFields)) {
    add(email, linkEnd('customer', record.customFields[customer]))
  }
}

const fromContact = (record: OpenRecord, add: Add): void => {
  const id = linkEnd('contact', record._id ?? record.id)
  if (id !== undefined && /^[\da-f]{24}$/i.test(id.id)) add(id, linkEnd('phone', record.mobile))
}

const fromBilling = (
  id: NamedRow['id'],
  key: string,
  record: OpenRecord,
  asked: OpenRecord,
  add: Add,
): void => {
  const isList = id === 'billing.findTransactions' || id === 'billing.findRefunds'
  const own = record.id ?? record._id
  const customer =
    key === 'customer'
      ? linkEnd('customer', own)
      : linkEnd('customer', record.customer_id ?? (isList ? asked.customer_id : undefined))
  const isPayment = id === 'billing.findTransactions' && record.amount !== undefined && !/refund/i.test(key)
  const subscription = record.subscription_id ?? (key === 'subscription' ? own : undefined)
  if (isPayment) add(customer, linkEnd('payment', own))
  add(customer, linkEnd('payment', record.payment_id ?? record.transaction_id))
  add(customer, linkEnd('subscription', subscription))
  add(customer, linkEnd('email', record.email_id ?? record.customer_email ?? record.email))
}

/** Every record in an answer, with the name it stands under. `user` is the account that we sign in with, not a customer. */
function* recordsWithin(data: unknown, key = '', depth = 0): Generator<{ key: string; record: OpenRecord }> {
  if (depth > deepest) return
  if (Array.isArray(data)) {
    for (const one of data) yield* recordsWithin(one, key, depth + 1)
    return
  }
  if (!isRecord(data)) return
  yield { key, record: data }
  for (const [name, value] of Object.entries(data)) {
    if (name !== 'user' && typeof value === 'object') yield* recordsWithin(value, name, depth + 1)
  }
}
