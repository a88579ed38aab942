import { z } from 'zod'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeId, reason } from './id.ts'

export const approvalResolve = defineDecision({
  name: 'approval resolve',
  title: 'Say what happened',
  summary: 'Record what happened to a change whose outcome is unknown',
  input: z.object({
    id: changeId,
    outcome: z
      .enum(['happened', 'did_not'])
      .describe('What you found when you looked')
      .meta({
        aliases: {
          applied: 'happened',
          'it happened': 'happened',
          yes: 'happened',
          not_applied: 'did_not',
          'it did not': 'did_not',
          'did not happen': 'did_not',
          no: 'did_not',
        },
      }),
    reason: reason.describe('How you know, for the audit log'),
  }),
  positional: ['id'],
  examples: ['approval resolve 7k2m9qwx4p --outcome happened --reason "The refund is in the dashboard"'],
  uses: [],
  act: ({ id, outcome, reason: why }) => ({ verb: outcome, id, reason: why }),
})
