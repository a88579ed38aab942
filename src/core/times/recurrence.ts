import { no, ok, type Result } from '../../model/result.ts'
import { clockOf, spokenRecurrence, weekdayOf, weekdays } from '../../model/time-words.ts'
import { parseDuration, printDuration } from '../../policy/duration.ts'
import { refusal } from '../../view/refusals.ts'
import { momentsOf, wallTimeAt } from '../../view/zones.ts'

/** Every so often, or on these days of the week (0 is Sunday) at one time of day. */
export type Recurrence =
  | { kind: 'interval'; ms: number }
  | { kind: 'days'; days: readonly number[]; hour: number; minute: number }

/** A look-up runs no more often than this, whatever stands in a schedule of before. */
export const shortestMs = 10_000

export const withinPace = (recurrence: Recurrence): Recurrence =>
  recurrence.kind === 'interval' ? { ...recurrence, ms: Math.max(shortestMs, recurrence.ms) } : recurrence

const examples = '"monday 9:00", "every monday at 9", "weekday 9:00", daily or 24h'

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
  const [, names = '', hours = '', minutes] = /^(.+) (\d\d?):(\d\d)$/.exec(said ?? '') ?? []
  const clock = clockOf(hours, minutes)
  const days = daysOf(names)
  if (said === undefined || clock === undefined || days === undefined) {
    return no(
      refusal('bad_value', `"${written.slice(0, 40)}" does not say how often.`, {
        next: `Write ${examples}.`,
      }),
    )
  }
  return ok({ kind: 'days', days, ...clock })
}

/** The first time after this one. Where summer time leaves it out there is none that day; where it has it twice, the first. */
export const nextAfter = (recurrence: Recurrence, after: number, zone: string): number => {
  if (recurrence.kind === 'interval') return after + recurrence.ms
  const { days, hour, minute } = recurrence
  const { year, month, day } = wallTimeAt(after, zone)
  for (let ahead = 0; ; ahead++) {
    const date = new Date(Date.UTC(year, month - 1, day + ahead))
    if (!days.includes(date.getUTCDay())) continue
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

/** How late a run may begin and still be the run of its time. */
export const graceOf = (recurrence: Recurrence): number =>
  recurrence.kind === 'interval' ? Math.min(longestGraceMs, recurrence.ms) : longestGraceMs

const longestGraceMs = 5 * 60_000

export const recurrenceWords = (recurrence: Recurrence): string => {
  if (recurrence.kind === 'interval') return printDuration(recurrence.ms)
  const { days, hour, minute } = recurrence
  const clock = `${hour}:${String(minute).padStart(2, '0')}`
  if (days.length === 7) return `day ${clock}`
  return `${days.map((day) => weekdays[day]).join(', ')} ${clock}`
}

const daysOf = (names: string): number[] | undefined => {
  if (names === 'day') return [0, 1, 2, 3, 4, 5, 6]
  if (names === 'weekday') return [1, 2, 3, 4, 5]
  const days = names.split(', ').map(weekdayOf)
  return days.includes(undefined) ? undefined : [...new Set(days as number[])].sort()
}
