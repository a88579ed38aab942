import { z } from 'zod'
import { jobId } from '../../src/features/jobs/id.ts'
import { defineDecision } from '../../src/kernel/command/define.ts'

export const jobStop = defineDecision({
  name: 'job stop',
  summary: 'Stop a bulk job for good; items that were not tried yet are not processed',
  input: z.object({ id: jobId }),
  positional: ['id'],
  examples: ['job stop 7k2m9qwx4p'],
  uses: [],
  act: ({ id }) => ({ verb: 'stop', id }),
})
