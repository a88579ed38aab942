import { z } from 'zod'
import { schedules } from '../../src/features/schedules/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { isStoppable } from '../../src/kernel/law/law.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { countWords, someWhere } from '../../src/lib/some.ts'
import { verbs } from '../../src/lib/view/button-labels.ts'
import { due } from '../../src/lib/view/format.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, note, table, text } from '../../src/lib/view/view.ts'

const maxLater = 500
/** Buttons below the list; its rows end all others. */
const maxEnded = 5
const maxLabel = 60

export const scheduleFind = defineQuery({
  name: 'schedule find',
  summary: 'List what is scheduled: look-ups that come again, and changes that are approved for later',
  area: 'bellhop',
  input: z.object({}),
  examples: ['schedule find'],
  uses: [],
  async run(_, { of, records, now, actor }) {
    const [lookUps, approved] = await Promise.all([
      of(schedules).list(),
      records.changes({ states: ['approved'], limit: maxLater, page: 1 }),
    ])
    const found = someWhere(approved, (change) => isStoppable(change, now))
    const later = found.items
    return answer({
      title:
        later.length > 0
          ? 'What is scheduled'
          : lookUps.length === 0
            ? 'Nothing is scheduled'
            : 'Scheduled look-ups',
      tone: 'plain',
      blocks: [
        ...(later.length === 0 ? [] : [text('Changes that are approved for later'), scheduledTable(later)]),
        ...(found.isCut
          ? [note('warn', `There are ${countWords(found)}: approval list --state approved has them all.`)]
          : []),
        lookUps.length === 0
          ? text('schedule create has a look-up run again and again.')
          : table(
              ['Id+', 'Look-up', 'Every', 'Posted in', 'Next', 'Set by+'],
              lookUps.map(({ id, line, every, channel, nextAt, by }) => [
                id,
                line,
                every,
                channel ?? 'a direct message',
                due(nextAt) ?? '',
                by.name,
              ]),
              lookUps.map(({ id, line }) => thing('schedule', id, { name: line })),
            ),
      ],
      actions: lookUps
        .filter(({ by }) => by.person === actor.person)
        .slice(0, maxEnded)
        .map(({ id, line }) => ({ verb: 'end', id, label: `${verbs.end.label} ${line}`.slice(0, maxLabel) })),
    })
  },
})

/** What runs later, with when; its row cancels it or changes the time. */
const scheduledTable = (changes: readonly Change[]): Block =>
  table(
    ['What', 'Runs', 'Asked by', 'Id+'],
    changes.map(({ id, preview, holdUntil, runAt, requester, updatedAt }) => [
      preview.title,
      due(holdUntil ?? runAt?.at ?? updatedAt) ?? '',
      requester.name,
      id,
    ]),
    changes.map(({ id, preview }) => thing('change', id, { name: preview.title })),
  )
