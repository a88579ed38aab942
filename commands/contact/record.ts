import type { z } from 'zod'
import { contactId } from '../../packs/chat/fields.ts'
import { contact } from '../../packs/chat/records.ts'
import type { ReadContext } from '../../src/command/context.ts'
import { idOrNameOf } from '../../src/command/id.ts'
import { linkEnd } from '../../src/model/link.ts'
import { no, ok, type Result } from '../../src/model/result.ts'
import { ifKnown, type OpenRecord } from '../../src/services/read-answer.ts'
import { names, when, yesNo } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, facts } from '../../src/view/view.ts'

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
    refusal('not_found', `There is no contact ${id}.`, { next: 'contact find shows every contact id.' }),
  )
}

/** "Ada Lindqvist (15550110000)", or whichever of the two is known. */
export const contactName = (one: Contact, asked: string): string => {
  const mobile = one.mobile || ''
  if (one.name) return mobile ? `${one.name} (${mobile})` : one.name
  return mobile || asked
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
    (attributes ?? []).flatMap(({ name, value }) => (name ? [[`Attribute ${name}`, value ?? '']] : [])),
  )
