import { defineRow, defineService, linkEnd, z } from 'bellhop/pack'

const text = z.string().nullish()

export const ticket = z.looseObject({
  id: z.string(),
  subject: text,
  status: text,
  requester: text,
  created_at: text,
  comments: z.array(z.looseObject({ author: text, body: text, at: text })).nullish(),
})

const voucher = z.looseObject({ id: text, ticket_id: text, amount: z.number().nullish() })

const byId = z.object({ id: z.string().min(1) })

/** Two vouchers of one amount for one ticket are the same request, whichever way they are asked for. */
export const voucherIntent = (id: unknown, amount: unknown) => ({
  row: 'tickets.createVoucher',
  id,
  amount: amount ?? null,
})

export const tickets = defineService({
  name: 'tickets',
  title: 'Tickets',
  auth: 'bearer',
  environment: { baseUrl: 'TICKETS_BASE_URL', keys: { apiKey: 'TICKETS_API_KEY' } },
  prefix: '/v1',
  rows: {
    findTickets: defineRow({
      method: 'GET',
      path: '/tickets',
      noun: 'ticket',
      effect: 'read',
      shown: true,
      summary: 'Find tickets by words, status or requester',
      query: z.object({ search: z.string(), status: z.string(), requester: z.string() }).partial(),
      answer: z.object({ tickets: z.array(ticket) }),
    }),
    getTicket: defineRow({
      method: 'GET',
      path: '/tickets/{id}',
      noun: 'ticket',
      effect: 'read',
      shown: true,
      summary: 'Get a ticket with its comments',
      params: byId,
      answer: ticket,
      identity: { id: 'id' },
    }),
    addComment: defineRow({
      method: 'POST',
      path: '/tickets/{id}/comments',
      noun: 'ticket',
      effect: 'once',
      shown: true,
      summary: 'Comment on a ticket',
      params: byId,
      body: z.object({ body: z.string(), public: z.boolean() }),
      answer: z.looseObject({}),
    }),
    closeTicket: defineRow({
      method: 'PUT',
      path: '/tickets/{id}',
      noun: 'ticket',
      effect: 'idempotent',
      shown: true,
      summary: 'Close a ticket',
      params: byId,
      body: z.object({ status: z.literal('closed') }),
      answer: ticket,
      identity: { id: 'id' },
      readBack: { read: 'getTicket', tells: 'values' },
    }),
    createVoucher: defineRow({
      method: 'POST',
      path: '/tickets/{id}/vouchers',
      noun: 'ticket',
      effect: 'once',
      movesMoney: {
        intent: (params, body) => voucherIntent(params.id, body?.amount),
        amount: (body) => ({
          value: typeof body?.amount === 'number' && body.amount > 0 ? body.amount : null,
          currency: null,
        }),
      },
      shown: true,
      summary: 'Give the requester of a ticket a voucher',
      params: byId,
      body: z.object({ amount: z.int().positive(), reason: z.string().optional() }),
      answer: voucher,
      identity: { ticket_id: 'id' },
    }),
  },
  kinds: { ticket: { prefixes: ['tic', 'ticket'], perPerson: 'some' } },
  links: {
    // Whoever writes to support says their own address, so nothing here leads to money.
    trust: 'view',
    seen: ({ record }, add) => {
      if (record.requester !== undefined)
        add(linkEnd('ticket', record.id), linkEnd('email', record.requester))
    },
    teaches: ({ kind, id }) => {
      if (kind === 'email') return { row: 'findTickets', input: { query: { requester: id } } }
      return kind === 'ticket' ? { row: 'getTicket', input: { params: { id } } } : undefined
    },
  },
})

declare module 'bellhop/pack' {
  interface Tables {
    tickets: typeof tickets
  }
  interface ThingKinds {
    ticket: unknown
  }
}
