import { z } from 'zod'
import { jobId } from '../../src/features/jobs/id.ts'
import { defineDecision } from '../../src/kernel/command/define.ts'

export const jobResume = defineDecision({
  name: 'job resume',
  summary: 'Resume a bulk job that is paused, or that is waiting after its first part',
  input: z.object({ id: jobId }),
  positional: ['id'],
  examples: ['job resume 7k2m9qwx4p'],
  uses: [],
  act: ({ id }) => ({ verb: 'resume', id }),
})
