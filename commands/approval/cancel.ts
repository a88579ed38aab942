import { z } from 'zod'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeId } from './id.ts'

export const approvalCancel = defineDecision({
  name: 'approval cancel',
  title: 'Cancel request',
  summary: 'Cancel a request of your own',
  input: z.object({ id: changeId }),
  positional: ['id'],
  examples: ['approval cancel 7k2m9qwx4p'],
  uses: [],
  forAgents: true,
  act: ({ id }) => ({ verb: 'cancel', id }),
})
