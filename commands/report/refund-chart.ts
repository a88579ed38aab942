import type { CountedChange } from '../../src/features/reports/figures.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import type { Block } from '../../src/lib/view/view.ts'
import { shortDay, wallTimeAt } from '../../src/lib/view/zones.ts'
import { grouped, sumOf } from './window.ts'

type Span = { since: number; until: number; all: readonly CountedChange[] }

/** What was refunded day by day beside the time before, for each currency, with as many days together as leave few enough points. */
export const chartsByDay = (now: Span, before: Span, zone: string): Block[] => {
  const days = [now, before].map(({ since, until }) => daysIn(since, until, zone))
  const longest = Math.max(...days.map(({ length }) => length))
  if (longest < 2) return []
  const together = Math.ceil(longest / maxPoints)
  const labels = Array.from({ length: Math.ceil(longest / together) }, (_, at) => {
    const [own, other] = days.map((all) => all[at * together])
    return own?.label ?? other?.label ?? ''
  })
  const pointsOf = (all: readonly CountedChange[], of: readonly Day[] = []) => {
    const sums = labels.map((): number[] => [])
    for (const { amount, changedAt } of all) {
      const at = of.findIndex(({ key }) => key === dayIn(changedAt, zone))
      sums[Math.floor(at / together)]?.push(amount ?? 0)
    }
    return sums.map((some, at) => ({ label: labels[at] ?? '', value: sumOf(some) }))
  }
  const inCode = (all: readonly CountedChange[], code: string) =>
    all.filter(({ amount, currency }) => amount !== null && (currency ?? '') === code)
  return grouped(
    now.all.filter(({ amount }) => amount !== null),
    ({ currency }) => currency ?? '',
  )
    .slice(0, maxCharts)
    .map(([code, some]): Block => {
      const earlier = inCode(before.all, code)
      return {
        kind: 'chart',
        title: `Refunded${code ? ` in ${code}` : ''}, ${together === 1 ? 'by day' : `each ${plural(together, 'day')}`}`,
        shape: 'line',
        series: [
          { name: 'This time', points: pointsOf(some, days[0]) },
          ...(earlier.length === 0 ? [] : [{ name: 'Before that', points: pointsOf(earlier, days[1]) }]),
        ],
      }
    })
}

/** As many as every messenger draws. */
const maxPoints = 20
const maxCharts = 2
const halfDay = 12 * 3_600_000

type Day = { key: string; label: string }

/** The days of the team's calendar, however long each is. */
const daysIn = (since: number, until: number, zone: string): Day[] => {
  const found = new Map<string, Day>()
  const add = (at: number) => {
    const key = dayIn(at, zone)
    if (!found.has(key)) found.set(key, { key, label: shortDay(at, zone, until) })
  }
  for (let at = since; at < until; at += halfDay) add(at)
  add(until)
  return [...found.values()]
}

/** "2026-10-31", as the team's calendar has it. */
export const dayIn = (at: number, zone: string): string => {
  const { year, month, day } = wallTimeAt(at, zone)
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
}
