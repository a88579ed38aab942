import { defineServiceChange, diff, no, ok, refusal, z } from 'bellhop/pack'
import { ticketId } from '../ticket.ts'

export const ticketClose = defineServiceChange({
  name: 'ticket close',
  summary: 'Close a ticket',
  area: 'tickets',
  input: z.object({ id: ticketId }),
  positional: ['id'],
  examples: ['ticket close tic_1001'],
  uses: ['tickets.closeTicket', 'tickets.getTicket'],
  plan: z.object({ id: z.string(), subject: z.string(), status: z.string() }),
  async prepare({ id }, { tickets }) {
    const { data } = await tickets.getTicket({ params: { id } })
    if (data?.status === 'closed') return no(refusal('nothing_to_change', `Ticket ${id} is closed already.`))
    return ok({ id, subject: data?.subject ?? '', status: data?.status ?? 'open' })
  },
  preview: ({ id, subject, status }) => ({
    title: `Close ticket ${id}`,
    tone: 'plain',
    blocks: [diff({ [subject || id]: [status, 'closed'] })],
  }),
  row: 'tickets.closeTicket',
  request: ({ id }) => ({ params: { id }, body: { status: 'closed' as const } }),
  done: ({ id }) => ({ message: `Ticket ${id} is closed.` }),
  lookUps: ({ id }) => [`ticket get ${id}`],
})
