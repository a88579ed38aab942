import { expect, test } from 'vitest'
import { chartsByDay } from '../../../commands/report/refund-chart.ts'
import type { CountedChange } from '../../../src/features/reports/figures.ts'

const day = (at: string) => Date.parse(`${at}T12:00:00Z`)
const refunded = (at: string, amount: number | null, currency: string | null = 'USD') =>
  ({ changedAt: day(at), amount, currency }) as CountedChange

const drawn = (now: CountedChange[], before: CountedChange[], [since, until]: [string, string]) =>
  chartsByDay(
    { since: day(since), until: day(until), all: now },
    { since: 2 * day(since) - day(until), until: day(since) - 1, all: before },
    'UTC',
  ).map((block) => {
    if (block.kind !== 'chart') throw new Error(block.kind)
    return [
      block.title,
      ...block.series.map(({ name, points }) => [
        name,
        ...points.map(({ label, value }) => `${label}: ${value}`),
      ]),
    ]
  })

test('refunds are drawn day by day, beside the same days before', () => {
  const now = [refunded('2026-11-02', 20), refunded('2026-11-02', 5), refunded('2026-11-03', null)]
  const [shown] = drawn(now, [refunded('2026-10-31', 7)], ['2026-11-01', '2026-11-03'])
  // The time before begins in the middle of a day, as this one does, so that its last day is the third.
  expect(shown).toEqual([
    'Refunded in USD, by day',
    ['This time', '1 Nov: 0', '2 Nov: 25', '3 Nov: 0'],
    ['Before that', '1 Nov: 0', '2 Nov: 7', '3 Nov: 0'],
  ])
})

test('a currency has a chart of its own, one day alone compares nothing, and many days stand together', () => {
  const both = [refunded('2026-11-01', 3), refunded('2026-11-02', 4, 'EUR'), refunded('2026-11-02', 1, null)]
  expect(drawn(both, [], ['2026-11-01', '2026-11-02']).map(([title]) => title)).toEqual([
    'Refunded in USD, by day',
    'Refunded in EUR, by day',
  ])
  expect(drawn(both.slice(0, 1), [], ['2026-11-01', '2026-11-01'])).toEqual([])
  const [long] = drawn([refunded('2026-10-31', 9)], [], ['2026-10-01', '2026-10-31'])
  expect(long?.[0]).toBe('Refunded in USD, each 2 days')
  expect(long?.[1]).toHaveLength(17)
  expect(long?.[1]).toContain('31 Oct: 9')
})
