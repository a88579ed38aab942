import { answer, defineQuery, openView, z } from 'bellhop/pack'

export const getContact = defineQuery({
  name: 'resend get-contact',
  summary: 'Get a contact by ID or email from Resend',
  area: 'resend',
  input: z.object({
    id: z.string().optional().describe('Contact ID'),
    email: z.string().optional().describe('Contact email address'),
  }),
  examples: ['resend get-contact --email ada@example.com'],
  uses: ['resend.getContact'],
  async run({ id, email }, { read }) {
    const { data } = await read('resend.getContact', { body: { id, email } })
    return answer(openView('Get contact', data))
  },
})
