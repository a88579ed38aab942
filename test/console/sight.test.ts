import { expect, test } from 'vitest'
import type { Change } from '../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import { textOf } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { createApiClient, openEventStream } from './api-client.ts'
import { openConsoleHarness } from './harness.ts'

/** Lou may look at lists and nothing else; Ann reads the audit log; Del votes for Fay while she is away. */
const policy = `version: 1
unseen: pass
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
  - { id: lou, name: Lou, roles: [lists] }
  - { id: lis, name: Lis, roles: [lister] }
  - { id: ann, name: Ann, roles: [auditor] }
  - { id: del, name: Del, roles: [lists] }
roles:
  support: { run: [refund, "subscriber *", "away *"] }
  finance: { run: [refund, "away *"], approve: ["*"], delegate: true }
  lists: { run: ["list *"] }
  lister: { run: ["approval *"] }
  auditor: { run: ["audit *", "report *", "approval *"] }
everyone: { run: ["bellhop *"] }
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
`
const harness = await openConsoleHarness({ policy })
const api = createApiClient(harness)
const everybody = ['sam', 'fay', 'lou', 'lis', 'ann', 'del']

const asked = async (amount: number, payment: string, customer = ''): Promise<Change> => {
  await api.say(`refund ${payment} ${amount} ${customer}`, 'sam')
  return until(async () => {
    const [change] = await harness.store.changes.list({ requester: 'sam', limit: 1 })
    expect(change?.line).toContain(payment)
    return change as Change
  })
}

/** Who is shown the change, door by door. */
const seers = async (change: Change): Promise<Record<string, string[]>> => {
  const seen: Record<string, string[]> = {}
  const note = (door: string, person: string, isSeen: boolean) => {
    seen[door] ??= []
    if (isSeen) seen[door].push(person)
  }
  for (const person of everybody) {
    const stream = await openEventStream(harness, person)
    note('history', person, JSON.stringify(stream.messages()).includes(change.id))
    await stream.close()
    const { body } = await api.get('changes', { as: person })
    note('panel', person, JSON.stringify(body).includes(change.id))
    for (const command of ['approval list', `approval get ${change.id}`, `approval receipt ${change.id}`]) {
      const said = textOf(await harness.say(command, person))
      note(
        command.split(' ').slice(0, 2).join(' '),
        person,
        [change.id, change.preview.title].some((words) => said.includes(words)) &&
          !said.includes('no change'),
      )
    }
    note('card', person, (await api.get('card', { as: person, id: change.id })).status === 200)
    note('show', person, (await api.post('show', { as: person, id: change.id })).status === 200)
  }
  return seen
}

test('each door shows a change to those who may see it, and to nobody else', async () => {
  await harness.say('away set --until "in 2d" --to del', 'fay').then(async (reply) => {
    if (reply.kind !== 'change') throw new Error(textOf(reply))
    await harness.press('confirm', buttonIdOf(reply.change), 'fay')
  })
  const live = await Promise.all(everybody.map((person) => openEventStream(harness, person)))
  const shared = await asked(60, 'pay_1001')
  await live[1]?.view(({ change }) => change?.id === shared.id)
  await api.say('bellhop whoami', 'lou')
  const isShown = (at: number) => JSON.stringify(live[at]?.events).includes(shared.id)
  await live[2]?.view(({ title }) => title.includes('Lou'))
  expect(everybody.filter((_, at) => isShown(at))).toEqual(['sam', 'fay', 'lis', 'ann', 'del'])
  expect(await seers(shared)).toEqual({
    history: ['sam', 'fay', 'lis', 'ann', 'del'],
    panel: ['sam', 'fay', 'lis', 'ann', 'del'],
    card: ['sam', 'fay', 'lis', 'ann', 'del'],
    show: ['sam', 'fay', 'lis', 'ann', 'del'],
    'approval list': ['lis', 'ann'],
    'approval get': ['lis', 'ann'],
    'approval receipt': ['lis', 'ann'],
  })
  await Promise.all(live.map((stream) => stream.close()))
})

test('what somebody confirms alone is theirs, and in the commands the auditor’s', async () => {
  const own = await asked(5, 'pay_1002', '--customer cus_1001')
  const stream = await openEventStream(harness, 'sam')
  await stream.view(({ change }) => change?.id === own.id)
  await stream.close()
  expect(await seers(own)).toEqual({
    history: ['sam'],
    panel: ['sam'],
    card: ['sam'],
    show: ['sam'],
    'approval list': ['ann'],
    'approval get': ['ann'],
    'approval receipt': ['ann'],
  })
})

test('a shared answer is for those who could have asked for it, and the audit log says who shared it', async () => {
  const [sam, lou, fay] = await Promise.all(['sam', 'lou', 'fay'].map((one) => openEventStream(harness, one)))
  await api.say('list find', 'lou')
  const found = await lou?.view(({ title }) => /list/i.test(title))
  const share = found?.body.kind === 'view' && found.body.view.actions.find(({ verb }) => verb === 'share')
  if (!share) throw new Error('nothing to share')
  await api.press(share, 'lou')
  await lou?.comes(() => lou.messages().some(({ to, by }) => to === null && by?.id === 'lou'))
  await api.say('bellhop whoami', 'sam')
  await sam?.view(({ title }) => title.includes('Sam'))
  expect(JSON.stringify([sam?.events, fay?.events])).not.toContain('"by":{"id":"lou"')
  const [entry] = await harness.store.audit.find({ who: 'lou', limit: 1 })
  expect(entry).toMatchObject({
    kind: 'shared',
    command: 'list find',
    doc: { answer: share.id, line: 'list find', channel: 'console', delivery: expect.any(String) },
  })
  await Promise.all([sam, lou, fay].map((stream) => stream?.close()))
})

test('nothing that one person does takes the place of what another sees', async () => {
  const waiting = await asked(70, 'pay_1003')
  for (let at = 0; at < 320; at++) await api.say('bellhop whoami', 'lou')
  const fay = await openEventStream(harness, 'fay')
  expect(JSON.stringify(fay.messages())).toContain(waiting.id)
  await fay.close()
  const lou = await openEventStream(harness, 'lou')
  expect(lou.messages()).toHaveLength(300)
  await lou.close()
})

test('the ninth page of one person closes their first with a word, and no page of anybody else', async () => {
  const other = await openEventStream(harness, 'fay')
  const [first, ...rest] = await Promise.all(Array.from({ length: 8 }, () => openEventStream(harness, 'lou')))
  const ninth = await openEventStream(harness, 'lou')
  await until(() => {
    const all = [first, ...rest].filter((one) => one?.events.some(({ event }) => event === 'closed'))
    expect(all).toHaveLength(1)
  })
  await api.say('bellhop whoami', 'fay')
  await other.view(({ title }) => title.includes('Fay'))
  await Promise.all([other, first, ...rest, ninth].map((stream) => stream?.close()))
})
