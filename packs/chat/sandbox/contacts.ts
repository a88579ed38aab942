import { z } from 'zod'
import { hexId, isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { givenList, namesOf, textField } from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall, HandlerResult } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { notFound, parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import type { Attribute, ChatState, Contact } from './state.ts'

const mobileField = z.string().regex(/^\+?\d{7,15}$/, 'must be a phone number with its dialing code')

const changes = z.object({
  mobile: mobileField.optional(),
  name: textField.optional(),
  optin: z.boolean().optional(),
  incomingBlocked: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  attributes: z.unknown().optional(),
  tagsToAdd: z.unknown().optional(),
  tagsToRemove: z.unknown().optional(),
})

export function updateContact({ state, params: [id = ''], body, now }: HandlerCall<ChatState>) {
  const contact = contactById(state, id)
  applyTo(contact, changeOf(state, contact, body), now)
  return success('Contact updated', toContact(contact))
}

export const getContact = ({ state, params: [id = ''] }: HandlerCall<ChatState>) =>
  success('Contact retrieved', contactById(state, id))

export const contactLists = ({ state }: HandlerCall<ChatState>) =>
  success('Contact lists retrieved', { lists: state.lists, total: state.lists.length })

export const findContacts = ({ state }: HandlerCall<ChatState>) =>
  success('Contacts retrieved', { contacts: state.contacts.map(toContact), total: state.contacts.length })

export function createContact({ state, body, now }: HandlerCall<ChatState>) {
  const { mobile } = parseOrRefuse(z.object({ mobile: mobileField }), body)
  if (contactByMobile(state, mobile)) refuse(`a contact with the number ${mobile} exists already`, 409)
  const contact = newContact(state, mobile, now)
  applyTo(contact, changeOf(state, contact, body), now)
  state.contacts.push(contact)
  state.serial++
  return success('Contact created', toContact(contact))
}

/** What a template message's `contact` does; the fields are checked here and written by the function returned. */
export function prepareUpsert(state: ChatState, to: number, details: unknown, now: number): () => void {
  const known = contactByMobile(state, String(to))
  const contact = known ?? newContact(state, String(to), now)
  const change = changeOf(state, contact, details)
  return () => {
    applyTo(contact, { ...change, mobile: contact.mobile }, now)
    if (known) return
    state.contacts.push(contact)
    state.serial++
  }
}

type ContactChange = Partial<
  Pick<Contact, 'mobile' | 'name' | 'optin' | 'incomingBlocked' | 'tags' | 'attributes'>
>

function changeOf(state: ChatState, contact: Contact, body: unknown): ContactChange {
  const { tags, tagsToAdd, tagsToRemove, attributes, mobile, ...plain } = parseOrRefuse(changes, body)
  const added = tagsToAdd === undefined ? [] : namesOf(tagsToAdd, 'tagsToAdd')
  const removed = tagsToRemove === undefined ? [] : namesOf(tagsToRemove, 'tagsToRemove')
  for (const tag of [...(tags ?? []), ...added]) {
    if (!state.settings.tags.includes(tag)) refuse(`the tag ${tag} does not exist in settings`)
  }
  const wanted = [...new Set([...(tags ?? contact.tags), ...added])]
  return {
    ...(Object.fromEntries(
      Object.entries(plain).filter(([, value]) => value !== undefined),
    ) as ContactChange),
    ...(mobile !== undefined && { mobile: mobile.replace('+', '') }),
    tags: wanted.filter((tag) => !removed.includes(tag)),
    ...(attributes !== undefined && { attributes: attributesOf(state, contact, attributes) }),
  }
}

const pair = z.object({ name: textField, value: z.coerce.string() })

function attributesOf(state: ChatState, contact: Contact, sent: unknown): Attribute[] {
  const merged = new Map(contact.attributes.map((attribute) => [attribute.name, attribute]))
  const pairs = givenList(sent, 'attributes', (name, value) => ({ name, value }))
  for (const { name, value } of pairs.map((item) => parseOrRefuse(pair, item))) {
    if (!state.settings.attributes.includes(name)) refuse(`the attribute ${name} does not exist in settings`)
    if (value === '') merged.delete(name)
    else merged.set(name, { name, value, _id: merged.get(name)?._id ?? attributeId(contact, name) })
  }
  return [...merged.values()]
}

function applyTo(contact: Contact, change: ContactChange, now: number) {
  Object.assign(contact, change)
  contact.__v++
  contact.updatedAt = isoOf(now)
}

function contactById(state: ChatState, id: string): Contact {
  if (!/^[0-9a-f]{24}$/i.test(id)) refuse('a contact id is 24 hexadecimal characters')
  return state.contacts.find((one) => one._id === id.toLowerCase()) ?? notFound(`contact ${id}`)
}

const contactByMobile = (state: ChatState, mobile: string) =>
  state.contacts.find((one) => one.mobile === mobile.replace('+', ''))

const attributeId = (contact: Contact, name: string) => hexId(`attribute-${contact._id}-${name}`, 0)

/** `lastActive` belongs to the single-contact read alone. */
const toContact = ({ lastActive, ...contact }: Contact) => contact

const success = (message: string, data: unknown): HandlerResult => ({
  body: { status: 'success', message, data },
})

function newContact(state: ChatState, mobile: string, now: number): Contact {
  return {
    _id: hexId('new-contact', state.serial),
    name: '',
    settingId: state.settingId,
    userId: state.userId,
    countryCode: '',
    mobile: mobile.replace('+', ''),
    status: 'active',
    source: 'api',
    optin: true,
    attributes: [],
    incomingBlocked: false,
    broadcastIds: [],
    list: [],
    tags: [],
    __v: -1,
    createdAt: isoOf(now),
    updatedAt: isoOf(now),
    lastActive: isoOf(now),
  }
}
