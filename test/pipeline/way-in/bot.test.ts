import { expect, it } from 'vitest'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { DatabaseError } from '../../../src/lib/sql/database.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { fromOf } from '../../harness/app.ts'
import { nextOf } from '../../storage/sample.ts'
import { joinGroups, openHarness } from '../harness.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, discord: "400000000000000001", roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
groups:
  slack: { S0FIN: [finance], T02SHOP/S0FIN: [finance] }
workspaces: { slack: [T02SHOP] }
roles:
  support: { run: [refund, "subscriber *", "list *"] }
  finance: { run: ["*"], approve: ["*"] }
`
const counted: object[] = []
const clock = { now: 1_000 }
const harness = await openHarness({
  policy,
  tasks: false,
  now: () => clock.now,
  count: (one) => counted.push(one),
})
const { app, store, ask, payment } = harness
const { bot } = app
const sam = fromOf('sam')

it('tells who is listed, which groups give roles where, and which workspaces there are', async () => {
  expect(bot.people).toEqual([
    { id: 'sam', name: 'Sam', roles: ['support'] },
    { id: 'fay', name: 'Fay', roles: ['finance'] },
  ])
  expect(bot.groupsOf('slack')).toEqual(['S0FIN'])
  expect(bot.groupsOf('slack', 'T02SHOP')).toEqual(['T02SHOP/S0FIN'])
  expect(bot.groupsOf('discord')).toEqual([])
  expect(bot.workspacesOf('slack')).toEqual(['T02SHOP'])
  expect(bot.workspacesOf('discord')).toEqual([])
  expect(await bot.groupsNow({ platform: 'slack', account: 'U0SAM' })).toEqual([])
})

it('tells in which groups somebody is now, as their messenger says; whoever it cannot be asked about is in none', async () => {
  joinGroups(app, 'slack', (account) => (account === 'U0SAM' ? ['S0FIN'] : []))
  expect(await bot.groupsNow({ platform: 'slack', account: 'U0SAM' })).toEqual(['S0FIN'])
  expect(await bot.groupsNow({ platform: 'slack', account: 'U0FAY' })).toEqual([])
  joinGroups(app, 'slack', () => {
    throw new Error('the messenger is down')
  })
  expect(await bot.groupsNow({ platform: 'slack', account: 'U0SAM' })).toEqual([])
})

it('counts what was not taken in', () => {
  bot.countRefused('slack', 'signature')
  expect(counted).toContainEqual({ kind: 'refused_delivery', platform: 'slack', reason: 'signature' })
})

it('reads a saying while it is typed, and nothing of what is too long or a line already', async () => {
  expect(await bot.reading(sam, 'who is ada@example.com')).toBe('subscriber get ada@example.com')
  expect(await bot.reading(sam, 'subscriber get ada@example.com')).toBeUndefined()
  expect(await bot.reading(sam, 'x '.repeat(400))).toBeUndefined()
  expect(await bot.reading(sam, 'who is ada@example.com'.padEnd(600))).toBe('subscriber get ada@example.com')
  expect(await bot.reading(sam, 'who is ada@example.com'.padEnd(601))).toBeUndefined()
  expect(await bot.reading(fromOf('fay'), '64b000000000000000000001')).toBeUndefined()
})

it('asks a service for no more of what is typed than a name has', async () => {
  const param = harness.registry.get('subscriber get')?.params[0]
  if (param === undefined) throw new Error('no parameter')
  await bot.suggest(sam, param, 'x'.repeat(300))
  const sought = harness.sandbox.wire.flatMap(({ path }) => /x{9,}/.exec(path)?.[0].length ?? [])
  expect(sought).toEqual([200])
})

it('has a form for a command that there is, with what is known', async () => {
  expect(await bot.formOf(sam, { command: 'refund', values: { amount: '20' } })).toMatchObject({
    command: 'refund',
    values: { amount: '20' },
  })
  expect(await bot.formOf(sam, { command: 'no such', values: {} })).toBeUndefined()
})

it('keeps a draft without its files, for whoever it is of', async () => {
  const file = { name: 'people.csv', bytes: new Uint8Array([1]) }
  const values = { who: 'ada@example.com', file }
  const id = await bot.drafts.save(sam, { command: 'list add', values })
  expect(await bot.drafts.find(sam, id)).toEqual({ command: 'list add', values: { who: 'ada@example.com' } })
  expect(await bot.drafts.find(fromOf('fay'), id)).toBeUndefined()
})

it('has a menu of an answer for whoever was given it, and of nothing else', async () => {
  expect(await bot.menuOf(sam, 'nothing')).toBeUndefined()
})

it('says of a database that is away that it is, and of anything else only that it broke', () => {
  const away = textOfView(bot.failureView(new DatabaseError('down', 'connection refused'), {}))
  const broken = textOfView(bot.failureView(new Error('token=hush'), { account: 'U0SAM' }))
  expect(away).not.toBe(broken)
  expect(broken).not.toContain('hush')
})

it('brings an answer that could not be shown to whoever asked, elsewhere', async () => {
  const slack = createFakeMessenger('slack')
  app.join(slack)
  const refused = new MessengerError('broken', 'the message is too long')
  await bot.undelivered(fromOf('U0SAM', 'slack'), refused)
  const [shown = ''] = slack.shown('U0SAM')
  expect(shown).toContain('An answer could not be shown where you asked')
  expect(shown).toContain('the message is too long.')
  expect(shown).toContain('Ask again here, or in a conversation with the bot alone.')
})

it('puts on record where it was installed, and each way back is used once', async () => {
  await bot.installations.record('installed', 'slack', 'T02SHOP')
  const [entry] = await store.audit.find({ command: 'bellhop status', limit: 1 })
  expect(entry).toMatchObject({
    kind: 'installed',
    who: 'bellhop',
    doc: { platform: 'slack', workspace: 'T02SHOP' },
  })
  expect([await bot.installations.isFirstUse('x'), await bot.installations.isFirstUse('x')]).toEqual([
    true,
    false,
  ])
  expect(await bot.leases.acquire('one', 1_000)).toBe(true)
  expect(await store.leases.holder('one')).toBe(app.core.process)
  await bot.leases.release('one')
  expect(await store.leases.holder('one')).toBeNull()
})

it('knows the cards of a messenger: those that are open, the first asked first, and how they are kept', async () => {
  const first = await ask(`refund ${payment()} 60`)
  clock.now += 1
  const second = await ask(`refund ${payment()} 61`)
  const done = await harness.click('cancel', await ask(`refund ${payment()} 62`), 'sam')
  for (const [change, address] of [
    [second, 'b'],
    [first, 'a'],
    [done, 'c'],
  ] as const)
    await bot.cards.add('discord', change, address)
  await bot.cards.add('slack', first, 'elsewhere')
  const addresses = (copies: { address: string }[]) => copies.map(({ address }) => address)
  expect(addresses(await bot.cards.open('discord'))).toEqual(['a', 'b'])
  expect(await bot.cards.of('discord', first)).toEqual([{ change: first, address: 'a', place: 'mirror' }])
  expect(await bot.cards.isAt('discord', 'a')).toBe(true)
  expect(await bot.cards.isAt('discord', 'z')).toBe(false)
  expect(await bot.cards.isAt('console', 'a')).toBe(false)
  expect(textOfView(await bot.cards.view(first, 'mirror'))).toContain('60')

  const view = (change?: Pick<Change, 'id' | 'version'>) => ({
    title: '',
    tone: 'plain' as const,
    blocks: [],
    ...(change && { change: { ...change, requester: 'sam' } }),
  })
  const tasks: unknown[] = []
  let woken = 0
  const put = store.tasks.put
  const wake = app.core.wake
  store.tasks.put = async (task) => void tasks.push(task)
  app.core.wake = () => void woken++
  try {
    await bot.cards.keep('discord', view(), 'none')
    expect(await bot.cards.isAt('discord', 'none')).toBe(false)
    await bot.cards.keep('discord', view(first), 'kept')
    expect(await bot.cards.of('discord', first)).toContainEqual({
      change: first,
      address: 'kept',
      place: 'adopted',
    })
    expect([tasks, woken]).toEqual([[], 0])
    await store.changes.swap(nextOf(first))
    await bot.cards.keep('discord', view(first), 'late')
    expect([tasks.length, woken]).toEqual([1, 1])
    await bot.cards.keep('discord', { ...view(), change: { id: second.id, requester: 'sam' } }, 'undated')
    expect([tasks.length, woken]).toEqual([2, 2])
    await bot.cards.keep('discord', view({ id: 'gone', version: 1 }), 'gone')
    expect([tasks.length, woken]).toEqual([2, 2])
  } finally {
    store.tasks.put = put
    app.core.wake = wake
  }
})
