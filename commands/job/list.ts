import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { when } from '../../src/view/format.ts'
import { formatNumber } from '../../src/view/format-number.ts'
import { thing } from '../../src/view/thing.ts'
import { table, text } from '../../src/view/view.ts'

export const jobList = defineQuery({
  name: 'job list',
  summary: 'List bulk jobs that are running, paused or waiting for somebody to resume them',
  area: 'bellhop',
  input: z.object({}),
  examples: ['job list'],
  uses: [],
  async run(_input, { records }) {
    const jobs = await records.jobs()
    return answer({
      title: jobs.length === 0 ? 'No bulk jobs are in progress' : 'Bulk jobs in progress',
      tone: 'plain',
      blocks:
        jobs.length === 0
          ? [text('campaign send and subscriber import start bulk jobs.')]
          : [
              table(
                ['Job+', 'State', 'What', 'Items#', 'Changed'],
                jobs.map(({ id, state, title, total, updatedAt }) => [
                  id,
                  state,
                  title,
                  formatNumber(total),
                  when(updatedAt) ?? '',
                ]),
                jobs.map(({ id, title }) => thing('job', id, { name: title })),
              ),
            ],
    })
  },
})
