import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  firstAfter,
  graceOf,
  nextAfter,
  type Recurrence,
  readRecurrence,
  recurrenceWords,
  withinPace,
} from '../../../src/features/schedules/recurrence.ts'
import { refusalLine } from '../../../src/lib/view/refusals.ts'
import { wallTimeAt } from '../../../src/lib/view/zones.ts'

const minute = 60_000
const hour = 60 * minute

const read = (text: string) => {
  const found = readRecurrence(text)
  return found.ok ? recurrenceWords(found.value) : refusalLine(found.refusal)
}

it.each([
  ['24h', '24 h'],
  ['every 10s', '10 s'],
  [' Every 10s ', '10 s'],
  ['monday 9:00', 'monday 9:00'],
  ['Every  Monday at 9:05', 'monday 9:05'],
  ['fri, mon 18:30', 'monday, friday 18:30'],
  ['tuesdays and thursdays 12am', 'tuesday, thursday 0:00'],
  ['mon mon 12pm', 'monday 12:00'],
  ['weekday 7pm', 'monday, tuesday, wednesday, thursday, friday 19:00'],
  ['daily 9:00', 'day 9:00'],
  ['days 9:00', 'day 9:00'],
  ['monday', 'monday 9:00'],
  ['monday 9', 'monday 9:00'],
  ['every monday at 9', 'monday 9:00'],
  ['every mon, wed at 5pm', 'monday, wednesday 17:00'],
  ['daily', 'day 9:00'],
  ['every morning', 'day 9:00'],
  ['every evening', 'day 18:00'],
  ['weekly', 'monday 9:00'],
  ['every 2 hours', '2 h'],
  ['hourly', '1 h'],
  ['every 3 days', '3 d'],
  ['every other friday', 'other friday 9:00'],
  ['every other mon, wed at 5pm', 'other monday, wednesday 17:00'],
  ['every two weeks on friday at 8', 'other friday 8:00'],
  ['monthly', 'month 1 9:00'],
  ['on the first of every month at 8', 'month 1 8:00'],
  ['every month on the 15th', 'month 15 9:00'],
  ['at the end of each month', 'month last 9:00'],
  ['last day of every month at 17:30', 'month last 17:30'],
])('"%s" is every %s', (text, words) => {
  expect(read(text)).toBe(words)
  expect(read(words)).toBe(words)
})

it('what says nothing of how often is told back, as far as one reads it', () => {
  expect(read('x'.repeat(41))).toMatch(/^"x{40}" does not say how often\./)
})

it.each([
  // A Wednesday; the first Friday comes first, and then every second one.
  ['every other friday', ['2026-11-20', '2026-12-04', '2026-12-18']],
  ['every other mon, thu', ['2026-11-19', '2026-11-30', '2026-12-03']],
  ['the 31st of every month', ['2026-11-30', '2026-12-31', '2027-01-31', '2027-02-28']],
  ['end of every month', ['2026-11-30', '2026-12-31']],
])('"%s" comes on these days', (text, days) => {
  const found = readRecurrence(text)
  if (!found.ok) throw new Error(found.refusal.message)
  const times = [firstAfter(found.value, Date.UTC(2026, 10, 18, 12), 'Europe/Berlin')]
  while (times.length < days.length)
    times.push(nextAfter(found.value, times.at(-1) as number, 'Europe/Berlin'))
  expect(times.map((at) => new Date(at).toISOString())).toEqual(days.map((day) => `${day}T08:00:00.000Z`))
})

it.each(['', 'monday 24:00', 'monday 9:60', 'monday 13pm', 'someday 9:00', '9:00', '0s'])(
  '"%s" does not say how often',
  (text) => {
    expect(read(text)).toBe(
      `"${text}" does not say how often. Write "monday 9:00", "every other friday at 9", "weekday 9:00", "the last of every month", daily or 24h.`,
    )
  },
)

it('the next time is the first that the clock on the wall shows, on each day once, also where summer time moves it', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns']
  // Around the days on which one of these zones puts its clocks forward or back.
  const changes = [
    [2, 8],
    [2, 29],
    [3, 5],
    [9, 4],
    [9, 25],
    [10, 1],
  ] as const
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...changes),
      fc.integer({ min: -60, max: 60 }),
      fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
      fc.constantFrom(0, 1, 2, 3, 23),
      fc.constantFrom(0, 30),
      (zone, [month, day], halves, days, at, past) => {
        const after = Date.UTC(2026, month, day) + halves * 30 * minute
        const shows = (moment: number) => {
          const wall = wallTimeAt(moment, zone)
          const weekday = new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay()
          return days.includes(weekday) && wall.hour === at && wall.minute === past
        }
        let next = after + 30 * minute
        // No zone has an hour twice that is more than an hour apart.
        while (!shows(next) || shows(next - hour) || shows(next - hour / 2)) next += 30 * minute
        expect(nextAfter({ kind: 'days', days, hour: at, minute: past }, after, zone)).toBe(next)
      },
    ),
    { numRuns: 300 },
  )
})

it('the next day is the first that is in its list, in its week where that is every other one, or the day of its month', () => {
  const day = 24 * hour
  const dateOf = (n: number) => new Date(n * day)
  /** The first day of all time was a Thursday. */
  const weekOf = (n: number) => Math.floor((n + 3) / 7)
  const clock = { hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) }
  const dayOfMonth = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last' as const))
  const recurrence: fc.Arbitrary<Exclude<Recurrence, { kind: 'interval' }>> = fc.oneof(
    fc.record({
      kind: fc.constant('days' as const),
      days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
      isOther: fc.boolean(),
      ...clock,
    }),
    fc.record({ kind: fc.constant('month' as const), day: dayOfMonth, ...clock }),
  )
  const start = Date.UTC(2027, 10, 1) / minute
  const after = fc.integer({ min: start, max: start + 200 * 24 * 60 }).map((n) => n * minute)
  fc.assert(
    fc.property(recurrence, after, fc.boolean(), (wanted, from, isOnTime) => {
      const today = Math.floor(from / day)
      const timeOn = (n: number) => n * day + wanted.hour * hour + wanted.minute * minute
      const isDay = (n: number, isEveryWeek: boolean) => {
        if (wanted.kind === 'days')
          return (
            wanted.days.includes(dateOf(n).getUTCDay()) &&
            (isEveryWeek || (weekOf(n) - weekOf(today)) % 2 === 0)
          )
        const isLast = dateOf(n + 1).getUTCDate() === 1
        const of = dateOf(n).getUTCDate()
        return wanted.day === 'last' ? isLast : of === wanted.day || (isLast && of < wanted.day)
      }
      const base = isOnTime ? timeOn(today) : from
      const first = (isEveryWeek: boolean) => {
        let n = today
        while (!isDay(n, isEveryWeek) || timeOn(n) <= base) n++
        return timeOn(n)
      }
      const isEvery = wanted.kind === 'month' || !wanted.isOther
      expect(nextAfter(wanted, base, 'UTC')).toBe(first(isEvery))
      expect(firstAfter(wanted, base, 'UTC')).toBe(first(true))
    }),
    { numRuns: 500 },
  )
})

it('every day and every weekday are those of the week, each once', () => {
  const daysOf = (text: string) => {
    const found = readRecurrence(text)
    return found.ok && found.value.kind === 'days' ? found.value.days : undefined
  }
  expect([daysOf('daily'), daysOf('weekday 9:00'), daysOf('sunday')]).toEqual([
    [0, 1, 2, 3, 4, 5, 6],
    [1, 2, 3, 4, 5],
    [0],
  ])
})

it('a look-up runs every ten seconds at most', () => {
  expect(withinPace({ kind: 'interval', ms: 9_999 })).toEqual({ kind: 'interval', ms: 10_000 })
  expect(withinPace({ kind: 'interval', ms: 10_001 })).toEqual({ kind: 'interval', ms: 10_001 })
  const daily: Recurrence = { kind: 'days', days: [1], hour: 9, minute: 0 }
  expect(withinPace(daily)).toEqual(daily)
})

it('an interval is counted from the last time, and a run may be as late as the next, five minutes at most', () => {
  expect(nextAfter({ kind: 'interval', ms: hour }, 5, 'Europe/Berlin')).toBe(hour + 5)
  expect(graceOf({ kind: 'interval', ms: minute })).toBe(minute)
  expect(graceOf({ kind: 'interval', ms: hour })).toBe(5 * minute)
  expect(graceOf({ kind: 'days', days: [1], hour: 9, minute: 0 })).toBe(5 * minute)
})
