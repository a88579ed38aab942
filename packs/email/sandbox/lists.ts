import { z } from 'zod'
import { hexId, isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { emailField, textField } from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { notFound, parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { type EmailState, type Subscriber, type SubscriberList, success } from './state.ts'
import { isSame, subscriberByEmail, subscriberById } from './subscribers.ts'

const creation = z.object({
  name: z
    .string()
    .trim()
    .refine((name) => name.length >= 1 && name.length <= 100, 'must have 1 to 100 characters'),
})

export function createList({ state, body, now }: HandlerCall<EmailState>) {
  const { name } = parseOrRefuse(creation, body)
  if (state.lists.some((list) => isSame(list.name, name))) refuse(`a list named ${name} exists already`, 409)
  if (state.segments.some((segment) => isSame(segment.name, name)))
    refuse(`${name} is the name of a segment`, 409)
  const at = isoOf(now)
  const list = { id: hexId('list', state.serial++), name, lastUpdated: at, createdAt: at, updatedAt: at }
  state.lists.push(list)
  return success('List created', { list: toList(state, list) }, 201)
}

const who = { email: emailField.optional(), subscriberId: textField.optional() }
const listIds = z.array(z.string()).min(1, 'must hold at least one list id')

export function removeFromLists({ state, body, now }: HandlerCall<EmailState>) {
  const request = parseOrRefuse(z.object({ ...who, listIds }), body)
  const subscriber = subscriberOf(state, request)
  const left = state.lists.filter(
    (list) => request.listIds.includes(list.id) && subscriber.lists.includes(list.name),
  )
  move(subscriber, left, [], isoOf(now))
  return success('Subscriber removed from lists', {
    ...identityOf(subscriber),
    removedLists: left.map((list) => list.name),
    currentLists: subscriber.lists,
  })
}

export function addToList({ state, body, now }: HandlerCall<EmailState>) {
  const request = parseOrRefuse(z.object({ ...who, listIds }), body)
  const subscriber = subscriberOf(state, request)
  const joined = request.listIds
    .map((id) => listById(state, id))
    .filter((list) => !subscriber.lists.includes(list.name))
  move(subscriber, [], joined, isoOf(now))
  return success('Subscriber added to lists', {
    ...identityOf(subscriber),
    addedLists: joined.map((list) => list.name),
    currentLists: subscriber.lists,
  })
}

export function moveToList({ state, body, now }: HandlerCall<EmailState>) {
  const request = parseOrRefuse(z.object({ ...who, fromListId: textField, toListId: textField }), body)
  const subscriber = subscriberOf(state, request)
  const from = listById(state, request.fromListId)
  const to = listById(state, request.toListId)
  if (!subscriber.lists.includes(from.name)) refuse(`the subscriber is not in ${from.name}`)
  move(subscriber, [from], [to], isoOf(now))
  return success('Subscriber moved', { ...identityOf(subscriber), currentLists: subscriber.lists })
}

export const findLists = ({ state }: HandlerCall<EmailState>) =>
  success('Lists retrieved', {
    lists: state.lists.map((list) => toList(state, list)),
    total: state.lists.length,
  })

export const getList = ({ state, params: [id = ''] }: HandlerCall<EmailState>) =>
  success('List retrieved', { list: toList(state, listById(state, id)) })

export function findListByName({ state, query }: HandlerCall<EmailState>) {
  const name = (query.get('name') ?? '').trim()
  const list = state.lists.find((one) => isSame(one.name, name)) ?? notFound(`list ${name}`)
  return success('List retrieved', { list: toList(state, list) })
}

export const listsAndSegments = ({ state }: HandlerCall<EmailState>) =>
  success('Lists and segments retrieved', {
    lists: state.lists.map((list) => toList(state, list)),
    segments: state.segments.map((segment) => ({
      ...segment,
      count: state.subscribers.filter((one) => one.segments.includes(segment.name)).length,
    })),
  })

export const listById = (state: EmailState, id: string): SubscriberList =>
  state.lists.find((list) => list.id === id) ?? notFound(`list ${id}`)

export const membersOf = (state: EmailState, list: SubscriberList) =>
  state.subscribers.filter((one) => one.lists.includes(list.name))

/** Counts come from the members at the time of reading, so they cannot fall behind. */
export function countsOf(state: EmailState, list: SubscriberList) {
  const members = membersOf(state, list)
  return {
    totalSubscribers: members.length,
    unsubscribedCount: members.filter((one) => one.status === 'unsubscribed').length,
    engagedCount: members.filter((one) => one.totalOpens > 0).length,
  }
}

function toList(state: EmailState, { lastUpdated, ...list }: SubscriberList) {
  const counts = countsOf(state, { lastUpdated, ...list })
  return { ...list, count: counts.totalSubscribers, counts: { ...counts, lastUpdated } }
}

const identityOf = ({ _id, email }: Subscriber) => ({ subscriberId: _id, email })

function subscriberOf(
  state: EmailState,
  { email, subscriberId }: { email?: string | undefined; subscriberId?: string | undefined },
): Subscriber {
  if (email === undefined && subscriberId === undefined) return refuse('email or subscriberId is required')
  const subscriber =
    email === undefined ? subscriberById(state, subscriberId ?? '') : subscriberByEmail(state, email)
  if (subscriberId !== undefined && subscriber._id !== subscriberId) {
    refuse('email and subscriberId name two different subscribers')
  }
  return subscriber
}

function move(subscriber: Subscriber, from: SubscriberList[], to: SubscriberList[], at: string) {
  const left = from.map((list) => list.name)
  const kept = subscriber.lists.filter((name) => !left.includes(name))
  subscriber.lists = [...new Set([...kept, ...to.map((list) => list.name)])]
  for (const list of [...from, ...to]) {
    list.lastUpdated = at
    list.updatedAt = at
  }
}
