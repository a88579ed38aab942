import { z } from 'zod'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeIds, reason } from './id.ts'

export const approvalReject = defineDecision({
  name: 'approval reject',
  title: 'Reject',
  summary: 'Reject a change that is waiting; one rejection is enough',
  input: z.object({ id: changeIds, reason: reason.describe('Why, for the requester and the audit log') }),
  positional: ['id'],
  examples: ['approval reject 7k2m9qwx4p --reason "Already refunded in March"'],
  uses: [],
  act: ({ id: ids, reason: why }) => ({ verb: 'reject', id: ids.join(','), reason: why }),
})
