import { z } from 'zod'
import {
  anything,
  flag,
  lenientList,
  listOf,
  number,
  part,
  record,
  text,
  texts,
} from '../../src/lib/services/endpoints/answer-fields.ts'
import { isRecord } from '../../src/lib/services/read-answer.ts'

export const contact = record({
  _id: text,
  name: text,
  settingId: text,
  userId: text,
  countryCode: text,
  mobile: text,
  status: text,
  source: text,
  optin: flag,
  attributes: lenientList(record({ name: text, value: text, _id: text })),
  incomingBlocked: flag,
  broadcastIds: lenientList(z.unknown()),
  list: texts,
  tags: texts,
  __v: number,
  createdAt: text,
  updatedAt: text,
  lastActive: text,
})

const contactList = record({
  _id: text,
  name: text,
  createdAt: text,
  incomingBlocked: flag,
  tags: texts,
  optin: flag,
  attributes: lenientList(z.unknown()),
})

export const contactLists = record({ lists: listOf(contactList), total: number })

/**
 * Two field names of this record contain the brand of the platform. They are recognised by their content and
 * read under neutral names: `platformResponse` and, in its contacts, `channel_id`.
 */
export const sentMessage = z.preprocess(
  toNeutral,
  record({
    to: text,
    chatId: text,
    platformResponse: part({
      messaging_product: text,
      contacts: lenientList(record({ input: text, channel_id: text })),
      messages: lenientList(record({ id: text, message_status: text })),
      status: anything,
    }),
  }),
)

function toNeutral(value: unknown) {
  if (!isRecord(value)) return value
  const branded = Object.keys(value).find((key) => isPlatformResponse(value[key]))
  if (branded === undefined) return value
  const { [branded]: response, ...rest } = value
  return { ...rest, platformResponse: toNeutralResponse(response) }
}

function toNeutralResponse(response: unknown) {
  if (!isRecord(response) || !Array.isArray(response.contacts)) return response
  return { ...response, contacts: response.contacts.map(toNeutralContact) }
}

function toNeutralContact(entry: unknown) {
  if (!isRecord(entry) || typeof entry.channel_id === 'string') return entry
  const branded = Object.keys(entry).find((key) => key !== 'input' && typeof entry[key] === 'string')
  if (branded === undefined) return entry
  const { [branded]: id, ...rest } = entry
  return { ...rest, channel_id: id }
}

const isPlatformResponse = (value: unknown) =>
  isRecord(value) && (Array.isArray(value.messages) || Array.isArray(value.contacts))
