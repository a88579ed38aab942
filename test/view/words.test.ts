import { describe, expect, it } from 'vitest'
import { chartSvg } from '../../src/lib/view/chart-svg.ts'
import { didYouMean } from '../../src/lib/view/did-you-mean.ts'
import { withoutAtEnd } from '../../src/lib/view/end.ts'
import { fewNames } from '../../src/lib/view/format.ts'
import { mentionLineOf, mentionText } from '../../src/lib/view/mentions.ts'
import { menuGroups, menuLines } from '../../src/lib/view/menu-options.ts'
import { fieldLabelOf, openFacts } from '../../src/lib/view/record-facts.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, chart, facts, type Menu, table, type View } from '../../src/lib/view/view.ts'
import { unseenIn, visibleData, visibleLine, visibleText } from '../../src/lib/view/visible.ts'
import { isZone, momentsOf, offsetText, utcOf, wallTimeAt, zonedTime } from '../../src/lib/view/zones.ts'

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const viewOf = (...blocks: Block[]): View => ({ title: 'T', tone: 'plain', blocks })

describe('letters that nobody sees', () => {
  it.each([
    ['a\u200bb', 'a[U+200B]b'],
    ['a\u2800b', 'a[U+2800]b'],
    ['a\u3164b', 'a[U+3164]b'],
    ['a\u00adb', 'a[U+00AD]b'],
    ['a\u2028b', 'a[U+2028]b'],
    ['a\u{e0041}b', 'a[U+E0041]b'],
    ['a\u200db', 'a[U+200D]b'],
    ['a\ufe0fb', 'a[U+FE0F]b'],
    ['\ud83d', '\ufffd'],
    ['a\r\nb\tc', 'a\nb\tc'],
    ['👩\u200d👧', '👩\u200d👧'],
    ['❤\ufe0f', '❤\ufe0f'],
    ['1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['क्\u200dष', 'क्\u200dष'],
    ['e\u0301', 'e\u0301'],
    ['plain', 'plain'],
  ])('in %j are written as codes, where writing does not need them: %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown)
    expect(visibleData({ deep: [text] })).toEqual({ deep: [shown] })
    if (text.isWellFormed()) expect(unseenIn(text.replaceAll('\r\n', ''))).toBe(/\[U\+\w+\]/.exec(shown)?.[0])
  })

  it('and lines: none of a value looks like the next fact', () => {
    expect(visibleLine(' a \n\n b ')).toBe('a ⏎ b')
    expect(visibleLine(' a ')).toBe('a')
  })
})

describe('a word that was likely meant', () => {
  const known = ['refund', 'campaign send', 'list', 'log', 'up']
  it.each([
    ['refund', 'refund'],
    ['REFUND', 'refund'],
    ['refnud', 'refund'],
    ['refnd', 'refund'],
    ['rfnd', undefined],
    ['refuuund', 'refund'],
    ['ref', 'refund'],
    ['re', undefined],
    ['camp', 'campaign send'],
    ['lst', 'list'],
    ['lsst', 'list'],
    ['lo', undefined],
    ['lgo', 'log'],
    ['uq', undefined],
    ['up', 'up'],
    ['zorblax', undefined],
    ['', undefined],
  ])('%j is %s', (typed, meant) => {
    expect(didYouMean(typed, known)).toBe(meant)
  })
  it('is the nearest, and of two as near the first', () => {
    expect(didYouMean('lisd', ['lost', 'list', 'lisp'])).toBe('list')
    expect(didYouMean('abcdefgh', ['abcdefxx', 'abcdefgx'])).toBe('abcdefgx')
    expect(didYouMean('abcdefghijkl', ['abcdefghixyz'])).toBe('abcdefghixyz')
    expect(didYouMean('abcdefghijkl', ['abcdefghwxyz'])).toBeUndefined()
  })
})

describe('a clock on the wall', () => {
  const wall = (hour: number, minute: number, month = 3, day = 29) => ({
    year: 2026,
    month,
    day,
    hour,
    minute,
    second: 0,
  })
  it('is an instant, none where summer time leaves it out, two where it comes again', () => {
    expect(momentsOf(wall(1, 59), 'Europe/Berlin')).toEqual([Date.UTC(2026, 2, 29, 0, 59)])
    expect(momentsOf(wall(2, 0), 'Europe/Berlin')).toEqual([])
    expect(momentsOf(wall(3, 0), 'Europe/Berlin')).toEqual([Date.UTC(2026, 2, 29, 1, 0)])
    expect(momentsOf(wall(2, 30, 10, 25), 'Europe/Berlin')).toEqual([
      Date.UTC(2026, 9, 25, 0, 30),
      Date.UTC(2026, 9, 25, 1, 30),
    ])
    expect(momentsOf(wall(9, 0), 'Pacific/Kiritimati')).toEqual([Date.UTC(2026, 2, 28, 19, 0)])
    expect(wallTimeAt(Date.UTC(2026, 9, 25, 0, 30), 'Europe/Berlin')).toEqual(wall(2, 30, 10, 25))
    expect(utcOf(wall(2, 30))).toBe(Date.UTC(2026, 2, 29, 2, 30))
  })
  it('is said with its zone and in UTC, with the day where it is another', () => {
    const at = Date.UTC(2026, 10, 20, 8, 0, 0, 500)
    expect(zonedTime(at, 'UTC')).toBe('20 Nov 2026, 08:00 UTC')
    expect(zonedTime(at, 'Europe/Berlin')).toBe('20 Nov 2026, 09:00 Europe/Berlin (08:00 UTC)')
    expect(zonedTime(at, 'Pacific/Kiritimati')).toBe('20 Nov 2026, 22:00 Pacific/Kiritimati (08:00 UTC)')
    expect(zonedTime(Date.UTC(2026, 10, 20, 23, 0), 'Europe/Berlin')).toBe(
      '21 Nov 2026, 00:00 Europe/Berlin (20 Nov 2026, 23:00 UTC)',
    )
  })
  it('has an offset, to the minute', () => {
    const at = Date.UTC(2026, 10, 20, 8, 0, 0, 500)
    expect(['UTC', 'Asia/Kolkata', 'America/St_Johns'].map((zone) => offsetText(at, zone))).toEqual([
      '+00:00',
      '+05:30',
      '-03:30',
    ])
    expect([isZone('Europe/Berlin'), isZone('Europe/Nowhere')]).toEqual([true, false])
  })
})

describe('whose turn it is', () => {
  const person = (name: string, accounts: Record<string, string> = {}) => ({ name, accounts, isGroup: false })
  const group = (name: string, accounts: Record<string, string>) => ({ name, accounts, isGroup: true })
  it('is said by accounts, by names, and by a count of the others', () => {
    const mentions = [
      person('Ann', { slack: 'U1' }),
      person('Bo\n*'),
      group('ops', { slack: 'S1' }),
      group('far', { discord: '1' }),
    ]
    expect(mentionLineOf({ mentions }, 'slack')).toEqual([
      { kind: 'words', text: 'Your turn: ' },
      { kind: 'person', id: 'U1' },
      { kind: 'words', text: ', ' },
      { kind: 'words', text: 'Bo ⏎ *' },
      { kind: 'words', text: ', ' },
      { kind: 'group', id: 'S1' },
    ])
    expect(mentionLineOf({ mentions: [group('far', { discord: '1' })] }, 'slack')).toEqual([])
    expect(mentionLineOf({ mentions: [person('Ann', { slack: '<!here>' })] }, 'slack').at(-1)).toEqual({
      kind: 'words',
      text: 'Ann',
    })
    expect(mentionText({ mentions })).toBe('Your turn: Ann, Bo ⏎ *, everybody in ops, everybody in far')
    expect(mentionText({})).toBe('')
  })
  it.each([
    [10, ''],
    [11, ' and 1 other'],
    [12, ' and 2 others'],
  ])('of %i people ends with %j', (count, end) => {
    const mentions = many(count, (at) => person(`p${at}`, { slack: `U${at}` }))
    const ids = mentionLineOf({ mentions }, 'slack')
    expect(ids.filter(({ kind }) => kind === 'person')).toHaveLength(10)
    expect(ids.at(-1)).toEqual(end === '' ? { kind: 'person', id: 'U9' } : { kind: 'words', text: end })
    expect(mentionText({ mentions: [...mentions, ...mentions] })).toBe(
      `Your turn: ${many(10, (at) => `p${at}`).join(', ')}${end}`,
    )
  })
  it('shortens a long name in its middle', () => {
    expect(mentionText({ mentions: [person('x'.repeat(60))] })).toBe(`Your turn: ${'x'.repeat(60)}`)
    expect(mentionText({ mentions: [person(`${'x'.repeat(60)}end`)] })).toMatch(/^Your turn: x{29}…x{27}end$/)
  })
})

describe('a menu', () => {
  const menu = (count: number, actions = 1): Menu => ({
    id: 'm',
    items: many(count, (at) => ({
      at: at + 1,
      thing: { kind: 'list' as const, id: `l${at}`, name: `L${at}` },
      actions: many(actions, (one) => `do ${one}`),
    })),
    summaries: { 'do 0': 'Does it' },
  })
  it('has the actions of one thing, the things of a few, and ranges of many', () => {
    expect(menuLines(menu(1, 3), 2)).toEqual({
      title: 'Do something with L0 (l0)',
      options: [
        { value: 'm.1.do 0', label: 'do 0', hint: 'Does it' },
        { value: 'm.1.do 1', label: 'do 1', hint: '' },
      ],
    })
    expect(menuLines(menu(2, 5), 2)).toEqual({
      title: 'Choose what to work on',
      options: [
        { value: 'm.1', label: 'L0 (l0)', hint: 'do 0, do 1, do 2, do 3' },
        { value: 'm.2', label: 'L1 (l1)', hint: 'do 0, do 1, do 2, do 3' },
      ],
    })
    expect(menuLines(menu(3), 2)).toEqual({
      title: 'Choose what to work on',
      options: [
        { value: 'm.1-2', label: '2 to 3', hint: 'L0 (l0) to L1 (l1)' },
        { value: 'm.3-3', label: '4 to 4', hint: 'L2 (l2) to L2 (l2)' },
      ],
    })
    expect(menuLines(menu(9), 2).options.map(({ value }) => value)).toEqual(['m.1-5', 'm.6-9'])
    expect(menuGroups(menu(2)).map(({ label }) => label)).toEqual(['L0 (l0)', 'L1 (l1)'])
  })
})

describe('a view as text', () => {
  it('numbers what something can be done with', () => {
    const things = [thing('list', 'l0'), undefined, thing('list', 'l1')]
    const menu: Menu = {
      id: 'm',
      items: [{ at: 1, thing: { kind: 'list', id: 'l1' }, actions: [] }],
      summaries: {},
    }
    const rows = table(['Name'], [['a'], ['b'], ['c']], things)
    expect(
      textOfView(
        { ...viewOf(rows, facts({ Id: thing('list', 'l1'), Other: thing('list', 'l0') })), menu },
        { numbered: true },
      ),
    ).toBe('T\n\n#  Name\n   a\n   b\n2  c\n\nId     l1 [2]\nOther  l0')
    expect(textOfView(viewOf(rows), { numbered: true })).toBe('T\n\nName\na\nb\nc')
  })
  it('adds the distance for whoever reads it now', () => {
    const moment = { at: 0, text: 'then' }
    expect(
      textOfView(viewOf(facts({ L: moment, M: 'v' }), table(['A', 'B'], [[moment, 'b']])), {
        now: 3_600_000,
      }),
    ).toBe('T\n\nL  then (1 hour ago)\nM  v\n\nA           B\n1 hour ago  b')
  })
  it('aligns labels up to a width', () => {
    expect(textOfView(viewOf(facts({ ['x'.repeat(41)]: 'v', a: 'w' })))).toBe(
      `T\n\n${'x'.repeat(41)}  v\n${'a'.padEnd(40)}  w`,
    )
    expect(textOfView(viewOf(chart('C', 'bar', { a: 2, bb: 1, c: -1 })))).toBe(
      `T\n\nC\na   ${'#'.repeat(30)} 2\nbb  ${'#'.repeat(15)} 1\nc    -1`,
    )
  })
})

describe('a chart', () => {
  const svg = (shape: 'bar' | 'line' | 'pie', ...series: number[][]) =>
    chartSvg({
      kind: 'chart',
      title: '<C>',
      shape,
      series: series.map((values, at) => ({
        name: `s${at}`,
        points: values.map((value, point) => ({ label: `p${point}`, value })),
      })),
    })
  /** Each mark with its place and size, and the words at it. */
  const marksIn = ({ svg: text, height }: { svg: string; height: number }): string[] => [
    String(height),
    ...[...text.matchAll(/<(rect|circle|line|polyline|path|text)([^>]*)>([^<]*)/g)]
      .slice(2)
      .map(([, kind, given = '', words]) =>
        [
          kind,
          ...[...given.matchAll(/ (?:c?[xy]|width|height|[xy][12]|points|d)="([^"]*)"/g)].map(
            ([, value]) => value,
          ),
          words,
        ]
          .join(' ')
          .trim(),
      ),
  ]
  it.each([
    [
      'bars, by their size and as many as there are',
      svg('bar', [1, -2, 0]),
      [
        '170',
        'text 190 74 p0',
        'rect 200 56 210 26',
        'text 418 74 1',
        'text 190 108 p1',
        'rect 200 90 420 26',
        'text 628 108 -2',
        'text 190 142 p2',
        'rect 200 124 1 26',
        'text 209 142 0',
      ],
    ],
    [
      'bars of two series, with their names',
      svg('bar', [1], [2]),
      [
        '192',
        'text 190 74 p0',
        'rect 200 56 210 26',
        'text 418 74 1',
        'text 190 108 p0',
        'rect 200 90 420 26',
        'text 628 108 2',
        'rect 24 129 14 14',
        'text 46 141 s0',
        'rect 24 151 14 14',
        'text 46 163 s1',
      ],
    ],
    [
      'lines between the least and the most',
      svg('line', [1, 5, 3], [2, -2]),
      [
        '398',
        'line 70 690 296 296',
        'text 62 300 -2',
        'line 70 690 176 176',
        'text 62 180 1.5',
        'line 70 690 56 56',
        'text 62 60 5',
        'polyline 70,193.14 380,56 690,124.57',
        'circle 70 193.14',
        'circle 380 56',
        'circle 690 124.57',
        'polyline 70,158.86 380,296',
        'circle 70 158.86',
        'circle 380 296',
        'text 70 316 p0',
        'text 380 316 p1',
        'text 690 316 p2',
        'rect 24 335 14 14',
        'text 46 347 s0',
        'rect 24 357 14 14',
        'text 46 369 s1',
      ],
    ],
    [
      'a line of one point',
      svg('line', [4]),
      [
        '342',
        'line 70 690 296 296',
        'text 62 300 0',
        'line 70 690 176 176',
        'text 62 180 2',
        'line 70 690 56 56',
        'text 62 60 4',
        'polyline 70,56',
        'circle 70 56',
        'text 70 316 p0',
      ],
    ],
    [
      'slices by their shares around their sum, without those of nothing',
      svg('pie', [3, 1, 0]),
      [
        '310',
        'path M 150 176 L 150 66 A 110 110 0 1 1 40 176 Z',
        'rect 310 59 14 14',
        'text 332 71 p0: 3 (75%)',
        'path M 150 176 L 40 176 A 110 110 0 0 1 150 66 Z',
        'circle 150 176',
        'text 150 184 4',
        'rect 310 83 14 14',
        'text 332 95 p1: 1 (25%)',
      ],
    ],
    [
      'one slice, which is all',
      svg('pie', [3]),
      [
        '310',
        'path M 40 176 A 110 110 0 1 1 260 176 A 110 110 0 1 1 40 176 Z',
        'circle 150 176',
        'text 150 184 3',
        'rect 310 59 14 14',
        'text 332 71 p0: 3 (100%)',
      ],
    ],
    ['no slice', svg('pie', [0]), ['112', 'text 24 76 Nothing to draw']],
    ['no point', svg('bar', []), ['112', 'text 24 76 Nothing to draw']],
  ])('has %s', (_, drawn, marks) => {
    expect(marksIn(drawn)).toEqual(marks)
  })
  it('names every second of nine points, and draws what is no number, or too much of one', () => {
    expect(
      svg(
        'line',
        many(9, (at) => at),
      ).svg.match(/>p\d</g),
    ).toEqual(['>p0<', '>p2<', '>p4<', '>p6<', '>p8<'])
    expect(
      svg(
        'line',
        many(8, (at) => at),
      ).svg.match(/>p\d</g),
    ).toHaveLength(8)
    expect(svg('line', [0, 0]).svg).toContain('points="70,296 690,296"')
    expect(svg('line', [Number.NaN, 1e308, -1e308]).svg).toContain('points="70,176 380,56 690,296"')
  })
  it('of more than 24 points says how many are left out', () => {
    expect(
      svg(
        'bar',
        many(24, (at) => at),
      ).svg,
    ).not.toContain('left out')
    expect(
      svg(
        'bar',
        many(25, (at) => at),
      ).svg,
    ).toContain('1 more points left out')
    expect(svg('line', ...many(9, () => [1, 2])).svg).not.toContain('>s8<')
  })
})

it('fields of a record are facts in words', () => {
  expect(
    openFacts(
      {
        createdAt: 'x',
        __v: 1,
        ok: true,
        no: false,
        tags: ['a', 1],
        deep: {},
        list: [{}],
        empty: '',
        shown: 'y',
      },
      ['shown'],
    ),
  ).toEqual({
    'Created at': 'x',
    Ok: 'yes',
    No: 'no',
    Tags: 'a, 1',
  })
  expect(['created_at', 'userID2x', ' a  b_'].map(fieldLabelOf)).toEqual(['Created at', 'User id2x', 'A b'])
})

it('a few names are said, and more are counted', () => {
  const names = (count: number) => fewNames(many(count, (at) => `n${at}`))
  expect([names(0), names(5), names(6), names(7)]).toEqual([
    'none',
    'n0, n1, n2, n3, n4',
    'n0, n1, n2, n3, n4 and 1 other',
    'n0, n1, n2, n3, n4 and 2 others',
  ])
})

it('what stands at an end is taken off, all of it', () => {
  expect([
    withoutAtEnd('a.. .', '.'),
    withoutAtEnd('a.b', '.'),
    withoutAtEnd('...', '.'),
    withoutAtEnd('', '.'),
  ]).toEqual(['a', 'a.b', '', ''])
})
