import type { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { idOrNameOf } from '../../src/kernel/command/id.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import {
  ifKnown,
  ifReadable,
  isRecord,
  type OpenRecord,
  recordsIn,
} from '../../src/lib/services/read-answer.ts'
import { linkEnd } from '../../src/lib/things/link.ts'
import { names, when, yesNo } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, facts } from '../../src/lib/view/view.ts'
import { contactId, toPhoneNumber } from './fields.ts'
import { contact } from './records.ts'

export type Contact = z.infer<typeof contact>

export const toContact = (value: OpenRecord): Contact => contact.parse(value)

/** A contact by its id, or by an address or a number that leads to one. */
export const contactWho = idOrNameOf('a contact').refine(
  (value) =>
    contactId.safeParse(value).success ||
    linkEnd('phone', value) !== undefined ||
    linkEnd('email', value) !== undefined,
  'give a contact id of 24 hexadecimal characters, a phone number or an email address',
)

export const readContact = async (
  id: string,
  { chat }: Pick<ReadContext, 'chat'>,
): Promise<Result<Contact>> => {
  const isId = contactId.safeParse(id).success
  const found = isId ? (await ifKnown(chat.getContact({ params: { id } })))?.data : undefined
  if (found !== undefined) return ok(found)
  return no(
    refusal('not_found', `There is no contact ${theirs(id)}.`, {
      next: 'contact find shows every contact id.',
    }),
  )
}

/** "Ada Lindqvist (15550110000)", or whichever of the two is known. */
export const contactName = (one: Contact, asked: string): string => {
  const mobile = one.mobile || ''
  if (one.name) return mobile ? `${theirs(one.name)} (${theirs(mobile)})` : theirs(one.name)
  return theirs(mobile || asked)
}

/** "+15550110000, may be written to" */
export const contactLine = (one: Contact): string => {
  const number = /^\d+$/.test(one.mobile ?? '') ? `+${one.mobile}` : one.mobile
  const may = one.optin === false ? 'has not agreed to be written to' : 'may be written to'
  const blocked = one.incomingBlocked === true ? 'blocked' : undefined
  return [number, one.optin === undefined || one.optin === null ? one.status : may, blocked]
    .filter(Boolean)
    .join(', ')
}

/** Facts that do not change while a card is shown, so no relative times. */
export const contactSummary = (one: Contact): Block => facts(summaryOf(one))

export const contactFacts = (one: Contact): Block =>
  facts({
    ...summaryOf(one),
    'Last active': when(one.lastActive),
    Added: when(one.createdAt),
    Updated: when(one.updatedAt),
    Source: one.source,
    Id: thing('contact', one._id, { name: one.name }),
  })

const summaryOf = (one: Contact) => ({
  Name: one.name,
  Mobile: one.mobile,
  'Country code': one.countryCode,
  Status: one.status,
  'Opted in': yesNo(one.optin),
  'Incoming blocked': yesNo(one.incomingBlocked),
  Tags: names(one.tags),
  Lists: names(one.list),
  ...attributesOf(one),
})

/** Custom fields under their own names, with a prefix so that none looks like a field of Bellhop's own. */
const attributesOf = ({ attributes }: Contact): Record<string, string> =>
  Object.fromEntries(
    (attributes ?? []).flatMap(({ name, value }) =>
      name ? [[`Attribute ${theirs(name)}`, value ?? '']] : [],
    ),
  )

/** The service lists contacts without documented pages: `total` is how many it speaks of, if it does. */
export type Contacts = { contacts: Contact[]; total: number | undefined }

export const contactsIn = (data: unknown): Contacts => ({
  contacts: recordsIn(data, 'contacts').map(toContact),
  total: totalIn(data),
})

/** Undefined where the service does not answer this read. */
export const readContacts = async ({ chat }: Pick<ReadContext, 'chat'>): Promise<Contacts | undefined> => {
  const read = await ifReadable(chat.findContacts())
  return read === undefined ? undefined : contactsIn(read.data)
}

export const contactsWith = (phone: number, all: Contacts | undefined): Contact[] =>
  all?.contacts.filter(({ mobile }) => mobile && toPhoneNumber(mobile) === phone) ?? []

/** Why nobody was found: only who looked at all of them may say that there is none. */
export const notFoundWords = (all: Contacts | undefined): string => {
  if (all === undefined) return 'The service did not list its contacts, so nobody was looked for.'
  const { contacts, total } = all
  const looked = formatNumber(contacts.length)
  if (total === undefined) {
    return `None of the ${looked} contacts that the service listed has this number; it does not say whether these are all.`
  }
  if (contacts.length >= total) return 'No contact with this number was found.'
  return `None of the ${looked} of ${formatNumber(total)} contacts that the service listed has this number.`
}

const totalIn = (data: unknown): number | undefined => {
  if (!isRecord(data)) return undefined
  const places = [data, data.pagination, data.meta].filter(isRecord)
  return places
    .flatMap((place) => [place.total, place.totalCount, place.totalItems, place.count])
    .find((value) => typeof value === 'number')
}

/** Whether the words are part of what a contact is known by. The service documents no search. */
export const isContactMeant = ({ name, mobile, tags, list, _id }: Contact, words: string): boolean => {
  const wanted = words.toLowerCase()
  const texts = [name, mobile, _id, ...(tags ?? []), ...(list ?? [])]
  const digits = /^\+?[\d\s().-]{4,}$/.test(words) ? words.replace(/\D/g, '') : undefined
  return (
    texts.some((text) => text?.toLowerCase().includes(wanted)) || Boolean(digits && mobile?.includes(digits))
  )
}
