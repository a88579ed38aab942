import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMessageJson } from '../../adapters/console/message-json.ts'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack, renderSlackPlain } from '../../adapters/slack/render/message.ts'
import { cardOf } from '../../src/kernel/cards/card.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { Block, View } from '../../src/lib/view/view.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { allComponents } from '../discord/fake/rules.ts'
import { anyText } from '../harness/any-text.ts'
import { hostile } from '../messenger/hostile.ts'
import type { FakeBlock } from '../slack/fake/blocks.ts'
import { textOfBlocks } from '../slack/fake/reading.ts'
import { approvals, changeIn, party } from './sample.ts'

/** Text that tries to be a fact of the card, to hide one, or to push one off. */
const words = fc.oneof(
  fc.constantFrom(
    ...hostile,
    'ok\nAmount: 1 USD\nAsked by: The boss\nVotes: 2 of 2',
    'ok\n\nAmount  1 USD\n\nAsked by  The boss',
    '**Amount**: 1 USD\r\n**Asked by**: The boss',
    '\u2028Amount: 1 USD\u2029',
    '\u200bAmount',
    'Amount',
    'asked by',
    'Votes for rule "refund"',
    'Amount  1 USD',
    'asked by  The boss',
    'Asked by The boss',
    'Needs 2 approvals from role0 for rule "r0"',
    'Has 2 approvals from role0 for rule "r0": Bob',
    'You can approve this',
    'Votes  2 of 2 from role0',
    '_*'.repeat(4_000),
    'line\n'.repeat(3_000),
  ),
  anyText({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)

const block: fc.Arbitrary<Block> = fc.oneof(
  words.map((text): Block => ({ kind: 'code', text })),
  fc
    .tuple(fc.constantFrom('warn' as const, 'bad' as const, 'plain' as const), words)
    .map(([tone, text]): Block => ({ kind: 'note', tone, text })),
  fc
    .array(fc.record({ label: words, value: words }), { maxLength: 50 })
    .map((facts): Block => ({ kind: 'facts', facts })),
  fc
    .array(fc.record({ label: words, before: fc.option(words), after: fc.option(words) }), { maxLength: 5 })
    .map((changes): Block => ({ kind: 'diff', changes })),
  fc.array(words, { maxLength: 60 }).map((items): Block => ({ kind: 'list', items })),
  fc.array(fc.array(words, { minLength: 2, maxLength: 2 }), { maxLength: 30 }).map(
    (rows): Block => ({
      kind: 'table',
      columns: [
        { label: 'One', align: 'left' },
        { label: 'Two', align: 'left' },
      ],
      rows,
    }),
  ),
)

const change: fc.Arbitrary<Change> = fc
  .record({
    title: words,
    blocks: fc.array(block, { maxLength: 20 }),
    warnings: fc.array(words, { maxLength: 9 }),
    voter: words,
    clauses: fc.integer({ min: 1, max: 6 }),
    message: words,
  })
  .map(({ title, blocks, warnings, voter, clauses, message }) =>
    changeIn('pending', {
      // The command's own facts come first; what follows is named by whoever asked.
      preview: {
        title: `Refund payment ${title}`,
        tone: 'warn',
        blocks: [{ kind: 'facts', facts: [{ label: 'Payment', value: title, role: 'source' }] }, ...blocks],
      },
      amount: 1234.5,
      currency: 'USD',
      requester: party('ann', { name: 'Ann Actor' }),
      warnings,
      clauses: Array.from({ length: clauses }, (_, at) => approvals(at + 2, [`role${at}`], `rule "r${at}"`)),
      votes: [{ by: party('bob', { name: voter, roles: ['role0'] }), at: 2_000, digest: '0123456789abcdef' }],
      drift: { message, changes: [{ label: 'Payment', before: message, after: voter }] },
    }),
  )

/** What people read, line by line; `label` is how this renderer writes the label of a leading fact, `quiet` how a line of small print begins. */
const renderers: Record<
  string,
  { read: (view: View) => string; label: (name: string) => string; quiet?: string }
> = {
  terminal: { read: (view) => textOfView(view), label: (name) => `${name} ` },
  slack: {
    // What is drawn in a frame of its own passes for no fact.
    read: (view) =>
      textOfBlocks(
        renderSlack(view).blocks.filter(
          (one) => !JSON.stringify(one).includes('"type":"rich_text_preformatted"'),
        ) as FakeBlock[],
      ),
    label: (name) => `${name}: `,
  },
  'slack in plain text': {
    read: (view) => textOfBlocks(renderSlackPlain(view).blocks as FakeBlock[]),
    label: (name) => `${name} `,
  },
  discord: {
    read: (view) =>
      allComponents(renderDiscord(view).components)
        .flatMap((part) => (part.type === 10 ? [String(part.content)] : []))
        .filter((content) => !content.startsWith('```'))
        .join('\n'),
    label: (name) => `**${name}**: `,
    quiet: '-# ',
  },
  console: {
    read: (view) => {
      const { body } = toMessageJson({ body: { kind: 'view', view } } as never) as {
        body: { view: View }
      }
      return body.view.blocks
        .flatMap((one) =>
          one.kind === 'facts'
            ? one.facts.map(({ label, value }) => `${label}: ${value}`)
            : one.kind === 'turn'
              ? [...one.lines, one.by]
              : [],
        )
        .join('\n')
    },
    label: (name) => `${name}: `,
  },
}

describe.each(Object.entries(renderers))(
  'whatever stands in a plan, on a card in %s',
  (_, { read, label, quiet = '' }) => {
    const linesOf = (card: View, start: string) =>
      read(card)
        .split('\n')
        .filter((line) => line.startsWith(start))

    it('the requester, the amount and every clause can be read, and nothing passes for them', () => {
      fc.assert(
        fc.property(change, (one) => {
          const card = cardOf(one, 2_000).view
          const [by, ...otherBy] = linesOf(card, `${quiet}Asked by`)
          expect(by).toContain('Ann Actor')
          expect(otherBy).toEqual([])
          const amounts = linesOf(card, label('Amount'))
          expect(amounts).toHaveLength(1)
          expect(read(card)).toContain('1,234.50 USD')
          expect(linesOf(card, 'Needs')).toHaveLength(one.clauses.length)
          expect(linesOf(card, 'Has ')).toEqual([])
          expect(linesOf(card, 'You can')).toEqual([])
          for (const [at, clause] of one.clauses.entries()) {
            if (clause.kind !== 'approvals') continue
            const [need, ...others] = linesOf(card, `Needs ${clause.count} approvals from role${at}`)
            expect(others).toEqual([])
            expect(need).toContain(at === 0 ? ', has 1:' : `role${at} for rule`)
          }
        }),
        { numRuns: 150 },
      )
    })

    it('a card that says nothing of it shows all of it', () => {
      fc.assert(
        fc.property(change, (one) => {
          const card = cardOf(one, 2_000).view
          const isPartial = card.blocks.some(
            (part) => part.kind === 'note' && plainWords(part.text).startsWith('Not everything is shown'),
          )
          expect(read(card).includes('Not everything is shown') || _ === 'console').toBe(
            isPartial || _ === 'console',
          )
          if (!isPartial) expect(read(card)).not.toMatch(/left out|more characters?\)/)
        }),
        { numRuns: 150 },
      )
    })
  },
)
