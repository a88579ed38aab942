import { defineServiceChange, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const removeContact = defineServiceChange({
  name: 'resend remove-contact',
  summary: 'Remove a contact from Resend (by ID or email)',
  area: 'resend',
  input: z.object({
    id: z.string().optional().describe('Contact ID'),
    email: z.string().optional().describe('Contact email address'),
  }),
  examples: ['resend remove-contact --email ada@example.com'],
  uses: ['resend.removeContact'],
  plan: z.object({ body: requests.removeContact.body }),
  async prepare({ id, email }) {
    return ok({ body: { id, email } })
  },
  preview: () => ({ title: 'Remove contact', tone: 'plain', blocks: [] }),
  row: 'resend.removeContact',
  request: ({ body }) => ({ body }),
  done: (_, { data }) => ({ message: 'Remove contact: done.', view: openView('Remove contact', data) }),
})
