import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longestMs, parseDuration, printDuration } from '../../src/lib/codecs/duration.ts'

it('a duration is a whole number and a unit', () => {
  expect(['10s', '30m', '24h', '7d', '24 h', ' 1d '].map(parseDuration)).toEqual([
    10_000, 1_800_000, 86_400_000, 604_800_000, 86_400_000, 86_400_000,
  ])
})

it('anything else is none, and so are no time at all and more than a leap year', () => {
  const wrong = ['', '30', 'm', '1.5h', '-1h', '1h30m', '30 minutes', '1H', '0s', '367d', '999999999d', '٣m']
  expect(wrong.map(parseDuration)).toEqual(wrong.map(() => null))
})

it('is printed in the largest unit that is exact, a day as its hours', () => {
  expect([1000, 90_000, 5_400_000, 3_600_000, 86_400_000, 172_800_000].map(printDuration)).toEqual([
    '1 s',
    '90 s',
    '90 m',
    '1 h',
    '24 h',
    '2 d',
  ])
})

it('is read back as it was printed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: longestMs / 1000 }), (seconds) => {
      expect(parseDuration(printDuration(seconds * 1000))).toBe(seconds * 1000)
    }),
  )
})
