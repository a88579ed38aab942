import { defineServiceChange, diff, ok, thing, z } from 'bellhop/pack'
import { closedNote, ticketFacts, ticketId } from '../ticket.ts'

export const ticketComment = defineServiceChange({
  name: 'ticket comment',
  summary: 'Comment on a ticket, for the requester or for colleagues alone',
  area: 'tickets',
  input: z.object({
    id: ticketId,
    body: z
      .string('what to say is needed')
      .trim()
      .min(1)
      .max(2000)
      .describe('What to say')
      .meta({ rest: true }),
    internal: z.boolean().optional().describe('For colleagues alone'),
  }),
  positional: ['id', 'body'],
  examples: ['ticket comment tic_1001 "We are looking into it"'],
  uses: ['tickets.addComment', 'tickets.getTicket'],
  plan: z.object({ id: z.string(), body: z.string(), isPublic: z.boolean(), ticket: z.unknown() }),
  async prepare({ id, body, internal = false }, { tickets }) {
    const { data } = await tickets.getTicket({ params: { id } })
    return ok({ id, body, isPublic: !internal, ticket: data })
  },
  preview: ({ id, body, isPublic, ticket }) => ({
    title: `Comment on ticket ${id}`,
    tone: 'plain',
    blocks: [
      ...closedNote(ticket as never),
      ticketFacts(ticket as never, thing),
      diff({ [isPublic ? 'The requester reads' : 'Colleagues read']: [null, body] }),
    ],
  }),
  row: 'tickets.addComment',
  request: ({ id, body, isPublic }) => ({ params: { id }, body: { body, public: isPublic } }),
  done: ({ id }) => ({ message: `The comment stands on ticket ${id}.` }),
  lookUps: ({ id }) => [`ticket get ${id}`],
})
