import { z } from 'zod'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeId } from './id.ts'

export const approvalChange = defineDecision({
  name: 'approval change',
  title: 'Change request',
  summary: 'Change what was asked, by the flags of its own command; all votes are void then',
  input: z.object({ id: changeId }),
  positional: ['id'],
  examples: ['approval change 7k2m9qwx4p'],
  uses: [],
  act: ({ id }) => ({ verb: 'change', id }),
})
