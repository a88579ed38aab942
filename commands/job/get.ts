import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { no } from '../../src/model/result.ts'
import { refusal } from '../../src/view/refusals.ts'
import { jobId } from './id.ts'

export const jobGet = defineQuery({
  name: 'job get',
  summary: 'Show the progress of a bulk job, its speed, and what went wrong',
  area: 'bellhop',
  input: z.object({ id: jobId }),
  positional: ['id'],
  examples: ['job get 7k2m9qwx4p'],
  uses: [],
  async run({ id }, { records }) {
    const view = await records.job(id)
    if (view !== undefined) return answer(view)
    return no(refusal('no_such_change', `There is no job "${id}".`, { next: 'Look at job list.' }))
  },
})
