import { z } from 'zod'
import { pressToAnswer } from '../../src/features/questions/index.ts'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeId, words } from './id.ts'

export const approvalAnswer = defineDecision({
  name: 'approval answer',
  title: 'Answer',
  summary: 'Answer what was asked about a request of your own',
  input: z.object({
    id: changeId,
    answer: words.describe('Your answer, for whoever asked and everybody who decides'),
  }),
  positional: ['id'],
  examples: ['approval answer 7k2m9qwx4p --answer "Yes, it came back on Monday"'],
  uses: [],
  forAgents: true,
  act: ({ id, answer }) => pressToAnswer(id, answer),
})
