import { z } from 'zod'
import { toContactText } from '../../src/services/endpoints/string-fields.ts'
import { fieldLabelOf, openText } from '../../src/view/record-facts.ts'
import { type Block, facts, text } from '../../src/view/view.ts'

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
}

type Template = {
  bodyParams?: string[] | undefined
  contact?: z.infer<typeof contact> | undefined
}

export const placeholders = (values: readonly string[] | undefined): Record<string, string> =>
  Object.fromEntries((values ?? []).map((value, at) => [`{{${at + 1}}}`, value]))

export const contactBlocks = ({ contact: details }: Template): Block[] =>
  details === undefined ? [] : [text('Stored for the contact with this number'), facts(readable(details))]

/** In the form that both request bodies take. */
export const templateBody = ({ bodyParams: values, contact: details }: Template) => ({
  ...(values !== undefined && { bodyParams: values }),
  ...(details !== undefined && { contact: toContactText(details) }),
})

/** The fields are not documented, so lists and objects are shown as the JSON that will be sent. */
const readable = (details: z.infer<typeof contact>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      fieldLabelOf(key),
      openText(value) || JSON.stringify(value),
    ]),
  )
