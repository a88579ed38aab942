import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as billingFields from '../../../packs/billing/guesses.ts'
import * as chatFields from '../../../packs/chat/guesses.ts'
import * as fields from '../../../src/lib/services/endpoints/guesses.ts'

const declared = { ...fields, ...chatFields, ...billingFields }

describe('fields that are declared as strings', () => {
  it('go out as text, whatever they hold', () => {
    expect(declared.toNames(['vip', 'new one'], 'text')).toBe('vip,new one')
    expect(declared.toNames(['yes', 'no, thanks'], 'json')).toBe('["yes","no, thanks"]')
    expect(declared.toNames(['vip'], 'list')).toEqual(['vip'])
    const city = [{ name: 'city', value: '' }]
    expect(declared.toAttributes(city, 'json')).toBe('[{"name":"city","value":""}]')
    expect(declared.toAttributes(city, 'json-object')).toBe('{"city":""}')
    expect(declared.toAttributes(city, 'list')).toEqual(city)
    expect(declared.toAttributes(city, 'object')).toEqual({ city: '' })
    expect(declared.toContactDetails({ name: 'Ada' }, 'json')).toBe('{"name":"Ada"}')
    expect(declared.toContactDetails({ name: 'Ada' }, 'object')).toEqual({ name: 'Ada' })
    const seats = [{ id: 'a1', quantity: 2 }]
    expect(declared.toAddons(seats, 'json')).toBe('[{"id":"a1","quantity":2}]')
    expect(declared.toAddons(seats, 'text')).toBe('a1:2')
    expect(declared.toAddons(seats, 'object')).toEqual({ a1: 2 })
    expect(declared.toFlagText(true)).toBe('true')
    expect(declared.toFlagText(false)).toBe('false')
  })

  it('hold plain decimals for numbers, never an exponent', () => {
    expect(declared.toNumberText(12.5)).toBe('12.5')
    expect(declared.toNumberText(0.0000001)).toBe('0.0000001')
    expect(() => declared.toNumberText(Number.NaN)).toThrow(RangeError)
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }), (whole, places) => {
        const value = whole / 10 ** places
        const text = declared.toNumberText(value)
        expect(text).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Number(text)).toBe(value)
      }),
    )
  })
})
