import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { table, text } from '../../src/view/view.ts'
import { zonedTime } from '../../src/view/zones.ts'

export const scheduleFind = defineQuery({
  name: 'schedule find',
  summary: 'List scheduled look-ups: what, how often, where, and when next',
  area: 'bellhop',
  input: z.object({}),
  examples: ['schedule find'],
  uses: [],
  async run(_, { records }) {
    const schedules = await records.schedules.list()
    return answer({
      title: schedules.length === 0 ? 'Nothing is scheduled' : 'Scheduled look-ups',
      tone: 'plain',
      blocks: [
        schedules.length === 0
          ? text('schedule create has a look-up run again and again.')
          : table(
              ['Id', 'Look-up', 'Every', 'Posted in', 'Next', 'Set by'],
              schedules.map(({ id, line, every, zone, channel, nextAt, by }) => [
                id,
                line,
                every,
                channel ?? 'a direct message',
                zonedTime(nextAt, zone),
                by.name,
              ]),
            ),
      ],
    })
  },
})
