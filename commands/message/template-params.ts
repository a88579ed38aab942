import { z } from 'zod'
import { chatForms, toContactDetails } from '../../packs/chat/guesses.ts'
import type { Guesses } from '../../src/lib/services/endpoints/guesses.ts'
import { defaultGuesses } from '../../src/lib/services/endpoints/tables.ts'
import { fieldLabelOf, openText } from '../../src/lib/view/record-facts.ts'
import { type Block, facts, text } from '../../src/lib/view/view.ts'

/** The parameters that both kinds of template messages share. */
export const templateName = z.string().trim().min(1, 'the template name must not be empty')

export const bodyParams = z
  .array(z.string())
  .optional()
  .describe('Values for the placeholders of the body; the first goes into {{1}}')

const contact = z.record(z.string(), z.json(), 'the contact is an object such as {"name":"Ada"}')

export const contactParam = contact
  .refine((fields) => Object.keys(fields).length > 0, 'the contact needs at least one field')
  .optional()
  .describe('Details to store for this number, such as {"name":"Ada"}')
  .meta({ json: true })

export const templatePlan = {
  templateName: z.string(),
  bodyParams: z.array(z.string()).optional(),
  contact: contact.optional(),
  /** The forms that were chosen for what no document shows; a plan without them was made by none. */
  guesses: z
    .object({ contact: z.enum(chatForms.contact), quickReplies: z.enum(chatForms.quickReplies) })
    .partial()
    .optional(),
}

/** Only what is used and is not what is sent anyway. */
export const chosenForms = (
  message: { contact?: unknown; quickReplies?: unknown },
  guesses: Guesses,
): { guesses?: Partial<Pick<Guesses, 'contact' | 'quickReplies'>> } => {
  const chosen = (['contact', 'quickReplies'] as const).filter(
    (field) => message[field] !== undefined && guesses[field] !== defaultGuesses()[field],
  )
  return chosen.length === 0
    ? {}
    : { guesses: Object.fromEntries(chosen.map((field) => [field, guesses[field]])) }
}

type Template = {
  bodyParams?: string[] | undefined
  contact?: z.infer<typeof contact> | undefined
  guesses?: { contact?: Guesses['contact'] | undefined } | undefined
}

export const placeholders = (values: readonly string[] | undefined): Record<string, string> =>
  Object.fromEntries((values ?? []).map((value, at) => [`{{${at + 1}}}`, value]))

export const contactBlocks = ({ contact: details }: Template): Block[] =>
  details === undefined ? [] : [text('Stored for the contact with this number'), facts(readable(details))]

/** In the form that both request bodies take. */
export const templateBody = ({ bodyParams: values, contact: details, guesses }: Template) => ({
  ...(values !== undefined && { bodyParams: values }),
  ...(details !== undefined && {
    contact: toContactDetails(details, guesses?.contact ?? defaultGuesses().contact),
  }),
})

/** The fields are not documented, so lists and objects are shown as the JSON that will be sent. */
const readable = (details: z.infer<typeof contact>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      fieldLabelOf(key),
      openText(value) || JSON.stringify(value),
    ]),
  )
