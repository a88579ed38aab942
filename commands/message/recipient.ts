import { z } from 'zod'
import type { ReadContext } from '../../src/command/context.ts'
import { ifReadable, recordsIn } from '../../src/services/read-answer.ts'
import { type Block, note } from '../../src/view/view.ts'
import { toContact } from '../contact/record.ts'
import { phone, toPhoneNumber } from './phone.ts'

export const toParam = phone.describe('Phone number with its dialing code')

/** Who a number belongs to, as far as the list of contacts, whose shape is not documented, tells. */
export const recipientPlan = z.object({
  to: z.int(),
  name: z.string().nullable(),
  contactId: z.string().nullable(),
  optin: z.boolean().nullable(),
})
export type Recipient = z.infer<typeof recipientPlan>

export const readRecipient = async (
  given: string,
  { chat }: Pick<ReadContext, 'chat'>,
): Promise<Recipient> => {
  const to = toPhoneNumber(given)
  const contacts = recordsIn((await ifReadable(chat.findContacts()))?.data, 'contacts').map(toContact)
  const known = contacts.find(({ mobile }) => mobile && toPhoneNumber(mobile) === to)
  return {
    to,
    name: known?.name || null,
    contactId: known?._id ?? null,
    optin: known?.optin ?? null,
  }
}

/** "Ada Lindqvist (+15550110000)" */
export const recipientName = ({ to, name }: Recipient): string => (name ? `${name} (+${to})` : `+${to}`)

export const recipientWarnings = ({ optin, contactId }: Recipient): Block[] => {
  if (optin === false) return [note('warn', 'This contact has not opted in to messages.')]
  return contactId === null ? [note('plain', 'No contact with this number was found.')] : []
}

/** No read shows messages; the contact is all there is to look at. */
export const recipientLookUps = ({ contactId }: Recipient): string[] =>
  contactId === null ? [] : [`contact get ${contactId}`]
