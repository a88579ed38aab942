import { absolute, months } from './format.ts'
import type { Moment } from './words.ts'

/** What a clock on the wall shows somewhere. */
export type WallTime = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** Formatters are expensive to create. */
const clocks = new Map<string, Intl.DateTimeFormat>()

const clockIn = (zone: string): Intl.DateTimeFormat => {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(zone, clock)
  return clock
}

/** A name such as Europe/Berlin that this machine knows. */
export const isZone = (zone: string): boolean => {
  try {
    clockIn(zone)
    return true
  } catch {
    return false
  }
}

/** The zone of this machine. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const wallTimeAt = (at: number, zone: string): WallTime => {
  const parts = Object.fromEntries(
    clockIn(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  return { year, month, day, hour, minute, second }
}

/** When a clock there shows this: never where summer time leaves it out, twice where it comes again. */
export const momentsOf = (wall: WallTime, zone: string): number[] => {
  const asUtc = utcOf(wall)
  // No zone is further than a day from UTC, and none changes twice in two days.
  const offsets = [-dayMs, 0, dayMs].map((aside) => offsetAt(asUtc + aside, zone))
  return [...new Set(offsets)]
    .map((offset) => asUtc - offset)
    .filter((at) => utcOf(wallTimeAt(at, zone)) === asUtc)
    .sort((one, other) => one - other)
}

/** "20 Nov 2026, 09:00 Europe/Berlin (08:00 UTC)" */
export const zonedTime = (at: number, zone: string): string => {
  const there = utcOf(wallTimeAt(at, zone))
  const utc = absolute(at)
  if (there === Math.floor(at / 1000) * 1000) return utc
  const [day, clock] = absolute(there).split(', ') as [string, string]
  const [utcDay, utcClock] = utc.split(', ') as [string, string]
  return `${day}, ${clock.replace('UTC', zone)} (${day === utcDay ? utcClock : utc})`
}

/** A time that somebody wrote in a zone, and what it was there for where nobody's own can be shown. */
export const zonedMoment = (at: number, zone: string): Moment => ({
  at,
  text: zonedTime(at, zone),
  isAhead: true,
})

/** "1 Nov 09:14", for a label that names nothing else: in the zone of the team, which its readers share. */
export const shortTime = (at: number, zone: string): string => {
  const { month, day, hour, minute } = wallTimeAt(at, zone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day} ${months[month - 1]} ${two(hour)}:${two(minute)}`
}

/** "1 Dec", with its year where that is not the one of now. */
export const shortDay = (at: number, zone: string, now: number): string => {
  const { year, month, day } = wallTimeAt(at, zone)
  return `${day} ${months[month - 1]}${year === wallTimeAt(now, zone).year ? '' : ` ${year}`}`
}

/** "+02:00" */
export const offsetText = (at: number, zone: string): string => {
  const minutes = Math.round(offsetAt(at, zone) / 60_000)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

const dayMs = 86_400_000

const offsetAt = (at: number, zone: string): number =>
  utcOf(wallTimeAt(at, zone)) - Math.floor(at / 1000) * 1000

export const utcOf = ({ year, month, day, hour, minute, second }: WallTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second)
