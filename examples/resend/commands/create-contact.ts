import { defineServiceChange, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const createContact = defineServiceChange({
  name: 'resend create-contact',
  summary: 'Create a new contact in Resend',
  area: 'resend',
  input: z.object({
    email: z.string().describe('Contact email address'),
    firstName: z.string().optional().describe('Contact first name'),
    lastName: z.string().optional().describe('Contact last name'),
    unsubscribed: z.boolean().optional().describe('Whether the contact is unsubscribed from all broadcasts'),
    properties: z.record(z.string(), z.unknown()).optional().describe('Custom property key-value pairs for the contact (e.g. { "company_name"').meta({ json: true }),
    segmentIds: z.array(z.string()).optional().describe('Array of segment IDs to assign this contact to'),
    topics: z.array(z.unknown()).optional().describe('Array of topic subscription configurations').meta({ json: true }),
  }),
  positional: ['email'],
  examples: ['resend create-contact ada@example.com'],
  uses: ['resend.createContact'],
  plan: z.object({ body: requests.createContact.body }),
  async prepare({ email, firstName, lastName, unsubscribed, properties, segmentIds, topics }) {
    return ok({ body: { email, firstName, lastName, unsubscribed, properties, segmentIds, topics } })
  },
  preview: () => ({ title: 'Create contact', tone: 'plain', blocks: [] }),
  row: 'resend.createContact',
  request: ({ body }) => ({ body }),
  done: (_, { data }) => ({ message: 'Create contact: done.', view: openView('Create contact', data) }),
})
