import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, digestOf } from '../../src/lib/codecs/canonical-json.ts'

describe('canonical JSON', () => {
  it('is the same text after a round trip, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('does not depend on the order in which keys were set', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(canonicalJson(Object.fromEntries(Object.entries(value).reverse()))).toBe(canonicalJson(value))
      }),
    )
  })

  it('sorts keys by code unit, numbers among them', () => {
    expect(canonicalJson({ b: 1, a: { z: 1, Z: 2 }, 10: 0, 9: 0 })).toBe(
      '{"10":0,"9":0,"a":{"Z":2,"z":1},"b":1}',
    )
  })

  it('drops what JSON has no word for, as JSON does', () => {
    expect(canonicalJson({ a: undefined, b: [undefined, Number.NaN], c: -0, d: () => 1 })).toBe(
      '{"b":[null,null],"c":0}',
    )
    expect(canonicalJson(undefined)).toBe('null')
    expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}')
  })

  it('keeps every key, also those with a meaning of their own', () => {
    const text = '{"__proto__":{"a":1},"constructor":null}'
    expect(canonicalJson(JSON.parse(text))).toBe(text)
  })
})

describe('a digest', () => {
  it('is the SHA-256 of the canonical text, in hex', () => {
    const text = '{"a":1,"b":"naïve"}'
    expect(digestOf({ b: 'naïve', a: 1 })).toBe(createHash('sha256').update(text).digest('hex'))
    expect(digestOf({ a: 2, b: 'naïve' })).not.toBe(digestOf({ a: 1, b: 'naïve' }))
  })
})
