import { no, ok, type Result } from '../../model/result.ts'
import { parseDuration } from '../../policy/duration.ts'
import { refusal } from '../../view/refusals.ts'
import { momentsOf, offsetText, utcOf, type WallTime, wallTimeAt, zonedTime } from '../../view/zones.ts'

/** A moment, and the zone in which it was written; what to doubt about that, if anything. */
export type ZonedTime = { at: number; zone: string; doubt?: string }

const examples = '"tomorrow 9:00", "monday 9:00", 2026-11-20T09:00 or "in 2h"'
export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const
const dayMs = 86_400_000
/** Further away than this is a typing mistake. */
const furthestMs = 366 * dayMs

/** A time as people write it, in their zone. It lies ahead, it exists, and it is one: all else is said. */
export const readTime = (
  written: string,
  { now, zone, isGuess = false }: { now: number; zone: string; isGuess?: boolean },
): Result<ZonedTime> => {
  const text = written.trim().toLowerCase().replace(/\s+/g, ' ')
  const found = momentIn(text, now, zone)
  if (!found.ok) return found
  const at = found.value
  if (at <= now) {
    return bad(
      `"${clip(written)}" is ${zonedTime(at, zone)}, which is over: it is ${zonedTime(now, zone)} now.`,
    )
  }
  if (at - now > furthestMs) return bad(`"${clip(written)}" is more than a year away.`)
  const isSure = !isGuess || /^in |z$|[+-]\d\d:?\d\d$/.test(text)
  return ok({ at, zone, ...(isSure ? {} : { doubt: doubtOf(at, zone) }) })
}

const momentIn = (text: string, now: number, zone: string): Result<number> => {
  const after = /^in (.+)$/.exec(text)?.[1]
  if (after !== undefined) {
    const ms = parseDuration(shortUnits(after))
    return ms === null
      ? bad(`"${clip(text)}" is no time: after "in" stands a duration such as 30s, 10m, 2h or 7d.`)
      : ok(now + ms)
  }
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d?):(\d\d)(?::(\d\d))?(z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  if (iso !== null) return isoMoment(iso, text, zone)
  const words = /^(?:(today|tomorrow|[a-z]+),? ?(?:at )?)?(\d\d?)(?::(\d\d))? ?(am|pm)?$/.exec(text)
  if (words === null) return noTime(text)
  const [, day, hours = '', minutes, half] = words
  const clock = clockOf(hours, minutes, half)
  if (clock === undefined || (minutes === undefined && half === undefined)) return noTime(text)
  return dayMoment(day, clock, { text, now, zone })
}

type Clock = { hour: number; minute: number }

const isoMoment = (parts: RegExpExecArray, text: string, zone: string): Result<number> => {
  const [, year, month, day, hour, minute, second = '0', offset] = parts
  if (hour === undefined)
    return bad(`"${clip(text)}" says no time of day.`, `Write ${text}T09:00, for example.`)
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  }
  if (!isReal(wall)) return bad(`There is no ${clip(text)}.`)
  if (offset === undefined) return oneMoment(wall, zone)
  if (offset === 'z') return ok(utcOf(wall))
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? []
  const aside = (Number(hours) * 60 + Number(minutes)) * 60_000
  return Number(hours) > 14 || Number(minutes) > 59
    ? bad(`No zone is ${offset} away from UTC.`)
    : ok(utcOf(wall) - (sign === '-' ? -aside : aside))
}

/** Without a day, the next time that the clock shows this; with a weekday, the next such day on which it still will. */
const dayMoment = (
  day: string | undefined,
  clock: Clock,
  { text, now, zone }: { text: string; now: number; zone: string },
): Result<number> => {
  const today = wallTimeAt(now, zone)
  const on = (days: number): WallTime => {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day + days))
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      ...clock,
      second: 0,
    }
  }
  if (day === 'today') return oneMoment(on(0), zone)
  if (day === 'tomorrow') return oneMoment(on(1), zone)
  const isOver = utcOf(on(0)) <= utcOf(today)
  if (day === undefined) return oneMoment(on(isOver ? 1 : 0), zone)
  const weekday = weekdayOf(day)
  if (weekday === undefined) return noTime(text)
  const ahead = (weekday - new Date(utcOf(on(0))).getUTCDay() + 7) % 7
  return oneMoment(on(ahead === 0 && isOver ? 7 : ahead), zone)
}

/** 0 is Sunday; three letters are enough. */
export const weekdayOf = (word: string): number | undefined => {
  const at = word.length < 3 ? -1 : weekdays.findIndex((name) => name.startsWith(word.replace(/s$/, '')))
  return at === -1 ? undefined : at
}

export const clockOf = (hours: string, minutes = '0', half?: string): Clock | undefined => {
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0))
    return undefined
  return { hour: half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0), minute }
}

/** Summer time leaves an hour out in spring, and has one twice in autumn. */
const oneMoment = (wall: WallTime, zone: string): Result<number> => {
  const [first, second] = momentsOf(wall, zone)
  const written = wallText(wall)
  if (first === undefined) {
    const before = momentsOf({ ...wall, hour: wall.hour - 1 }, zone)[0]
    const after = momentsOf({ ...wall, hour: wall.hour + 1 }, zone)[0]
    const near = [before, after].flatMap((at) => (at === undefined ? [] : wallText(wallTimeAt(at, zone))))
    return bad(
      `There is no ${written} in ${zone}: clocks are put forward over it.`,
      `Take a time before or after it${near.length === 0 ? '' : `: ${near.join(' or ')}`}.`,
    )
  }
  if (second === undefined) return ok(first)
  const both = [first, second].map((at) => `${written}${offsetText(at, zone)}`)
  return bad(
    `${written} comes twice in ${zone}: clocks are put back.`,
    `Say which one: ${both.join(' or ')}.`,
  )
}

const wallText = ({ year, month, day, hour, minute }: WallTime): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
}

const doubtOf = (at: number, zone: string): string =>
  `Nobody here knows your time zone, so this was read in that of the bot, ${zone}. If that is wrong, write the time with its zone, such as ${isoTime({ at, zone })}, or have zone set for you in bellhop.yml.`

/** Written so that it is read as the same moment, wherever the reader is. */
export const isoTime = ({ at, zone }: ZonedTime): string =>
  `${wallText(wallTimeAt(at, zone))}${offsetText(at, zone)}`

const isReal = (wall: WallTime): boolean => {
  const date = new Date(utcOf(wall))
  return (
    date.getUTCMonth() + 1 === wall.month &&
    date.getUTCDate() === wall.day &&
    date.getUTCHours() === wall.hour &&
    date.getUTCMinutes() === wall.minute
  )
}

/** "2 hours" is 2h. */
const shortUnits = (text: string): string =>
  text.replace(/ ?(seconds?|secs?|minutes?|mins?|hours?|days?)$/, (_, unit: string) => unit.charAt(0))

const noTime = (text: string) => bad(`"${clip(text)}" is no time.`, `Write ${examples}.`)

const bad = (message: string, next = `Write a time that lies ahead, such as ${examples}.`) =>
  no(refusal('bad_value', message, { next }))

const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
