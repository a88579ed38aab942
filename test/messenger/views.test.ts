import { describe, expect, it } from 'vitest'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import {
  address,
  type Block,
  chart,
  code,
  diff,
  facts,
  list,
  note,
  table,
  text,
  type View,
} from '../../src/lib/view/view.ts'
import { allComponents } from '../discord/fake/rules.ts'
import type { FakeBlock } from '../slack/fake/blocks.ts'
import { textOfBlocks } from '../slack/fake/reading.ts'

type Row = [block: Block, columns: { terminal: string; slack: string; discord: string }]

/** Every kind of block, and what people read of it on each platform. The console draws the same data as HTML. */
const rows: Record<Block['kind'], Row> = {
  turn: [
    {
      kind: 'turn',
      lines: ['Needs 1 approval from finance'],
      by: 'Asked by Sam',
      time: { words: 'expires', moment: { at: 0, text: '1 Jan 1970, 00:00 UTC', isAhead: true } },
    },
    {
      terminal: 'Needs 1 approval from finance\nAsked by Sam · expires 1 Jan 1970, 00:00 UTC',
      slack:
        'Needs 1 approval from finance\nAsked by Sam expires <!date^0^{date_short_pretty}, {time}|1 Jan 1970, 00:00 UTC>',
      discord: 'Needs 1 approval from finance\n-# Asked by Sam · expires <t:0:f> (<t:0:R>)',
    },
  ],
  quote: [
    { kind: 'quote', text: 'Charged *twice*', by: 'Sam' },
    {
      terminal: '> Charged *twice*  (Sam)',
      slack: '> Charged *twice*  Sam',
      discord: '> Charged \\*twice\\*  *Sam*',
    },
  ],
  text: [
    text('Plain *words* & <b>'),
    {
      terminal: 'Plain *words* & <b>',
      slack: 'Plain *words* & <b>',
      discord: 'Plain \\*words\\* & \\<b\\>',
    },
  ],
  note: [
    note('warn', 'Look twice'),
    { terminal: '! Look twice', slack: ':warning: Look twice', discord: '⚠️ Look twice' },
  ],
  facts: [
    facts({ Amount: '120 USD', Rule: 'large_refund' }),
    {
      terminal: 'Amount  120 USD\nRule    large_refund',
      slack: 'Amount: 120 USD\nRule: large_refund',
      discord: '**Amount**: 120 USD\n**Rule**: large\\_refund',
    },
  ],
  diff: [
    diff({ Tags: ['vip, beta', 'vip'], Company: [null, 'Northwind'], Position: ['CTO', null] }),
    {
      terminal: 'Tags: vip, beta -> vip\nCompany: Northwind\nPosition: CTO -> removed',
      slack: 'Tags: vip, beta → vip\nCompany: nothing → Northwind\nPosition: CTO → nothing',
      discord:
        '**Tags**: ~~vip, beta~~ → **vip**\n**Company**: **Northwind**\n**Position**: ~~CTO~~ → removed',
    },
  ],
  table: [
    table(
      ['Plan', 'Price#'],
      [
        ['Team', '20'],
        ['Solo', '5'],
      ],
    ),
    {
      terminal: 'Plan  Price\nTeam     20\nSolo      5',
      slack: 'Plan | Price\nTeam | 20\nSolo | 5',
      discord: '```\nPlan  Price\nTeam     20\nSolo      5\n```',
    },
  ],
  requests: [
    {
      kind: 'requests',
      requests: [
        {
          title: 'Refund 49 USD to *Ada*',
          by: 'Sam',
          asked: { at: 0, text: '1 Jan 1970, 00:00 UTC' },
          needs: ['Needs 1 approval from finance'],
          facts: [{ label: 'Payment', value: 'INV-513' }],
          warnings: ['Refunded before.'],
          thing: { kind: 'change', id: 'c1' },
          actions: [{ verb: 'approve', id: 'c1.0123456789.list1', label: 'Approve 49 USD' }],
        },
      ],
    },
    {
      terminal:
        'Refund 49 USD to *Ada*\n  Sam asks, 1 Jan 1970, 00:00 UTC · Needs 1 approval from finance\n  Payment: INV-513\n  ! Refunded before.',
      slack:
        'Refund 49 USD to *Ada*\nSam asks, 1 Jan 1970, 00:00 UTC · Needs 1 approval from finance\nPayment: INV-513\n:warning: Refunded before.\n[Approve]',
      discord:
        '**Refund 49 USD to \\*Ada\\***\n-# Sam asks, <t:0:R> · Needs 1 approval from finance\nPayment: INV-513\n⚠️ Refunded before.',
    },
  ],
  list: [
    list(['first', 'second']),
    { terminal: '- first\n- second', slack: '•  first\n•  second', discord: '- first\n- second' },
  ],
  address: [
    address('Sign it', 'https://bellhop.example.com/console/sign?change=c1'),
    {
      terminal: 'Sign it: https://bellhop.example.com/console/sign?change=c1',
      slack: '[Sign it](https://bellhop.example.com/console/sign?change=c1)',
      discord: '[Sign it](https://bellhop.example.com/console/sign?change=c1)',
    },
  ],
  code: [
    code('refund <payment-id>'),
    {
      terminal: '  refund <payment-id>',
      slack: 'refund <payment-id>',
      discord: '```\nrefund <payment-id>\n```',
    },
  ],
  chart: [
    chart('By status', 'bar', { subscribed: 30, bounced: 15 }),
    {
      terminal: `By status\nsubscribed  ${'#'.repeat(30)} 30\nbounced     ${'#'.repeat(15)} 15`,
      slack: 'By status (bar chart)',
      discord: 'attachment://chart-1.png (By status: subscribed 30, bounced 15)',
    },
  ],
  progress: [
    { kind: 'progress', label: 'Sending', done: 40, total: 100 },
    {
      terminal: 'Sending [##########..............] 40%',
      slack: 'Sending\n[########............] 40% 40 of 100',
      discord: '**Sending**\n`[########............] 40%` 40 of 100',
    },
  ],
}

describe.each(Object.entries(rows))('a block of %s', (_, [block, columns]) => {
  const view: View = { title: 'T', tone: 'plain', blocks: [block] }

  it('in the terminal', () => {
    expect(textOfView(view)).toBe(`T\n\n${columns.terminal}`)
  })

  it('in Slack', () => {
    const { blocks } = renderSlack(view)
    expect(textOfBlocks(blocks as FakeBlock[])).toBe(`T\n${columns.slack}`)
  })

  it('in Discord', () => {
    expect(readDiscord(view)).toBe(`## T\n${columns.discord}`)
  })
})

const readDiscord = (view: View): string =>
  allComponents(renderDiscord(view).components)
    .flatMap((part) => {
      if (part.type === 10) return [String(part.content)]
      if (part.type === 2 && 'url' in part) return [`[${String(part.label)}](${String(part.url)})`]
      const items = (part.items ?? []) as { media: { url: string }; description: string }[]
      return items.map(({ media, description }) => `${media.url} (${description})`)
    })
    .join('\n')
