import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeItem, itemsOf, toItems } from '../../../src/kernel/command/line/items.ts'

it.each([
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  ['big spender,vip', ['big spender', 'vip']],
  ['a\\,b,c', ['a,b', 'c']],
  ['a\\\\,b', ['a\\', 'b']],
  ['\\ a\\ ,b', [' a ', 'b']],
  ['a,,b', ['a', '', 'b']],
  ['a,', ['a', '']],
  ['', []],
  ['  ', []],
])('the list %j has the items %j', (text, items) => {
  expect(toItems(text)).toEqual(items)
})

it.each([
  ['quotes around the whole list', 'vip, big spender', ['vip', 'big spender']],
  ['quotes around each item', 'big spender","vip', ['big spender', 'vip']],
  ['curly quotes around each item', 'big spender”, “vip', ['big spender', 'vip']],
  ['quotes around some items', 'big spender",vip,"last one', ['big spender', 'vip', 'last one']],
  ['a comma inside a quoted item', 'Lund, Sweden","Oslo', ['Lund, Sweden', 'Oslo']],
  ['a quote inside the list', 'the "best" one,two', ['the "best" one', 'two']],
])('a quoted list is read with %s', (_, text, items) => {
  expect(itemsOf({ text, quoted: true })).toEqual(items)
})

it('any items that are not all empty come back from the text they are written as', () => {
  const items = fc
    .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', ',', '"', '\\', 'a b', '”,“')))
    .filter((list) => list.join('') !== '' || list.length !== 1)
  fc.assert(
    fc.property(items, fc.boolean(), (list, quoted) => {
      const text = list.map(escapeItem).join(',')
      expect(itemsOf({ text, quoted })).toEqual(list)
    }),
    { numRuns: 500 },
  )
})
