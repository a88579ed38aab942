import { z } from 'zod'
import { contactsWith, notFoundWords, readContact, readContacts } from '../../packs/chat/contact.ts'
import { contactId, phone, toPhoneNumber } from '../../packs/chat/fields.ts'
import { sentMessage } from '../../packs/chat/records.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import type { ServiceAnswer } from '../../src/lib/services/client/interpret.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { fewNames, names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { type Block, facts, note, type View } from '../../src/lib/view/view.ts'
import { chosenForms } from './template-params.ts'

/** A number, or a contact by its id or by the address that leads to it, whose number is looked up. */
export const toParam = z
  .string()
  .trim()
  .superRefine((value, context) => {
    if (contactId.safeParse(value).success || emailAddress.safeParse(value).success) return
    for (const { message } of phone.safeParse(value).error?.issues ?? []) {
      context.addIssue({ code: 'custom', message })
    }
  })
  .describe('Phone number with its dialing code, a contact, or the email address of one')
  .meta({ kind: 'contact', by: 'number' })

/** What every message has: whom it is for, and where to look afterwards. */
export const forRecipient = {
  area: 'chat' as const,
  prepare: async <T extends { to: string }>(
    { to, ...message }: T,
    context: Pick<ReadContext, 'chat' | 'guesses'>,
  ) => {
    const recipient = await readRecipient(to, context)
    return recipient.ok
      ? ok({ recipient: recipient.value, ...message, ...chosenForms(message, context.guesses) })
      : recipient
  },
  lookUps: ({ recipient }: { recipient: Recipient }): string[] => recipientLookUps(recipient),
}

/** The card of a message: what is sent to whom, and what is known about them, before the rest. */
export const messageCard = (
  what: string,
  recipient: Recipient,
  about: Parameters<typeof facts>[0],
  blocks: Block[],
): View => ({
  title: `Send ${what} to ${recipientName(recipient)}`,
  tone: 'warn',
  blocks: [
    ...recipientWarnings(recipient),
    facts({ To: { role: 'target', value: recipientName(recipient) }, ...about }),
    ...blocks,
  ],
})

/** What the service says about a message. Most kinds are not documented; they are read like those that are. */
export const sentOf = (
  answer: ServiceAnswer<unknown>,
  what: string,
  recipient: Recipient,
): { message: string; view: View | undefined } => {
  const to = recipientName(recipient)
  const { data } = sentMessage.safeParse(answer.data)
  const messages = data?.platformResponse?.messages ?? []
  return {
    message: `Sent ${what} to ${to}.`,
    view: data && {
      title: `Message to ${to}`,
      tone: 'good',
      blocks: [
        facts({
          To: data.to,
          Status: names([...new Set(messages.flatMap((one) => one.message_status ?? []))], ''),
          Chat: data.chatId,
          Message: names(
            messages.flatMap((one) => one.id ?? []),
            '',
          ),
        }),
      ],
    },
  }
}

/** The contact with this number, if the list of contacts, whose shape is not documented, has one. */
export const recipientPlan = z.object({
  to: z.int(),
  name: z.string().nullable(),
  contactId: z.string().nullable(),
  optin: z.boolean().nullable(),
  /** Why no contact is named: nobody has the number, or several do. */
  search: wording(z.string()),
})
type Recipient = z.infer<typeof recipientPlan>

const readRecipient = async (
  given: string,
  { chat }: Pick<ReadContext, 'chat'>,
): Promise<Result<Recipient>> => {
  if (contactId.safeParse(given).success) {
    const found = await readContact(given, { chat })
    if (!found.ok) return found
    const { mobile, name, optin } = found.value
    if (!mobile || !phone.safeParse(mobile).success) {
      return no(
        refusal('not_allowed_now', `The contact ${theirs(name || given)} has no phone number to write to.`, {
          next: 'Give the number itself, with its dialing code.',
        }),
      )
    }
    const known = { name: name || null, contactId: given, optin: optin ?? null }
    return ok({ to: toPhoneNumber(mobile), search: '', ...known })
  }
  const to = toPhoneNumber(given)
  const all = await readContacts({ chat })
  const [known, ...others] = contactsWith(to, all)
  if (known !== undefined && others.length > 0) {
    const names = [known, ...others].map(({ name, _id }) => theirs(name || _id || 'one without a name'))
    const search = `${others.length + 1} contacts have this number: ${fewNames(names)}.`
    const isOut = [known, ...others].some(({ optin }) => optin === false)
    return ok({ to, search, name: null, contactId: null, optin: isOut ? false : null })
  }
  return ok({
    to,
    search: known === undefined ? notFoundWords(all) : '',
    name: known?.name || null,
    contactId: known?._id ?? null,
    optin: known?.optin ?? null,
  })
}

/** "Ada Lindqvist (+15550110000)" */
const recipientName = ({ to, name }: Recipient): string => (name ? `${theirs(name)} (+${to})` : `+${to}`)

const recipientWarnings = ({ optin, contactId, search }: Recipient): Block[] => {
  return [
    ...(contactId === null ? [note('warn', search)] : []),
    ...(optin === false ? [note('warn', 'This contact has not opted in to messages.')] : []),
  ]
}

/** No endpoint reads messages, so the contact is the only thing that can be looked up. */
const recipientLookUps = ({ contactId }: Recipient): string[] =>
  contactId === null || !/^[\w-]+$/.test(contactId) ? [] : [`contact get ${contactId}`]
