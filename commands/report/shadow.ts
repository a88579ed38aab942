import { z } from 'zod'
import type { CountedChange } from '../../src/features/reports/figures.ts'
import { reports } from '../../src/features/reports/index.ts'
import { shadow } from '../../src/features/shadow/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { csvLine } from '../../src/lib/codecs/csv.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { facts, table, text } from '../../src/lib/view/view.ts'
import { approversOf, grouped, notesOnUnseen, totalWords, windowOf, windowParams } from './window.ts'

/** What became of a request, and what would have become of it had it not been in shadow. */
const ends = {
  done: 'Would have been sent',
  refused: 'Rejected, withdrawn or no longer possible',
  expired: 'Expired',
  open: 'Not decided yet',
} as const

export const reportShadow = defineQuery({
  name: 'report shadow',
  title: 'Report shadow',
  summary: 'Show what would have been sent while nothing was, what was refused, and by which rule',
  area: 'bellhop',
  isLong: true,
  input: z.object(windowParams),
  examples: ['report shadow --since 7d'],
  uses: [],
  async run(given, { of, now, past, zone }) {
    const window = await windowOf(given, { now, past, zone }, '7d')
    if (!window.ok) return window
    const { since, until } = window.value
    const asked = (await of(reports).changes(since)).filter(
      (one) => one.withheld !== undefined && one.askedAt >= since && one.askedAt <= until,
    )
    const done = asked.filter((one) => endOf(one) === 'done')
    return answer(
      {
        kind: 'report',
        title: `${plural(done.length, 'change')} would have been sent${done.length === 0 ? '' : `: ${totalWords(done)}`}`,
        tone: 'plain',
        blocks: [
          facts({
            Time: window.value.words,
            Now: of(shadow).now ?? 'everything is sent',
            ...Object.fromEntries(
              Object.entries(ends).map(([end, label]) => [
                label,
                String(asked.filter((one) => endOf(one) === end).length),
              ]),
            ),
          }),
          ...(asked.length === 0 ? [text('Nothing was asked for in shadow in this time.')] : [byRule(asked)]),
          ...notesOnUnseen(asked),
        ],
        footer:
          'Nothing of this was sent, and nothing of it will be. Leaving the shadow is a change of bellhop.yml.',
      },
      { file: { name: 'shadow.csv', type: 'text/csv', content: csvOf(asked) } },
    )
  },
})

const endOf = ({ state, withheld }: CountedChange): keyof typeof ends => {
  if (withheld === 'decided') return 'done'
  if (state === 'expired') return 'expired'
  return state === 'pending' || state === 'approved' ? 'open' : 'refused'
}

const byRule = (changes: readonly CountedChange[]) =>
  table(
    ['Command', 'Rule', 'Asked#', 'Would have been sent#', 'Refused#', 'Sum'],
    grouped(changes, ({ command, rule }) => `${command}\n${rule}`).map(([key, some]) => {
      const [command = '', rule = ''] = key.split('\n')
      const ended = (end: keyof typeof ends) => some.filter((one) => endOf(one) === end)
      return [
        command,
        rule,
        String(some.length),
        String(ended('done').length),
        String(ended('refused').length + ended('expired').length),
        ended('done').length === 0 ? '' : totalWords(ended('done')),
      ]
    }),
  )

const csvOf = (changes: readonly CountedChange[]): string =>
  csvLine(['change', 'command', 'rule', 'requester', 'asked_at', 'end', 'approvers', 'amount', 'currency']) +
  changes
    .filter(({ isSeen }) => isSeen)
    .map((one) =>
      csvLine([
        one.id,
        one.command,
        one.rule,
        one.requester.name,
        new Date(one.askedAt).toISOString(),
        ends[endOf(one)],
        approversOf(one.votes),
        one.amount,
        one.currency,
      ]),
    )
    .join('')
