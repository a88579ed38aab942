import { z } from 'zod'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeId } from './id.ts'

export const approvalAgain = defineDecision({
  name: 'approval again',
  title: 'Ask again',
  summary: 'Ask again for what was cancelled, rejected, expired or failed, with everything filled in',
  input: z.object({ id: changeId }),
  positional: ['id'],
  examples: ['approval again 7k2m9qwx4p'],
  uses: [],
  forAgents: true,
  act: ({ id }) => ({ verb: 'again', id }),
})
