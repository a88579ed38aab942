import { parseDuration, printDuration } from '../../lib/codecs/duration.ts'
import { clockOf, spokenRecurrence, weekdayOf, weekdays } from '../../lib/codecs/time-words.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { asTyped } from '../../lib/view/outside.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { momentsOf, wallTimeAt } from '../../lib/view/zones.ts'

/** Every so often, or at one time of day: on these days of each week or of every other one (0 is Sunday), or on a day of the month. */
export type Recurrence =
  | { kind: 'interval'; ms: number }
  | { kind: 'days'; days: readonly number[]; isOther?: boolean; hour: number; minute: number }
  | { kind: 'month'; day: number | 'last'; hour: number; minute: number }

/** A look-up runs no more often than this, whatever stands in a schedule of before. */
export const shortestMs = 10_000

export const withinPace = (recurrence: Recurrence): Recurrence =>
  recurrence.kind === 'interval' ? { ...recurrence, ms: Math.max(shortestMs, recurrence.ms) } : recurrence

const examples =
  '"monday 9:00", "every other friday at 9", "weekday 9:00", "the last of every month", daily or 24h'

export const readRecurrence = (written: string): Result<Recurrence> => {
  const text = written
    .trim()
    .toLowerCase()
    .replace(/^every /, '')
  const ms = parseDuration(text)
  if (ms !== null) return ok({ kind: 'interval', ms })
  const said = spokenRecurrence(written)
  const interval = said === undefined ? null : parseDuration(said)
  if (interval !== null) return ok({ kind: 'interval', ms: interval })
  const [, other, names = '', hours = '', minutes] = /^(other )?(.+) (\d\d?):(\d\d)$/.exec(said ?? '') ?? []
  const clock = clockOf(hours, minutes)
  const [, day] = /^month (\d\d?|last)$/.exec(names) ?? []
  if (clock !== undefined && day !== undefined)
    return ok({ kind: 'month', day: day === 'last' ? day : Number(day), ...clock })
  const days = daysOf(names)
  if (said === undefined || clock === undefined || days === undefined) {
    return no(
      refusal('bad_value', `${asTyped(written.slice(0, 40))} does not say how often.`, {
        next: `Write ${examples}.`,
      }),
    )
  }
  return ok({ kind: 'days', days, ...(other === undefined ? {} : { isOther: true }), ...clock })
}

/** The first time of all: of every other week, the one that comes first. */
export const firstAfter = (recurrence: Recurrence, after: number, zone: string): number =>
  nextAfter(recurrence.kind === 'days' ? { ...recurrence, isOther: false } : recurrence, after, zone)

/** The first time after this one. Where summer time leaves it out there is none that day; where it has it twice, the first. */
export const nextAfter = (recurrence: Recurrence, after: number, zone: string): number => {
  if (recurrence.kind === 'interval') return after + recurrence.ms
  const { hour, minute } = recurrence
  const { year, month, day } = wallTimeAt(after, zone)
  const today = new Date(Date.UTC(year, month - 1, day))
  for (let ahead = 0; ; ahead++) {
    const date = new Date(Date.UTC(year, month - 1, day + ahead))
    if (!isDayOf(recurrence, date, today)) continue
    const wall = {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour,
      minute,
      second: 0,
    }
    const [at] = momentsOf(wall, zone)
    if (at !== undefined && at > after) return at
  }
}

const dayMs = 86_400_000

/** Of every other week: those of the week in which it last was, and of the one after the next. Weeks begin on Monday. */
const isDayOf = (recurrence: Exclude<Recurrence, { kind: 'interval' }>, date: Date, today: Date): boolean => {
  if (recurrence.kind === 'month') {
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    return date.getUTCDate() === (recurrence.day === 'last' ? last : Math.min(recurrence.day, last))
  }
  const mondayOf = (one: Date) => one.getTime() - ((one.getUTCDay() + 6) % 7) * dayMs
  const weeks = Math.round((mondayOf(date) - mondayOf(today)) / (7 * dayMs))
  return recurrence.days.includes(date.getUTCDay()) && (!recurrence.isOther || weeks % 2 === 0)
}

/** How late a run may begin and still be the run of its time. */
export const graceOf = (recurrence: Recurrence): number =>
  recurrence.kind === 'interval' ? Math.min(longestGraceMs, recurrence.ms) : longestGraceMs

const longestGraceMs = 5 * 60_000

export const recurrenceWords = (recurrence: Recurrence): string => {
  if (recurrence.kind === 'interval') return printDuration(recurrence.ms)
  const { hour, minute } = recurrence
  const clock = `${hour}:${String(minute).padStart(2, '0')}`
  if (recurrence.kind === 'month') return `month ${recurrence.day} ${clock}`
  const { days, isOther } = recurrence
  if (days.length === 7) return `day ${clock}`
  return `${isOther ? 'other ' : ''}${days.map((day) => weekdays[day]).join(', ')} ${clock}`
}

const daysOf = (names: string): number[] | undefined => {
  if (names === 'day') return [0, 1, 2, 3, 4, 5, 6]
  if (names === 'weekday') return [1, 2, 3, 4, 5]
  const days = names.split(', ').map(weekdayOf)
  return days.includes(undefined) ? undefined : [...new Set(days as number[])].sort()
}
