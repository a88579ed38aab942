import { z } from 'zod'
import { jobs } from '../../src/features/jobs/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { countWords } from '../../src/lib/some.ts'
import { when } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { note, table, text } from '../../src/lib/view/view.ts'

export const jobList = defineQuery({
  name: 'job list',
  summary: 'List bulk jobs that are running, paused or waiting for somebody to resume them',
  area: 'bellhop',
  input: z.object({}),
  examples: ['job list'],
  uses: [],
  async run(_input, { of }) {
    const found = await of(jobs).list()
    const open = found.items
    return answer({
      title: open.length === 0 ? 'No bulk jobs are in progress' : 'Bulk jobs in progress',
      tone: 'plain',
      blocks:
        open.length === 0
          ? [text('campaign send and subscriber import start bulk jobs.')]
          : [
              table(
                ['Job+', 'State', 'What', 'Items#', 'Changed'],
                open.map(({ id, state, title, total, updatedAt }) => [
                  id,
                  state,
                  title,
                  formatNumber(total),
                  when(updatedAt) ?? '',
                ]),
                open.map(({ id, title }) => thing('job', id, { name: title })),
              ),
              ...(found.isCut ? [note('warn', `There are ${countWords(found)}: these are the newest.`)] : []),
            ],
    })
  },
})
