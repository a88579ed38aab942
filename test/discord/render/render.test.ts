import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeMarkdown } from '../../../adapters/discord/render/escape.ts'
import { renderDiscord, renderMessage } from '../../../adapters/discord/render/render.ts'
import { verbNames } from '../../../src/lib/view/button-labels.ts'
import { type Block, facts, table, text, type View } from '../../../src/lib/view/view.ts'
import { visibleText } from '../../../src/lib/view/visible.ts'
import { anyText } from '../../harness/any-text.ts'
import { allComponents, messageFaults } from '../fake/rules.ts'
import type { Json } from '../fake/state.ts'

const hostile = [
  '<!channel> <@400000000000000001> <@&1> <#1> </refund:1>',
  '@everyone @here @EVERYONE',
  '``` `code` ```js\nalert()```',
  '# heading\n## two\n-# small\n> quote\n>>> all\n- item\n+ item\n1. first\n* star',
  '**bold** __under__ _it_ ~~gone~~ ||spoiler||',
  '[masked](https://evil.example) https://evil.example <https://evil.example>',
  '<:party:123456789012345678> <a:x:1> <t:1700000000:R> <id:customize>',
  '\\*escaped\\* \\\\',
  '\u202eright to left\u202c \u2066isolated\u2069',
  '\u200b\u200b',
  '',
  ' \n\t ',
  '\u0000\u0007\u001b[31mred\u001b[0m',
  '\ud83d lone surrogate',
  '👩‍👩‍👧‍👦'.repeat(200),
  'x'.repeat(20_000),
  '*'.repeat(9_000),
  '`'.repeat(3_000),
  '\n'.repeat(500),
]

const words = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  { weight: 2, arbitrary: anyText({ maxLength: 80 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4_000 }) },
)
const tone = fc.constantFrom('plain' as const, 'good' as const, 'warn' as const, 'bad' as const)
const amount = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 0),
)

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: words }),
  fc.record({ kind: fc.constant('note' as const), tone, text: words }),
  fc.record({
    kind: fc.constant('facts' as const),
    facts: fc.array(fc.record({ label: words, value: words }), { maxLength: 40 }),
  }),
  fc.record({
    kind: fc.constant('diff' as const),
    changes: fc.array(fc.record({ label: words, before: fc.option(words), after: fc.option(words) }), {
      maxLength: 30,
    }),
  }),
  fc.record({
    kind: fc.constant('table' as const),
    columns: fc.array(
      fc.record({ label: words, align: fc.constantFrom('left' as const, 'right' as const) }),
      {
        maxLength: 8,
      },
    ),
    rows: fc.array(fc.array(words, { maxLength: 9 }), { maxLength: 30 }),
  }),
  fc.record({ kind: fc.constant('list' as const), items: fc.array(words, { maxLength: 40 }) }),
  fc.record({ kind: fc.constant('code' as const), text: words }),
  fc.record({
    kind: fc.constant('chart' as const),
    title: words,
    shape: fc.constantFrom('bar' as const, 'line' as const, 'pie' as const),
    series: fc.array(
      fc.record({
        name: words,
        points: fc.array(fc.record({ label: words, value: amount }), { maxLength: 30 }),
      }),
      { maxLength: 4 },
    ),
  }),
  fc.record({ kind: fc.constant('progress' as const), label: words, done: amount, total: amount }),
)

/** Some of these are too long for a button. */
const buttonTarget = fc.oneof(
  fc.stringMatching(/^[a-z0-9.]{1,30}$/),
  fc.string({ unit: fc.constantFrom('a', '7', '.'), minLength: 60, maxLength: 120, size: 'max' }),
)
const view: fc.Arbitrary<View> = fc.record(
  {
    title: words,
    tone,
    blocks: fc.array(block, { maxLength: 40 }),
    footer: words,
    actions: fc.array(fc.record({ verb: fc.constantFrom(...verbNames()), id: buttonTarget }), {
      maxLength: 14,
    }),
  },
  { requiredKeys: ['title', 'tone', 'blocks'] },
)

describe('a view as Discord components', () => {
  it('never passes a limit, whatever stands in any field of any block', () => {
    fc.assert(
      fc.property(view, (one) => {
        const { body, charts } = renderMessage(one)
        expect(faultsOf(body, charts.length)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('shows text as it is, and nothing in it means anything', () => {
    fc.assert(
      fc.property(words, (one) => {
        const shown = escapeMarkdown(one)
        expect(unescaped(shown)).toBe(visibleText(one))
        const bare = shown.replace(/\\[^0-9A-Za-z\s]/g, 'x')
        expect(bare).not.toMatch(/[`*_~|[\]<>#\\]/)
        expect(bare).not.toMatch(/^\s*(?:[-+]|\d+[.)])\s/m)
        expect(bare).not.toMatch(/@(?:everyone|here)/i)
        expect(bare).not.toMatch(/:\/\//)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(hostile)('cannot be made to show a heading or a button by %j', (words) => {
    const body = renderDiscord({
      title: words,
      tone: 'plain',
      blocks: [text(words), facts({ [words]: words })],
    })
    const parts = allComponents(body.components)
    expect(parts.filter(({ type }) => type === 2)).toEqual([])
    const [title, ...rest] = parts.filter(({ type }) => type === 10).map(({ content }) => String(content))
    expect(title).toMatch(/^## /)
    expect(title).not.toContain('\n')
    for (const content of rest) expect(content).not.toMatch(/^(#|-#|>)/m)
  })

  it('says how many rows of ten thousand were left out', () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => [
      `Subscriber ${at}`,
      `${at}@example.com`,
      'subscribed and well',
    ])
    const body = renderDiscord({
      title: 'Many',
      tone: 'plain',
      blocks: [table(['Name', 'Email', 'Status'], rows)],
    })
    const shown = textIn(body)
    const left = Number(/… ([\d,]+) more rows left out/.exec(shown)?.[1]?.replace(',', ''))
    const kept = shown.match(/\*\*Subscriber/g)?.length ?? 0
    expect(kept).toBeGreaterThan(20)
    expect(left + kept).toBe(10_000)
  })

  it('keeps what is short whole beside something endless', () => {
    const body = renderDiscord({
      title: 'Card',
      tone: 'warn',
      blocks: [text('x'.repeat(50_000)), facts({ 'Asked by': 'Sam', Amount: '120' })],
    })
    expect(textIn(body)).toContain('**Asked by**: Sam\n**Amount**: 120')
    expect(textIn(body)).toMatch(/… \([\d,]+ more characters\)/)
  })

  it('puts a narrow table in columns, and a wide one in lines that a phone can wrap', () => {
    const narrow = textIn(
      renderDiscord({
        title: 'T',
        tone: 'plain',
        blocks: [
          table(
            ['Plan', 'Price#'],
            [
              ['Team', '20'],
              ['Solo', '5'],
            ],
          ),
        ],
      }),
    )
    expect(narrow).toContain('```\nPlan  Price\nTeam     20\nSolo      5\n```')
    const wide = textIn(
      renderDiscord({
        title: 'T',
        tone: 'plain',
        blocks: [
          table(['Name', 'Subject', 'Status'], [['Welcome', 'A long and friendly subject line', 'live']]),
        ],
      }),
    )
    expect(wide).toContain('**Welcome** · Subject: A long and friendly subject line · Status: live')
  })

  it('carries the tone as its accent colour, each its own', () => {
    const colours = (['plain', 'good', 'warn', 'bad'] as const).map(
      (one) => renderDiscord({ title: 'T', tone: one, blocks: [] }).components[0]?.accent_color,
    )
    expect(new Set(colours).size).toBe(4)
  })
})

const faultsOf = (body: object, charts: number): string[] =>
  messageFaults(body as Json, { files: Array.from({ length: charts }, (_, at) => `chart-${at + 1}.png`) })

const textIn = (body: { components: unknown }): string =>
  allComponents(body.components)
    .filter(({ type }) => type === 10)
    .map(({ content }) => String(content))
    .join('\n')

const unescaped = (shown: string): string =>
  shown.replace(/\\([^0-9A-Za-z\s])/g, '$1').replace(/@\u200b(?=everyone|here)/gi, '@')
