import { z } from 'zod'
import { isStoppable } from '../../src/approvals/law.ts'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { due } from '../../src/view/format.ts'
import { table, text } from '../../src/view/view.ts'
import { scheduledTable } from '../approval/sections.ts'

export const scheduleFind = defineQuery({
  name: 'schedule find',
  summary: 'List what is scheduled: look-ups that come again, and changes that are approved for later',
  area: 'bellhop',
  input: z.object({}),
  examples: ['schedule find'],
  uses: [],
  async run(_, { records, now }) {
    const [schedules, approved] = await Promise.all([
      records.schedules.list(),
      records.changes({ states: ['approved'], limit: 50, page: 1 }),
    ])
    const later = approved.filter((change) => isStoppable(change, now))
    return answer({
      title:
        later.length > 0
          ? 'What is scheduled'
          : schedules.length === 0
            ? 'Nothing is scheduled'
            : 'Scheduled look-ups',
      tone: 'plain',
      blocks: [
        ...(later.length === 0 ? [] : [text('Changes that are approved for later'), scheduledTable(later)]),
        schedules.length === 0
          ? text('schedule create has a look-up run again and again.')
          : table(
              ['Id+', 'Look-up', 'Every', 'Posted in', 'Next', 'Set by+'],
              schedules.map(({ id, line, every, channel, nextAt, by }) => [
                id,
                line,
                every,
                channel ?? 'a direct message',
                due(nextAt) ?? '',
                by.name,
              ]),
            ),
      ],
    })
  },
})
