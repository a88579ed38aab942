import { z } from 'zod'
import { hexId, isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import {
  emailField,
  integerOf,
  isEmail,
  textField,
  valuesOf,
} from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { pageOf } from '../../../src/lib/sandbox/endpoint/page.ts'
import { notFound, parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { type EmailState, type Subscriber, success } from './state.ts'

const statuses = ['subscribed', 'unsubscribed', 'bounced', 'complaint']

const changes = z.object({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  leadScore: z.int().optional(),
  // Which values a status update may carry is not documented; it is stored as sent.
  status: textField.optional(),
  tagsToAdd: z.array(textField).optional(),
  tagsToRemove: z.array(z.string()).optional(),
  customFields: z.record(z.string(), z.unknown()).optional(),
})

export function updateSubscriber({ state, params: [email = ''], body, now }: HandlerCall<EmailState>) {
  if (!isEmail(email)) refuse(`${email} is not a valid email`)
  return changeSubscriber(subscriberByEmail(state, email), body, now)
}

export function updateSubscriberById({ state, params: [id = ''], body, now }: HandlerCall<EmailState>) {
  return changeSubscriber(subscriberById(state, id), body, now)
}

export const getSubscriber = ({ state, params: [email = ''] }: HandlerCall<EmailState>) =>
  success('Subscriber retrieved', toSubscriber(subscriberByEmail(state, email)))

export const getSubscriberById = ({ state, params: [id = ''] }: HandlerCall<EmailState>) =>
  success('Subscriber retrieved', toSubscriber(subscriberById(state, id)))

export function findSubscribers({ state, query }: HandlerCall<EmailState>) {
  const page = integerOf(query, 'page', 1)
  const limit = integerOf(query, 'limit', 10)
  if (page < 1) refuse('page starts at 1')
  if (limit < 1 || limit > 100) refuse('limit must be between 1 and 100')
  const found = pageOf(state.subscribers.filter(filterOf(query)), page, limit)
  return success('Subscribers retrieved', {
    subscribers: found.items.map(toSubscriber),
    suppressionList: found.items.filter((one) => one.isSuppressed).map(toSuppression),
    pagination: {
      currentPage: page,
      itemsPerPage: limit,
      totalItems: found.total,
      totalPages: found.totalPages,
      hasNextPage: found.hasNextPage,
      hasPrevPage: found.hasPrevPage,
    },
  })
}

export function createSubscriber({ state, body, now }: HandlerCall<EmailState>) {
  const { email, ...rest } = parseOrRefuse(changes.extend({ email: emailField }), body)
  if (state.subscribers.some((one) => isSame(one.email, email)))
    refuse(`${email} is already a subscriber`, 409)
  const subscriber = newSubscriber(state, email, isoOf(now))
  assign(subscriber, rest, isoOf(now))
  state.subscribers.push(subscriber)
  return success('Subscriber created', toSubscriber(subscriber), 201)
}

const deletion = z.object({
  emails: z.array(z.string()).default([]),
  subscriberIds: z.array(z.string()).default([]),
})

export function deleteSubscribers({ state, body }: HandlerCall<EmailState>) {
  const { emails, subscriberIds } = parseOrRefuse(deletion, body)
  if (emails.length + subscriberIds.length === 0)
    refuse('emails or subscriberIds must name at least one subscriber')
  const gone = new Set([
    ...emails.map((email) => subscriberByEmail(state, email)),
    ...subscriberIds.map((id) => subscriberById(state, id)),
  ])
  state.subscribers = state.subscribers.filter((one) => !gone.has(one))
  return success('Subscribers deleted', { deletedCount: gone.size })
}

export const customFields = ({ state }: HandlerCall<EmailState>) =>
  success('Custom fields retrieved', { customFields: state.customFields })

export const subscriberByEmail = (state: EmailState, email: string): Subscriber =>
  state.subscribers.find((one) => isSame(one.email, email)) ?? notFound(`subscriber ${email}`)

export const subscriberById = (state: EmailState, id: string): Subscriber =>
  state.subscribers.find((one) => one._id === id) ?? notFound(`subscriber ${id}`)

export const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function changeSubscriber(subscriber: Subscriber, body: unknown, now: number) {
  assign(subscriber, parseOrRefuse(changes, body), isoOf(now))
  const { reason, type, createdAt, updatedAt } = subscriber.suppression
  return success('Subscriber updated', {
    ...toSubscriber(subscriber),
    suppressionDetail: { reason, type, createdAt, updatedAt },
    isSuppressed: subscriber.isSuppressed,
  })
}

function assign(subscriber: Subscriber, change: z.output<typeof changes>, at: string) {
  const { tagsToAdd = [], tagsToRemove = [], customFields: fields, ...plain } = change
  Object.assign(subscriber, plain)
  const tags = [...new Set([...subscriber.tags, ...tagsToAdd])]
  subscriber.tags = tags.filter((tag) => !tagsToRemove.includes(tag))
  subscriber.customFields = { ...subscriber.customFields, ...fields }
  subscriber.updatedAt = at
}

function toSubscriber({ suppression, isSuppressed, ...record }: Subscriber) {
  const { createdAt, updatedAt } = suppression
  return { ...record, suppressionDetail: { createdAt, updatedAt } }
}

const toSuppression = ({ _id, email, suppression }: Subscriber) => ({ _id, email, ...suppression })

function filterOf(query: URLSearchParams): (subscriber: Subscriber) => boolean {
  const search = (query.get('search') ?? '').trim().toLowerCase()
  const status = query.get('status') ?? ''
  if (status !== '' && !statuses.includes(status)) refuse(`status must be one of ${statuses.join(', ')}`)
  const min = integerOf(query, 'leadScoreMin', Number.NEGATIVE_INFINITY)
  const max = integerOf(query, 'leadScoreMax', Number.POSITIVE_INFINITY)
  const wanted = (['tags', 'segments', 'lists'] as const).map(
    (field) => [field, valuesOf(query, field)] as const,
  )
  return (one) =>
    (status === '' || one.status === status) &&
    one.leadScore >= min &&
    one.leadScore <= max &&
    [one.email, one.firstName, one.lastName].some((text) => text.toLowerCase().includes(search)) &&
    wanted.every(
      ([field, names]) =>
        names.length === 0 || names.some((name) => one[field].some((own) => isSame(own, name))),
    )
}

function newSubscriber(state: EmailState, email: string, at: string): Subscriber {
  return {
    _id: hexId('new-subscriber', state.serial++),
    userId: state.userId,
    businessId: state.businessId,
    email,
    firstName: '',
    lastName: '',
    mobile: '',
    leadScore: 0,
    dateOfBirth: null,
    status: 'subscribed',
    country: 'Not Specified',
    city: 'Not Specified',
    tags: [],
    source: 'manual',
    segments: [],
    customFields: {},
    activity: [],
    automationWorkflows: [],
    lists: [],
    totalSent: 0,
    totalDelivered: 0,
    totalOpens: 0,
    totalUniqueOpens: 0,
    totalUniqueClick: 0,
    totalClicks: 0,
    deleteAfter: null,
    suppression: { reason: '', type: '', createdAt: at, updatedAt: at },
    isSuppressed: false,
    campaignDetails: [],
    createdAt: at,
    updatedAt: at,
  }
}
