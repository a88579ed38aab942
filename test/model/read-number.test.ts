import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readNumber } from '../../src/lib/codecs/read-number.ts'

const digits = fc
  .integer({ min: 1, max: 18 })
  .chain((length) => fc.array(fc.nat(9), { minLength: length, maxLength: length }).map((all) => all.join('')))

it('a whole number is itself, with or without a unit, and is refused where a digit of it would be lost', () => {
  fc.assert(
    fc.property(digits, fc.constantFrom('', '-'), (text, sign) => {
      const isExact = Number.isSafeInteger(Number(text))
      const expected = { value: Number(sign + text) || 0, plain: sign + text }
      expect(readNumber(` ${sign}${text} `)).toEqual(
        isExact ? { ok: true, ...expected, unit: null } : { ok: false, why: undefined },
      )
      // What has a unit is read by its shape.
      expect(readNumber(`${sign}${text} USD`)).toEqual(
        isExact ? { ok: true, ...expected, unit: 'USD' } : { ok: false, why: undefined },
      )
    }),
  )
})
