import { describe, expect, test } from 'vitest'
import { renderMessage } from '../../adapters/discord/render/render.ts'
import { isWholeInSlack, renderSlack } from '../../adapters/slack/render/message.ts'
import { partsThatFit } from '../../src/lib/view/parts.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { type Block, code, diff, facts, list, table, text, type View } from '../../src/lib/view/view.ts'
import { allComponents } from '../discord/fake/rules.ts'
import type { FakeBlock } from '../slack/fake/blocks.ts'
import { textOfBlocks } from '../slack/fake/reading.ts'

const named = (at: number) => `row-${at}-end`
const names = (count: number) => Array.from({ length: count }, (_, at) => named(at))

/** Everything that lists something, with so many lines of it. */
const lists: Record<string, (count: number) => Block> = {
  table: (count) =>
    table(
      ['Name', 'Note', 'Other', 'Last'],
      names(count).map((name) => [name, 'x'.repeat(40), '', '']),
    ),
  list: (count) => list(names(count).map((name) => `${name} ${'y'.repeat(60)}`)),
  facts: (count) => facts(Object.fromEntries(names(count).map((name) => [name, 'z'.repeat(80)]))),
  diff: (count) => diff(Object.fromEntries(names(count).map((name) => [name, ['before', 'after']]))),
  code: (count) => code(names(count).join('\n')),
  requests: (count) => ({
    kind: 'requests',
    requests: names(count).map((name) => ({
      title: `Refund 49 USD to ${name}`,
      by: 'Sam',
      asked: { at: 0, text: '1 Jan 1970, 00:00 UTC' },
      needs: ['Needs 2 approvals from finance', 'Fay Finance and Finn Finance can decide'],
      facts: ['Payment', 'Customer', 'Left after', 'Kind'].map((label) => ({
        label,
        value: 'v'.repeat(150),
      })),
      warnings: ['49 USD was refunded twice this month.', 'w'.repeat(300)],
      thing: { kind: 'change', id: name },
      actions: (['approve', 'suggest', 'reject', 'show_all', 'cancel', 'why'] as const).map((verb, at) => ({
        verb,
        id: `${name}.0123456789.list1`,
        ...(at > 2 ? { isMore: true as const } : {}),
      })),
    })),
  }),
}

const messengers: Record<string, { isWhole: (view: View) => boolean; read: (view: View) => string }> = {
  Slack: {
    isWhole: (view) => isWholeInSlack(view, new Set()),
    read: (view) => textOfBlocks(renderSlack(view).blocks as FakeBlock[]),
  },
  'Slack with its older blocks': {
    isWhole: (view) => isWholeInSlack(view, new Set(['data_table', 'container', 'plan'])),
    read: (view) =>
      textOfBlocks(
        renderSlack(view, { refused: new Set(['data_table', 'container', 'plan']) }).blocks as FakeBlock[],
      ),
  },
  Discord: {
    isWhole: (view) => renderMessage(view).isWhole,
    read: (view) =>
      allComponents(renderMessage(view).body.components)
        .map(({ content }) => content ?? '')
        .join('\n')
        .replaceAll('\\', ''),
  },
  'the terminal': { isWhole: () => true, read: (view) => textOfView(view) },
}

describe.each(Object.entries(messengers))('in %s', (_, { isWhole, read }) => {
  describe.each(Object.entries(lists))('a %s', (_kind, of) => {
    test.each([0, 1, 7, 100, 5_000])('of %i is shown to its end', (count) => {
      const view: View = { title: 'A list', tone: 'plain', blocks: [text('All of them:'), of(count)] }
      const parts = partsThatFit(view, isWhole)
      const told = parts.map(read)
      expect([...new Set(told.flatMap((words) => words.match(/row-\d+-end/g) ?? []))]).toEqual(names(count))
      expect(parts.every(isWhole)).toBe(true)
      for (const words of told) {
        expect(words).toContain('All of them:')
        expect(words).not.toContain('left out')
      }
    })
  })

  test('what is too long for any message is shown as far as it goes, and says so', () => {
    const one = lists.requests?.(1)
    if (one?.kind !== 'requests' || one.requests[0] === undefined) throw new Error('no request')
    const [long] = one.requests
    const much = { ...long, facts: long.facts.map(({ label }) => ({ label, value: 'v'.repeat(9_000) })) }
    const view: View = {
      title: 'A list',
      tone: 'plain',
      blocks: [{ kind: 'requests', requests: [much, long] }],
    }
    const shown = partsThatFit(view, isWhole).map(read).join('\n')
    expect(shown).toContain('Refund 49 USD to row-0-end')
  })
})
