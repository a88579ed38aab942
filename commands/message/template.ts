import { z } from 'zod'
import { toContactText } from '../../src/services/endpoints/string-fields.ts'
import { fieldLabelOf, openText } from '../../src/view/record-facts.ts'
import { type Block, facts, text } from '../../src/view/view.ts'

/** What the two kinds of template messages have in common. */
export const templateName = z.string().trim().min(1, 'the template name must not be empty')

export const bodyParams = z
  .array(z.string())
  .optional()
  .describe('Values for the placeholders of the body; the first goes into {{1}}')

const contact = z.record(z.string(), z.json(), 'the contact is an object such as {"name":"Ada"}')

export const contactParam = contact
  .refine((fields) => Object.keys(fields).length > 0, 'the contact needs at least one field')
  .optional()
  .describe('Details to keep for this number, such as {"name":"Ada"}')
  .meta({ json: true })

export const templatePlan = {
  templateName: z.string(),
  bodyParams: z.array(z.string()).optional(),
  contact: contact.optional(),
}

type Template = {
  bodyParams?: string[] | undefined
  contact?: z.infer<typeof contact> | undefined
}

export const placeholders = (values: readonly string[] | undefined): Record<string, string> =>
  Object.fromEntries((values ?? []).map((value, at) => [`{{${at + 1}}}`, value]))

export const contactBlocks = ({ contact: details }: Template): Block[] =>
  details === undefined ? [] : [text('Kept for the contact with this number'), facts(readable(details))]

/** As the two bodies take them. */
export const templateBody = ({ bodyParams: values, contact: details }: Template) => ({
  ...(values !== undefined && { bodyParams: values }),
  ...(details !== undefined && { contact: toContactText(details) }),
})

/** Its fields are not documented: lists and objects in it are shown as they will be sent. */
const readable = (details: z.infer<typeof contact>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      fieldLabelOf(key),
      openText(value) || JSON.stringify(value),
    ]),
  )
