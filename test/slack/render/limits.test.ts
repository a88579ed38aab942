import { describe, expect, it } from 'vitest'
import { blockSizeOf } from '../../../adapters/slack/api/block-kit.ts'
import { limits } from '../../../adapters/slack/api/limits.ts'
import {
  actionButtons,
  commandOfFormButton,
  formButtonId,
  idPressed,
  pressOf,
} from '../../../adapters/slack/render/buttons.ts'
import { chartBlocks } from '../../../adapters/slack/render/chart.ts'
import { marksBlocks, withMarked } from '../../../adapters/slack/render/marks.ts'
import { menuBlocks, menuIdOf, optionGroups } from '../../../adapters/slack/render/menu.ts'
import { renderSlack, renderSlackPlain } from '../../../adapters/slack/render/message.ts'
import { linesThatFit, preformatted } from '../../../adapters/slack/render/message-budget.ts'
import { plainTextOf } from '../../../adapters/slack/render/plain-text.ts'
import { tableBlocks } from '../../../adapters/slack/render/table.ts'
import {
  ellipsize,
  escapeMarkup,
  plainText,
  splitText,
  truncate,
  unescapeMarkup,
  visible,
} from '../../../adapters/slack/render/text.ts'
import { verbNames } from '../../../src/lib/view/button-labels.ts'
import { menuGroups } from '../../../src/lib/view/menu-options.ts'
import {
  allColumns,
  type Block,
  chart,
  diff,
  facts,
  list,
  note,
  table,
  type View,
} from '../../../src/lib/view/view.ts'
import { faultInMessage, whyInvalid } from '../fake/blocks.ts'
import { buttonsIn, textOfBlocks } from '../fake/reading.ts'

const viewOf = (blocks: Block[], more: Partial<View> = {}): View => ({
  title: 'T',
  tone: 'plain',
  blocks,
  ...more,
})
const drawn = (view: View) => {
  const { text, blocks } = renderSlack(view)
  expect(faultInMessage(text, blocks), whyInvalid(blocks)).toBeUndefined()
  return blocks
}
const read = (...blocks: Block[]) => textOfBlocks(drawn(viewOf(blocks)).slice(1) as never)
const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const leftOutOf = (words: string) =>
  Number(/… \(([\d,]+) characters left out\)/.exec(words)?.[1]?.replace(',', ''))
const endless = {
  json: Number.POSITIVE_INFINITY,
  blocks: 50,
  tables: 1,
  charts: 2,
  refused: new Set<never>(),
  isWhole: true,
}

describe('a text at its limit stays whole, and one more character is cut where everybody sees it', () => {
  it.each<[string, number, (text: string) => string]>([
    ['the label of a fact', limits.factLabel, (text) => read(facts({ [text]: 'v' })).slice(0, -': v'.length)],
    ['the value of a fact', limits.factValue, (text) => read(facts({ L: text })).slice('L: '.length)],
    [
      'the label of a change',
      limits.factLabel,
      (text) => read(diff({ [text]: [null, 'v'] })).split(': ')[0] ?? '',
    ],
    [
      'what was',
      limits.factValue,
      (text) => read(diff({ L: [text, 'v'] })).slice('L: '.length, -' → v'.length),
    ],
    ['what will be', limits.factValue, (text) => read(diff({ L: ['v', text] })).slice('L: v → '.length)],
    ['an item', limits.text, (text) => read(list([text])).slice('•  '.length)],
    [
      'the label of a progress',
      limits.factLabel,
      (text) => read({ kind: 'progress', label: text, done: 1, total: 2 }).split('\n')[0] ?? '',
    ],
    [
      'a cell',
      limits.table.cell,
      (text) => {
        const [block] = tableBlocks(table(['A'], [[text]]), 'T', endless) ?? []
        return block?.type === 'data_table' ? String(Object(block.rows[1]?.[0]).text) : ''
      },
    ],
    ['any text', 100, (text) => truncate(text, 100)],
  ])('%s', (_, most, draw) => {
    for (const length of [most - 1, most]) expect(draw('x'.repeat(length))).toBe('x'.repeat(length))
    const cut = draw('x'.repeat(most + 1))
    expect(cut.length).toBeLessThanOrEqual(most)
    expect(cut.length).toBeGreaterThan(most - 5)
    expect(/^x*/.exec(cut)?.[0].length).toBe(most + 1 - leftOutOf(cut))
    for (const odd of ['', 'x']) expect(draw(odd + '😀'.repeat(most)).isWellFormed()).toBe(true)
  })

  it.each<[string, number, (text: string) => string]>([
    ['a header', limits.header, (text) => String(Object(drawn(viewOf([], { title: text }))[0]).text.text)],
    ['a footer', 1_000, (text) => textOfBlocks(drawn(viewOf([], { footer: text })).slice(1) as never)],
    [
      'a button',
      limits.buttonText,
      (text) => buttonsIn(actionButtons([{ verb: 'choose', id: '1', label: text }]) as never)[0]?.label ?? '',
    ],
    [
      'the title of a chart',
      limits.chart.title,
      (text) => String(Object(drawn(viewOf([chart(text, 'bar', { a: 1 }, 'n')]))[1]).title),
    ],
    [
      'the label of a point',
      limits.chart.label,
      (text) => Object(drawn(viewOf([chart('C', 'line', { [text]: 1 })]))[1]).chart.axis_config.categories[0],
    ],
    ['any short text', 10, (text) => ellipsize(text, 10)],
    ['any plain text', limits.text, (text) => plainText(text).text],
  ])('%s, with only an ellipsis', (_, most, draw) => {
    for (const length of [most - 1, most]) expect(draw('x'.repeat(length))).toBe('x'.repeat(length))
    expect(draw('x'.repeat(most + 1))).toBe(`${'x'.repeat(most - 1)}…`)
    for (const odd of ['', 'x']) expect(draw(odd + '😀'.repeat(most)).isWellFormed()).toBe(true)
  })

  it('a note keeps its end, and says how much of its middle is left out', () => {
    const remedy = 'Write the time with its zone, such as 9:00 Europe/Berlin.'
    const long = (most: number) => `${'x'.repeat(most)}. ${remedy}`
    expect(read(note('warn', long(limits.text - remedy.length - 2)))).not.toContain('more character')
    const cut = read(note('warn', long(limits.text)))
    expect(cut).toMatch(/x… \(\d+ more characters\) … Write the time/)
    expect(cut.endsWith(remedy)).toBe(true)
  })

  it('a title that is too long for a header is repeated whole', () => {
    const long = 'x'.repeat(limits.header + 1)
    expect(drawn(viewOf([], { title: long })).map(({ type }) => type)).toEqual(['header', 'rich_text'])
    expect(textOfBlocks(drawn(viewOf([], { title: long })) as never)).toContain(long)
    expect(drawn(viewOf([], { title: long.slice(1) }))).toHaveLength(1)
  })

  it('a text is cut into pieces that are whole characters and lose nothing', () => {
    expect(splitText('abcdef', 3)).toEqual(['abc', 'def'])
    expect(splitText('abcdefg', 3)).toEqual(['abc', 'def', 'g'])
    expect(splitText('ab😀d😀', 3)).toEqual(['ab', '😀d', '😀'])
    expect(splitText('a😀', 3)).toEqual(['a😀'])
    expect(splitText('', 3)).toEqual([])
  })

  it('a cut without room for its count is still a cut', () => {
    expect(truncate('x'.repeat(50), 10)).toBe('x'.repeat(10))
    expect(truncate('x'.repeat(2_000), 100)).toBe(`${'x'.repeat(71)}… (1,929 characters left out)`)
  })

  it('the words of a notification are cut by their escaped length', () => {
    const words = (text: string) => renderSlack(viewOf([{ kind: 'text', text }])).text
    const most = limits.message.fallback
    for (const unit of ['x', '<', '&x']) {
      const cut = words(unit.repeat(most))
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(cut.length).toBeGreaterThan(most * 0.75)
      expect(cut).toContain('characters left out')
    }
    expect(unescapeMarkup(escapeMarkup('<&lt;&amp;> a'))).toBe('<&lt;&amp;> a')
    expect(escapeMarkup('a<b>&')).toBe('a&lt;b&gt;&amp;')
  })
})

describe('more than there is room for is left out and counted', () => {
  it('rows and columns of a table', () => {
    const at = (rows: number, columns = 1) =>
      read(
        allColumns(
          table(
            many(columns, (column) => `c${column}`),
            many(rows, () => many(columns, () => 'x')),
          ),
        ),
      )
    expect(at(limits.dataTable.rows - 1)).not.toContain('left out')
    expect(at(limits.dataTable.rows)).toContain('1 more row left out.')
    expect(at(1, limits.table.cells)).not.toContain('left out')
    expect(at(1, limits.table.cells + 1)).toContain('1 more column left out.')
    expect(at(0)).toContain('No rows.')
    const cells = (last: number) =>
      tableBlocks(table(['A'], [...many(19, () => ['x'.repeat(500)]), ['x'.repeat(last)]]), 'T', endless)
    expect(cells(499)).toHaveLength(1)
    expect(cells(500)).toHaveLength(2)
    const dates = (count: number) =>
      tableBlocks(
        allColumns(
          table(
            many(20, String),
            many(count, () => many(20, () => ({ at: 1, text: 'then' }))),
          ),
        ),
        'T',
        endless,
      )
    expect(dates(9)).toHaveLength(1)
    expect(dates(10)).toHaveLength(2)
    const sizeOf = (text: string) => JSON.stringify([{ type: 'raw_text', text }]).length
    const room = 400 + 40 + sizeOf('A') + sizeOf('x') + 1
    const fitting = (json: number) => tableBlocks(table(['A'], [['x']]), 'T', { ...endless, json })?.length
    expect([fitting(room), fitting(room - 1)]).toEqual([1, 2])
  })

  it('a second table with times is lines, each with its first value and the others that are not empty', () => {
    const times = [null, { at: 0, text: '1 January 1970' }]
    const block = table(
      ['A', 'B', 'At'],
      [
        ['', '', ''],
        ['a', 'b', ''],
      ],
    )
    const columns = block.columns.map((column, at) => (at === 2 ? { ...column, times } : column))
    const drawn = tableBlocks({ ...block, columns }, 'T', { ...endless, tables: 0 }) ?? []
    expect(textOfBlocks(drawn as never)).toBe('•  –\n•  a  ·  B: b  ·  At: 1 January 1970')
  })

  it('a table is the newer one where it has rows and Slack takes it', () => {
    const drawnIn = (rows: number, more: object = {}) =>
      tableBlocks(
        table(
          ['A', 'B#'],
          many(rows, () => ['a', '1']),
        ),
        'T',
        { ...endless, ...more },
      )?.[0]
    expect(drawnIn(3)).toMatchObject({ type: 'data_table', page_size: 3, caption: 'T' })
    expect(drawnIn(10)).toMatchObject({ page_size: 10 })
    expect(drawnIn(11)).toMatchObject({ page_size: 10 })
    const older = {
      type: 'table',
      column_settings: [
        { align: 'left', is_wrapped: true },
        { align: 'right', is_wrapped: true },
      ],
    }
    expect(drawnIn(3, { refused: new Set(['data_table']) })).toMatchObject(older)
    expect(drawnIn(0)).toMatchObject({ type: 'table' })
    // Not one row fits beside the header.
    expect(drawnIn(3, { json: 600 })).toMatchObject({ type: 'table', rows: [expect.anything()] })
  })

  it('a table beside another is text, line by line where it names times', () => {
    const at = { at: 5_000, text: 'then' }
    const second = (...rows: (string | typeof at)[][]) =>
      JSON.stringify(tableBlocks(table(['A', 'B', 'C'], rows), 'T', { ...endless, tables: 0 }))
    expect(second(['a', 'b', 'c'])).toContain('rich_text_preformatted')
    const timed = second(['a', at, ''], ['', 'b', at])
    expect(timed).not.toContain('rich_text_preformatted')
    const words = textOfBlocks(JSON.parse(timed))
    expect(words).toMatch(/^• {2}a {2}· {2}B: .*\n• {2}– {2}· {2}B: b {2}· {2}C: /)
    expect([timed.split('"timestamp":5').length - 1, words.includes('C: –')]).toEqual([2, false])
  })

  it('lines, by what they take in the message', () => {
    const lines = (json: number) =>
      linesThatFit(
        { ...endless, json },
        many(5, () => 'xx'),
        'line',
        (text) => [{ type: 'text', text }],
      )
    const one = JSON.stringify([{ type: 'text', text: 'xx' }]).length
    const next = JSON.stringify([
      { type: 'text', text: '\n' },
      { type: 'text', text: 'xx' },
    ]).length
    const text = (json: number) => textOfBlocks((lines(json) ?? []) as never)
    expect(lines(250 + one - 1)).toBeUndefined()
    expect(text(250 + one)).toBe('xx\n… 4 more lines left out')
    expect(text(250 + one + next - 1)).toBe('xx\n… 4 more lines left out')
    expect(text(250 + one + next)).toBe('xx\nxx\n… 3 more lines left out')
    expect(text(250 + one + 4 * next)).toBe('xx\nxx\nxx\nxx\nxx')
    expect(linesThatFit(endless, [], 'line', () => [])).toEqual([])
  })

  it('parts of a message', () => {
    const texts = (count: number) =>
      textOfBlocks(drawn(viewOf(many(count, (at) => note('plain', `n${at}`)))) as never)
    expect(texts(limits.message.blocks - 3)).not.toContain('left out')
    expect(texts(limits.message.blocks)).toMatch(/\d more parts? left out here\.$/)
    const around = { footer: 'end', actions: [{ verb: 'details' as const, id: 'x' }] }
    const full = drawn(
      viewOf(
        many(80, (at) => note('plain', `n${at}`)),
        around,
      ),
    )
    expect(full.length).toBeGreaterThan(limits.message.blocks - 3)
    expect(full.slice(-2).map(({ type }) => type)).toEqual(['context', 'actions'])
    const one = (unit: string, length: number) =>
      drawn(viewOf([{ kind: 'text' as const, text: unit.repeat(length) }]))
    expect(textOfBlocks(one('x', 5_000).slice(1) as never)).toBe('x'.repeat(5_000))
    expect(JSON.stringify(one('"', 20_000)).length).toBeGreaterThan(limits.message.json * 0.9)
    const long = drawn(viewOf(many(30, () => ({ kind: 'text' as const, text: '"'.repeat(1_000) }))))
    const size = JSON.stringify(long).length
    expect(size).toBeLessThanOrEqual(limits.message.json)
    expect(size).toBeGreaterThan(limits.message.json * 0.8)
    const shown = long.filter(({ type }) => type === 'rich_text').length
    expect(textOfBlocks(long as never)).toContain(`${30 - shown} more parts left out here.`)
  })

  it('parts to the last character and the last block of the room', () => {
    // Nothing to see, but so many of them that all is measured.
    const measured = many(41, () => note('plain', ''))
    const turn = (...lines: string[]): Block => ({ kind: 'turn', lines, by: 'Sam' })
    const shown = (...blocks: Block[]) => drawn(viewOf([...measured, ...blocks]))
    const roomIn = (...blocks: Block[]) =>
      limits.message.json - 200 - shown(...blocks).reduce((sum, block) => sum + blockSizeOf(block), 0)
    const isWhole = (...blocks: Block[]) => !textOfBlocks(shown(...blocks) as never).includes('left out')
    const [x3, x2] = ['x'.repeat(3_000), 'x'.repeat(2_000)]
    const rest = roomIn(turn(x3, x3, x3, x2))
    expect(isWhole(turn(x3, x3, x3, x2 + 'x'.repeat(rest)))).toBe(true)
    expect(isWhole(turn(x3, x3, x3, x2 + 'x'.repeat(rest + 1)))).toBe(false)
    const least = rest - 400
    expect(isWhole(turn(x3, x3, x3, x2 + 'x'.repeat(least)), note('plain', 'n'))).toBe(true)
    expect(isWhole(turn(x3, x3, x3, x2 + 'x'.repeat(least + 1)), note('plain', 'n'))).toBe(false)
    const notes = (count: number) => many(count, () => note('plain', 'n'))
    expect(isWhole(...notes(limits.message.blocks - 4), turn('t'))).toBe(true)
    expect(isWhole(...notes(limits.message.blocks - 3), turn('t'))).toBe(false)
    const request = {
      ...{ title: 'R', by: 'Sam', asked: { at: 1_000, text: 'then' }, needs: [], facts: [], warnings: [] },
      thing: { kind: 'change' as const, id: 'c' },
      actions: [{ verb: 'act' as const, id: 'c' }],
    }
    const requests = many(3, () => request)
    expect(isWhole(...notes(limits.message.blocks - 8), { kind: 'requests', requests })).toBe(true)
    expect(isWhole(...notes(limits.message.blocks - 7), { kind: 'requests', requests })).toBe(false)
  })

  it('a view that fills a message to the last character is drawn whole', () => {
    const one = (length: number) => drawn(viewOf([{ kind: 'text', text: 'x'.repeat(length) }]))
    const most = 12_050 + limits.message.json - JSON.stringify(one(12_050)).length
    expect(textOfBlocks(one(most).slice(1) as never)).toHaveLength(most)
    expect(textOfBlocks(one(most + 1).slice(1) as never)).toContain('characters left out')
  })

  it('preformatted text fills its room and does not pass it', () => {
    const quotes = (count: number, json: number) => preformatted('"'.repeat(count), { ...endless, json })
    const frame = JSON.stringify(quotes(1, 1_000)).length - 2
    const exact = 800 - frame
    expect(textOfBlocks(quotes(400 - frame, exact) as never)).toBe('"'.repeat(400 - frame))
    expect(textOfBlocks(quotes(400 - frame, exact - 1) as never)).toContain('left out')
    for (const json of [700, 1_500, 5_000]) {
      for (const unit of ['x', '"', '\n']) {
        const size = JSON.stringify(preformatted(`a${unit.repeat(9_000)}a`, { ...endless, json })).length
        expect(size).toBeLessThanOrEqual(json)
        expect(size).toBeGreaterThan(json * 0.4)
      }
    }
    expect(textOfBlocks(preformatted('x'.repeat(9_000), endless) as never)).toBe('x'.repeat(9_000))
    for (const json of [0, 50, 130, 200])
      expect(textOfBlocks(preformatted('x'.repeat(9_000), { ...endless, json }) as never)).toMatch(/^x+…/)
    expect(textOfBlocks(preformatted('x'.repeat(9_001), endless) as never)).toContain('characters left out')
  })

  it('charts that Slack would refuse are drawn in text', () => {
    const typeOf = (shape: 'bar' | 'line' | 'pie', ...series: Record<string, number>[]) => {
      const [, block] = drawn(
        viewOf([
          {
            kind: 'chart',
            title: 'C',
            shape,
            series: series.map((points, at) => ({
              name: `s${at}`,
              points: Object.entries(points).map(([label, value]) => ({ label, value })),
            })),
          },
        ]),
      )
      return block === undefined ? 'nothing' : (Object(block).chart?.type ?? 'text')
    }
    const points = (count: number, from = 1) =>
      Object.fromEntries(many(count, (at) => [`p${at}`, at + from] as const))
    const { segments, points: most, series } = limits.chart
    expect(typeOf('pie', points(segments))).toBe('pie')
    expect(typeOf('pie', points(segments + 1))).toBe('bar')
    expect(typeOf('pie', points(2, 0))).toBe('bar')
    expect(typeOf('pie', points(2), points(2))).toBe('bar')
    expect(typeOf('line', points(most))).toBe('line')
    expect(typeOf('line', points(most + 1))).toBe('text')
    expect(typeOf('bar', ...many(series, () => points(2)))).toBe('bar')
    expect(typeOf('bar', ...many(series + 1, () => points(2)))).toBe('text')
    expect(typeOf('bar', points(2), points(3))).toBe('text')
    expect(typeOf('bar', {}, points(3))).toBe('text')
    expect(typeOf('bar', { a: Number.NaN })).toBe('text')
    expect(typeOf('bar', { a: 1, b: Number.NaN })).toBe('text')
    expect(typeOf('bar', { a: 1 }, { a: Number.POSITIVE_INFINITY })).toBe('text')
    expect(typeOf('bar', points(2), points(2), points(3))).toBe('text')
    expect(typeOf('bar', { 'a b': 1, 'a  b': 2 })).toBe('text')
    const twins = ['a b', 'a  b'].map((name) => ({ name, points: [{ label: 'p', value: 1 }] }))
    const [block] = chartBlocks({ kind: 'chart', title: 'C', shape: 'bar', series: twins }, endless)
    expect(block?.type).toBe('rich_text')
    expect(typeOf('bar', {})).toBe('nothing')
    expect(typeOf('bar')).toBe('nothing')
    const three = drawn(viewOf(many(3, (at) => chart(`C${at}`, 'bar', { a: 1 }))))
    expect(three.map(({ type }) => type).slice(1)).toEqual([
      'data_visualization',
      'data_visualization',
      'rich_text',
    ])
  })

  it('a chart is drawn where all of it fits, and in text where it does not', () => {
    const bars = chart('By day', 'bar', { a: 1 })
    if (bars.kind !== 'chart') throw new Error('no chart')
    const typesIn = (json: number) => chartBlocks(bars, { ...endless, json }).map(({ type }) => type)
    const [block] = chartBlocks(bars, endless)
    const size = block === undefined ? 0 : blockSizeOf(block)
    expect(typesIn(size)).toEqual(['data_visualization'])
    expect(typesIn(size - 1)).toEqual(['rich_text'])
  })

  it('buttons: each once, as many as Slack takes, none with an id that it refuses', () => {
    const labels = (...ids: string[]) =>
      buttonsIn(actionButtons(ids.map((id) => ({ verb: 'act' as const, id }))) as never).length
    expect(labels(...many(limits.buttons, String))).toBe(limits.buttons)
    expect(labels(...many(limits.buttons + 1, String))).toBe(limits.buttons)
    expect(labels('a', 'a')).toBe(1)
    expect(labels('i'.repeat(limits.id - 'bh:act:'.length))).toBe(1)
    expect(labels('i'.repeat(limits.id + 1 - 'bh:act:'.length))).toBe(0)
    expect(actionButtons([])).toEqual([])
    expect(actionButtons([{ verb: 'cancel', id: '1' }], 'b')).toMatchObject([{ block_id: 'b' }])
    for (const verb of verbNames()) expect(pressOf(`bh:${verb}:x:1`)).toEqual({ verb, id: 'x:1' })
    for (const odd of ['bh:nothing:1', 'bh:act:', 'act:1', 'xbh:act:1']) expect(pressOf(odd)).toBeUndefined()
    expect(commandOfFormButton(formButtonId('list get'))).toBe('list get')
    expect(commandOfFormButton('bh:act:1')).toBeUndefined()
  })

  it('what stands behind a menu beside the buttons', () => {
    const elementsOf = (buttons: number, more: number, idLength = 3) =>
      (
        Object(
          actionButtons([
            ...many(buttons, (at) => ({ verb: 'act' as const, id: `b${at}` })),
            ...many(more, (at) => ({
              verb: 'why' as const,
              id: `${at}`.padStart(idLength, '0'),
              isMore: true as const,
            })),
          ])[0],
        ).elements as { type: string; options?: unknown[]; action_id: string }[]
      ).map(({ type, options, action_id }) => (type === 'overflow' ? options?.length : action_id))
    const acts = (count: number) => many(count, (at) => `bh:act:b${at}`)
    expect(elementsOf(1, 1)).toEqual([...acts(1), 'bh:why:000'])
    expect(elementsOf(0, 1)).toEqual(['bh:why:000'])
    expect(elementsOf(1, 2)).toEqual([...acts(1), 2])
    expect(elementsOf(1, limits.overflow + 1)).toEqual([...acts(1), 'bh:why:000', limits.overflow])
    expect(elementsOf(limits.buttons + 1, 1)).toEqual([...acts(limits.buttons - 1), 'bh:why:000'])
    const longest = limits.select.value - 'bh:why:'.length
    expect(elementsOf(1, 2, longest)).toEqual([...acts(1), 2])
    expect(elementsOf(1, 2, longest + 1)).toEqual(acts(1))
  })

  it('what was chosen beside or above a button is what it carries', () => {
    expect([idPressed('bh-more', 'bh:why:1'), idPressed('bh-more', undefined)]).toEqual(['bh:why:1', ''])
    expect(idPressed('bh:act:1', 'bh:why:1')).toBe('bh:act:1')
    const boxes = (...ids: string[]) => ({
      'bh-marks': { selected_options: ids.map((value) => ({ value })) },
    })
    const state = { values: { one: boxes('a', 'b'), two: { other: {} }, three: boxes('c') } }
    const review = { verb: 'review' as const, id: 'marked' }
    expect(withMarked(review, { state })).toEqual({ verb: 'review', id: 'a,b,c' })
    expect(withMarked(review, { view: { state } })).toEqual({ verb: 'review', id: 'a,b,c' })
    expect(withMarked(review, { state: { values: { one: boxes('d') } }, view: { state } }).id).toBe('d')
    expect(withMarked(review, { state: { values: { one: { 'bh-marks': {} } } } }).id).toBe('')
    expect(withMarked(review, {}).id).toBe('')
    expect(withMarked({ verb: 'act', id: 'x' }, { state })).toEqual({ verb: 'act', id: 'x' })
    const [one] = actionButtons([
      { verb: 'act', id: '1', label: 'Look' },
      { verb: 'why', id: '1', label: 'Because', isMore: true },
    ])
    expect(buttonsIn([one] as never).map(({ label }) => label)).toEqual(['Look', 'Because'])
  })

  it('boxes to mark, ten in a group', () => {
    const groupsOf = (count: number, length = 3) =>
      marksBlocks({
        marks: many(count, (at) => ({ id: `${at}`.padStart(length, '0'), label: 'l'.repeat(80), hint: 'h' })),
      }).map((block) => Object(block).elements[0].options?.length ?? 'button')
    expect(groupsOf(0)).toEqual([])
    expect(groupsOf(10)).toEqual([10, 'button'])
    expect(groupsOf(11)).toEqual([10, 1, 'button'])
    expect(groupsOf(1, limits.select.value)).toEqual([1, 'button'])
    expect(groupsOf(1, limits.select.value + 1)).toEqual([])
  })

  it('facts in two columns', () => {
    const lead = (count: number, value: string) => ({
      ...(facts(Object.fromEntries(many(count, (at) => [`L${at}`, value]))) as Extract<
        Block,
        { kind: 'facts' }
      >),
      isLead: true as const,
    })
    const fieldsOf = (...given: Parameters<typeof lead>) =>
      (Object(drawn(viewOf([lead(...given)]))[1]).fields ?? []) as { text: string }[]
    expect(fieldsOf(limits.fields, 'v')).toHaveLength(limits.fields)
    expect(fieldsOf(limits.fields + 1, 'v')).toHaveLength(limits.fields)
    expect(fieldsOf(0, 'v')).toEqual([])
    expect(fieldsOf(1, 'x'.repeat(limits.fieldValue))[0]?.text).toBe(`L0: ${'x'.repeat(limits.fieldValue)}`)
    expect(fieldsOf(1, 'x'.repeat(limits.fieldValue + 1))[0]?.text).toContain('characters left out')
    // A time is markup, as long as what that makes of the rest fits.
    const fieldOf = (text: string) => {
      const value = { parts: [text, { at: 5_000, text: 'then' }] }
      const block = { kind: 'facts' as const, isLead: true as const, facts: [{ label: 'L', value }] }
      return Object(drawn(viewOf([block]))[1]).fields[0] as { type: string; text: string }
    }
    const room = limits.field - fieldOf('').text.length
    const long = '<'.repeat(200)
    const rest = room - '&lt;'.length * 200
    expect(fieldOf('a<b')).toMatchObject({ type: 'mrkdwn', text: expect.stringContaining('a&lt;b') })
    expect(fieldOf(long + 'x'.repeat(rest))).toMatchObject({ type: 'mrkdwn' })
    expect(fieldOf(long + 'x'.repeat(rest)).text).toHaveLength(limits.field)
    expect(fieldOf(long + 'x'.repeat(rest + 1))).toMatchObject({
      type: 'plain_text',
      text: expect.stringContaining('then'),
    })
  })

  it('small print is text, and markup only where it names a time', () => {
    const footerOf = (footer: View['footer']) => Object(drawn(viewOf([], { footer })).at(-1)).elements
    expect(footerOf('a <b> *c*')).toEqual([{ type: 'plain_text', text: 'a <b> *c*', emoji: false }])
    const timed = (text: string) => footerOf({ parts: [text, { at: 5_000, text: 'then' }] })[0]
    expect(timed('a <b> ')).toMatchObject({
      type: 'mrkdwn',
      verbatim: true,
      text: expect.stringMatching(/^a &lt;b&gt; <!date\^5\^/),
    })
    expect(timed('x'.repeat(996)).text).toContain('<!date^5')
    expect(timed('x'.repeat(1_001)).text).toContain('left out')
  })

  it('options of a menu', () => {
    const menu = (things: number, actions = 1, name = 'N', id = 'm', verb = 'list get') => ({
      id,
      items: many(things, (at) => ({
        at,
        thing: { kind: 'list' as const, id: `lst_${at}`, name: `${name}_${at}` },
        actions: many(actions, (action) => `${verb}${action}`),
      })),
      summaries: {},
    })
    const selectOf = (given: ReturnType<typeof menu>) =>
      Object(Object(menuBlocks({ menu: given })[0]).elements[0]) as {
        type: string
        option_groups?: { options: unknown[] }[]
        min_query_length?: number
      }
    expect(menuBlocks({})).toEqual([])
    expect(selectOf(menu(1, 12)).option_groups?.[0]?.options).toHaveLength(12)
    expect(selectOf(menu(1, 25)).type).toBe('static_select')
    expect(selectOf(menu(1, 26))).toMatchObject({ type: 'external_select', min_query_length: 0 })
    expect(selectOf(menu(1, 25, 'N', 'm', 'a')).type).toBe('static_select')
    expect(selectOf(menu(1, 26, 'N', 'm', 'a')).type).toBe('external_select')
    expect(selectOf(menu(1, 25, 'N', 'm'.repeat(40))).type).toBe('external_select')
    expect(selectOf(menu(1, 12, 'n'.repeat(2_000))).type).toBe('static_select')
    expect(selectOf(menu(1, 1, 'N', 'm'.repeat(80))).type).toBe('external_select')
    const count = (given: ReturnType<typeof menu>, typed = '') =>
      optionGroups(menuGroups(given), typed).reduce((sum, { options }) => sum + options.length, 0)
    expect(count(menu(50, 2))).toBe(limits.select.options)
    expect(count(menu(51, 2))).toBe(limits.select.options)
    expect(optionGroups(menuGroups(menu(60, 2)))).toHaveLength(50)
    expect(count(menu(3, 2), ' N_1 ')).toBe(2)
    expect(count(menu(3, 2), 'LST_2')).toBe(2)
    expect(count(menu(3, 2), 'get1')).toBe(3)
    const [item] = menu(1).items
    if (item === undefined) throw new Error('no item')
    const named = { ...menu(1), items: [{ ...item, label: 'The other' }] }
    expect([count(named, 'other'), count(named, 'lst_0'), count(named, 'N_0')]).toEqual([1, 1, 0])
    const value = limits.select.value - '.0.list get0'.length
    expect([
      count(menu(1, 1, 'N', 'm'.repeat(value))),
      count(menu(1, 1, 'N', 'm'.repeat(value + 1))),
    ]).toEqual([1, 0])
    const filled = (length: number) => menu(1, 25, 'n'.repeat(length), 'm')
    const room = 2_500 - menuBlocks({ menu: filled(1) }).reduce((sum, block) => sum + blockSizeOf(block), 0)
    expect([selectOf(filled(1 + room)).type, selectOf(filled(2 + room)).type]).toEqual([
      'static_select',
      'external_select',
    ])
    expect(count(menu(3, 2), 'zorblax')).toBe(0)
    expect(optionGroups(menuGroups(menu(1, 1, 'n'.repeat(90))))[0]?.label.text).toHaveLength(75)
    expect([menuIdOf('bh-menu:m'), menuIdOf('m')]).toEqual(['m', undefined])
  })

  it('the text of a view, each part of it first', () => {
    const words = (...blocks: Block[]) => plainTextOf(viewOf(blocks))
    expect(words(list(many(101, (at) => `i${at}.`)))).not.toContain('i100.')
    expect(words(list(many(101, (at) => `i${at}.`)))).toContain('i99.')
    expect(words(...many(101, (at) => note('plain', `n${at}.`)))).not.toContain('n100.')
    expect(
      words(
        table(
          ['A'],
          many(100, (at) => [`r${at}.`]),
        ),
      ),
    ).not.toContain('left out')
    expect(
      words(
        table(
          ['A'],
          many(101, (at) => [`r${at}.`]),
        ),
      ),
    ).toContain('1 more row left out')
    expect(
      words(
        allColumns(
          table(
            many(21, (at) => `c${at}.`),
            [[]],
          ),
        ),
      ),
    ).not.toContain('c20.')
    expect(
      words(
        allColumns(
          table(
            many(21, (at) => `c${at}.`),
            [[]],
          ),
        ),
      ),
    ).toContain('c19.')
    const cut = (text: string) => leftOutOf(text) > 0
    for (const [most, draw] of [
      [500, (text: string) => words(facts({ L: text }))],
      [60, (text: string) => words(facts({ [text]: 'v' }))],
      [500, (text: string) => words(diff({ L: [text, 'v'] }))],
      [500, (text: string) => words(diff({ L: ['v', text] }))],
      [60, (text: string) => words(diff({ [text]: ['v', 'w'] }))],
      [500, (text: string) => words(list([text]))],
      [9_000, (text: string) => words({ kind: 'code', text })],
      [120, (text: string) => words(table(['A'], [[text]]))],
      [60, (text: string) => words(table([text], [['v']]))],
      [60, (text: string) => words(chart(text, 'bar', { a: 1 }))],
      [60, (text: string) => words(chart('C', 'bar', { [text]: 1 }))],
      [60, (text: string) => words({ kind: 'progress', label: text, done: 1, total: 2 })],
      [3_000, (text: string) => plainTextOf(viewOf([], { title: text }))],
      [500, (text: string) => plainTextOf(viewOf([], { footer: text }))],
    ] as const) {
      expect([cut(draw('x'.repeat(most))), cut(draw('x'.repeat(most + 1)))], `${most} ${draw}`).toEqual([
        false,
        true,
      ])
    }
    expect(words(diff({ L: [null, 'v'], M: ['w', null] }))).toContain('L: v\nM: w -> removed')
  })

  it('without blocks of its own, all is text in pieces that Slack takes', () => {
    const view = viewOf([{ kind: 'code', text: 'x'.repeat(8_000) }], { actions: [{ verb: 'act', id: '1' }] })
    const { text, blocks } = renderSlackPlain(view, { blockId: 'b' })
    expect(faultInMessage(text, blocks), whyInvalid(blocks)).toBeUndefined()
    expect(blocks.map(({ type }) => type)).toEqual(['section', 'section', 'actions'])
    expect(textOfBlocks(blocks as never)).toContain('characters left out')
  })
})

describe('nothing to see', () => {
  it.each(['', ' ', '\u200b', '\u0301', '\u3164', '\uffa0', '\u2800', '\n\t'])(
    'is not shown as something: %j',
    (blank) => {
      expect([visible(blank), visible(blank, ''), visible(`${blank}é`)]).toEqual(['–', '', `${blank}é`])
      expect(plainText('').text).toBe('–')
    },
  )

  it('is said of a value that is empty, and left out where it is all', () => {
    expect(read(facts({ L: ' ' }))).toBe('L: –')
    expect(read(diff({ L: ['', ' '] }))).toBe('L: (empty) → (empty)')
    expect(read(diff({ L: [null, 'v'], M: ['w', null] }))).toBe('L: nothing → v\nM: w → nothing')
    expect(
      drawn(viewOf([note('warn', ' '), { kind: 'text', text: '' }, list([]), table([], [])])),
    ).toHaveLength(1)
  })
})

it('a view looks the same whether it was measured or not', () => {
  const short = viewOf(
    [facts({ A: 'a', B: { at: 5_000, text: 'then' } }), diff({ L: ['v', 'w'] }), list(['i'])],
    {
      tone: 'good',
      mentions: [
        { name: 'Ann', accounts: { slack: 'U1' }, isGroup: false },
        { name: 'ops', accounts: { slack: 'S1' }, isGroup: true },
        { name: 'Bo', accounts: {}, isGroup: false },
      ],
    },
  )
  const blocks = drawn(short)
  const padded = drawn({ ...short, blocks: [...short.blocks, list(many(41, () => 'x'))] })
  expect(padded.slice(0, blocks.length)).toEqual(blocks)
  for (const styled of [
    '"text":"A: ","style":{"bold":true}',
    '"text":"v","style":{"strike":true}',
    '"text":"w","style":{"bold":true}',
  ])
    expect(JSON.stringify(blocks)).toContain(styled)
  expect(JSON.stringify(blocks)).toContain('{"type":"user","user_id":"U1"}')
  expect(JSON.stringify(blocks)).toContain('{"type":"usergroup","usergroup_id":"S1"}')
  expect(JSON.stringify(blocks)).toContain(
    '"timestamp":5,"format":"{date_short}, {time} ({ago})","fallback":"then"',
  )
})

it.each([
  [1, 'in_progress'],
  [2, 'complete'],
])('work of which %s of 2 is done and nothing else is said is %s', (done, status) => {
  const [, plan] = drawn(viewOf([{ kind: 'progress', label: 'L', done, total: 2 }]))
  expect(Object(plan).tasks[0].status).toBe(status)
})
