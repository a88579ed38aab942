import { beforeEach, expect, it } from 'vitest'
import { statusOf } from '../../src/kernel/cards/card.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { policyOf, textOf } from '../harness/app.ts'
import { buttonOf, changeOf, type Harness, openHarness, refusalOf } from './harness.ts'

const policy = `
version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
  - { id: finn, name: Finn, roles: [finance] }
roles:
  support: { run: ["subscriber *"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: two, commands: [subscriber update], require: { approvals: 2, from: [finance] } }
`

let harness: Harness
beforeEach(async () => {
  harness = await openHarness({ policy, tasks: false })
})

const ada = () => {
  const found = harness.sandbox.state.email.subscribers.find(({ email }) => email === 'ada@example.com')
  if (found === undefined) throw new Error('the sandbox has no Ada')
  return found
}

it('a plan that changed between vote and claim is not applied: votes are void and the card shows the difference', async () => {
  const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
  await harness.click('approve', change, 'fay')
  ada().tags = ['somebody-else']
  const reply = await harness.press('approve', buttonOf(change), 'finn')
  const again = changeOf(reply)
  expect(again).toMatchObject({ state: 'pending', votes: [] })
  expect(again.digest).not.toBe(change.digest)
  expect(harness.effects()).toEqual([])
  const text = textOf(reply)
  expect(text).toContain('no longer what was shown')
  expect(text).toMatch(/^Tags: .* -> somebody-else -> somebody-else, loyal$/m)
})

it('a vote on the old card does not count for the new plan', async () => {
  const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
  await harness.click('approve', change, 'fay')
  ada().tags = ['somebody-else']
  const again = await harness.click('approve', change, 'finn')
  expect((await harness.refusedClick('approve', change, 'fay')).code).toBe('changed_since')
  await harness.click('approve', again, 'fay')
  expect(await harness.click('approve', again, 'finn')).toMatchObject({ state: 'applied' })
  expect(harness.effects('updateSubscriber')).toHaveLength(1)
  expect(harness.effects('updateSubscriber')[0]?.body).toMatchObject({ tagsToAdd: expect.anything() })
})

it('a button without the digest that it showed decides nothing', async () => {
  const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
  expect(refusalOf(await harness.press('approve', `${change.id}.`, 'fay')).code).toBe('changed_since')
})

it('a vote that comes just after the request was changed counts for nothing, and reads what it is now', async () => {
  const bot = await openHarness({ tasks: false })
  const { id } = await bot.ask(`refund ${bot.payment()} 501`)
  await bot.say(`approval get ${id}`, 'fay')
  const { store } = bot.app.core
  const { tx } = store
  store.tx = async (work, durability) => {
    store.tx = tx
    await bot.say(`approval change ${id} --amount 60`)
    return tx(work, durability)
  }
  const approve = () => bot.say(`approval approve ${id}`, 'fay')
  const read = await approve()
  expect(refusalOf(read).code).toBe('changed_since')
  expect(textOf(read)).toContain('Refund 60')
  expect(await bot.stored({ id })).toMatchObject({ state: 'pending', votes: [] })
  expect(changeOf(await approve())).toMatchObject({
    state: 'applied',
    amount: 60,
    clauses: [{ count: 1 }],
    votes: [{ by: { person: 'fay' } }],
  })
})

it('a change that has become impossible is void, and says why', async () => {
  const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
  await harness.click('approve', change, 'fay')
  ada().tags = [...ada().tags, 'loyal']
  expect(await harness.click('approve', change, 'finn')).toMatchObject({
    state: 'voided',
    outcome: { message: /./ },
  })
  expect(harness.effects()).toEqual([])
})

it('a service that is down when a change is prepared again leaves it failed, with nothing done', async () => {
  const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
  await harness.click('approve', change, 'fay')
  harness.sandbox.fault({ service: 'email', method: 'GET', kind: 'status', status: 500, times: 20 })
  const failed = await harness.click('approve', change, 'finn')
  expect(failed).toMatchObject({ state: 'failed', outcome: { message: expect.stringContaining('email') } })
  expect(plainWords(statusOf(failed)).match(/nothing was done/gi)).toHaveLength(1)
  expect(harness.effects()).toEqual([])
})

it('a command that is gone, or a stored plan of another shape, is never applied', async () => {
  const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
  await harness.click('approve', change, 'fay')
  const stored = await harness.stored(change)
  await harness.store.changes.swap({ ...stored, plan: { old: 'shape' }, version: stored.version + 1 })
  expect(await harness.click('approve', change, 'finn')).toMatchObject({ state: 'pending', votes: [] })

  const other = await harness.ask('subscriber update ada@example.com --company Acme')
  await harness.click('approve', other, 'fay')
  const kept = await harness.stored(other)
  await harness.store.changes.swap({ ...kept, command: 'subscriber rename', version: kept.version + 1 })
  harness.app.core.policy = policyOf(policy.replace('approvals: 2', 'approvals: 3'), harness.registry)
  expect(await harness.click('approve', other, 'finn')).toMatchObject({
    state: 'voided',
    outcome: { message: 'subscriber rename can no longer be run.' },
  })
  expect(harness.effects()).toEqual([])
})

const lookAgain =
  'What would be changed is no longer what was shown. Votes so far are void; please look again.'

it.each([
  ['no longer what was asked', true, 'none', [{ kind: 'confirm' }], lookAgain],
  ['no longer what was asked, and asks for more', true, '{ approvals: 1 }', [{ count: 1 }], lookAgain],
  [
    'to be confirmed now',
    false,
    'confirm',
    [{ kind: 'confirm' }],
    'The policy now also asks for a confirmation by the requester. Votes so far are void; please decide again.',
  ],
  [
    'to be approved now',
    false,
    '{ approvals: 1 }',
    [{ count: 1 }],
    'The policy now also asks for 1 approval (rule "two"). Votes so far are void; please decide again.',
  ],
])(
  'what nobody was asked for is asked once it is %s, and says why',
  async (_, isOther, need, clauses, message) => {
    const { core } = harness.app
    const asking = (needed: string) =>
      policyOf(policy.replace('{ approvals: 2, from: [finance] }', needed), harness.registry)
    core.policy = asking('none')
    const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal --at "in 2h"')
    expect(change).toMatchObject({ state: 'approved', clauses: [] })
    if (isOther) ada().tags = ['somebody-else']
    core.policy = asking(need)
    await harness.store.changes.swap({ ...change, holdUntil: undefined, version: change.version + 1 })
    await harness.store.tasks.put({ kind: 'apply', key: 'apply:now', doc: { id: change.id }, dueAt: 0 })
    await harness.app.drain()
    expect(await harness.stored(change)).toMatchObject({ state: 'pending', clauses, drift: { message } })
    expect(harness.effects()).toEqual([])
  },
)

it.each([
  ['10m', undefined, 600_000],
  [undefined, '20m', 1_200_000],
  ['10m', '20m', 1_200_000],
  ['20m', '10m', 1_200_000],
  [undefined, undefined, undefined],
])(
  'asked again, a change that was to be held for %s and now for %s is held for the longer',
  async (before, after, holdMs) => {
    const held = (hold: string | undefined, need: string) =>
      policyOf(
        policy.replace(
          '{ approvals: 2, from: [finance] }',
          need + (hold === undefined ? '' : `, hold: ${hold}`),
        ),
        harness.registry,
      )
    const { core } = harness.app
    core.policy = held(before, '{ approvals: 1, from: [finance] }')
    const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
    core.policy = held(after, '{ approvals: 2, from: [finance] }')
    const again = await harness.click('approve', change, 'fay')
    expect(again).toMatchObject({ state: 'pending', votes: [], clauses: [{ count: 2 }] })
    expect(again.holdMs).toBe(holdMs)
  },
)

it('a vote that does not count asks nobody again, whatever the policy has come to ask for', async () => {
  const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
  harness.app.core.policy = policyOf(policy.replace('approvals: 2', 'approvals: 3'), harness.registry)
  expect((await harness.refusedClick('approve', change, 'sam')).code).toBe('own_request')
  expect(await harness.stored(change)).toEqual(change)
})

it('a request that was rewritten in the database behind the backs of those who voted is asked again', async () => {
  const change = await harness.ask('subscriber update ada@example.com --tags-to-add loyal')
  await harness.click('approve', change, 'fay')
  const before = await harness.stored(change)
  const forged = JSON.parse(JSON.stringify(before).replaceAll('loyal', 'forged')) as typeof before
  expect(await harness.store.changes.swap({ ...forged, version: before.version + 1 })).toBe(true)
  const again = changeOf(await harness.press('approve', buttonOf(change), 'finn'))
  expect(again).toMatchObject({ state: 'pending', votes: [], drift: { message: lookAgain } })
  expect(again.digest).not.toBe(change.digest)
  expect(harness.effects()).toEqual([])
})
