import { answer, defineQuery, openView, z } from 'bellhop/pack'

export const listContacts = defineQuery({
  name: 'resend list-contacts',
  summary: 'List contacts from Resend',
  area: 'resend',
  input: z.object({
    segmentId: z.string().optional().describe('Segment ID to filter by'),
    limit: z.number().optional().describe('Number of contacts to retrieve'),
    after: z.string().optional().describe('Contact ID after which to retrieve more (for forward pagination)'),
    before: z.string().optional().describe('Contact ID before which to retrieve more (for backward pagination)'),
  }),
  examples: ['resend list-contacts'],
  uses: ['resend.listContacts'],
  async run({ segmentId, limit, after, before }, { read }) {
    const { data } = await read('resend.listContacts', { body: { segmentId, limit, after, before } })
    return answer(openView('List contacts', data))
  },
})
