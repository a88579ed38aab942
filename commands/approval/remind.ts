import { z } from 'zod'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeId } from './id.ts'

export const approvalRemind = defineDecision({
  name: 'approval remind',
  title: 'Remind',
  summary: 'Remind those whose turn it is of a change that waits for them',
  input: z.object({ id: changeId }),
  positional: ['id'],
  examples: ['approval remind 7k2m9qwx4p'],
  uses: [],
  act: ({ id }) => ({ verb: 'remind', id }),
})
