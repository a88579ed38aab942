import { z } from 'zod'
import { type CountedChange, notShown } from '../../src/features/reports/figures.ts'
import { reports } from '../../src/features/reports/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { defineQuery, type QueryAnswer } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { isAtService } from '../../src/kernel/model/change.ts'
import { csvLine } from '../../src/lib/codecs/csv.ts'
import { no, type Result } from '../../src/lib/result.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { type Block, chart, facts, note, table, text } from '../../src/lib/view/view.ts'
import { chartsByDay, dayIn } from './refund-chart.ts'
import { lostSince, unrecordedSince } from './unrecorded.ts'
import {
  approversOf,
  comparedWords,
  grouped,
  notesOnUnseen,
  sumOf,
  totalsOf,
  totalWords,
  type Window,
  windowOf,
  windowParams,
} from './window.ts'

const ways = ['requester', 'reason', 'customer', 'rule'] as const

export const reportRefunds = defineQuery({
  name: 'report refunds',
  title: 'Report refunds',
  summary: 'Add up what was refunded: by requester, reason, customer or rule',
  area: 'bellhop',
  isLong: true,
  input: z.object({
    ...windowParams,
    compare: z
      .boolean()
      .optional()
      .describe('What billing lists since then and the log does not have, since the last loss if not given')
      .meta({ isSwitch: true }),
    customers: z
      .array(idOf('the customer id'))
      .max(50)
      .optional()
      .describe('Customers to compare beside those whom requests of that time are for'),
    by: z.enum(ways).optional().describe('What to add up by; by day if not given'),
  }),
  examples: [
    'report refunds --since 30d',
    'report refunds --month 2026-10',
    'report refunds --since 7d --by reason',
    'report refunds --since 2h --compare',
  ],
  uses: ['billing.findRefunds', 'billing.findTransactions'],
  async run({ by, compare = false, customers = [], ...given }, context) {
    const { of, now, past, zone } = context
    if (compare || customers.length > 0) return compareWithService(given, customers, context)
    const window = await windowOf(given, { now, past, zone })
    if (!window.ok) return window
    const { since, until, before, words } = window.value
    const all = (await of(reports).changes(before.since)).filter(isRefund)
    const done = refundedIn(all, window.value)
    const earlier = refundedIn(all, { since: before.since, until: since - 1 })
    const open = all.filter(({ state, askedAt }) => isAtService(state) && askedAt >= since)
    const unknown = all.filter(({ state, askedAt }) => state === 'unknown' && askedAt >= since)
    const keyOf = (one: CountedChange) => keyWords(one, by, zone)
    return answer(
      {
        kind: 'report',
        title: `${refundedWords(done)}${comparison(done, earlier, window.value)}`,
        tone: 'plain',
        blocks: [
          facts({
            Time: words,
            'Before that': refundedWords(earlier),
          }),
          ...(unknown.length === 0
            ? []
            : [
                note(
                  'warn',
                  `Besides these, ${plural(unknown.length, 'refund')} of unknown outcome: ${totalWords(unknown)}.`,
                ),
              ]),
          ...(open.length === 0
            ? []
            : [
                note(
                  'plain',
                  `Besides these, ${plural(open.length, 'refund')} that the service has not settled: ${totalWords(open)}.`,
                ),
              ]),
          ...(done.length === 0
            ? [text('Nothing was refunded in this time.')]
            : [
                ...(by === undefined
                  ? chartsByDay(
                      { since, until: Math.min(until, now), all: done },
                      { since: before.since, until: since - 1, all: earlier },
                      zone,
                    )
                  : chartsOf(done, keyOf)),
                tableOf(done, by ?? 'day', keyOf),
              ]),
          ...notesOnUnseen(done),
        ],
        footer: 'Worked out from the audit log: audit export has every entry.',
      },
      { file: { name: 'refunds.csv', type: 'text/csv', content: csvOf(done) } },
    )
  },
})

/** What was done and is on no record: after a loss of the database, or by somebody beside Bellhop. */
const compareWithService = async (
  given: Parameters<typeof windowOf>[0],
  customers: readonly string[],
  context: ReadContext,
): Promise<Result<QueryAnswer>> => {
  const { records, of, now, past, zone } = context
  const needed = 'transaction refunds'
  if (!records.mayRun(needed))
    return no(refusal('may_not_run', `Comparing needs the right to run ${needed}.`))
  const isOpen = given.since !== undefined || given.month !== undefined
  const lost = isOpen ? undefined : await lostSince(context)
  const window = await windowOf(given, { now, past, zone }, '24h')
  if (!window.ok) return window
  const since = lost ?? window.value.since
  const all = (await of(reports).changes(since - (now - since))).filter(isRefund)
  if (all.some(({ isSeen }) => !isSeen))
    return no(refusal('may_not_run', 'Comparing needs the right to see every request of that time.'))
  const { refunds, blocks } = await unrecordedSince(since, all, customers, context)
  return answer({
    kind: 'report',
    title:
      refunds === 0
        ? 'The log has every refund that billing lists'
        : `${plural(refunds, 'refund')} that billing lists and the log does not have`,
    tone: refunds === 0 ? 'plain' : 'warn',
    blocks,
    footer: 'What nobody remembers is seen by this alone, and only where the service can list it.',
  })
}

export const isRefund = ({ names }: Pick<CountedChange, 'names'>): boolean => names.includes('refund')

/** Those that were done in this time, the oldest first. */
export const refundedIn = (
  changes: readonly CountedChange[],
  { since, until }: Pick<Window, 'since' | 'until'>,
): CountedChange[] =>
  changes
    .filter(({ state, changedAt }) => state === 'applied' && changedAt >= since && changedAt <= until)
    .toSorted((one, other) => one.changedAt - other.changedAt)

/** "12 refunds, 940 USD" */
export const refundedWords = (changes: readonly CountedChange[]): string =>
  changes.length === 0 ? 'No refunds' : `${plural(changes.length, 'refund')}, ${totalWords(changes)}`

/** Of one currency by its sum; of several, which nobody can add, by how many there were. */
export const comparison = (
  now: readonly CountedChange[],
  before: readonly CountedChange[],
  window: Window,
): string => {
  const [[code, sum] = ['', 0], ...others] = totalsOf(now)
  const earlier = totalsOf(before)
  if (others.length > 0 || earlier.some(([other]) => other !== code) || totalsOf(now).length === 0) {
    return comparedWords(now.length, before.length, window, { isCount: true })
  }
  return comparedWords(sum, earlier[0]?.[1] ?? 0, window)
}

const keyWords = (
  { requester, reason, customer, rule, changedAt, isSeen }: CountedChange,
  by: (typeof ways)[number] | undefined,
  zone: string,
): string => {
  if (by === undefined) return dayIn(changedAt, zone)
  if (by === 'requester') return requester.name
  if (!isSeen && by !== 'rule') return notShown.name
  return { reason, customer, rule }[by] ?? `no ${by} given`
}

const tableOf = (
  changes: readonly CountedChange[],
  label: string,
  keyOf: (one: CountedChange) => string,
): Block =>
  table(
    [label.charAt(0).toUpperCase() + label.slice(1), 'Refunds#', 'Total#'],
    grouped(changes, keyOf).map(([key, some]) => [key, String(some.length), totalWords(some)]),
  )

/** One for each currency, of its largest parts. */
const chartsOf = (changes: readonly CountedChange[], keyOf: (one: CountedChange) => string): Block[] =>
  grouped(
    changes.filter(({ amount }) => amount !== null),
    ({ currency }) => currency ?? '',
  )
    .slice(0, 2)
    .map(([code, some]) => {
      const parts = grouped(some, keyOf).map(([key, one]): [string, number] => [
        key,
        sumOf(one.map(({ amount }) => amount ?? 0)),
      ])
      const largest = parts.toSorted(([, one], [, other]) => other - one).slice(0, 12)
      const shown = parts.filter((part) => largest.includes(part))
      return chart(`Refunded${code ? ` in ${code}` : ''}`, 'bar', Object.fromEntries(shown))
    })

const csvOf = (changes: readonly CountedChange[]): string =>
  csvLine([
    'change',
    'done_at',
    'requester',
    'requester_name',
    'payment',
    'customer',
    'reason',
    'rule',
    'approvers',
    'amount',
    'currency',
  ]) +
  changes
    .filter(({ isSeen }) => isSeen)
    .map(({ id, changedAt, requester, target, customer, reason, rule, amount, currency, votes }) =>
      csvLine([
        id,
        new Date(changedAt).toISOString(),
        requester.person,
        requester.name,
        target,
        customer,
        reason,
        rule,
        approversOf(votes),
        amount,
        currency,
      ]),
    )
    .join('')
