import { amountParam, defineServiceChange, facts, ok, thing, toAmount, z } from 'bellhop/pack'
import { voucherIntent } from '../endpoints.ts'
import { ticketId } from '../ticket.ts'

/** Its row says that it moves money, so somebody else approves it unless a rule says otherwise. */
export const ticketVoucher = defineServiceChange({
  name: 'ticket voucher',
  summary: 'Give the requester of a ticket a refund voucher',
  area: 'tickets',
  input: z.object({
    id: ticketId,
    amount: amountParam.describe('How much, a whole number'),
    reason: z.string().trim().min(1).max(200).optional().describe('Why, stored with the voucher'),
  }),
  positional: ['id', 'amount'],
  examples: ['ticket voucher tic_1001 20 --reason "Parcel came late"'],
  uses: ['tickets.createVoucher', 'tickets.getTicket'],
  plan: z.object({
    id: z.string(),
    amount: z.number(),
    reason: z.string().optional(),
    subject: z.string(),
    requester: z.string(),
  }),
  intent: ({ id, amount }) => voucherIntent(id, toAmount(amount)?.value),
  amountOf: ({ amount }) => ({ value: amount, currency: null }),
  reasonOf: ({ reason }) => reason,
  evidenceOf: ({ requester }) => (requester === '' ? 'The ticket names nobody.' : undefined),
  async prepare({ id, amount, reason }, { tickets }) {
    const { data } = await tickets.getTicket({ params: { id } })
    return ok({
      id,
      amount: toAmount(amount)?.value ?? 0,
      ...(reason === undefined ? {} : { reason }),
      subject: data?.subject ?? '',
      requester: data?.requester ?? '',
    })
  },
  preview: ({ id, amount, reason, subject, requester }) => ({
    title: `Voucher of ${amount} for ticket ${id}`,
    tone: 'warn',
    blocks: [
      facts({
        Ticket: thing('ticket', id, { name: subject }),
        Subject: subject,
        For: requester,
        Amount: { role: 'amount', value: amount },
        Reason: { role: 'reason', value: reason },
      }),
    ],
  }),
  row: 'tickets.createVoucher',
  request: ({ id, amount, reason }) => ({
    params: { id },
    body: { amount, ...(reason === undefined ? {} : { reason }) },
  }),
  done: ({ amount, requester }, { data }) => ({
    message: `${requester || 'The requester'} has a voucher of ${amount}${data?.id ? ` (${data.id})` : ''}.`,
  }),
  lookUps: ({ id }) => [`ticket get ${id}`],
})
