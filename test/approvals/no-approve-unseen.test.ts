import { describe, expect, test } from 'vitest'
import { toViewJson } from '../../adapters/console/message-json.ts'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { homeView } from '../../adapters/slack/home/home-view.ts'
import { renderSlack, renderSlackPlain } from '../../adapters/slack/render/message.ts'
import { cardOf, headCardOf, reminderOf } from '../../src/kernel/cards/card.ts'
import type { Actor } from '../../src/kernel/command/context.ts'
import { readContext } from '../../src/kernel/context/command-context.ts'
import { firstOf } from '../../src/lib/some.ts'
import { menuGroups } from '../../src/lib/view/menu-options.ts'
import type { View } from '../../src/lib/view/view.ts'
import { openHarness } from '../pipeline/harness.ts'
import { approvals, changeIn, party } from './sample.ts'

/** Who asks, what, how much, from what, to whom, and what each rule still asks for. */
const headWords = [
  'Ann Actor',
  'Refund payment pay_77',
  '1,234.50 USD',
  'pay_77',
  'cus_77',
  'Needs 2 approvals from finance',
  'Needs 1 approval from lead',
]

const waiting = changeIn('pending', {
  requester: party('ann', { name: 'Ann Actor', roles: ['support'] }),
  amount: 1234.5,
  currency: 'USD',
  clauses: [approvals(2, ['finance'], 'rule "large"'), approvals(1, ['lead'], 'budget "a day"')],
  expiresAt: 9e12,
  reminder: { n: 1, why: 'Still waiting' },
  preview: {
    title: 'Refund payment pay_77',
    tone: 'warn',
    blocks: [
      {
        kind: 'facts',
        facts: [
          { label: 'Payment', value: 'pay_77', role: 'source' as const },
          { label: 'Kind', value: 'refund' },
          { label: 'Customer', value: 'cus_77', role: 'target' as const },
        ],
      },
      { kind: 'list', items: Array.from({ length: 60 }, () => 'long '.repeat(100)) },
    ],
  },
})

const views: Record<string, View> = {
  card: cardOf(waiting, 5_000).view,
  'reminder of a card': reminderOf(waiting, 5_000, []),
  'card in a list': headCardOf(waiting, 5_000),
}

/** The whole of what is sent, in the order in which it is drawn. */
const drawn: Record<string, (view: View) => unknown> = {
  slack: (view) => renderSlack(view).blocks,
  'slack in plain text': (view) => renderSlackPlain(view).blocks,
  discord: (view) => renderDiscord(view).components,
  console: (view) => {
    const { actions, ...shown } = toViewJson(view)
    return [shown, actions]
  },
}

const expectHeadBeforeApprove = (sent: unknown) => {
  const text = JSON.stringify(sent)
  const at = text.search(/"(?:label|text)":"Approve 1,234.50 USD"/)
  expect(at).toBeGreaterThan(0)
  const plain = text.slice(0, at).replaceAll('\\\\', '')
  for (const words of headWords) expect(plain).toContain(words)
}

describe.each(Object.keys(drawn))('in %s', (name) => {
  test.each(Object.keys(views))('the %s shows what is decided before it offers Approve', (view) => {
    expectHeadBeforeApprove(drawn[name]?.(views[view] as View))
  })
})

describe('nobody says yes to what they were not shown', async () => {
  const bot = await openHarness()
  const fay: Actor = {
    person: 'fay',
    name: 'Fay',
    known: true,
    roles: ['finance'],
    platform: 'slack',
    account: 'U0FAY',
  }

  test('the Home tab draws the head of each card before its buttons, and stays within a hundred blocks', async () => {
    const reads = readContext(bot.app.core, fay)
    const many = Array.from({ length: 6 }, (_, n) => ({
      ...waiting,
      id: `c${n}`,
      warnings: Array(9).fill('Careful.'),
    }))
    const records = {
      ...reads.records,
      changes: async () => firstOf(many, 100),
      turns: async () => () => true,
    }
    const { blocks } = await homeView({ ...reads, records, now: 5_000 })
    expect(blocks.length).toBeLessThanOrEqual(100)
    const heads = blocks.flatMap(({ type }, at) => (type === 'actions' ? [at] : []))
    let from = 0
    for (const at of heads) {
      const part = blocks.slice(from, at + 1)
      if (JSON.stringify(part).includes('"Approve ')) expectHeadBeforeApprove(part)
      from = at + 1
    }
  })

  test('no menu of a row offers it; an old menu that does opens the card, which votes only when it is pressed there', async () => {
    const change = await bot.ask(`refund ${bot.payment()} 400`)
    const listed = await bot.say('approval list', 'fay')
    if (listed.kind !== 'answer' || listed.view.menu === undefined) throw new Error(listed.kind)
    const { menu } = listed.view
    const options = menuGroups(menu).flatMap((group) => group.options)
    expect(options.map(({ label }) => label)).not.toContain('approval approve')
    const at = menu.items.find(({ thing }) => thing.id === change.id)?.at
    const shown = await bot.press('act', `${menu.id}.${at}.approval approve`, 'fay')
    if (shown.kind !== 'answer') throw new Error(shown.kind)
    expect(shown.view.actions?.map(({ verb }) => verb)).toContain('approve')
    expect((await bot.stored(change)).votes).toEqual([])
  })
})
