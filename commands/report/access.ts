import { z } from 'zod'
import { type AccessRow, isUnused, type Use } from '../../src/features/review/access.ts'
import { review } from '../../src/features/review/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { csvLine } from '../../src/lib/codecs/csv.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { when } from '../../src/lib/view/format.ts'
import { note, table } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'
import { windowOf, windowParams } from './window.ts'

const maxShown = 40

export const reportAccess = defineQuery({
  name: 'report access',
  title: 'Report access',
  summary: 'Show who may run and approve what, through which role, and when they last did',
  area: 'bellhop',
  input: z.object({ since: windowParams.since }),
  examples: ['report access', 'report access --since 180d'],
  uses: [],
  isLong: true,
  async run({ since }, context) {
    const window = await windowOf({ since }, context, '90d')
    if (!window.ok) return window
    const found = await context.of(review).access(window.value.since)
    if (!found.ok) return found
    const { rows, unasked } = found.value
    const people = new Set(rows.map(({ person }) => person)).size
    const gone = new Set(rows.filter((row) => row.gone.length > 0).map(({ person }) => person)).size
    const unused = rows.filter(isUnused).length
    return answer(
      {
        kind: 'report',
        title: `${plural(people, 'person', 'people')} with rights: ${gone} gone, ${plural(unused, 'role')} never used`,
        tone: gone > 0 ? 'warn' : 'plain',
        blocks: [
          table(
            ['Person', 'Through', 'May run', 'Ran#', 'Last ran', 'May approve', 'Decided#', 'Last decided'],
            rows
              .slice(0, maxShown)
              .map((row) => [
                nameOf(row),
                throughOf(row),
                row.run.join(', '),
                timesOf(row.run, row.ran),
                when(row.ran.last) ?? '',
                row.approve.join(', '),
                timesOf(row.approve, row.decided),
                when(row.decided.last) ?? '',
              ]),
          ),
          ...(rows.length > maxShown
            ? [note('plain', `${rows.length - maxShown} more are in the file.`)]
            : []),
          note('plain', sentence`Used since ${when(window.value.since)}. Agents count with their owners.`),
          ...(unasked === 0
            ? []
            : [
                note(
                  'warn',
                  `${plural(unasked, 'account')} could not be asked about: whether they are gone is not known.`,
                ),
              ]),
          ...(gone + unused === 0
            ? []
            : [note('plain', 'policy propose people.<id>.roles - <role> takes a role from somebody.')]),
        ],
      },
      { file: { name: 'access.csv', type: 'text/csv', content: csvOf(rows) } },
    )
  },
})

const nameOf = ({ name, gone }: AccessRow): string =>
  gone.length === 0 ? name : `${name} (gone from ${gone.join(' and ')})`

const throughOf = ({ role, through, rules }: AccessRow): string =>
  [`${role}, by ${through}`, ...(rules.length === 0 ? [] : [`asked by ${rules.join(', ')}`])].join('; ')

const timesOf = (patterns: readonly string[], { times }: Use): string =>
  patterns.length === 0 ? '' : times === 0 ? 'never' : String(times)

const csvOf = (rows: readonly AccessRow[]): string =>
  csvLine([
    'person',
    'name',
    'gone_from',
    'role',
    'through',
    'may_run',
    'ran',
    'last_ran',
    'may_approve',
    'decided',
    'last_decided',
    'rules',
  ]) +
  rows
    .map(({ person, name, gone, role, through, run, ran, approve, decided, rules }) =>
      csvLine([
        person,
        name,
        gone.join(' '),
        role,
        through,
        run.join('; '),
        ran.times,
        isoOf(ran),
        approve.join('; '),
        decided.times,
        isoOf(decided),
        rules.join('; '),
      ]),
    )
    .join('')

const isoOf = ({ last }: Use): string => (last === undefined ? '' : new Date(last).toISOString())
