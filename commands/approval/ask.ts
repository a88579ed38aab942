import { z } from 'zod'
import { pressToAsk } from '../../src/features/questions/index.ts'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeId, words } from './id.ts'

export const approvalAsk = defineDecision({
  name: 'approval ask',
  title: 'Ask',
  summary: 'Ask whoever requested a change something before you decide; it stops nobody else',
  input: z.object({ id: changeId, question: words.describe('What you want to know') }),
  positional: ['id'],
  examples: ['approval ask 7k2m9qwx4p --question "Did the customer return it?"'],
  uses: [],
  act: ({ id, question }) => pressToAsk(id, question),
})
