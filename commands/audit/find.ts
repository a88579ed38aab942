import { z } from 'zod'
import { stateNames } from '../../src/kernel/cards/card.ts'
import { answer, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { type AuditEntry, entryKindWords } from '../../src/kernel/model/audit-entry.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { purposeOf } from '../../src/kernel/model/purpose.ts'
import { no } from '../../src/lib/result.ts'
import { money, when } from '../../src/lib/view/format.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { code, facts, table, text } from '../../src/lib/view/view.ts'
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
    entry: z
      .string()
      .regex(/^\d{1,15}$|^[\w-]{20,40}$/, 'Write the number of an entry, as audit find shows it.')
      .optional()
      .describe('One entry whole, by its number in the log')
      .meta({ kind: 'entry' }),
  }),
  examples: [
    'audit find',
    'audit find --command refund --since 7d',
    'audit find --all',
    'audit find --entry 12',
  ],
  uses: [],
  async run({ page = 1, all = false, entry, ...filter }, { records, past }) {
    if (entry !== undefined) {
      const seq = /^\d{1,15}$/.test(entry) ? Number(entry) : undefined
      const [one] = await records.audit.find({
        ...(seq === undefined ? { id: entry } : { before: seq + 1 }),
        limit: 1,
        page: 1,
      })
      return one !== undefined && (seq === undefined || one.seq === seq)
        ? entryAnswer(one, (await records.changesById(one.changeId ? [one.changeId] : []))[0])
        : no(
            refusal('not_found', `There is no entry ${entry} that you may see.`, {
              next: 'Look at audit find.',
            }),
          )
    }
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
            [
              ...['Entry#', 'When', 'Who', 'What', 'Did+', 'Command+', 'Amount#+', 'Reason+', 'Outcome+'],
              'Change+',
            ],
            shown.map((one) => [
              // One that was written a moment ago has no number yet.
              one.seq === null ? `new ${one.id.slice(9, 13)}` : String(one.seq),
              when(one.at) ?? '',
              one.name,
              whatOf(one, changes.get(one.changeId ?? '')),
              didOf(one),
              one.command,
              ...outcomeCells(changes.get(one.changeId ?? '')),
              one.changeId ?? '',
            ]),
            shown.map((one) => thing('entry', one.seq === null ? one.id : String(one.seq))),
          ),
        ],
        footer: `Page ${page}. audit verify proves that nothing was changed or removed.`,
      },
      { pages: { previous: page > 1, next: found.length > pageSize } },
    )
  },
})

const didOf = (entry: AuditEntry): string => eventNames[entry.kind] ?? entryKindWords(entry)

/** "approved: Refund 40 USD to Ada": what was done, and with which of the requests or look-ups. */
const whatOf = (entry: AuditEntry, change: Change | undefined): string => {
  const { line } = entry.doc
  const about = change?.preview.title ?? (typeof line === 'string' && line !== '' ? line : entry.command)
  return `${didOf(entry)}: ${about}`
}

/** An entry with all that it says. */
const entryAnswer = (entry: AuditEntry, change: Change | undefined) =>
  answer({
    kind: 'thing',
    title: `${entry.name}: ${whatOf(entry, change)}`,
    tone: 'plain',
    blocks: [
      facts({
        Entry: entry.seq,
        When: when(entry.at),
        Who: `${entry.name} (${entry.who})`,
        From: entry.platform,
        Did: didOf(entry),
        Command: entry.command,
        Change: change === undefined ? entry.changeId : thing('change', change.id),
      }),
    ],
    details: [text('What was recorded'), code(JSON.stringify(entry.doc, null, 2))],
    footer: 'audit verify proves that nothing was changed or removed.',
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
  accepted: 'accepted, not settled yet',
  reversed: 'taken back by the service',
}
