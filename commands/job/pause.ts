import { z } from 'zod'
import { defineDecision } from '../../src/command/define.ts'
import { jobId } from './id.ts'

export const jobPause = defineDecision({
  name: 'job pause',
  summary: 'Pause a bulk job; batches that are being sent finish first',
  input: z.object({ id: jobId }),
  positional: ['id'],
  examples: ['job pause 7k2m9qwx4p'],
  uses: [],
  act: ({ id }) => ({ verb: 'pause', id }),
})
