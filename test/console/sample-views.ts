import fc from 'fast-check'
import { verbNames } from '../../src/lib/view/button-labels.ts'
import type { Block, View } from '../../src/lib/view/view.ts'
import { anyText } from '../harness/any-text.ts'

/** One of each, as commands make them. */
export const everyBlock: View = {
  title: 'One of everything',
  tone: 'good',
  blocks: [
    { kind: 'text', text: 'Plain words.' },
    ...(['plain', 'good', 'warn', 'bad'] as const).map(
      (tone): Block => ({ kind: 'note', tone, text: `A ${tone} note` }),
    ),
    {
      kind: 'facts',
      facts: [{ label: 'A label that is longer than most labels are', value: 'pay_'.repeat(60) }],
    },
    {
      kind: 'diff',
      changes: [
        { label: 'Tags', before: 'vip, beta', after: 'vip' },
        { label: 'Company', before: null, after: 'Northwind' },
        { label: 'Position', before: 'CTO', after: null },
        { label: 'Note', before: '', after: 'x' },
      ],
    },
    {
      kind: 'table',
      columns: Array.from({ length: 9 }, (_, at) => ({
        label: `Column ${at}`,
        align: at % 2 ? 'right' : 'left',
      })),
      rows: [Array.from({ length: 9 }, (_, at) => `value-${at}-that-is-long@example.com`)],
    },
    { kind: 'list', items: ['first', 'second'] },
    { kind: 'code', text: 'refund <payment-id> [amount]\n'.repeat(3) },
    ...(['bar', 'line', 'pie'] as const).map(
      (shape): Block => ({
        kind: 'chart',
        title: `A ${shape} chart`,
        shape,
        series: [
          {
            name: 'People',
            points: ['one', 'two', 'three'].map((label, at) => ({ label, value: (at + 1) * 7 })),
          },
        ],
      }),
    ),
    { kind: 'progress', label: 'Sending', done: 40, total: 100 },
  ],
  footer: 'And a footer',
}

const evil = [
  '<img src=x onerror="window.caught=1">',
  '<script>window.caught=1</script>',
  '</article><article>forged',
  '"><svg onload=window.caught=1>',
  'javascript:window.caught=1',
  '<!channel>',
  '@everyone',
  '```*_~`',
  '\u202eevil\u202c',
  '\u200b',
  '',
  '\u0000\u001b[31m',
  'w'.repeat(30_000),
  '{{constructor.constructor("window.caught=1")()}}',
]

const words = fc.oneof(fc.constantFrom(...evil), anyText({ maxLength: 40 }))
const figure = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -1, 1e308),
)
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 4 })
const tone = fc.constantFrom('plain', 'good', 'warn', 'bad' as const)
const fixed = <T extends string>(kind: T) => fc.constant(kind)

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fixed('text'), text: words }),
  fc.record({ kind: fixed('note'), tone, text: words }),
  fc.record({ kind: fixed('facts'), facts: some(fc.record({ label: words, value: words })) }),
  fc.record({
    kind: fixed('diff'),
    changes: some(fc.record({ label: words, before: fc.option(words), after: fc.option(words) })),
  }),
  fc.record({
    kind: fixed('table'),
    columns: some(fc.record({ label: words, align: fc.constantFrom('left', 'right' as const) })),
    rows: fc.oneof(some(some(words)), fc.constant(Array.from({ length: 10_000 }, () => ['row']))),
  }),
  fc.record({
    kind: fixed('list'),
    items: fc.oneof(some(words), fc.constant(Array.from({ length: 10_000 }, () => 'item'))),
  }),
  fc.record({ kind: fixed('code'), text: words }),
  fc.record({
    kind: fixed('chart'),
    title: words,
    shape: fc.constantFrom('bar', 'line', 'pie' as const),
    series: some(fc.record({ name: words, points: some(fc.record({ label: words, value: figure })) })),
  }),
  fc.record({ kind: fixed('progress'), label: words, done: figure, total: figure }),
)

/** Views with the worst that a service or a person could put into any field. */
export const hostileView: fc.Arbitrary<View> = fc.record({
  title: words,
  tone,
  blocks: fc.array(block, { maxLength: 6 }),
  footer: words,
  actions: some(fc.record({ verb: fc.constantFrom(...verbNames()), id: words })),
})
