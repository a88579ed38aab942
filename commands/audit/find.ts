import { z } from 'zod'
import { stateNames } from '../../src/approvals/card.ts'
import { purposeOf } from '../../src/audit/figures.ts'
import { answer, pastTheEnd } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import type { Change } from '../../src/model/change.ts'
import { money, when } from '../../src/view/format.ts'
import { table, text } from '../../src/view/view.ts'
import { filterParams, toFilter } from './filters.ts'

const pageSize = 15

export const auditFind = defineQuery({
  name: 'audit find',
  title: 'Search audit log',
  summary: 'Search the audit log: who did what, when, and with what result',
  area: 'bellhop',
  input: z.object({
    ...filterParams,
    all: z.boolean().optional().describe('Look-ups too, not only changes').meta({ isSwitch: true }),
    page: z.int().min(1).optional().describe('Which page to show'),
  }),
  examples: ['audit find', 'audit find --command refund --since 7d', 'audit find --all'],
  uses: [],
  async run({ page = 1, all = false, ...filter }, { records, past }) {
    const found = await records.audit.find({
      ...(await toFilter(filter, { past })),
      changesOnly: !all,
      limit: pageSize,
      page,
    })
    const shown = found.slice(0, pageSize)
    if (shown.length === 0 && page > 1) return pastTheEnd(page)
    if (shown.length === 0) {
      return answer({
        title: 'No entry matches',
        tone: 'plain',
        blocks: [text('Leave out a filter, or look at everything with audit find --all.')],
      })
    }
    const ids = [...new Set(shown.flatMap(({ changeId }) => changeId ?? []))]
    const changes = new Map((await records.changesById(ids)).map((change) => [change.id, change]))
    return answer(
      {
        title: 'Audit log',
        tone: 'plain',
        blocks: [
          table(
            ['Entry#+', 'When', 'Who', 'Did', 'Command', 'Amount#+', 'Reason+', 'Outcome+', 'Change+'],
            shown.map((entry) => [
              String(entry.seq),
              when(entry.at) ?? '',
              entry.name,
              eventNames[entry.kind] ?? entry.kind,
              entry.command,
              ...outcomeCells(changes.get(entry.changeId ?? '')),
              entry.changeId ?? '',
            ]),
          ),
        ],
        footer: `Page ${page}. audit verify proves that nothing was changed or removed.`,
      },
      { pages: { previous: page > 1, next: found.length > pageSize } },
    )
  },
})

/** What came of a change; nothing for a look-up. */
const outcomeCells = (change: Change | undefined): [string, string, string] =>
  change === undefined
    ? ['', '', '']
    : [
        change.amount === null ? '' : money(change.amount, { code: change.currency }),
        purposeOf(change.plan).reason ?? '',
        stateNames[change.state],
      ]

/** Stored kinds of entries that people would not understand as they are. */
const eventNames: Record<string, string> = {
  claimed: 'started',
  applied: 'done',
  voided: 'no longer valid',
  not_applied: 'did not happen',
}
