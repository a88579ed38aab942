import { z } from 'zod'
import { type CountedChange, notShown } from '../../src/audit/figures.ts'
import { csvLine } from '../../src/bulk/csv.ts'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { plural } from '../../src/view/button-labels.ts'
import { money } from '../../src/view/format.ts'
import { type Block, chart, facts, note, table, text } from '../../src/view/view.ts'
import { wallTimeAt } from '../../src/view/zones.ts'
import {
  approversOf,
  comparedWords,
  grouped,
  notesOnUnseen,
  sumOf,
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
    by: z.enum(ways).optional().describe('What to add up by; by day if not given'),
  }),
  examples: [
    'report refunds --since 30d',
    'report refunds --month 2026-10',
    'report refunds --since 7d --by reason',
  ],
  uses: [],
  async run({ by, ...given }, { records, now, past, zone }) {
    const window = await windowOf(given, { now, past, zone })
    if (!window.ok) return window
    const { since, before, words } = window.value
    const all = (await records.audit.changes(before.since)).filter(isRefund)
    const done = refundedIn(all, window.value)
    const earlier = refundedIn(all, { since: before.since, until: since - 1 })
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
          ...(done.length === 0
            ? [text('Nothing was refunded in this time.')]
            : [...chartsOf(done, keyOf), tableOf(done, by ?? 'day', keyOf)]),
          ...notesOnUnseen(done),
        ],
        footer: 'Worked out from the audit log: audit export has every entry.',
      },
      { file: { name: 'refunds.csv', type: 'text/csv', content: csvOf(done) } },
    )
  },
})

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

/** "120 USD and 3 without an amount" */
const totalWords = (changes: readonly CountedChange[]): string => {
  const totals = totalsOf(changes).map(([code, sum]) => money(sum, { code: code || null }))
  const unknown = changes.filter(({ amount }) => amount === null).length
  return [...totals, ...(unknown > 0 ? [`${unknown} without an amount`] : [])].join(' and ') || 'nothing'
}

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

/** By currency; amounts of different currencies are never added. */
const totalsOf = (changes: readonly CountedChange[]): [string, number][] =>
  grouped(
    changes.filter(({ amount }) => amount !== null),
    ({ currency }) => currency ?? '',
  ).map(([code, some]) => [code, sumOf(some.map(({ amount }) => amount ?? 0))])

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

/** "2026-10-31", as the team's calendar has it. */
const dayIn = (at: number, zone: string): string => {
  const { year, month, day } = wallTimeAt(at, zone)
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
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
