import { z } from 'zod'
import { defineDecision } from '../../src/command/define.ts'
import { jobId } from './id.ts'

export const jobStop = defineDecision({
  name: 'job stop',
  summary: 'Stop a bulk job for good; items that were not tried yet are not processed',
  input: z.object({ id: jobId }),
  positional: ['id'],
  examples: ['job stop 7k2m9qwx4p'],
  uses: [],
  act: ({ id }) => ({ verb: 'stop', id }),
})
