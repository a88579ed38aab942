import { z } from 'zod'
import { defineDecision } from '../../src/command/define.ts'
import { jobId } from './id.ts'

export const jobResume = defineDecision({
  name: 'job resume',
  summary: 'Resume a bulk job that is paused, or that is waiting after its first part',
  input: z.object({ id: jobId }),
  positional: ['id'],
  examples: ['job resume 7k2m9qwx4p'],
  uses: [],
  act: ({ id }) => ({ verb: 'resume', id }),
})
