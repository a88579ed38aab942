import type { ReadContext } from '../../src/command/context.ts'
import { ifReadable, isRecord, recordsIn } from '../../src/services/read-answer.ts'
import { formatNumber } from '../../src/view/format-number.ts'
import { toPhoneNumber } from '../message/phone.ts'
import { type Contact, toContact } from './record.ts'

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

export const contactOf = (phone: number, all: Contacts | undefined): Contact | undefined =>
  all?.contacts.find(({ mobile }) => mobile && toPhoneNumber(mobile) === phone)

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
