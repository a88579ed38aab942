import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoTime, readTime } from '../../../src/kernel/times/read-time.ts'
import { refusalLine } from '../../../src/lib/view/refusals.ts'
import { momentsOf, wallTimeAt, zonedTime } from '../../../src/lib/view/zones.ts'

const berlin = 'Europe/Berlin'
/** A Friday noon in Berlin, in winter. */
const now = Date.UTC(2026, 10, 13, 11)
const read = (text: string, over: { now?: number; zone?: string } = {}) => {
  const found = readTime(text, { now, zone: berlin, ...over })
  return found.ok ? new Date(found.value.at).toISOString() : refusalLine(found.refusal)
}

describe('a time as people write it', () => {
  it('lies no further ahead than 366 days, to the millisecond', () => {
    const furthest = '2027-11-14T11:00Z'
    expect(read(furthest)).toBe('2027-11-14T11:00:00.000Z')
    expect(read(furthest, { now: now - 1 })).toContain('more than a year away')
  })
  it.each([
    ['tomorrow 9:00', '2026-11-14T08:00:00.000Z'],
    ['Tomorrow at 9:00', '2026-11-14T08:00:00.000Z'],
    [' in  2h ', '2026-11-13T13:00:00.000Z'],
    [' 2026-11-20 ', '2026-11-20T08:00:00.000Z'],
    ['tomorrow 9am', '2026-11-14T08:00:00.000Z'],
    ['today 17:30', '2026-11-13T16:30:00.000Z'],
    ['monday 9:00', '2026-11-16T08:00:00.000Z'],
    ['Mon 9:00', '2026-11-16T08:00:00.000Z'],
    ['friday 13:00', '2026-11-13T12:00:00.000Z'],
    ['friday 9:00', '2026-11-20T08:00:00.000Z'],
    ['13:00', '2026-11-13T12:00:00.000Z'],
    ['9:00', '2026-11-14T08:00:00.000Z'],
    ['2026-11-20T09:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20 09:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T09:00Z', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T09:00-05:00', '2026-11-20T14:00:00.000Z'],
    ['in 2h', '2026-11-13T13:00:00.000Z'],
    ['in 1s', '2026-11-13T11:00:01.000Z'],
    ['in 30 minutes', '2026-11-13T11:30:00.000Z'],
    ['in a week', '2026-11-20T11:00:00.000Z'],
    ['tomorrow', '2026-11-14T08:00:00.000Z'],
    ['the day after tomorrow', '2026-11-15T08:00:00.000Z'],
    ['friday', '2026-11-20T08:00:00.000Z'],
    ['next monday', '2026-11-16T08:00:00.000Z'],
    ['next monday 9:00', '2026-11-16T08:00:00.000Z'],
    ['next friday', '2026-11-20T08:00:00.000Z'],
    ['next week', '2026-11-16T08:00:00.000Z'],
    ['9am tomorrow', '2026-11-14T08:00:00.000Z'],
    ['monday at 9', '2026-11-16T08:00:00.000Z'],
    ['until monday', '2026-11-16T08:00:00.000Z'],
    ['tomorrow at noon', '2026-11-14T11:00:00.000Z'],
    ['tonight', '2026-11-13T19:00:00.000Z'],
    ['monday afternoon', '2026-11-16T13:00:00.000Z'],
    ['20 nov', '2026-11-20T08:00:00.000Z'],
    ['november 20th at 14:30', '2026-11-20T13:30:00.000Z'],
    ['20.11.2026 14.30', '2026-11-20T13:30:00.000Z'],
    ['1 feb', '2027-02-01T08:00:00.000Z'],
    ['2026-11-20', '2026-11-20T08:00:00.000Z'],
    ['end of the month', '2026-11-30T16:00:00.000Z'],
    ['eom 9:00', '2026-11-30T08:00:00.000Z'],
    ['end of week', '2026-11-13T16:00:00.000Z'],
    ['end of the week 9:00', '2026-11-20T08:00:00.000Z'],
    ['end of day', '2026-11-13T16:00:00.000Z'],
    ['end of year', '2026-12-31T16:00:00.000Z'],
    ['in 2 hours', '2026-11-13T13:00:00.000Z'],
    ['in an hour', '2026-11-13T12:00:00.000Z'],
    ['in 20 secs', '2026-11-13T11:00:20.000Z'],
    ['in 3 weeks', '2026-12-04T11:00:00.000Z'],
    ['in 366d', '2027-11-14T11:00:00.000Z'],
    ['2027-11-14T12:00', '2027-11-14T11:00:00.000Z'],
    ['2026-11-13T12:00:01', '2026-11-13T11:00:01.000Z'],
    ['2026-11-20T09:59:59', '2026-11-20T08:59:59.000Z'],
    ['2026-12-31T23:00', '2026-12-31T22:00:00.000Z'],
    ['2026-11-20T09:05+1400', '2026-11-19T19:05:00.000Z'],
    ['2026-11-20T09:05+05:59', '2026-11-20T03:06:00.000Z'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each([
    ['today 9:00', 'is over'],
    ['2020-01-01T09:00', 'is over'],
    ['today', 'says no time of day'],
    ['next tomorrow', 'is no time'],
    ['monday tuesday', 'is no time'],
    ['30 feb', 'There is no'],
    ['2026-02-30T09:00', 'There is no'],
    ['25:00', 'is no time'],
    ['9', 'is no time'],
    ['someday 9:00', 'is no time'],
    ['in a while', 'after "in" stands a duration'],
    ['2099-01-01T09:00', 'more than a year away'],
    ['2027-11-14T12:00:01', 'more than a year away'],
    ['2026-11-13T12:00', 'is over'],
    ['2026-13-01', 'There is no'],
    ['2026-11-31', 'There is no'],
    ['2026-11-20T24:00', 'There is no'],
    ['2026-11-20T09:60', 'There is no'],
    ['2026-11-20T09:00:60', 'There is no'],
    ['2026-11-20T09:00+15:00', 'No zone is +15:00 away'],
    ['2026-11-20T09:00-10:60', 'No zone is -10:60 away'],
    [`${'x'.repeat(40)}`, `"${'x'.repeat(40)}" is no time`],
    [`${'x'.repeat(41)}`, `"${'x'.repeat(40)}…" is no time`],
    ['', 'is no time'],
  ])('%s is refused with what to write instead', (text, words) => {
    expect(read(text)).toContain(words)
    expect(read(text)).toMatch(/Write|Take|Say/)
  })
})

describe('summer time', () => {
  const spring = Date.UTC(2026, 2, 28, 12)
  const autumn = Date.UTC(2026, 9, 24, 12)

  it('leaves an hour out, and says which times are beside it', () => {
    const words = read('2026-03-29T02:30', { now: spring })
    expect(words).toContain('There is no 2026-03-29T02:30 in Europe/Berlin')
    expect(words).toContain('2026-03-29T01:30 or 2026-03-29T03:30')
    expect(read('tomorrow 2:30', { now: spring })).toContain('clocks are put forward')
  })

  it('has an hour twice, and each can be meant', () => {
    expect(read('2026-10-25T02:30', { now: autumn })).toContain(
      '2026-10-25T02:30+02:00 or 2026-10-25T02:30+01:00',
    )
    expect(read('2026-10-25T02:30+02:00', { now: autumn })).toBe('2026-10-25T00:30:00.000Z')
    expect(read('2026-10-25T02:30+01:00', { now: autumn })).toBe('2026-10-25T01:30:00.000Z')
  })

  it('may leave out a whole day, where no hour beside it can be named', () => {
    const samoa = { now: Date.UTC(2011, 11, 28), zone: 'Pacific/Apia' }
    expect(read('2011-12-30T12:00', samoa)).toMatch(/Take a time before or after it\.$/)
    expect(read('2011-12-30T00:30', samoa)).toMatch(/it: 2011-12-29T23:30\.$/)
    expect(read('2011-12-30T23:30', samoa)).toMatch(/it: 2011-12-31T00:30\.$/)
  })

  it('keeps the time on the wall over it', () => {
    expect(read('sunday 9:00', { now: spring })).toBe('2026-03-29T07:00:00.000Z')
  })
})

it.each([
  ['tomorrow 9:00', true],
  ['2026-11-20T09:00', true],
  ['13 dec', true],
  ['in 2h', false],
  ['2026-11-20T09:00Z', false],
  ['2026-11-20T09:00-05:00', false],
])('where nobody knows the zone of somebody, "%s" is doubted: %s', (text, isDoubted) => {
  const found = readTime(text, { now, zone: berlin, isGuess: true })
  if (!found.ok) throw new Error(found.refusal.message)
  const { doubt, ...rest } = found.value
  expect(doubt?.includes(`${berlin}.`) && doubt.includes(isoTime(rest))).toBe(isDoubted || undefined)
  expect(readTime(text, { now, zone: berlin })).toEqual({ ok: true, value: rest })
})

const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'UTC',
)
const at = fc
  .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) })
  .map((ms) => ms - (ms % 60_000))

it('a moment is among those that its wall time stands for, in any zone', () => {
  fc.assert(
    fc.property(zone, at, (there, moment) => {
      expect(momentsOf(wallTimeAt(moment, there), there)).toContain(moment)
    }),
  )
})

it('a printed time is read as the same moment, and shown in both zones', () => {
  fc.assert(
    fc.property(zone, zone, at, (there, reader, moment) => {
      const found = readTime(isoTime({ at: moment, zone: there }), { now: moment - 60_000, zone: reader })
      expect(found).toMatchObject({ ok: true, value: { at: moment } })
      expect(zonedTime(moment, there)).toContain('UTC')
    }),
  )
})
