import { parseDuration } from '../../lib/codecs/duration.ts'
import { spokenTime, usualClock, wallTimeOf } from '../../lib/codecs/time-words.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { when } from '../../lib/view/format.ts'
import { asTyped } from '../../lib/view/outside.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { sentence, type Words } from '../../lib/view/words.ts'
import { momentsOf, offsetText, utcOf, type WallTime, wallTimeAt } from '../../lib/view/zones.ts'

/** A moment, and the zone in which it was written; what to doubt about that, if anything. */
export type ZonedTime = { at: number; zone: string; doubt?: string }

const examples = '"tomorrow 9:00", friday, "next monday 9:00", 2026-11-20T09:00 or "in 2h"'
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
      `${asTyped(clip(written))} is over.`,
      sentence`It was read as ${when(at)}, and it is ${when(now)} now. Write a later time, such as ${examples}.`,
    )
  }
  if (at - now > furthestMs) return bad(`${asTyped(clip(written))} is more than a year away.`)
  const isSure = !isGuess || /^in |z$|[+-]\d\d:?\d\d$/.test(text)
  return ok({ at, zone, ...(isSure ? {} : { doubt: doubtOf(at, zone) }) })
}

const momentIn = (text: string, now: number, zone: string): Result<number> => {
  const after = /^in (.+)$/.exec(text)?.[1]
  if (after !== undefined) {
    const ms = parseDuration(shortUnits(after))
    return ms === null
      ? bad(`${asTyped(clip(text))} is no time: after "in" stands a duration such as 30s, 10m, 2h or 7d.`)
      : ok(now + ms)
  }
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d?):(\d\d)(?::(\d\d))?(z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  if (iso !== null) return isoMoment(iso, text, zone)
  const spoken = spokenTime(text)
  if (spoken === undefined) return noTime(text)
  if (spoken.day?.kind === 'ahead' && spoken.day.days === 0 && spoken.clock === undefined)
    return bad(`${asTyped(clip(text))} says no time of day.`, 'Write "today 17:00", for example.')
  const wall = wallTimeOf(spoken, now, zone)
  return wall === undefined ? bad(`There is no ${clip(text)}.`) : oneMoment(wall, zone)
}

const isoMoment = (parts: RegExpExecArray, text: string, zone: string): Result<number> => {
  const [, year, month, day, hour, minute, second = '0', offset] = parts
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: hour === undefined ? usualClock.hour : Number(hour),
    minute: hour === undefined ? usualClock.minute : Number(minute),
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

/** An hour that is none makes another day, and a minute or second that is none another minute. */
const isReal = (wall: WallTime): boolean => {
  const date = new Date(utcOf(wall))
  return (
    date.getUTCMonth() + 1 === wall.month &&
    date.getUTCDate() === wall.day &&
    date.getUTCMinutes() === wall.minute
  )
}

/** "2 hours" is 2h, "a week" is 7d. */
const shortUnits = (text: string): string =>
  text
    .replace(/^an? /, '1 ')
    .replace(/^(\d{1,3}) ?weeks?$/, (_, weeks: string) => `${Number(weeks) * 7}d`)
    .replace(/ ?(seconds?|secs?|minutes?|mins?|hours?|hrs?|days?)$/, (_, unit: string) => unit.charAt(0))

const noTime = (text: string) => bad(`${asTyped(clip(text))} is no time.`, `Write ${examples}.`)

const bad = (message: string, next: Words = `Write a time that lies ahead, such as ${examples}.`) =>
  no(refusal('bad_value', message, { next }))

const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
