import { describe, expect, test } from 'vitest'
import { actionsFor } from '../../src/kernel/things/actions.ts'
import { allKinds } from '../../src/lib/things/kinds.ts'
import type { Thing } from '../../src/lib/view/thing.ts'
import { type View, viewSchema } from '../../src/lib/view/view.ts'
import { blocksOf, useBot } from '../commands/bot.ts'
import { commandsWith } from '../harness/commands.ts'

const registry = commandsWith()
const named = (thing: Thing, may: (name: string) => boolean = () => true) =>
  actionsFor(registry, may, thing).map(({ command }) => command.name)

describe('what can be done with a thing', () => {
  test.each(allKinds())('some command takes a %s', (kind) => {
    expect(registry.all.some(({ params }) => params.some(({ kinds }) => kinds.includes(kind)))).toBe(true)
  })

  test('what shows it comes first and what deletes it last', () => {
    const found = named({ kind: 'subscriber', id: 'ada@example.com' })
    expect(found[0]).toBe('subscriber get')
    expect(found).toEqual(expect.arrayContaining(['subscriber update', 'list add', 'campaign send']))
    expect(found.indexOf('list remove')).toBeGreaterThan(found.indexOf('list add'))
    expect(named({ kind: 'payment', id: 'pay_1' }).slice(0, 2)).toEqual(['transaction get', 'refund'])
  })

  test('a command that takes two of them is not offered, for nobody could tell which', () => {
    expect(named({ kind: 'list', id: 'lst_vip' })).not.toContain('list move')
  })

  test('nobody is offered what they may not run', () => {
    const may = (name: string) => name.startsWith('campaign ')
    expect(named({ kind: 'subscriber', id: 'ada@example.com' }, may)).toEqual(['campaign send'])
    expect(named({ kind: 'payment', id: 'pay_1' }, may)).toEqual([])
  })

  test('the thing fills in its parameter, by name where the command takes names, and what it belongs to', () => {
    const of = { kind: 'product', id: 'prod_desk' } as const
    const valuesOf = (thing: Thing, name: string) =>
      actionsFor(registry, () => true, thing).find(({ command }) => command.name === name)?.values
    expect(valuesOf({ kind: 'list', id: 'lst_vip', name: 'VIP' }, 'subscriber find')).toEqual({
      lists: ['VIP'],
    })
    expect(valuesOf({ kind: 'license', id: 'lic_501', of }, 'license get')).toEqual({
      productId: 'prod_desk',
      licenseId: 'lic_501',
    })
  })
})

describe('what a view is about', () => {
  const bot = useBot()
  const thingsIn = (view: View) => [
    ...blocksOf(view, 'table').flatMap(({ rows, things }) => rows.map((_, at) => things?.[at])),
    ...blocksOf(view, 'facts').flatMap(({ facts }) => facts.flatMap(({ thing }) => thing ?? [])),
  ]

  test.each([
    ['subscriber find lindqvist', 'subscriber'],
    ['subscriber get ada@example.com', 'subscriber'],
    ['list find', 'list'],
    ['list get Newsletter', 'list'],
    ['campaign find', 'campaign'],
    ['campaign get cmp_welcome', 'campaign'],
    ['contact find', 'contact'],
    ['contact get 64b000000000000000000001', 'contact'],
    ['transaction find cus_1001', 'payment'],
    ['transaction refunds cus_1009', 'payment'],
    ['addon find prod_desk', 'add-on'],
    ['addon get addon_priority', 'add-on'],
    ['license find prod_desk', 'license'],
    ['license get prod_desk lic_501', 'license'],
    ['multiplan find', 'multiplan'],
    ['multiplan get mp_desk', 'multiplan'],
  ])('%s says of which %s each row and the whole answer speak', async (line, kind) => {
    const view = await bot.look(line)
    const things = thingsIn(view)
    expect(things.length).toBeGreaterThan(0)
    const [table] = blocksOf(view, 'table')
    if (table !== undefined && table.things !== undefined) {
      expect(table.things).toHaveLength(table.rows.length)
    }
    const own = things.filter((thing) => thing?.kind === kind)
    expect(own.length).toBeGreaterThan(0)
    for (const thing of own) expect(JSON.stringify(view.blocks)).toContain(thing?.id)
  })

  test('a view that was stored before there were things can still be read', () => {
    const old = {
      title: 'Lists',
      tone: 'plain',
      blocks: [
        { kind: 'facts', facts: [{ label: 'Id', value: 'lst_vip' }] },
        { kind: 'table', columns: [{ label: 'Id', align: 'left' }], rows: [['lst_vip']] },
      ],
    }
    expect(viewSchema.parse(old)).toEqual(old)
  })
})

describe('candidates for what is typed', () => {
  const bot = useBot()
  const values = async (
    kinds: Parameters<typeof bot.suggest>[0]['kinds'],
    typed: string,
    by: 'id' | 'name' = 'id',
  ) => (await bot.suggest({ kinds, by }, typed)).map(({ value }) => value)

  test('a person, a campaign or a list is found by a part of its name', async () => {
    expect(await values(['subscriber'], 'lindqvist')).toContain('ada@example.com')
    expect(await values(['campaign'], 'spring')).toContain('cmp_spring_sale')
    expect(await values(['list'], 'newsl', 'name')).toEqual(['Newsletter'])
    expect(await values(['contact'], 'ada')).toEqual(['64b000000000000000000001'])
  })

  test('whoever is in two services is one to choose', async () => {
    expect(await values(['contact', 'subscriber'], 'ada')).toEqual(['ada@example.com'])
  })

  test('payments are those of the customer who was chosen beside them', async () => {
    const within = [{ kind: 'customer', id: 'cus_1001' }] as const
    const found = await bot.suggest({ kinds: ['payment'], by: 'id' }, '', within)
    expect(found.map(({ value }) => value)).toContain('pay_1001')
  })

  test('a service that does not answer leaves no candidates, and no error', async () => {
    bot.sandbox.fault({ row: 'findCampaigns', kind: 'status', status: 400 })
    expect(await values(['campaign'], 'zzz')).toEqual([])
  })
})
