import { facts, idOf, note, type thing, type z } from 'bellhop/pack'
import type { ticket } from './endpoints.ts'

export type Ticket = z.infer<typeof ticket>

/** The parameter of every command about one ticket. */
export const ticketId = idOf('the ticket id').describe('Ticket, by its id').meta({ kind: 'ticket' })

export const ticketFacts = (
  { id, subject, status, requester, created_at: created }: Ticket,
  as: typeof thing,
) =>
  facts({
    Ticket: as('ticket', id, { name: subject }),
    Subject: subject,
    Status: status,
    Requester: requester,
    Created: created,
  })

/** What everybody should know before they answer a ticket that is done. */
export const closedNote = ({ status }: Ticket) =>
  status === 'closed' ? [note('warn', 'This ticket is closed.')] : []
