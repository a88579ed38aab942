import { z } from 'zod'
import { email } from '../../packs/email/endpoints.ts'
import { namesParam } from '../../src/kernel/command/tags.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { type Block, note } from '../../src/lib/view/view.ts'

const statuses: readonly string[] = email.rows.findSubscribers.query.shape.status.unwrap().options

const customFields = z
  .array(z.string().regex(/^\s*[^=\s][^=]*=/, 'a custom field is name=value, such as plan=gold'))
  .refine(
    (pairs) => new Set(pairs.map((pair) => toField(pair)[0])).size === pairs.length,
    'each custom field can be named only once',
  )
  .refine(
    (pairs) => !pairs.some((pair) => ['company', 'position'].includes(toField(pair)[0])),
    'company and position are given apart, by their own names',
  )

/** `plan=gold` as a name and its value; an empty value empties the field. */
export const toField = (pair: string): [name: string, value: string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
}

export const isKnownStatus = (status: string): boolean => statuses.includes(status)

/** The service stores any status; the documents name only those it can be filtered by. */
export const statusWarnings = (status: string | undefined): Block[] => {
  if (status === undefined || status === 'subscribed') return []
  return [
    note(
      'warn',
      isKnownStatus(status)
        ? `As ${theirs(status)}, this person may no longer get any email.`
        : `The documents name no status ${theirs(status)}: it is sent as it is. Known: ${statuses.join(', ')}.`,
    ),
  ]
}

/** What can be set about a subscriber, for creating one and for changing one. */
export const subscriberFields = {
  firstName: z.string().trim().optional().describe('First name'),
  lastName: z.string().trim().optional().describe('Last name'),
  leadScore: z.int().optional().describe('Lead score, a whole number'),
  status: z
    .string()
    .trim()
    .min(1, 'the status must not be empty')
    .optional()
    .describe(`Status: ${statuses.join(', ')}`),
  tagsToAdd: namesParam('a tag').optional().describe('Tags to add'),
  tagsToRemove: namesParam('a tag').optional().describe('Tags to remove'),
  company: z.string().trim().optional().describe('Company'),
  customFields: customFields
    .optional()
    .describe('Other custom fields as name=value, such as plan=gold; subscriber fields lists them'),
  position: z.string().trim().optional().describe('Position in the company'),
}
