import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serviceNamed } from '../../src/lib/services/endpoints/tables.ts'
import { type LinkPair, linkEnd } from '../../src/lib/things/link.ts'
import { type LinkRow, type LinkUse, linksFrom as linksBy } from '../../src/lib/things/link-rows.ts'

const linkVias = ['email', 'chat', 'billing', 'hand', 'approved', 'field']
const linksFrom = (rows: readonly LinkRow[], use: LinkUse) =>
  linksBy(rows, use, (service) => serviceNamed(service).links?.trust ?? 'view')

const ends: LinkPair = [
  { kind: 'customer', id: 'cus_1' },
  { kind: 'email', id: 'ada@x.se' },
]
const row = (via: LinkRow['via'], over: Partial<LinkRow> = {}): LinkRow => ({
  ends,
  via,
  source: `${via}.read`,
  at: 1,
  by: via === 'hand' || via === 'field' || via === 'approved' ? 'Sam' : null,
  approvedBy: via === 'approved' ? 'Fay' : null,
  approvedAt: via === 'approved' ? 2 : null,
  isOff: false,
  ...over,
})
const steers = (...rows: LinkRow[]) => linksFrom(rows, 'money').some(({ isOff }) => !isOff)

describe('what may steer money', () => {
  test.each<[string, LinkRow[], boolean]>([
    ['seen in the billing service', [row('billing')], true],
    ['seen in a field that nobody here wrote', [row('email')], true],
    ['seen in a field that somebody here wrote', [row('email'), row('field')], false],
    [
      'written here, and shown by the billing service too',
      [row('email'), row('field'), row('billing')],
      true,
    ],
    ['written, and shown nowhere yet', [row('field')], false],
    ['said by hand', [row('hand')], false],
    ['said by hand and approved by somebody else', [row('approved')], true],
    ['written here and approved', [row('email'), row('field'), row('approved')], true],
    ['a number in the messaging service', [row('chat')], false],
    ['seen, and cut by one person alone', [row('billing'), row('hand', { isOff: true, at: 9 })], true],
    ['seen, and cut with an approval', [row('billing'), row('approved', { isOff: true })], false],
    ['approved, and cut by one person later', [row('approved'), row('hand', { isOff: true, at: 9 })], true],
  ])('%s: %#', (_, rows, expected) => {
    expect(steers(...rows)).toBe(expected)
  })

  test.each([' ', ':', '\n', '","'])(
    'a row speaks for its own pair, whatever its ids look like: %j',
    (between) => {
      const pair = (id: string, other: string): LinkPair => [
        { kind: 'customer', id },
        { kind: 'payment', id: other },
      ]
      const [wide, long] = [`a${between}payment:b`, `b${between}payment:c`]
      const seen = row('billing', { ends: pair('a', long) })
      expect(steers(seen, row('approved', { ends: pair(wide, 'c'), isOff: true }))).toBe(true)
    },
  )

  test('no word of one person alone changes it, whatever else is known', () => {
    const rows = fc.uniqueArray(
      fc.record({
        via: fc.constantFrom(...linkVias.filter((via) => via !== 'hand')),
        at: fc.nat(9),
        isOff: fc.boolean(),
      }),
      { selector: ({ via }) => via },
    )
    const words = fc.record({ isOff: fc.boolean(), at: fc.nat(9) })
    fc.assert(
      fc.property(rows, words, (known, word) => {
        const before = known.map(({ via, ...over }) =>
          row(via, via === 'approved' ? over : { ...over, isOff: false }),
        )
        expect(linksFrom([...before, row('hand', word)], 'money')).toEqual(linksFrom(before, 'money'))
      }),
    )
  })

  test('a view shows it all, and names who said it', () => {
    expect(linksFrom([row('email'), row('field', { by: 'Sam', at: 7 })], 'view')).toEqual([
      { ends, isOff: false, provenance: { kind: 'said', how: 'field', by: 'Sam', at: 7, approved: null } },
    ])
    expect(linksFrom([row('hand', { isOff: true })], 'view')).toMatchObject([{ isOff: true }])
  })
})

test('what no database of ours stores is no id', () => {
  expect(linkEnd('customer', 'cus_1')).toEqual({ kind: 'customer', id: 'cus_1' })
  expect(linkEnd('customer', 'cus\0_1')).toBeUndefined()
})
