import { z } from 'zod'
import { jobId } from '../../src/features/jobs/id.ts'
import { defineDecision } from '../../src/kernel/command/define.ts'

export const jobPause = defineDecision({
  name: 'job pause',
  summary: 'Pause a bulk job; batches that are being sent finish first',
  input: z.object({ id: jobId }),
  positional: ['id'],
  examples: ['job pause 7k2m9qwx4p'],
  uses: [],
  act: ({ id }) => ({ verb: 'pause', id }),
})
