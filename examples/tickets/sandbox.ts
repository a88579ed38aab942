import { defineSandbox, notFound, parseOrRefuse, z } from 'bellhop/pack'
import type { tickets } from './endpoints.ts'

type State = {
  tickets: {
    id: string
    subject: string
    status: string
    requester: string
    created_at: string
    comments: { author: string; body: string; at: string }[]
  }[]
  vouchers: { id: string; ticket_id: string; amount: number; reason?: string | undefined }[]
}

const seed = (): State => ({
  tickets: [
    ['tic_1001', 'Invoice shows the wrong address', 'open', 'ada@example.com'],
    ['tic_1002', 'Parcel came late', 'open', 'grace@example.com'],
    ['tic_1003', 'How do I change my plan?', 'closed', 'ada@example.com'],
  ].map(([id = '', subject = '', status = '', requester = '']) => ({
    id,
    subject,
    status,
    requester,
    created_at: '2026-11-02T09:00:00.000Z',
    comments: [],
  })),
  vouchers: [],
})

const ticketIn = ({ tickets: all }: State, id = '') =>
  all.find((one) => one.id === id) ?? notFound(`ticket ${id}`)

export const sandbox = defineSandbox<State, typeof tickets.rows>({
  seed,
  handlers: {
    findTickets: ({ state, query }) => {
      const [search, status, requester] = ['search', 'status', 'requester'].map((name) =>
        query.get(name)?.toLowerCase(),
      )
      const fitting = state.tickets.filter(
        (one) =>
          (!search || one.subject.toLowerCase().includes(search)) &&
          (!status || one.status === status) &&
          (!requester || one.requester === requester),
      )
      return { body: { tickets: fitting.map(({ comments, ...rest }) => rest) } }
    },
    getTicket: ({ state, params: [id] }) => ({ body: ticketIn(state, id) }),
    addComment: ({ state, params: [id], body, now }) => {
      const { body: words } = parseOrRefuse(z.object({ body: z.string().min(1), public: z.boolean() }), body)
      ticketIn(state, id).comments.push({ author: 'Bellhop', body: words, at: new Date(now).toISOString() })
      return { status: 201, body: {} }
    },
    closeTicket: ({ state, params: [id], body }) => {
      const { status } = parseOrRefuse(z.object({ status: z.literal('closed') }), body)
      return { body: Object.assign(ticketIn(state, id), { status }) }
    },
    createVoucher: ({ state, params: [id], body }) => {
      const { amount, reason } = parseOrRefuse(
        z.object({ amount: z.int().positive(), reason: z.string().optional() }),
        body,
      )
      const one = ticketIn(state, id)
      const made = { id: `vou_${1001 + state.vouchers.length}`, ticket_id: one.id, amount, reason }
      state.vouchers.push(made)
      return { status: 201, body: made }
    },
  },
})
