import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { due } from '../../src/lib/view/format.ts'
import { table, text } from '../../src/lib/view/view.ts'

export const awayList = defineQuery({
  name: 'away list',
  summary: 'List who is away, until when, and who may vote for them',
  area: 'bellhop',
  input: z.object({}),
  examples: ['away list'],
  uses: [],
  async run(_, { records }) {
    const absences = await records.absences()
    return answer({
      title: absences.length === 0 ? 'Nobody is away' : 'Away now',
      tone: 'plain',
      blocks: [
        absences.length === 0
          ? text('Whoever goes away says so with away set.')
          : table(
              ['Who', 'Until', 'Votes for them'],
              absences.map(({ by, to, endsAt }) => [
                by.name,
                due(endsAt) ?? '',
                to === null ? 'nobody' : (records.person(to)?.name ?? to),
              ]),
            ),
      ],
    })
  },
})
