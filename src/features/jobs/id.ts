import { z } from 'zod'

export const jobId = z
  .string()
  .min(1, 'Give the id of the job; job list shows them.')
  .max(40, 'That is too long for an id; job list shows them.')
  .describe('The id of the job or of its change')
  .meta({ kind: 'job' })
