import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatNumber } from '../../src/lib/view/format-number.ts'

const digits = fc.nat(4).chain((most) => fc.record({ most: fc.constant(most), least: fc.nat(most) }))
const value = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ min: -1e10, max: 1e10, noNaN: true }),
  fc.double(),
  // Where people count: cents, halves and tenths of them, groups of three.
  fc.tuple(fc.integer({ min: -2e9, max: 2e9 }), fc.nat(4)).map(([whole, places]) => whole / 10 ** places),
  fc.nat(12).map((power) => 10 ** power - 1),
)

it('a number is written as it is in English everywhere', () => {
  fc.assert(
    fc.property(value, digits, (number, { least, most }) => {
      const expected = new Intl.NumberFormat('en-US', {
        minimumFractionDigits: least,
        maximumFractionDigits: most,
      }).format(number)
      // Nobody reads "-0".
      const isNothing = !/[1-9∞]/.test(expected)
      expect(formatNumber(number, { least, most })).toBe(isNothing ? expected.replace('-', '') : expected)
    }),
    { numRuns: 500 },
  )
})

it.each([
  [1_234_567.8912, '1,234,567.891'],
  [999, '999'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-∞'],
])('%d without more said is %s', (number, text) => {
  expect(formatNumber(number)).toBe(text)
})
