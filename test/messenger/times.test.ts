import { expect, test } from 'vitest'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack, renderSlackPlain } from '../../adapters/slack/render/message.ts'
import { cardOf } from '../../src/kernel/cards/card.ts'
import { due, when } from '../../src/lib/view/format.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { facts, table, type View } from '../../src/lib/view/view.ts'
import { openTestApp } from '../harness/app.ts'

const at = Date.UTC(2026, 10, 12, 9, 30)
const day = 86_400_000
const view: View = {
  title: 'Payments',
  tone: 'plain',
  blocks: [
    facts({ Asked: when(at), Expires: due(at + day) }),
    table(
      ['Payment', 'When'],
      [
        ['pay_1', when(at) ?? ''],
        ['pay_2', 'someday'],
      ],
    ),
  ],
}

const datesIn = (node: unknown): unknown[] =>
  Array.isArray(node)
    ? node.flatMap(datesIn)
    : typeof node === 'object' && node !== null
      ? 'type' in node && node.type === 'date'
        ? [node]
        : Object.values(node).flatMap(datesIn)
      : []

test('Slack gets dates that it shows in the zone of each reader, in facts and in cells of a table', () => {
  const { blocks, text } = renderSlack(view)
  const past = {
    type: 'date',
    timestamp: at / 1000,
    format: '{date_short}, {time} ({ago})',
    fallback: '12 Nov 2026, 09:30 UTC',
  }
  expect(datesIn(blocks)).toEqual([
    past,
    {
      type: 'date',
      timestamp: (at + day) / 1000,
      format: '{date_short}, {time}',
      fallback: '13 Nov 2026, 09:30 UTC',
    },
    { ...past, format: '{ago}' },
  ])
  const cells = blocks.flatMap((block) =>
    block.type === 'data_table' ? block.rows.slice(1) : [],
  ) as unknown[][]
  expect(cells.map((row) => row.map((cell) => (cell as { type: string }).type))).toEqual([
    ['raw_text', 'rich_text'],
    ['raw_text', 'raw_text'],
  ])
  expect(text).toContain('12 Nov 2026, 09:30 UTC')
  expect(datesIn(renderSlackPlain(view))).toEqual([])
})

test('Discord gets timestamps, exact and relative, and no table with times stands in a fence', () => {
  const json = JSON.stringify(renderDiscord(view))
  const seconds = at / 1000
  expect(json).toContain(`**Asked**: <t:${seconds}:f> (<t:${seconds}:R>)`)
  expect(json).toContain(`**pay\\\\_1** · When: <t:${seconds}:R>`)
  expect(json).toContain('**pay\\\\_2** · When: someday')
  expect(json).not.toContain('```')
})

test('the terminal shows the exact time with the distance; a text that is kept has the exact time alone', () => {
  const now = at + 3 * day
  expect(textOfView(view, { now })).toContain('pay_1    3 days ago')
  expect(textOfView(view, { now })).toContain('Expires  13 Nov 2026, 09:30 UTC (2 days ago)')
  expect(textOfView(view)).not.toContain('ago')
})

test('a card that is cut keeps its times', async () => {
  const { say } = await openTestApp()

  const reply = await say(`refund pay_1001 100 --description "${'x'.repeat(200)}"`, 'p-support')
  if (reply.kind !== 'change') throw new Error('nothing was asked for')
  const { change } = reply
  const drawn = JSON.stringify(renderSlack(cardOf(change, Date.now()).view).blocks)
  const dates = [...drawn.matchAll(/<!date\^(\d+)\^/g)].map(([, seconds]) => Number(seconds))
  expect(dates).toEqual([Math.floor(change.expiresAt / 1000)])
})

test('nothing that is stored says how long ago something was', async () => {
  const { say } = await openTestApp()
  const lines = [
    'subscriber get ada@example.com',
    'person get ada@example.com',
    'transaction find cus_1009',
    'campaign find',
    'contact find',
    'list find',
    'bellhop status',
    'refund pay_1001 20',
    // Somebody asked for the same a moment ago.
    'refund pay_1001 20',
    'approval list',
    'audit find',
    'policy history',
  ]
  for (const line of lines) {
    const reply = await say(line, 'p-finance')
    if (!('view' in reply)) throw new Error(`${line} shows nothing`)
    expect(JSON.stringify(reply.view), line).not.toMatch(
      /\d (second|minute|hour|day|month|year)s? ago|just now/,
    )
  }
})
