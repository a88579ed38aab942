import { answer, defineQuery, note, table, thing, z } from 'bellhop/pack'

export const ticketFind = defineQuery({
  name: 'ticket find',
  summary: 'Find tickets by words, by status or by who wrote them',
  area: 'tickets',
  input: z.object({
    search: z.string().trim().min(1).optional().describe('Words in the subject').meta({ rest: true }),
    status: z.enum(['open', 'pending', 'closed']).optional().describe('Only tickets of this status'),
    requester: z.string().trim().min(3).optional().describe('Only tickets from this email address'),
  }),
  positional: ['search'],
  examples: ['ticket find invoice', 'ticket find --status open --requester ada@example.com'],
  uses: ['tickets.findTickets'],
  async run(query, { tickets }) {
    const { data } = await tickets.findTickets({ query })
    const found = data?.tickets ?? []
    return answer({
      title: 'Tickets',
      tone: 'plain',
      blocks: [
        found.length === 0
          ? note('plain', 'No tickets fit.')
          : table(
              ['Id', 'Subject', 'Status', 'Requester'],
              found.map((one) => [one.id, one.subject ?? '', one.status ?? '', one.requester ?? '']),
              found.map((one) => thing('ticket', one.id, { name: one.subject })),
            ),
      ],
    })
  },
})
