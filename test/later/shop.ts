import { z } from 'zod'
import type { Pack } from '../../src/kernel/command/pack.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { ok } from '../../src/lib/result.ts'
import { defineSandbox } from '../../src/lib/sandbox/service-sandbox.ts'
import { defineRow, defineService } from '../../src/lib/services/endpoints/row.ts'

const approval = z.looseObject({ id: z.string(), state: z.string() })

/** A service that asks somebody on its side before it pays anything back, and says so with a refusal. */
const service = defineService({
  name: 'shop',
  title: 'Shop',
  auth: 'bearer',
  environment: { baseUrl: 'SHOP_BASE_URL', keys: { apiKey: 'SHOP_API_KEY' } },
  hook: {
    secret: 'SHOP_HOOK_SECRET',
    signs: {
      header: 'shop-signature',
      part: 'v1',
      encoding: 'hex',
      over: '{time}.{body}',
      time: { part: 't' },
    },
    id: 'id',
    type: 'type',
    events: {
      'approval.changed': [
        {
          id: 'data.id',
          state: 'data.state',
          at: 'data.changed',
          why: 'data.why',
          held: ['open'],
          accepted: ['agreed'],
          done: ['carried_out'],
          failed: ['refused'],
        },
      ],
    },
    teaches: { row: 'getApproval', at: 'data' },
  },
  rows: {
    refund: defineRow({
      method: 'POST',
      path: '/refunds',
      noun: 'shop',
      effect: 'once',
      movesMoney: true,
      shown: true,
      summary: 'Pays a payment back',
      body: z.object({ payment: z.string(), amount: z.number() }),
      answer: z.looseObject({ id: z.string() }),
      later: {
        says: [
          {
            status: [402],
            id: 'error.approval.id',
            link: 'error.approval.url',
            by: 'error.approval.approver',
            state: 'error.code',
            held: ['approval_required'],
          },
        ],
        ask: {
          row: 'getApproval',
          by: 'id',
          says: [
            {
              id: 'id',
              state: 'state',
              at: 'changed',
              held: ['open'],
              done: ['carried_out'],
              failed: ['refused'],
            },
          ],
        },
      },
    }),
    getApproval: defineRow({
      method: 'GET',
      path: '/approvals/{id}',
      noun: 'shop',
      effect: 'read',
      shown: true,
      summary: 'Shows what waits for somebody',
      params: z.object({ id: z.string() }),
      answer: approval,
      identity: { id: 'id' },
    }),
  },
})

declare module '../../src/lib/services/endpoints/row.ts' {
  interface Tables {
    shop: typeof service
  }
}

type State = { approvals: { id: string; state: string; url: string; approver: string }[] }

const refund = defineServiceChange({
  name: 'shop refund',
  summary: 'Pays a payment back',
  area: 'shop',
  input: z.object({ payment: z.string().describe('The payment'), amount: z.number().describe('How much') }),
  positional: ['payment', 'amount'],
  examples: ['shop refund pay_1 30'],
  uses: ['shop.refund'],
  plan: z.object({ payment: z.string(), amount: z.number() }),
  prepare: async (input) => ok(input),
  amountOf: ({ amount }) => ({ value: amount, currency: 'USD' }),
  preview: ({ payment, amount }) => ({
    title: `Refund ${amount} USD of ${payment}`,
    tone: 'warn',
    blocks: [],
  }),
  row: 'shop.refund',
  request: (plan) => ({ body: plan }),
  done: ({ amount }) => ({ message: `Refunded ${amount} USD.` }),
})

export const shop: Pack = {
  ...service,
  surface: 1,
  commands: [refund],
  sandbox: async () =>
    defineSandbox<State, typeof service.rows>({
      seed: () => ({ approvals: [] }),
      handlers: {
        refund: ({ state }) => {
          const id = `apr_${state.approvals.length + 1}`
          const one = { id, state: 'open', url: `https://shop.example.com/approvals/${id}`, approver: 'Fay' }
          state.approvals.push(one)
          return { status: 402, body: { error: { code: 'approval_required', approval: one } } }
        },
        getApproval: ({ state, params: [id] }) => ({
          body: state.approvals.find((one) => one.id === id) ?? {},
        }),
      },
    }),
}
