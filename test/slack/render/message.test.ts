import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewerBlock } from '../../../adapters/slack/api/block-kit.ts'
import { renderSlack, renderSlackPlain } from '../../../adapters/slack/render/message.ts'
import { preformatted } from '../../../adapters/slack/render/message-budget.ts'
import { cardOf } from '../../../src/kernel/cards/card.ts'
import { verbNames, verbs } from '../../../src/lib/view/button-labels.ts'
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
import { changeIn } from '../../approvals/sample.ts'
import { anyText } from '../../harness/any-text.ts'
import { hostile } from '../../messenger/hostile.ts'
import { faultInMessage, markupIn, whyInvalid } from '../fake/blocks.ts'
import { buttonsIn, textOfBlocks } from '../fake/reading.ts'

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  anyText({ maxLength: 200 }),
  fc.string({ maxLength: 5_000 }),
)
const tone = fc.constantFrom('plain' as const, 'good' as const, 'warn' as const, 'bad' as const)
const few = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof(fc.array(one, { maxLength: 6 }), fc.array(one, { minLength: 60, maxLength: 130 }))
const value = fc.oneof(fc.integer(), fc.double(), fc.constant(0))
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({ kind: fc.constant('note' as const), tone, text }),
  fc.record({ kind: fc.constant('code' as const), text }),
  fc.record({ kind: fc.constant('facts' as const), facts: few(fc.record({ label: text, value: text })) }),
  fc.record({
    kind: fc.constant('diff' as const),
    changes: few(fc.record({ label: text, before: fc.option(text), after: fc.option(text) })),
  }),
  fc.record({
    kind: fc.constant('table' as const),
    columns: fc.array(fc.record({ label: text, align: fc.constantFrom('left' as const, 'right' as const) }), {
      maxLength: 24,
    }),
    rows: few(fc.array(text, { maxLength: 24 })),
  }),
  fc.record({ kind: fc.constant('list' as const), items: few(text) }),
  fc.record({
    kind: fc.constant('chart' as const),
    title: text,
    shape: fc.constantFrom('bar' as const, 'line' as const, 'pie' as const),
    series: fc.array(
      fc.record({ name: text, points: fc.array(fc.record({ label: text, value }), { maxLength: 24 }) }),
      { maxLength: 8 },
    ),
  }),
  fc.record({ kind: fc.constant('progress' as const), label: text, done: value, total: value }),
)
const view: fc.Arbitrary<View> = fc.record(
  {
    title: text,
    tone,
    blocks: fc.array(block, { maxLength: 60, size: 'small' }),
    footer: text,
    actions: fc.array(
      fc.record({
        verb: fc.constantFrom(...verbNames()),
        id: fc.stringMatching(/^[a-z0-9]{1,10}\.[a-f0-9]{10}$/),
      }),
      { maxLength: 5 },
    ),
  },
  { requiredKeys: ['title', 'tone', 'blocks'] },
) as fc.Arbitrary<View>

/** A view may be so large that to make it smaller, once one fails, would take an hour. */
const soon = { interruptAfterTimeLimit: 30_000 }

describe.each([
  ['as blocks', renderSlack],
  ['as text', renderSlackPlain],
])('any view %s', (_, render) => {
  test('is within what Slack takes', () => {
    fc.assert(
      fc.property(view, (any) => {
        const { text: words, blocks } = render(any)
        expect(faultInMessage(words, blocks), whyInvalid(blocks)).toBeUndefined()
      }),
      { numRuns: 120, ...soon },
    )
  })

  test('has no markup of its values', () => {
    fc.assert(
      fc.property(view, (any) => {
        const { text: words, blocks } = render(any)
        for (const markup of markupIn(words, blocks)) {
          expect(markup).not.toMatch(/[<>]/)
          expect(markup.replace(/&(?:amp|lt|gt);/g, '')).not.toContain('&')
        }
      }),
      { numRuns: 60, ...soon },
    )
  })

  test('keeps every button', () => {
    fc.assert(
      fc.property(view, (any) => {
        const labels = buttonsIn(render(any).blocks as never).map(({ label }) => label)
        for (const { verb } of any.actions ?? []) expect(labels).toContain(verbs[verb].label)
      }),
      { numRuns: 60, ...soon },
    )
  })
})

describe('what does not fit', () => {
  const read = (...blocks: Block[]) =>
    textOfBlocks(renderSlack({ title: 'T', tone: 'plain', blocks }).blocks as never)
  const many = <T>(count: number, make: (at: number) => T) =>
    Array.from({ length: count }, (_, at) => make(at))

  test('is counted: rows, facts, changes, lines, columns, characters, parts', () => {
    const rows = many(10_000, (at) => [`row ${at}`, 'value'])
    expect(read(table(['A', 'B'], rows))).toMatch(/[\d,]+ more rows left out\./)
    expect(read(allColumns(table(many(25, String), [many(25, String)])))).toContain(
      '5 more columns left out.',
    )
    expect(read(facts(Object.fromEntries(rows as [string, string][])))).toMatch(/[\d,]+ more facts left out/)
    expect(
      read(
        diff(
          Object.fromEntries(many(1_000, (at) => [`k${at}`, ['old value', 'new value']] as const)) as never,
        ),
      ),
    ).toMatch(/[\d,]+ more changes left out/)
    expect(read(list(many(5_000, (at) => `item ${at}`)))).toMatch(/[\d,]+ more lines left out/)
    expect(read({ kind: 'code', text: 'x'.repeat(50_000) })).toMatch(/[\d,]+ characters left out/)
    expect(read({ kind: 'text', text: 'x'.repeat(50_000) })).toMatch(/[\d,]+ characters left out/)
    expect(read(...many(80, (at) => note('plain', `note ${at}`)))).toMatch(/\d+ more parts left out here\./)
  })

  test('is cut by what it weighs once it is escaped', () => {
    const { text: words } = renderSlack({
      title: 'Signs',
      tone: 'plain',
      blocks: [{ kind: 'text', text: '<&>'.repeat(3_000) }],
    })
    expect(words.length).toBeLessThanOrEqual(4_000)
    expect(words).toContain('characters left out')
    expect(words).not.toMatch(/&(?!(?:amp|lt|gt);)/)
  })

  test('never takes the whole of a page of real rows', () => {
    const rows = many(50, (at) => [`somebody.with.a.name.${at}@example.com`, 'subscribed', '72', 'vip, beta'])
    const shown = read(table(['Email', 'Status', 'Score#', 'Tags'], rows))
    expect(shown).toContain('somebody.with.a.name.30@example.com')
  })
})

describe('charts', () => {
  const typesOf = (...blocks: Block[]) =>
    renderSlack({ title: 'T', tone: 'plain', blocks })
      .blocks.slice(1)
      .map(({ type }) => type)
  const points = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`Label ${at}`, at + 1]))

  test('are drawn by Slack where they fit, and in text where not', () => {
    expect(typesOf(chart('By status', 'pie', points(6)))).toEqual(['data_visualization'])
    expect(typesOf(chart('By day', 'line', points(20)))).toEqual(['data_visualization'])
    expect(typesOf(chart('By hour', 'bar', points(21)))).toEqual(['rich_text'])
    expect(
      typesOf(
        chart('Long labels', 'bar', { 'The same long beginning A': 1, 'The same long beginning B': 2 }),
      ),
    ).toEqual(['rich_text'])
    const one = chart('One', 'bar', points(3))
    expect(typesOf(one, one, one)).toEqual(['data_visualization', 'data_visualization', 'rich_text'])
  })

  test('with too many slices become bars, and their numbers are in the text for those who see none', () => {
    const shown = renderSlack({ title: 'T', tone: 'plain', blocks: [chart('By tag', 'pie', points(9))] })
    expect(shown.blocks[1]).toMatchObject({ type: 'data_visualization', chart: { type: 'bar' } })
    expect(shown.text).toContain('Label 8')
    expect(shown.text).toContain('9')
  })
})

test('the second table of a message is drawn in text', () => {
  const one = table(['A', 'B#'], [['x', '1']])
  const { blocks } = renderSlack({ title: 'T', tone: 'plain', blocks: [one, one] })
  expect(blocks.map(({ type }) => type)).toEqual(['header', 'data_table', 'rich_text'])
})

test('times stay in the reader’s own way where a table is drawn in text', () => {
  const at = Date.UTC(2026, 10, 3, 9, 14)
  const one = table(['What', 'When', 'Note'], [['x', { at, text: '3 Nov 2026, 09:14 UTC' }, '']])
  const { text: words, blocks } = renderSlack({ title: 'T', tone: 'plain', blocks: [one, one] })
  expect(faultInMessage(words, blocks), whyInvalid(blocks)).toBeUndefined()
  const [, , drawn] = blocks
  expect(JSON.stringify(drawn)).toContain(`"type":"date","timestamp":${at / 1000}`)
  expect(JSON.stringify(drawn)).not.toContain('"text":"3 Nov')
})

test('what has nothing to show is no block', () => {
  const nameless = table([''], [])
  const { text: words, blocks } = renderSlack({ title: 'T', tone: 'plain', blocks: [nameless, nameless] })
  expect(faultInMessage(words, blocks), whyInvalid(blocks)).toBeUndefined()
})

test('what has hardly any room left is left out, never an empty block', () => {
  for (let json = 400; json < 470; json++) {
    const [block] = preformatted('x'.repeat(9_000), {
      json,
      blocks: 9,
      tables: 1,
      charts: 1,
      refused: new Set(),
      isWhole: true,
    })
    expect(JSON.stringify(block)).toContain('xxx')
  }
})

test('what a card shows besides what is decided on can be closed where it is long, unless the workspace has no such block', () => {
  const card = cardOf(
    changeIn('pending', {
      preview: {
        title: 'Send News to 40 people',
        tone: 'warn',
        blocks: [list(Array.from({ length: 40 }, (_, at) => `somebody.with.a.long.name.${at}@example.com`))],
      },
    }),
    2_000,
  ).view
  const typesOf = (refused: Set<NewerBlock>) => renderSlack(card, { refused }).blocks.map(({ type }) => type)
  expect(typesOf(new Set())).toContain('container')
  expect(typesOf(new Set(['container']))).not.toContain('container')
  const { text: words, blocks } = renderSlack(card)
  expect(faultInMessage(words, blocks), whyInvalid(blocks)).toBeUndefined()
  expect(words).toMatch(/^Ann asks: Send News to 40 people\. Approve/)
  expect(words).not.toContain('somebody')
})

/** Words that any messenger shows as they are written. */
const isPlain = (words: string, most: number): boolean =>
  words.length <= most && /^\w+(?:,? \w+)*$/.test(words)

test('what a phone shows of whatever has buttons is the sentence and what can be done', () => {
  const aside = ['share', 'file', 'details', 'show_all', 'next', 'previous', 'mine']
  const words = fc.oneof(fc.constantFrom('Ada Lindqvist', 'Refund 49 USD to Ada Lindqvist'), text)
  const action = fc.record({
    verb: fc.constantFrom(...verbNames()),
    id: fc.constantFrom('c1', 'c2'),
    label: fc.option(words, { nil: undefined }),
    isMore: fc.constantFrom(true as const, undefined),
  })
  fc.assert(
    fc.property(
      words,
      fc.array(action, { maxLength: 6 }),
      fc.option(words, { nil: undefined }),
      (title, actions, asker) => {
        const turn = { kind: 'turn' as const, lines: ['Needs one.'], by: 'Sam', ...(asker && { asker }) }
        const shown = renderSlack({ title, tone: 'plain', blocks: [turn], actions: actions as never }).text
        const onPhone = shown.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
        const offered = actions.filter(({ verb, isMore }) => !isMore && !aside.includes(verb))
        const [first] = offered
        if (first === undefined) return
        if (asker) {
          expect(onPhone).toContain(' asks: ')
          return
        }
        const [line = ''] = onPhone.split('\n')
        expect(line.length).toBeLessThanOrEqual(100)
        const label = first.label ?? verbs[first.verb].label
        if (isPlain(label, 40)) expect(line).toContain(label)
        if (isPlain(title, 30)) expect(line.startsWith(title)).toBe(true)
      },
    ),
  )
})

test('a person, an outcome and what nobody knows say on a phone what can be pressed', () => {
  const said = (view: Partial<View>) =>
    renderSlack({ title: '', tone: 'plain', blocks: [note('plain', 'More.')], ...view }).text.split('\n')[0]
  const person = ['Refund the second, 49 USD', 'Refund 120 USD', 'Change plan', 'Message'].map((label) => ({
    ...{ verb: 'run_it' as const, id: label, label },
  }))
  expect(said({ title: 'Ada Lindqvist', actions: person })).toBe(
    'Ada Lindqvist. Refund the second, 49 USD; Refund 120 USD; Change plan.',
  )
  const unknown = cardOf(changeIn('unknown'), 2_000).view
  expect(said(unknown)).toMatch(/^Outcome unknown: .*It happened; It did not\.$/)
  expect(said({ title: 'What waits', actions: [{ verb: 'share', id: 'a' }] })).toBe('What waits')
})
