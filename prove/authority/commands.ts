import { z } from 'zod'
import { apiCallFor } from '../../commands/api/call.ts'
import { approvalApprove } from '../../commands/approval/approve.ts'
import { approvalChange } from '../../commands/approval/change.ts'
import { ownPacks } from '../../commands/own-packs.ts'
import { sendBroadcast } from '../../examples/resend/commands/send-broadcast.ts'
import { pack as resend } from '../../examples/resend/index.ts'
import { ticketVoucher } from '../../examples/tickets/commands/voucher.ts'
import { pack as tickets } from '../../examples/tickets/index.ts'
import { refundAmount, refundIntent } from '../../packs/billing/intents.ts'
import { defineChange } from '../../src/kernel/command/define.ts'
import { createRegistry } from '../../src/kernel/command/registry.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { ok } from '../../src/lib/result.ts'
import type { RowId } from '../../src/lib/services/endpoints/tables.ts'
import { type LinkEnd, type LinkPair, pairOf } from '../../src/lib/things/link.ts'

export const packs = [...ownPacks, tickets, resend]

/**
 * The commands of the model, which only call their endpoint; beside them the real `api call`, `approval approve`,
 * `approval change`, and a change of each pack from outside.
 */
export const commandsOf = ({ withoutRows = false } = {}) => {
  const own = [
    define('pay', 'billing.refundPayment', ['repay']),
    define('repay', 'billing.refundPayment', ['pay']),
    define('note', 'email.deleteSubscribers', []),
    ticketVoucher,
    sendBroadcast,
  ]
  const links = [defineLink('tie', false), defineLink('untie', true), tag]
  const decisions = [approvalApprove, approvalChange]
  return createRegistry([...own, ...links, ...decisions, apiCallFor(withoutRows ? [] : own, packs)])
}

const emailOf = (history: string): LinkEnd => ({ kind: 'email', id: `${history}@example.com` })
export const customerOf = (history: string, n: number): LinkEnd => ({
  kind: 'customer',
  id: `cus_${history}_${n}`,
})
export const linkOf = (history: string, n: number): LinkPair =>
  pairOf(emailOf(history), customerOf(history, n)) as LinkPair

const linkInput = z.object({ history: z.string().describe('History'), n: z.number().describe('Customer') })

/** Says by hand that the address of a history is a customer, or that it is not. */
const defineLink = (name: string, isOff: boolean) =>
  defineChange({
    name,
    summary: 'A link of the model',
    area: 'email',
    input: linkInput,
    positional: ['history', 'n'],
    examples: [`${name} h1 1`],
    uses: [],
    plan: linkInput,
    prepare: async (input) => ok(input),
    preview: ({ history }) => ({ title: `${name} ${history}`, tone: 'warn', blocks: [] }),
    async apply({ history, n }, { links }) {
      await links.say(linkOf(history, n), isOff)
      return { message: 'Done.', understood: true }
    },
  })

/** Writes a customer into a field of the address. */
const tag = defineChange({
  name: 'tag',
  summary: 'A field of the model',
  area: 'email',
  input: linkInput,
  positional: ['history', 'n'],
  examples: ['tag h1 1'],
  uses: ['email.updateSubscriber'],
  plan: linkInput,
  prepare: async (input) => ok(input),
  preview: ({ history }) => ({ title: `tag ${history}`, tone: 'warn', blocks: [] }),
  async apply({ history, n }, { call }) {
    const customFields = { company: customerOf(history, n).id }
    await call('email.updateSubscriber', { params: { email: emailOf(history).id }, body: { customFields } })
    return { message: 'Done.', understood: true }
  },
})

const define = (name: string, row: RowId, sameAs: string[]) => {
  const isMoney = row.startsWith('billing')
  const amount = z.number().describe('Amount').optional()
  return defineChange({
    name,
    summary: 'A change of the model',
    area: isMoney ? 'billing' : 'email',
    input: z.object({ history: z.string().describe('History'), amount }),
    positional: ['history', 'amount'],
    examples: [`${name} h1 10`],
    uses: [row],
    sameAs,
    plan: z.object({ history: z.string(), amount, customers: z.array(z.string()) }),
    intent: (input) => (isMoney ? refundIntent(input.history, input.amount) : { name, of: input.history }),
    amountOf: (plan) => refundAmount(plan.amount),
    // Whose money it is, as links say it.
    async prepare(input, { links }) {
      const customers = isMoney ? endsOfKind(await links.payerOf(emailOf(input.history)), 'customer') : []
      return ok({ ...input, customers: customers.map(({ id }) => id).toSorted() })
    },
    preview: ({ history }) => ({ title: `${name} ${history}`, tone: 'warn', blocks: [] }),
    async apply(plan, { call }) {
      await call(row, { body: plan })
      return { message: 'Done.', understood: true }
    },
  })
}
