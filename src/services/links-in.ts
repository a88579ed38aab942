import { isSameEnd, type LinkEnd, type LinkPair, linkEnd, pairOf } from '../model/link.ts'
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
  { id, service, row }: Pick<NamedRow, 'id' | 'service' | 'row'>,
  { params, body }: CallInput,
  data: unknown,
  fields: LinkFields = {},
): LinkPair[] => {
  const asked = isRecord(params) ? params : {}
  // The answer to a write may only repeat what it was told.
  const told = row.effect === 'read' ? new Set<string>() : new Set(leavesOf([params, body]))
  const pairs = new Map<string, LinkPair>()
  const add = (one: LinkEnd | undefined, other: LinkEnd | undefined) => {
    const pair = pairOf(one, other)
    if (pair?.every((end) => told.has(end.id))) return
    if (pair !== undefined && pairs.size < mostPairs) pairs.set(JSON.stringify(pair), pair)
  }
  for (const { key, record } of recordsWithin(data)) {
    if (service === 'email') fromSubscriber(record, fields, add)
    else if (service === 'chat') fromContact(record, add)
    else if (namesPeople.has(id)) fromBilling(id, key, record, asked, add)
  }
  return [...pairs.values()]
}

/** The answers of the billing service that name people in fields which nobody here writes. */
const namesPeople: ReadonlySet<string> = new Set([
  'billing.findTransactions',
  'billing.findRefunds',
  'billing.changePlan',
])

/**
 * The links that a request to the email service would make if the service kept what it is told: whoever sends it says
 * them. Any field may be the one that is configured to hold a customer, now or later.
 */
export const linksSaidBy = (
  { service }: Pick<NamedRow, 'service'>,
  { params, body }: CallInput,
): { subject: LinkEnd; values: LinkEnd[]; renamedTo: LinkEnd | undefined }[] => {
  if (service !== 'email') return []
  const asked = isRecord(params) ? params : {}
  const own = subjectIn(asked)
  return [...recordsWithin(body)].flatMap(({ key, record }) => {
    const named = subjectIn(record)
    const isRoot = key === ''
    const subject = isRoot ? (own ?? named) : named
    if (subject === undefined) return []
    const email = isRoot ? linkEnd('email', record.email) : undefined
    const renamedTo = email && own && !isSameEnd(email, own) ? email : undefined
    const kept = Object.entries(record).flatMap(([name, value]) =>
      isRecord(value) && subjectIn(value) === undefined
        ? leavesOf(value).flatMap((leaf) => linkEnd('customer', leaf) ?? [])
        : /mobile|phone/i.test(name)
          ? (linkEnd('phone', value) ?? [])
          : [],
    )
    return [{ subject, values: kept.slice(0, mostValues), renamedTo }]
  })
}

const subjectIn = (record: OpenRecord): LinkEnd | undefined =>
  linkEnd('email', record.email) ??
  linkEnd('email', record.id) ??
  linkEnd('subscriber', record.id ?? record._id ?? record.subscriberId)

/** The texts and numbers anywhere inside. */
const leavesOf = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string' || typeof value === 'number') return [String(value).trim()]
  if (typeof value !== 'object' || value === null || depth > deepest) return []
  return Object.values(value).flatMap((one) => leavesOf(one, depth + 1))
}

const mostValues = 200
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
