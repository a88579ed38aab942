import { z } from 'zod'
import { grants, grantWords } from '../../src/features/grants/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { verbs } from '../../src/lib/view/button-labels.ts'
import { due, fewNames } from '../../src/lib/view/format.ts'
import { table, text } from '../../src/lib/view/view.ts'

/** Buttons below the list; every other is ended by its id. */
const maxEnded = 5
const maxLabel = 60

export const grantList = defineQuery({
  name: 'grant list',
  summary: 'List the rights that people have for a while: what, by whom, until when, and what is left',
  area: 'bellhop',
  input: z.object({}),
  examples: ['grant list'],
  uses: [],
  async run(_, { of, records }) {
    const [found, absences] = await Promise.all([of(grants).list(), records.absences()])
    const standing = absences.flatMap(({ by, to, endsAt }) =>
      to === null
        ? []
        : [
            [
              `${records.person(to)?.name ?? to} may vote for ${by.name}`,
              by.name,
              due(endsAt) ?? '',
              '',
              'away',
            ],
          ],
    )
    const rows = [
      ...found.map((grant) => [
        grantWords(grant),
        fewNames(grant.givers),
        due(grant.endsAt) ?? '',
        grant.left ?? '',
        grant.id,
      ]),
      ...standing,
    ]
    return answer({
      title: rows.length === 0 ? 'Nobody has a right for a while' : 'Rights that end by themselves',
      tone: 'plain',
      blocks: [
        rows.length === 0
          ? text('grant create gives one, where bellhop.yml has grants.')
          : table(['What', 'Given by', 'Until', 'Left', 'Id+'], rows),
      ],
      actions: found.slice(0, maxEnded).map((grant) => ({
        verb: 'end_grant',
        id: grant.id,
        label: `${verbs.end_grant.label}: ${grantWords(grant)}`.slice(0, maxLabel),
      })),
    })
  },
})
