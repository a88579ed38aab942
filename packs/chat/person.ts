import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { PersonPart, PersonSaid } from '../../src/kernel/command/pack.ts'
import { found } from '../../src/kernel/context/person-part.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { likeliest } from '../../src/kernel/things/candidates.ts'
import { type LinkEnd, linkEnd } from '../../src/lib/things/link.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { list, note, table } from '../../src/lib/view/view.ts'
import {
  type Contact,
  contactFacts,
  contactLine,
  contactName,
  contactsIn,
  isContactMeant,
} from './contact.ts'
import { contactId } from './fields.ts'

const maxContacts = 5
const maxRows = 20

export const person: PersonPart = {
  uses: ['chat.getContact', 'chat.findContacts'],
  look: ({ person: known }, context, within) => {
    const contacts = endsOfKind(known, 'contact')
    const phones = endsOfKind(known, 'phone')
    if (contacts.length === 0 && phones.length === 0) return undefined
    return async () => {
      const { value, why, isAsked } = await found(
        () => contactsFor(contacts, phones, context, within()),
        'contact',
      )
      const all = value ?? []
      return {
        isFound: value !== undefined,
        isAsked,
        name: all.find((one) => one.name)?.name ?? undefined,
        ...saidOf(all, why),
      }
    }
  },
  absent: () => [note('plain', 'No number or contact id is known, so it was not asked.')],
  find: {
    uses: ['chat.findContacts'],
    heading: 'Contacts (messaging service)',
    read: async (words, { chat }, options) => {
      const { data } = await chat.findContacts({}, options)
      const all = contactsIn(data)
      const meant = all.contacts.filter((one) => isContactMeant(one, words))
      const likely = likeliest(meant, words, (one) => [one.name ?? '', one.mobile ?? '', one._id ?? ''])
      const fitting = likely.length === 0 ? meant : likely
      const listed = Math.max(all.total ?? 0, all.contacts.length)
      return fitting.length === 0
        ? note(
            'plain',
            `No contacts fit, of ${formatNumber(all.contacts.length)} looked at of ${formatNumber(listed)}.`,
          )
        : table(
            ['Name', 'Mobile', 'Id'],
            fitting.slice(0, maxRows).map((one) => [one.name ?? '', one.mobile ?? '', one._id ?? '']),
            fitting.slice(0, maxRows).map((one) => thing('contact', one._id, { name: one.name })),
          )
    },
  },
}

const saidOf = (
  all: readonly Contact[],
  why: string | undefined,
): Pick<PersonSaid, 'line' | 'blocks' | 'details' | 'offers'> => {
  const [only] = all
  if (only === undefined) return { blocks: [note('plain', why ?? '')] }
  if (all.length === 1) {
    return {
      line: { words: contactLine(only), thing: thing('contact', only._id, { name: only.name }) },
      details: [contactFacts(only)],
      offers: offersOf(only),
    }
  }
  return {
    blocks: [
      note('plain', `${plural(all.length, 'contact')} fit: look at one by its id.`),
      list(all.map((one) => `person get ${one._id}  ${contactName(one, '')}`)),
    ],
  }
}

/** Who may be written to is written to. */
const offersOf = (contact: Contact): PersonSaid['offers'] => {
  const of = thing('contact', contact._id)
  return of === undefined ? [] : [{ thing: of, command: 'message text', label: 'Message' }]
}

/** By their ids if links know them, which takes one short read each, otherwise by their number in the listing. */
const contactsFor = async (
  contacts: readonly LinkEnd[],
  phones: readonly LinkEnd[],
  { chat }: ReadContext,
  options: { deadlineMs: number },
): Promise<Contact[] | undefined> => {
  const ids = contacts.map(({ id }) => id).filter((id) => contactId.safeParse(id).success)
  if (ids.length > 0) {
    const read = await Promise.all(
      ids.slice(0, maxContacts).map((id) => chat.getContact({ params: { id } }, options)),
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
