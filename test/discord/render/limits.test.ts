import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buttonId } from '../../../adapters/discord/protocol/custom-id.ts'
import { discordLimits } from '../../../adapters/discord/protocol/limits.ts'
import {
  clipText,
  escapeMarkdown,
  escapeOneLineWithin,
  isBlank,
  timestampOf,
  toCodeBlockText,
} from '../../../adapters/discord/render/escape.ts'
import { fitSection, textBudgetsOf } from '../../../adapters/discord/render/fit.ts'
import { marksRows } from '../../../adapters/discord/render/marks.ts'
import { menuRows } from '../../../adapters/discord/render/menu.ts'
import { actionButtonsOf, renderDiscord, renderMessage } from '../../../adapters/discord/render/render.ts'
import { type Section, sectionOf } from '../../../adapters/discord/render/section.ts'
import { verbNames } from '../../../src/lib/view/button-labels.ts'
import { type Block, chart, diff, facts, list, table, type View } from '../../../src/lib/view/view.ts'
import { visibleText } from '../../../src/lib/view/visible.ts'
import { allComponents } from '../fake/rules.ts'

const viewOf = (blocks: Block[], more: Partial<View> = {}): View => ({
  title: 'T',
  tone: 'plain',
  blocks,
  ...more,
})
const textsIn = (view: View): string[] =>
  allComponents(renderDiscord(view).components)
    .filter(({ type }) => type === 10)
    .map(({ content }) => String(content))
const shown = (...blocks: Block[]): string => textsIn(viewOf(blocks)).slice(1).join('\n')
const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const wide = { kind: 'chart' as const, shape: 'bar' as const }

describe('a text at its limit stays whole, and one more character is cut where everybody sees it', () => {
  const { title, footer, label, cell } = discordLimits
  const written = (block: Block) => {
    const section = sectionOf(block, false)
    return section?.kind === 'lines' ? section.lines.join('\n') : ''
  }
  it.each<[string, number, (text: string) => string, string, string]>([
    ['a title', title, (text) => textsIn(viewOf([], { title: text }))[0] ?? '', '## ', ''],
    ['a footer', footer, (text) => textsIn(viewOf([], { footer: text }))[1] ?? '', '-# ', ''],
    ['the label of a fact', label, (text) => shown(facts({ [text]: 'v' })), '**', '**: v'],
    ['the label of a change', label, (text) => shown(diff({ [text]: [null, 'v'] })), '**', '**: **v**'],
    [
      'the label of a progress',
      label,
      (text) => written({ kind: 'progress', label: text, done: 1, total: 2 }).split('\n')[0] ?? '',
      '**',
      '**',
    ],
    [
      'the title of a chart in words',
      label,
      (text) => written({ ...wide, title: text, series: [] }),
      '**',
      '**',
    ],
    [
      'the label of a point',
      label,
      (text) =>
        written({
          ...wide,
          title: 'C',
          series: [{ name: '', points: [{ label: text, value: 1_000 }] }],
        }),
      '**C**\n- ',
      ': 1,000',
    ],
    ['a cell', cell, (text) => shown(table(['A', 'B'], [[text, 'b']])), '**', '** · B: b'],
    ['a column', cell, (text) => shown(table(['A', text], [['a', 'b']])), '**a** · ', ': b'],
  ])('%s', (_, most, draw, before, after) => {
    const at = (length: number, unit = 'x') => draw(unit.repeat(length))
    expect(at(most - 1)).toBe(`${before}${'x'.repeat(most - 1)}${after}`)
    expect(at(most)).toBe(`${before}${'x'.repeat(most)}${after}`)
    expect(at(most + 1)).toBe(`${before}${'x'.repeat(most - 1)}…${after}`)
    for (const odd of ['', 'x']) expect(draw(odd + '😀'.repeat(most)).isWellFormed()).toBe(true)
  })

  it.each<[string, (text: string) => string, string, string]>([
    ['of a fact', (text) => shown(facts({ L: text })), '**L**: ', ''],
    ['of a list', (text) => shown(list([text])), '- ', ''],
    ['before', (text) => shown(diff({ L: [text, null] })), '**L**: ~~', '~~ → removed'],
    ['after', (text) => shown(diff({ L: [null, text] })), '**L**: **', '**'],
  ])('a value %s says how much is missing', (_, draw, before, after) => {
    const most = discordLimits.value
    expect(draw('x'.repeat(most))).toBe(`${before}${'x'.repeat(most)}${after}`)
    expect(draw('x'.repeat(most + 1))).toBe(`${before}${'x'.repeat(most - 1)}… (2 more characters)${after}`)
    expect(draw('x'.repeat(most + 100))).toContain('… (101 more characters)')
  })

  it('never cuts a character in two', () => {
    expect(clipText('ab😀', 4)).toBe('ab😀')
    expect(clipText('ab😀c', 4)).toBe('ab…')
    expect(clipText('a😀bc', 4)).toBe('a😀…')
    expect([clipText('abc', 1), clipText('abc', 0)]).toEqual(['…', '…'])
  })

  it('of signs that are escaped is cut by its escaped length, and not much more than needed', () => {
    const most = discordLimits.title
    expect(escapeOneLineWithin('*'.repeat(most / 2), most)).toBe('\\*'.repeat(most / 2))
    const cut = escapeOneLineWithin('*'.repeat(most), most)
    expect(cut).toMatch(/^(?:\\\*)+…$/)
    expect(cut.length).toBeLessThanOrEqual(most)
    expect(cut.length).toBeGreaterThan(most * 0.85)
  })

  it('of a chart for those who do not see it', () => {
    const altOf = (title: string) =>
      String(renderDiscord(viewOf([chart(title, 'bar', { a: 1_000, b: 2 })])).attachments[0]?.description)
    const rest = ': a 1,000, b 2'
    const most = discordLimits.altText - rest.length
    expect(altOf('x'.repeat(most))).toBe(`${'x'.repeat(most)}${rest}`)
    expect(altOf('x'.repeat(most + 1))).toMatch(/^x{970} … 2 points in all$/)
    expect(altOf(`${'x'.repeat(969)}${'😀'.repeat(99)}`)).toMatch(/^x{969} … 2/)
  })
})

describe('more than there is room for is left out and counted', () => {
  const countIn = (words: string) => Number(/… ([\d,]+) more/.exec(words)?.[1]?.replaceAll(',', '') ?? 0)

  it('lines, to the last character of the room', () => {
    const lines = many(12, (at) => 'x'.repeat(1 + (at % 4)))
    const whole = lines.join('\n')
    const note = (count: number) => `-# … ${count} more ${count === 1 ? 'row' : 'rows'} left out`
    const section: Section = { kind: 'lines', lines, unit: 'row' }
    for (let room = 0; room <= whole.length + 2; room++) {
      const fitting = lines.filter(
        (_, at) => lines.slice(0, at + 1).join('\n').length + 1 + note(12).length <= room,
      ).length
      const expected =
        room >= whole.length ? whole : [...lines.slice(0, fitting), note(12 - fitting)].join('\n')
      expect(fitSection(section, room), `room ${room}`).toBe(expected)
    }
  })

  it('lines in a fence, which is always closed', () => {
    const lines = many(12, (at) => 'x'.repeat(1 + (at % 4)))
    const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``
    const note = (count: number) => `-# … ${count} more ${count === 1 ? 'line' : 'lines'} left out`
    const whole = fence(lines.join('\n'))
    for (let room = 0; room <= whole.length + 2; room++) {
      const fitting = lines.filter(
        (_, at) => fence(lines.slice(0, at + 1).join('\n')).length + 1 + note(12).length <= room,
      ).length
      const expected =
        room >= whole.length
          ? whole
          : `${fence(fitting === 0 ? 'x…' : lines.slice(0, fitting).join('\n'))}\n${note(12 - fitting)}`
      expect(fitSection({ kind: 'fence', lines, unit: 'line' }, room), `room ${room}`).toBe(expected)
    }
    const long = fitSection({ kind: 'fence', lines: ['x'.repeat(500)], unit: 'line' }, 100)
    expect(long).toMatch(/^```\nx+…\n```\n-# … 1 more line left out$/)
    expect(long).toHaveLength(100)
    const faces = `${'x'.repeat(64)}${'😀'.repeat(20)}`
    expect(fitSection({ kind: 'fence', lines: [faces], unit: 'line' }, 100)).toContain(`\n${'x'.repeat(64)}…`)
  })

  it('prose, whose rest is counted', () => {
    const prose = (text: string, room: number, lead = '') => fitSection({ kind: 'prose', text, lead }, room)
    expect(prose(` ${'x'.repeat(100)} `, 100)).toBe('x'.repeat(100))
    expect(prose('x'.repeat(98), 100, '! ')).toBe(`! ${'x'.repeat(98)}`)
    for (let room = 60; room < 200; room += 7) {
      const cut = prose('x'.repeat(200), room, '! ')
      const [, kept = ''] = /^! (x+) … \(\d+ more characters\)$/.exec(cut) ?? []
      expect(kept.length + Number(/(\d+) more/.exec(cut)?.[1]), `room ${room}`).toBe(200)
      expect(cut.length).toBeLessThanOrEqual(room)
      expect(cut.length).toBeGreaterThan(room * 0.85)
    }
    expect(prose('x'.repeat(200), 0)).toBe(' … (200 more characters)')
    expect(prose(`${'x '.repeat(50)}`, 60)).not.toContain('  …')
    for (const room of [60, 61, 62, 63]) expect(prose('😀'.repeat(100), room)).toMatch(/^😀+ … \(\d+ more/u)
  })

  it('a note keeps its end, and says how much of its middle is left out', () => {
    const remedy = 'Write the time with its zone, such as 9:00 Europe/Berlin.'
    const words = `${'x'.repeat(500)}. ${remedy}`
    const cut = (room: number, text = words) =>
      fitSection({ kind: 'prose', text, lead: '⚠️ ', keepsEnd: true }, room)
    const whole = `⚠️ ${words}`
    expect(cut(whole.length)).toBe(whole)
    for (let room = 130; room < whole.length; room += 17) {
      const shown = cut(room)
      expect(shown, `room ${room}`).toMatch(/^⚠️ x+… \(\d+ more characters\) … /)
      expect(shown.endsWith('Europe/Berlin.')).toBe(true)
      expect(shown.length).toBeLessThanOrEqual(room)
      expect(shown.length).toBeGreaterThan(room * 0.75)
    }
    const signs = cut(200, `${'*'.repeat(500)}. ${remedy}`)
    expect(signs.length).toBeLessThanOrEqual(200)
    expect(signs.endsWith('Europe/Berlin.')).toBe(true)
    const lined = `- ${words}`
    for (let room = 100; room < 400; room += 3) expect(cut(room, lined).length).toBeLessThanOrEqual(room)
    for (const room of [60, 63]) expect(cut(room)).toMatch(/^⚠️ x+ … \(\d+ more characters\)$/)
    expect(cut(64)).toMatch(/^⚠️ x+… \(\d+ more characters\) … .+$/)
  })

  it('a title that is too long for its line is repeated whole, unless it is no title any more', () => {
    const repeated = (length: number) => textsIn(viewOf([], { title: 'x'.repeat(length) })).slice(1)
    const { title, value } = discordLimits
    expect(repeated(title - 20)).toEqual([])
    expect(repeated(title - 19)).toEqual(['x'.repeat(title - 19)])
    expect(repeated(value * 2 - 1)).toHaveLength(1)
    expect(repeated(value * 2)).toEqual([])
  })

  it('a button whose id Discord would not take', () => {
    const lengths = many(120, (at) => {
      const id = 'x'.repeat(at + 1)
      const [button] = actionButtonsOf({ actions: [{ verb: 'approve', id }] })
      expect(button !== undefined).toBe(buttonId('approve', id).length <= 100)
      return button === undefined ? 0 : buttonId('approve', id).length
    })
    expect(Math.max(...lengths)).toBe(100)
  })

  it('buttons of what waits behind the first few', () => {
    const request = (at: number) => ({
      title: `Refund ${at}`,
      by: 'Sam',
      asked: { at: 1_000, text: 'then' },
      needs: [],
      facts: [],
      warnings: [],
      thing: { kind: 'change' as const, id: `c${at}` },
      actions: many(6, (n) => ({ verb: verbNames()[n] ?? 'act', id: `c${at}` })),
    })
    const partsOf = (...counts: number[]) => {
      const blocks = counts.map((count, block) => ({
        kind: 'requests' as const,
        requests: many(count, (at) => request(block * 100 + at)),
      }))
      const parts = allComponents(renderDiscord(viewOf(blocks)).components)
      const rows = parts.filter(({ type }) => type === 1).map(({ components }) => (components as []).length)
      const texts = parts.filter(({ type }) => type === 10).length - 1
      return [rows, texts]
    }
    const most = discordLimits.requests
    const five = (count: number) => Array(count).fill(5)
    expect(partsOf(most)).toEqual([five(most), most])
    expect(partsOf(most + 2)).toEqual([five(most), most + 1])
    expect(partsOf(most - 1, 1)).toEqual([five(most), most])
    expect(partsOf(most - 1, 2)).toEqual([five(most), most + 1])
    expect(partsOf(most, 1)).toEqual([five(most), most + 1])
  })

  it('what can be marked, and what a mark could not carry', () => {
    const marked = (count: number, length = 2) =>
      marksRows({
        marks: many(count, (at) => ({
          id: `${at}`.padStart(length, '0'),
          label: at === 0 ? ' ' : 'l'.repeat(101),
          hint: 'h'.repeat(101),
        })),
      })[0]?.components[0]
    expect(marked(0)).toBeUndefined()
    expect(marked(1, 101)).toBeUndefined()
    expect(marked(1, 100)?.options).toHaveLength(1)
    expect(marked(25)).toMatchObject({ min_values: 1, max_values: 25 })
    expect(marked(26)?.options).toHaveLength(25)
    expect(marked(2)?.options).toEqual([
      { value: '00', label: '00', description: `${'h'.repeat(99)}…` },
      { value: '01', label: `${'l'.repeat(99)}…`, description: `${'h'.repeat(99)}…` },
    ])
  })

  it('shares the room: the short ones all they need, the essential ones first', () => {
    const lines = (length: number): Section => ({ kind: 'lines', lines: ['x'.repeat(length)], unit: 'line' })
    const long: Section = { kind: 'lines', lines: many(900, () => 'xxxx'), unit: 'line' }
    expect(textBudgetsOf([lines(100), lines(200), lines(300)], 1_000)).toEqual([100, 200, 300])
    const [first = 0, short, second = 0] = textBudgetsOf([long, lines(100), long], 1_000)
    expect([short, first, second]).toEqual([100, 450, 450])
    const [essential = 0, rest = 0] = textBudgetsOf([long, long], 1_000, 1)
    expect([essential, rest]).toEqual([750, 250])
    const [alone = 0] = textBudgetsOf([long], 1_000, 1)
    expect(alone).toBeGreaterThan(990)
    expect(textBudgetsOf([{ kind: 'picture', chart: chart('c', 'bar', {}) as never }], 10)).toEqual([0])
  })

  it('sections, charts and buttons', () => {
    const texts = (count: number) => textsIn(viewOf(many(count, (at) => list([`item ${at}`]))))
    expect(texts(discordLimits.sections).join()).not.toContain('left out')
    expect(texts(discordLimits.sections + 1).at(-1)).toBe('-# … 1 more section left out')
    const charts = many(4, (at) => chart(`C${at}`, 'bar', { a: at }))
    const { charts: drawn, body } = renderMessage(viewOf(charts), { file: { filename: 'f.csv' } })
    expect(drawn.map(({ title }) => title)).toEqual(['C0', 'C1', 'C2'])
    expect(body.attachments.map(({ id, filename }) => `${id} ${filename}`)).toEqual([
      '0 chart-1.png',
      '1 chart-2.png',
      '2 chart-3.png',
      '3 f.csv',
    ])
    expect(textsIn(viewOf(charts)).join()).toContain('**C3**\n- a: 3')
    const pressed = (count: number, length = 5) => {
      const actions = verbNames()
        .slice(0, count)
        .map((verb) => ({ verb, id: 'i'.repeat(length) }))
      const parts = allComponents(renderDiscord(viewOf([], { actions: [...actions, ...actions] })).components)
      const rows = parts.filter(({ type }) => type === 1).map(({ components }) => (components as []).length)
      return [rows, countIn(parts.map(({ content }) => content ?? '').join('\n'))]
    }
    expect(pressed(5)).toEqual([[5], 0])
    expect(pressed(10)).toEqual([[5, 5], 0])
    expect(pressed(11)).toEqual([[5, 5], 1])
    expect(pressed(1, 300)).toEqual([[], 0])
  })

  it('lines of a menu: those that a press could not carry', () => {
    const menu = (count: number, id: string, name = 'N') => ({
      menu: {
        id,
        items: many(count, (at) => ({
          at,
          thing: { kind: 'list' as const, id: `lst_${at}`, name },
          actions: ['list get'],
        })),
        summaries: { 'list get': 's'.repeat(101) },
      },
    })
    const selectOf = (...given: Parameters<typeof menu>) =>
      menuRows(menu(...given))[0]?.components[0] as unknown as {
        options: Record<string, string>[]
        placeholder: string
      }
    expect(menuRows({})).toEqual([])
    const silent = { menu: { ...menu(1, 'm').menu, summaries: {} } }
    expect(menuRows(silent)[0]?.components[0]?.options).toEqual([
      { value: 'm.0.list get', label: 'list get' },
    ])
    const nameless = menu(2, 'm').menu.items.map((item) => ({ ...item, label: ' ' }))
    expect(
      menuRows({ menu: { ...menu(2, 'm').menu, items: nameless } })[0]?.components[0]?.options,
    ).toMatchObject([
      { value: 'm.0', label: 'm.0' },
      { value: 'm.1', label: 'm.1' },
    ])
    expect(selectOf(25, 'm').options).toHaveLength(25)
    expect(selectOf(2, 'm').options[0]).toEqual({ value: 'm.0', label: 'N (lst_0)', description: 'list get' })
    expect(selectOf(1, 'm').options[0]?.description).toBe(`${'s'.repeat(99)}…`)
    expect(selectOf(2, 'm', 'n'.repeat(92)).options[0]?.label).toHaveLength(100)
    expect(selectOf(2, 'm', 'n'.repeat(93)).options[0]?.label).toHaveLength(100)
    expect(selectOf(1, 'm', 'n'.repeat(200)).placeholder).toHaveLength(150)
    expect(selectOf(2, 'm'.repeat(98)).options).toHaveLength(2)
    expect(menuRows(menu(2, 'm'.repeat(99)))).toEqual([])
  })
})

describe('a table', () => {
  it('is in columns up to the width of a phone, and in lines beyond', () => {
    const at = (width: number) => shown(table(['A', 'B#'], [['x'.repeat(width - 3), '1']]))
    expect(at(discordLimits.phoneColumns)).toMatch(/^```\nA {36}B\nx{35} {2}1\n```$/)
    expect(at(discordLimits.phoneColumns + 1)).toMatch(/^\*\*x{36}\*\* · B: 1$/)
    expect(
      shown(
        table(
          ['A', 'B'],
          [
            ['😀', 'x'],
            ['abc', ''],
          ],
        ),
      ),
    ).toBe('```\nA    B\n😀    x\nabc\n```')
    expect(shown(table(['A', 'B', 'C'], [['', 'x'.repeat(40), ' ']]))).toBe(
      `**(empty)** · B: ${'x'.repeat(40)}`,
    )
    expect([shown(table([], [['a']])), shown(table(['A'], []))]).toEqual(['', ''])
    expect(shown({ ...(table(['A', 'B'], [['a']]) as Block) })).toContain('a')
  })

  it('with times is in lines, which show each in its reader’s own way', () => {
    const moment = { at: 1_700_000_000_999, text: 'then' }
    expect(timestampOf(moment)).toBe('<t:1700000000:f> (<t:1700000000:R>)')
    expect(
      shown(
        table(
          ['A', 'B'],
          [
            ['a', moment],
            ['b', 'never'],
          ],
        ),
      ),
    ).toBe(`**a** · B: <t:1700000000:R>\n**b** · B: never`)
    expect(shown(facts({ L: moment }))).toBe(`**L**: ${timestampOf(moment)}`)
  })
})

it('a line stands between whose turn it is and what it is about', () => {
  const turn: Block = { kind: 'turn', lines: ['Needs 1 approval'], by: 'Ann asks' }
  const typesIn = (...blocks: Block[]) =>
    renderDiscord(viewOf(blocks)).components[0]?.components.map((one) =>
      one.type === 14 ? `line ${one.divider}` : one.type,
    )
  expect(typesIn(turn, list(['a']), list(['b']))).toEqual([10, 10, 'line true', 10, 10])
  expect(typesIn(turn)).toEqual([10, 10])
  expect(typesIn(list(['a']), turn)).toEqual([10, 10, 10])
})

it.each([
  ['', '-# Ann asks · '],
  ['expires', '-# Ann asks · expires '],
])('a time with the words "%s" stands behind who asks', (words, line) => {
  const moment = { at: 1_700_000_000_000, text: 'then' }
  const shown = renderDiscord(viewOf([{ kind: 'turn', lines: [], by: 'Ann asks', time: { words, moment } }]))
  expect(JSON.stringify(shown)).toContain(`"${line}${timestampOf(moment)}"`)
})

it('those whose turn it is are notified, and nobody else', () => {
  const mentions = [
    { name: 'Ann', accounts: { discord: '400000000000000001' }, isGroup: false },
    { name: 'ops', accounts: { discord: '400000000000000002' }, isGroup: true },
    { name: '@everyone', accounts: {}, isGroup: false },
  ]
  const body = renderDiscord(viewOf([], { mentions }))
  expect(body.allowed_mentions).toEqual({
    parse: [],
    users: ['400000000000000001'],
    roles: ['400000000000000002'],
  })
  expect(textsIn(viewOf([], { mentions }))[1]).toBe(
    'Your turn: <@400000000000000001>, <@&400000000000000002>, @\u200beveryone',
  )
  expect(renderDiscord(viewOf([], { mentions: mentions.slice(2) })).allowed_mentions).toEqual({ parse: [] })
})

it('a block of code is in a fence, and a bar of what is no number is empty', () => {
  expect(shown({ kind: 'code', text: 'a\nb' })).toBe('```\na\nb\n```')
  expect(shown({ kind: 'progress', label: 'L', done: Number.NaN, total: Number.POSITIVE_INFINITY })).toBe(
    `**L**\n\`[${'.'.repeat(20)}] 0%\` 0 of 0`,
  )
})

describe('nothing to see', () => {
  it.each(['', ' ', '\u200b', '\u2060\n', '\u3164', '\u00ad\ufe0f'])(
    'is not shown as something: %j',
    (blank) => {
      expect(isBlank(blank)).toBe(true)
      expect(isBlank(`${blank}a`)).toBe(false)
      const drawn = [
        { kind: 'text' as const, text: blank },
        { kind: 'note' as const, tone: 'warn' as const, text: blank },
        { kind: 'code' as const, text: blank },
        list([blank]),
        list([]),
      ]
      expect(shown(...drawn)).toBe('')
      expect(shown({ kind: 'facts', facts: [{ label: blank, value: blank }] })).toBe('**(no name)**: (empty)')
      expect(shown(diff({ L: [blank, 'b'] }))).toBe('**L**: ~~(empty)~~ → **b**')
      expect(shown({ kind: 'progress', label: blank, done: 1, total: 4 })).toBe(
        '`[#####...............] 25%` 1 of 4',
      )
      expect(textsIn(viewOf([], { title: blank, footer: blank }))).toEqual(['## Bellhop'])
    },
  )
})

describe('whatever a text says', () => {
  const alphabet = [
    ...'\\`*_~|[]<>#-+>:/@.)1a \n\t',
    '://',
    '@everyone',
    '@HERE',
    '```',
    '<@1>',
    '- ',
    '1. ',
    '\u200b',
    '😀',
  ]
  const words = fc.array(fc.constantFrom(...alphabet), { maxLength: 12 }).map((parts) => parts.join(''))

  it('outside a fence it shows as it is, and nothing in it means anything', () => {
    fc.assert(
      fc.property(words, (text) => {
        const escaped = escapeMarkdown(text)
        const plain = escaped.replace(/\\([^0-9A-Za-z\s])/g, '$1').replace(/@\u200b(?=everyone|here)/gi, '@')
        expect(plain).toBe(visibleText(text))
        const bare = escaped.replace(/\\[^0-9A-Za-z\s]/g, 'x')
        expect(bare).not.toMatch(/[`*_~|[\]<>#\\]|:\/\/|@(?:everyone|here)|^\s*(?:[-+]|\d+[.)])(?:\s|$)/im)
      }),
      { numRuns: 500 },
    )
  })

  it('inside a fence it shows as it is, and never ends it', () => {
    fc.assert(
      fc.property(words, (text) => {
        const fenced = toCodeBlockText(text)
        expect(fenced).not.toMatch(/```|@(?:everyone|here)/i)
        expect(fenced.replaceAll('\u200b', '')).toBe(visibleText(text))
        const drawn = shown({ kind: 'code', text })
        if (drawn !== '') expect(drawn.match(/```/g)).toHaveLength(2)
      }),
      { numRuns: 300 },
    )
    expect(toCodeBlockText('``a``')).toBe('``a``')
  })
})

it('what a button does is told by its colour: green decides for it, red against it, blue turns pages', () => {
  const colours = { 1: 'blue', 2: 'grey', 3: 'green', 4: 'red' } as Record<number, string>
  const told = Object.fromEntries(
    verbNames().map((verb) => {
      const [button] = actionButtonsOf({ actions: [{ verb, id: 'x' }] })
      return [verb, colours[button?.style ?? 0]]
    }),
  )
  const marked = Object.fromEntries(Object.entries(told).filter(([, colour]) => colour !== 'grey'))
  expect(marked).toEqual({
    confirm: 'green',
    approve: 'green',
    approve_all: 'green',
    reject: 'red',
    reject_all: 'red',
    stop: 'red',
    next: 'blue',
    previous: 'blue',
  })
})
