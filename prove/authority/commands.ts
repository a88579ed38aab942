import { z } from 'zod'
import { apiCallFor } from '../../commands/api/call.ts'
import { approvalApprove } from '../../commands/approval/approve.ts'
import { refundAmount, refundIntent } from '../../commands/refund/intent.ts'
import { defineChange } from '../../src/command/define.ts'
import { createRegistry } from '../../src/command/registry.ts'
import { ok } from '../../src/model/result.ts'
import type { RowId } from '../../src/services/endpoints/tables.ts'

/** The commands of the model, which only call their endpoint, and the real `api call` and `approval approve` beside them. */
export const commandsOf = ({ withoutRows = false } = {}) => {
  const own = [
    define('pay', 'billing.refundPayment', ['repay']),
    define('repay', 'billing.refundPayment', ['pay']),
    define('note', 'email.deleteSubscribers', []),
  ]
  return createRegistry([...own, approvalApprove, apiCallFor(withoutRows ? [] : own)])
}

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
    plan: z.object({ history: z.string(), amount }),
    intent: (input) => (isMoney ? refundIntent(input.history, input.amount) : { name, of: input.history }),
    amountOf: (plan) => refundAmount(plan.amount),
    prepare: async (input) => ok(input),
    preview: ({ history }) => ({ title: `${name} ${history}`, tone: 'warn', blocks: [] }),
    async apply(plan, { call }) {
      await call(row, { body: plan })
      return { message: 'Done.', understood: true }
    },
  })
}
