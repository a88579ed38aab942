import { z } from 'zod'
import { namesParam } from '../../src/command/tags.ts'
import { email } from '../../src/services/endpoints/email.ts'

const { status } = email.rows.findSubscribers.query.shape

/** What can be set about a subscriber, for creating one and for changing one. */
export const subscriberFields = {
  firstName: z.string().trim().optional().describe('First name'),
  lastName: z.string().trim().optional().describe('Last name'),
  leadScore: z.int().optional().describe('Lead score, a whole number'),
  status: status.describe('Status'),
  tagsToAdd: namesParam('a tag').optional().describe('Tags to add'),
  tagsToRemove: namesParam('a tag').optional().describe('Tags to remove'),
  company: z.string().trim().optional().describe('Company'),
  position: z.string().trim().optional().describe('Position in the company'),
}
