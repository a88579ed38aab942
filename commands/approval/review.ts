import { z } from 'zod'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeId, reason } from './id.ts'

export const approvalReview = defineDecision({
  name: 'approval review',
  title: 'Review an emergency',
  summary: 'Record that you looked at what somebody did alone in an emergency',
  input: z.object({ id: changeId, reason: reason.describe('What you found, for the audit log') }),
  positional: ['id'],
  examples: ['approval review 7k2m9qwx4p --reason "The chargeback was due that night"'],
  uses: [],
  act: ({ id, reason: why }) => ({ verb: 'mark_reviewed', id, reason: why }),
})
