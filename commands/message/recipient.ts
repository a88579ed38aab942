import { z } from 'zod'
import type { ReadContext } from '../../src/command/context.ts'
import { type Block, note } from '../../src/view/view.ts'
import { contactOf, notFoundWords, readContacts } from '../contact/all.ts'
import { phone, toPhoneNumber } from './phone.ts'

export const toParam = phone.describe('Phone number with its dialing code').meta({ kind: 'contact' })

/** The contact with this number, if the list of contacts, whose shape is not documented, has one. */
export const recipientPlan = z.object({
  to: z.int(),
  name: z.string().nullable(),
  contactId: z.string().nullable(),
  optin: z.boolean().nullable(),
  /** Why no contact is named. */
  search: z.string(),
})
export type Recipient = z.infer<typeof recipientPlan>

export const readRecipient = async (
  given: string,
  { chat }: Pick<ReadContext, 'chat'>,
): Promise<Recipient> => {
  const to = toPhoneNumber(given)
  const all = await readContacts({ chat })
  const known = contactOf(to, all)
  return {
    to,
    search: known === undefined ? notFoundWords(all) : '',
    name: known?.name || null,
    contactId: known?._id ?? null,
    optin: known?.optin ?? null,
  }
}

/** "Ada Lindqvist (+15550110000)" */
export const recipientName = ({ to, name }: Recipient): string => (name ? `${name} (+${to})` : `+${to}`)

export const recipientWarnings = ({ optin, contactId, search }: Recipient): Block[] => {
  if (optin === false) return [note('warn', 'This contact has not opted in to messages.')]
  return contactId === null ? [note('plain', search)] : []
}

/** No endpoint reads messages, so the contact is the only thing that can be looked up. */
export const recipientLookUps = ({ contactId }: Recipient): string[] =>
  contactId === null ? [] : [`contact get ${contactId}`]
