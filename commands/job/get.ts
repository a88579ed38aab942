import { z } from 'zod'
import { jobId } from '../../src/features/jobs/id.ts'
import { jobs } from '../../src/features/jobs/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { no } from '../../src/lib/result.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'

export const jobGet = defineQuery({
  name: 'job get',
  summary: 'Show the progress of a bulk job, its speed, and what went wrong',
  area: 'bellhop',
  input: z.object({ id: jobId }),
  positional: ['id'],
  examples: ['job get 7k2m9qwx4p'],
  uses: [],
  async run({ id }, { of }) {
    const view = await of(jobs).get(id)
    if (view !== undefined) return answer(view)
    return no(refusal('no_such_change', `There is no job ${asTyped(id)}.`, { next: 'Look at job list.' }))
  },
})
