import { expect, it } from 'vitest'
import { type Messenger, MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { forgetNotice, noticeTasks, tellAdministrators } from '../../../src/kernel/telling/administrators.ts'
import { type DeliveryCore, deliver, deliverNotice, waysTo } from '../../../src/kernel/telling/deliver.ts'
import { note, type View } from '../../../src/lib/view/view.ts'
import { policyOf } from '../../policy/example.ts'
import { useStore } from '../../storage/store.ts'

const use = useStore('sqlite')
const policy = policyOf(`version: 1
people:
  - { id: ann, name: Ann, slack: U0ANN, discord: "400000000000000001", roles: [keeper] }
  - { id: bob, name: Bob, discord: "400000000000000002", roles: [keeper] }
  - { id: cy, name: Cy, slack: U0CY }
administrators: [ann, bob]
roles: { keeper: { run: ["campaign *"] } }
everyone: { run: ["bellhop *"] }
`)
const view: View = { title: 'T', tone: 'plain', blocks: [note('plain', 'x')] }
const message = { kind: 'outcome' as const, to: 'Ann', about: { command: 'refund', id: 'c1' } }

const open = (...shared: string[]) => {
  const seen: unknown[] = []
  let woken = 0
  const messengers = new Map(
    ['slack', 'discord', 'console'].map((name) => [
      name,
      { name, ...(shared.includes(name) ? { isShared: true } : {}) } as unknown as Messenger,
    ]),
  )
  const core = {
    store: use.store,
    policy,
    messengers,
    now: () => use.clock.now,
    log: { warn: () => undefined },
    count: (event: unknown) => seen.push(event),
    wake: () => {
      woken += 1
    },
  } as unknown as DeliveryCore
  return { core, seen, woken: () => woken }
}
const refusal = (reason: string) =>
  new MessengerError('gone', `it is ${reason}`, { reason, remedy: 'mend it' })
/** Ways by the names of their messengers; those with a reason refuse. */
const ways = (...each: [platform: string, refused?: Error][]) =>
  each.map(([platform, refused]) => ({
    platform,
    send: async (messenger: Messenger) => {
      if (refused) throw refused
      return `sent by ${(messenger as unknown as { name: string }).name}`
    },
  }))

it('a message goes by the first way that takes it, and those that refuse it for good are counted', async () => {
  const { core, seen, woken } = open()
  const all = ways(['irc'], ['slack', refusal('no_user')], ['discord'], ['console'])
  expect(await deliver(core, message, all)).toEqual({ platform: 'discord', value: 'sent by discord' })
  expect(seen).toEqual([
    { kind: 'refused_message', platform: 'slack', message: 'outcome', reason: 'no_user' },
  ])
  expect([await use.store.audit.find({ limit: 9 }), woken()]).toEqual([[], 0])
  expect(await deliver(core, message, ways(['irc']))).toBeUndefined()
  expect(await use.store.audit.find({ limit: 9 })).toEqual([])
})

it('a platform that is down is tried again later, before any other way', async () => {
  const { core, seen } = open()
  const down = new MessengerError('later', 'it does not answer')
  await expect(deliver(core, message, ways(['slack', down], ['discord']))).rejects.toBe(down)
  expect(seen).toEqual([])
})

it('what no way takes is on record with every reason once, and administrators hear of it once', async () => {
  const { core, seen, woken } = open()
  const refused = ways(['slack', refusal('no_user')], ['discord', refusal('no_user')])
  for (const kind of ['outcome', 'outcome', 'card', 'notice'] as const)
    expect(await deliver(core, { ...message, kind }, refused)).toBeUndefined()
  expect(seen.filter((event) => (event as { kind: string }).kind === 'lost_message')).toHaveLength(4)
  const entries = await use.store.audit.find({ limit: 9 })
  expect(entries).toHaveLength(4)
  expect(entries.at(-1)).toMatchObject({
    kind: 'undelivered',
    command: 'refund',
    changeId: 'c1',
    doc: { message: 'outcome', to: 'Ann', why: ['it is no_user: mend it'] },
  })
  const told = await use.store.tasks.take({ limit: 9, leaseMs: 1, owner: 'o' })
  expect(told.map(({ key }) => key).sort()).toEqual([
    'notice:card slack:no_user discord:no_user',
    'notice:outcome slack:no_user discord:no_user',
  ])
  expect(woken()).toBe(2)
  const [first] = told.filter(({ key }) => key.startsWith('notice:outcome'))
  const words = JSON.stringify(first?.doc)
  expect(words).toContain('Outcome for Ann reached nobody')
  expect(words).toContain('It was about refund, change c1.')
  expect(words).toContain('it is no_user: mend it.')
  await deliver(core, { ...message, kind: 'answer', about: { command: 'list get' } }, refused)
  const [answer] = await use.store.tasks.take({ limit: 9, leaseMs: 1, owner: 'o' })
  expect(JSON.stringify(answer?.doc)).toContain('It was about list get. Tell them')
})

it('what no way takes is told of once for each workspace', async () => {
  const { core } = open()
  for (const space of ['slack:T2', 'slack:T3', 'slack:T2']) {
    const about = { ...message.about, space }
    await deliver(core, { ...message, about }, ways(['slack', refusal('no_user')]))
  }
  const told = await use.store.tasks.take({ limit: 9, leaseMs: 1, owner: 'o' })
  expect(told.map(({ key, doc }) => [key, (doc as { within: unknown }).within]).sort()).toEqual([
    ['notice:outcome slack:T2 slack:no_user', { space: 'slack:T2' }],
    ['notice:outcome slack:T3 slack:no_user', { space: 'slack:T3' }],
  ])
})

it('is told again when it was forgotten', async () => {
  const { core, woken } = open()
  await tellAdministrators(core, 'k', view)
  await tellAdministrators(core, 'k', view)
  expect(woken()).toBe(1)
  await forgetNotice(core, 'k')
  await tellAdministrators(core, 'k', view)
  expect([woken(), (await use.store.tasks.pending()).notice]).toEqual([2, 1])
})

it('each administrator has a message of their own; of a workspace those who are listed there, or all, told only that there is something', () => {
  const toldIn = (within?: object) =>
    noticeTasks({ policy, now: () => 7 }, { key: 'k', view, ...(within && { within }) }).map(
      ({ key, kind, dueAt, doc }) => [key, kind, dueAt, (doc as { view: View }).view.title],
    )
  const all = (title: string) => [
    ['notice:k:ann', 'tell_administrator', 7, title],
    ['notice:k:bob', 'tell_administrator', 7, title],
  ]
  expect(toldIn()).toEqual(all('T'))
  expect(toldIn({})).toEqual(all('T'))
  expect(toldIn({ space: 'slack:T9' })).toEqual(all('The workspace slack:T9 needs an administrator'))
  const elsewhere = policyOf(`version: 1
workspaces: { slack: [T2] }
people: [{ id: di, name: Di, slack: T2/U0DI }, { id: ed, name: Ed, slack: U0ED }]
administrators: [di, ed]
everyone: { run: ["bellhop *"] }
`)
  const told = (within: object, policy = elsewhere) =>
    noticeTasks({ policy, now: () => 7 }, { key: 'k', view, within }).map(({ doc }) => doc)
  expect(told({ space: 'slack:T2' })).toEqual([{ person: 'di', view }])
  expect(told({})).toEqual([{ person: 'ed', view }])
  const di = { ...elsewhere, administrators: ['di'] }
  expect(told({}, di)).toMatchObject([
    { person: 'di', view: { title: 'The workspace of the bot’s own tokens needs an administrator' } },
  ])
})

it('somebody is reached at the account that they asked from, then at their others, where everybody reads last', () => {
  const { core } = open('slack')
  const to = (whom: Parameters<typeof waysTo>[1]) =>
    waysTo(core, whom, async (_, account) => account)
      .map(({ platform }) => platform)
      .filter((platform) => platform !== 'terminal')
  expect(to({ person: 'ann' })).toEqual(['discord', 'console', 'slack'])
  expect(to({ person: 'ann', platform: 'slack', account: 'U0ANN' })).toEqual(['slack', 'discord', 'console'])
  expect(to({ person: 'ann', platform: 'discord', account: '400000000000000001' })).toEqual([
    'discord',
    'console',
    'slack',
  ])
  expect(to({ person: 'ann', platform: 'console', account: 'ann' })).toEqual(['console', 'discord', 'slack'])
  expect(to({ person: 'slack:U0NEW', platform: 'slack', account: 'U0NEW' })).toEqual(['slack'])
  expect(to({ person: 'nobody' })).toEqual([])
  expect(to({ person: 'cy', platform: 'slack' })).toEqual(['console'])
})

it('somebody with accounts in two workspaces is reached where they asked first; where workflows ask nobody is', async () => {
  const listed = policyOf(`version: 1
workspaces: { slack: [T2] }
people:
  - { id: di, name: Di, slack: [U0DI, T2/U0DI2], discord: "400000000000000003" }
everyone: { run: ["bellhop *"] }
`)
  const flow = { id: 'flow', name: 'Flow', owner: 'di', roles: [], accounts: { slack: 'B0FLOW' } }
  const agents = [{ ...flow, token: { workflow: true } }] as never
  const { core } = open()
  const to = (whom: Omit<Parameters<typeof waysTo>[1], 'person'>) =>
    Promise.all(
      waysTo({ ...core, policy: { ...listed, agents } }, { person: 'di', ...whom }, async (_, at) => at)
        .filter(({ platform }) => platform === 'slack' || platform === 'discord')
        .map(({ send }) => send({} as Messenger)),
    )
  const [here, there, discord] = ['U0DI', 'T2/U0DI2', '400000000000000003']
  expect(await to({ platform: 'slack', account: here })).toEqual([here, discord, there])
  expect(await to({ platform: 'slack', account: there })).toEqual([there, here, discord])
  expect(await to({ platform: 'slack', account: 'B0FLOW' })).toEqual([here, discord, there])
  expect(await to({ platform: 'slack' })).toEqual([discord])
})

it('what an administrator is to know is sent to them in person', async () => {
  const { core } = open()
  const sent: string[] = []
  const discord = {
    direct: async (account: string, { title }: View) => {
      sent.push(`${account} ${title}`)
      return 'address'
    },
  }
  core.messengers.clear()
  core.messengers.set('discord', discord as never)
  await deliverNotice(core, { person: 'bob', view })
  expect(sent).toEqual(['400000000000000002 T'])
})
