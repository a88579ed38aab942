import { describe, expect, test } from 'vitest'
import { menuRows } from '../../adapters/discord/render/menu.ts'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { when } from '../../src/lib/view/format.ts'
import { menuLines } from '../../src/lib/view/menu-options.ts'
import { table, type View } from '../../src/lib/view/view.ts'
import { messageFaults } from '../discord/fake/rules.ts'
import { fromOf } from '../harness/app.ts'
import { openHarness } from '../pipeline/harness.ts'
import { faultInMessage } from '../slack/fake/blocks.ts'

const viewOf = (rows: number, actions = 9): View => {
  const things = Array.from({ length: rows }, (_, at) => ({
    kind: 'subscriber' as const,
    id: `person.number.${at}@a-rather-long-domain-name.example.com`,
    name: `Person ${at} ${'Longname '.repeat(at % 7)}`,
  }))
  const names = Array.from({ length: actions }, (_, at) => `subscriber action-${at}`)
  return {
    title: 'People',
    tone: 'plain',
    blocks: [
      table(
        ['Email', 'Name', 'Added'],
        things.map(({ id, name }, at) => [id, name, when(1_700_000_000_000 + at) ?? '']),
        things,
      ),
    ],
    actions: [{ verb: 'share', id: '7k2m9qwx4p' }],
    menu: {
      id: '7k2m9qwx4p',
      items: things.map((thing, at) => ({ at, thing, actions: names })),
      summaries: Object.fromEntries(
        names.map((name) => [name, 'Does something with a subscriber, in many words']),
      ),
    },
  }
}

describe('menus within what each platform takes', () => {
  test.each([1, 2, 25, 26, 100, 1_000])('for %i rows', (rows) => {
    const view = viewOf(rows)
    const { text, blocks } = renderSlack(view)
    expect(faultInMessage(text, blocks)).toBeUndefined()
    expect(JSON.stringify(blocks)).toContain('bh-menu:7k2m9qwx4p')
    expect(messageFaults(renderDiscord(view) as never)).toEqual([])
    expect(menuRows(view)).toHaveLength(1)
  })

  test('every row is reached through at most four choices of 25', () => {
    const menu = viewOf(1_000).menu
    if (menu === undefined) throw new Error('no menu')
    const reached = new Set<number>()
    const walk = (items: typeof menu.items, depth: number): void => {
      expect(depth).toBeLessThanOrEqual(4)
      const { options } = menuLines({ ...menu, items }, 25)
      expect(options.length).toBeLessThanOrEqual(25)
      for (const { value } of options) {
        const [, range = '', name] = value.split('.')
        const [first = 0, last = first] = range.split('-').map(Number)
        const inside = menu.items.filter(({ at }) => at >= first && at <= last)
        if (name === undefined) walk(inside, depth + 1)
        else reached.add(first)
      }
    }
    walk(menu.items, 1)
    expect(reached.size).toBe(1_000)
  })
})

describe('what is chosen from a menu', async () => {
  const bot = await openHarness()
  const menuOf = async (line: string, person = 'sam') => {
    const reply = await bot.say(line, person)
    if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
    return reply.view.menu
  }
  const choose = (id: string, person = 'sam') => bot.press('act', id, person)

  test('a look-up runs at once', async () => {
    const menu = await menuOf('subscriber find lindqvist')
    const reply = await choose(`${menu?.id}.0.subscriber get`)
    expect(reply).toMatchObject({ kind: 'answer', view: { title: '“Ada Lindqvist”' } })
  })

  test('a change that could say more opens its form with the thing filled in', async () => {
    const menu = await menuOf('transaction find cus_1001', 'fay')
    const item = menu?.items.find(({ thing }) => thing.id === 'pay_1001')
    const reply = await bot.handle({
      from: fromOf('fay'),
      forms: true,
      intent: { kind: 'press', verb: 'act', id: `${menu?.id}.${item?.at}.refund` },
    })
    expect(reply).toMatchObject({
      kind: 'form',
      form: { command: 'refund', values: { paymentId: 'pay_1001' } },
    })
  })

  test('a change that needs nothing more goes straight to its card', async () => {
    const menu = await menuOf('addon find prod_desk', 'fay')
    const reply = await bot.handle({
      from: fromOf('fay'),
      forms: true,
      intent: { kind: 'press', verb: 'act', id: `${menu?.id}.0.addon delete` },
    })
    expect(reply).toMatchObject({ kind: 'change', change: { state: 'pending', command: 'addon delete' } })
  })

  test('a row alone asks what to do with it', async () => {
    const menu = await menuOf('subscriber find --limit 3')
    const reply = await choose(`${menu?.id}.1`)
    expect(reply).toMatchObject({ kind: 'answer', view: { menu: { items: [{ at: 1 }] } } })
  })

  test('nobody is offered what they may not run, nor gets it by making up a choice', async () => {
    const menu = await menuOf('campaign find')
    expect(menu?.items.flatMap(({ actions }) => actions)).not.toContain('addon delete')
    expect(await choose(`${menu?.id}.0.addon delete`)).toMatchObject({ refusal: { code: 'may_not_run' } })
    expect(await choose(`${menu?.id}.99.campaign get`)).toMatchObject({ refusal: { code: 'answer_gone' } })
    expect(await choose(`${menu?.id}.0.campaign get`, 'fay')).toMatchObject({
      refusal: { code: 'not_yours' },
    })
    expect(await choose('nonsense')).toMatchObject({ kind: 'refused' })
    expect(await choose(`${menu?.id}.1-0`)).toMatchObject({
      refusal: { message: 'There is nothing that you may do with this.' },
    })
    expect(await choose(`${menu?.id}.0.approval approve`)).toMatchObject({ refusal: { code: 'may_not_run' } })
    expect(await choose(`${menu?.id}.0.${'x'.repeat(50)}`)).toMatchObject({
      refusal: { message: `You cannot run ${'x'.repeat(40)} on this now.` },
    })
  })

  test('a decision is offered only to whom it is up to', async () => {
    const change = await bot.ask(`refund ${bot.payment()} 400`)
    const offered = async (person: string) => {
      const menu = await menuOf('approval list', person)
      return menu?.items.find(({ thing }) => thing.id === change.id)?.actions ?? []
    }
    expect(await offered('fay')).toEqual(expect.arrayContaining(['approval get', 'approval reject']))
    expect(await offered('fay')).not.toContain('approval cancel')
    expect(await offered('sam')).not.toContain('approval reject')
  })
})
