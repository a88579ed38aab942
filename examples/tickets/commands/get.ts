import { answer, defineQuery, list, text, thing, z } from 'bellhop/pack'
import { closedNote, ticketFacts, ticketId } from '../ticket.ts'

export const ticketGet = defineQuery({
  name: 'ticket get',
  summary: 'Show a ticket with its comments',
  area: 'tickets',
  input: z.object({ id: ticketId }),
  positional: ['id'],
  examples: ['ticket get tic_1001'],
  uses: ['tickets.getTicket'],
  async run({ id }, { tickets }) {
    const { data } = await tickets.getTicket({ params: { id } })
    const found = data ?? { id }
    const comments = (found.comments ?? []).map(
      ({ author, body }) => `${author ?? 'somebody'}: ${body ?? ''}`,
    )
    return answer({
      title: found.subject ?? `Ticket ${id}`,
      tone: 'plain',
      blocks: [
        ...closedNote(found),
        ticketFacts(found, thing),
        ...(comments.length === 0 ? [text('No comments.')] : [text('Comments'), list(comments)]),
      ],
    })
  },
})
