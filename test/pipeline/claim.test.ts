import { expect, it } from 'vitest'
import type { ChangeCommand } from '../../src/command/define.ts'
import type { Core } from '../../src/core/core.ts'
import { MessengerError } from '../../src/messenger/messenger.ts'
import type { Change, Party } from '../../src/model/change.ts'
import { execute } from '../../src/pipeline/applying/execute.ts'
import { policyOf } from '../harness/app.ts'
import { account, changeOf, joinGroups, openHarness } from './harness.ts'

const hour = 3_600_000
const file = `
version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
  - { id: gus, name: Gus, slack: U0GUS }
groups:
  slack: { S0SUP: [support] }
roles:
  support: { run: [refund, "subscriber update"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: refund, commands: [refund], amount: { upTo: 100 }, require: { approvals: 1, from: [finance] }, expiresIn: 2h }
  - { name: large, commands: [refund], require: { approvals: 2, from: [finance] } }
  - { name: people, commands: [subscriber update], require: confirm }
`
const clock = { now: Date.UTC(2026, 0, 5) }
const harness = await openHarness({ policy: file, now: () => clock.now, started: false, tasks: false })
const { core } = harness.app
const under = (text: string): Core => ({ ...core, policy: policyOf(text, harness.registry) })
const withCommand = (name: string, over: (real: ChangeCommand) => Partial<ChangeCommand>): Core => {
  const real = harness.registry.get(name)
  if (real?.kind !== 'change') throw new Error(`${name} is no change`)
  const other = { ...real, ...over(real) }
  return {
    ...core,
    registry: { ...core.registry, get: (one) => (one === name ? other : core.registry.get(one)) },
  }
}

const fay: Party = { person: 'fay', name: 'Fay', platform: 'terminal', account: 'fay', roles: ['finance'] }
/** As it is when the process that took the last vote dies before it claims. */
const approved = async (change: Change, by: Party = fay, over: Partial<Change> = {}): Promise<Change> => {
  const votes = [{ by, at: clock.now, digest: change.digest }]
  const next: Change = { ...change, votes, state: 'approved', version: change.version + 1, ...over }
  expect(await harness.store.changes.swap(next)).toBe(true)
  harness.sandbox.wire.length = 0
  return next
}
const refund = async (amount = 60, over: Partial<Change> = {}) =>
  approved(await harness.ask(`refund ${harness.payment()} ${amount}`), fay, over)

it('a held change is left alone until its time, also by who holds an older picture of it', async () => {
  const change = await refund(60, { holdUntil: clock.now + 1 })
  expect(await execute(core, change.id)).toEqual(change)
  expect(harness.sandbox.wire).toEqual([])
  const { holdUntil: _, ...before } = change
  expect(await execute(core, change.id, before)).toEqual(change)
  expect(harness.effects()).toEqual([])
  clock.now += 1
  expect(await execute(core, change.id)).toMatchObject({ state: 'applied' })
})

it('what is not approved is returned as it is, and looked up by nobody', async () => {
  const change = await harness.ask(`refund ${harness.payment()} 60`)
  harness.sandbox.wire.length = 0
  expect(await execute(core, change.id)).toEqual(change)
  expect(harness.sandbox.wire).toEqual([])
  await expect(execute(core, 'gone')).rejects.toThrow('change gone is gone')
})

it('whoever may no longer ask for it gets nothing, and is told why', async () => {
  const change = await refund()
  expect(await execute(under(file.replace('[refund, "sub', '["sub')), change.id)).toMatchObject({
    state: 'failed',
    outcome: { message: expect.stringContaining('may run refund') },
  })
  expect(harness.sandbox.wire).toEqual([])
})

it.each([
  { said: ['S0SUP'], state: 'applied' },
  { said: ['S0OTHER'], state: 'failed' },
])(
  'a requester whose right comes from a group waits until the messenger can say who is in it: by $said it is $state',
  async ({ said, state }) => {
    let groups = (): string[] => ['S0SUP']
    joinGroups(harness.app, 'slack', () => groups())
    const intent = { kind: 'line', line: `refund ${harness.payment()} 60` } as const
    const asked = changeOf(await harness.handle({ from: account('slack', 'U0GUS', groups()), intent }))
    await approved(asked)
    groups = () => {
      throw new MessengerError('later', 'Slack is down')
    }
    const waiting = await execute(core, asked.id)
    expect(waiting).toMatchObject({
      state: 'approved',
      waiting: 'It waits for slack to say which groups Gus is in.',
    })
    expect(await execute(core, asked.id)).toEqual(waiting)
    expect(harness.sandbox.wire).toEqual([])
    groups = () => said
    expect(await execute(core, asked.id)).toMatchObject({ state })
    expect(harness.effects()).toHaveLength(state === 'applied' ? 1 : 0)
  },
)

it('the claim goes by the change as it is stored, not by an older picture of it', async () => {
  const { store } = harness
  await store.freezes.set({ area: 'email', by: 'fay', name: 'Fay', reason: '', at: clock.now })
  const before = await refund()
  const moved: Change = { ...before, area: 'email', version: before.version + 1 }
  expect(await store.changes.swap(moved)).toBe(true)
  expect(await execute(core, before.id, before)).toMatchObject({
    state: 'failed',
    outcome: { message: 'The email changes are frozen by Fay.' },
  })
  expect(harness.effects()).toEqual([])
  await store.freezes.clear('email')
})

it('whoever has the change at hand reads it no more: what is told is the end that was stored', async () => {
  const change = await refund()
  const get = () => Promise.reject(new Error('the database is away'))
  const changes = { ...core.store.changes, get }
  const end = await execute({ ...core, store: { ...core.store, changes } }, change.id, change)
  expect(end.state).toBe('applied')
  expect(end).toEqual(await harness.stored(change))
})

it('an outcome that nothing waits for any more changes nothing, and whoever runs the bot hears of it', async () => {
  const change = await refund()
  const said: unknown[] = []
  const settled = withCommand('refund', ({ apply }) => ({
    apply: async (...given) => {
      const done = await apply(...given)
      const { version, ...now } = await harness.stored(change)
      await harness.store.changes.swap({ ...now, state: 'failed', claimedBy: null, version: version + 1 })
      return done
    },
  }))
  const log = { ...core.log, error: (...words: unknown[]) => void said.push(words) }
  const end = await execute({ ...settled, log }, change.id)
  expect(end).toMatchObject({ state: 'failed', outcome: null })
  expect(end).toEqual(await harness.stored(change))
  expect(said).toEqual([
    [{ changeId: change.id, state: 'applied' }, 'an outcome came after the change was settled'],
  ])
})

it('a connection is opened ahead for what is about to be sent, and none for a job, which sends later', async () => {
  const ahead: unknown[] = []
  const services = { ...core.services, expect: (ids: unknown) => void ahead.push(ids) }
  const pinned: NonNullable<Change['pinned']> = { set: 's1', digest: 'd1', total: 1, report: null }
  for (const over of [{}, { pinned }]) await execute({ ...core, services }, (await refund(60, over)).id)
  expect(ahead).toEqual([harness.registry.get('refund')?.uses])
})

it('what became of it is part of its trace', async () => {
  const noted: unknown[] = []
  const tracing: Core['tracing'] = {
    ...core.tracing,
    ofChange: ({ id }, name, work) => work((facts) => void noted.push([id, name, facts])),
  }
  const change = await refund()
  await execute({ ...core, tracing }, change.id)
  expect(noted).toEqual([[change.id, 'apply', { state: 'applied' }]])
})

it('the policy is asked about the amount of the new plan', async () => {
  const change = await refund(60)
  const applied: unknown[] = []
  const dearer = withCommand('refund', ({ prepare }) => ({
    apply: async (plan) => {
      applied.push(plan)
      return { message: 'Done.', understood: true }
    },
    prepare: async (...given) => {
      const plan = await prepare(...given)
      return plan.ok ? { ok: true, value: { ...Object(plan.value), amount: 250 } } : plan
    },
  }))
  expect(await execute(dearer, change.id)).toMatchObject({
    state: 'pending',
    votes: [],
    amount: 250,
    rule: 'large',
    clauses: [{ count: 2 }],
    expiresAt: clock.now + 24 * hour,
  })
  expect(applied).toEqual([])
})

it('a vote that no longer counts is asked for again, with as much time as the policy gives', async () => {
  const change = await refund()
  clock.now += hour
  const without = file.replace('name: Fay, roles: [finance]', 'name: Fay, roles: [support]')
  expect(await execute(under(without), change.id)).toMatchObject({
    state: 'pending',
    votes: [],
    lapsed: [{ person: 'fay' }],
    drift: null,
    expiresAt: clock.now + 2 * hour,
  })
  expect(harness.effects()).toEqual([])
})

it('what has come to need somebody else fails where nobody could tell who asked', async () => {
  const change = await harness.ask('subscriber update ada@example.com --company Acme')
  const stranger = { ...change.requester, platform: 'slack', account: 'U0NEW', person: 'slack:U0NEW' }
  await approved(change, stranger, { requester: stranger })
  const open = file.replace('people:\n', 'everyone: { run: ["subscriber *"] }\npeople:\n')
  const strict = open.replace(
    '[subscriber update], require: confirm',
    '[subscriber update], require: { approvals: 1 }',
  )
  expect(await execute(under(strict), change.id)).toMatchObject({
    state: 'failed',
    outcome: { message: expect.stringContaining('does not list the slack account U0NEW') },
  })
  expect(harness.effects()).toEqual([])
})

it('the claim is a lease of this process while it acts, and is given back when the end is stored', async () => {
  const change = await refund()
  const seen: unknown[] = []
  const watching = withCommand('refund', ({ apply }) => ({
    apply: async (...given) => {
      seen.push(await harness.store.leases.holder(`claim:${change.id}`), core.applying.has(change.id))
      return apply(...given)
    },
  }))
  expect(await execute(watching, change.id)).toMatchObject({ state: 'applied', claimedBy: null })
  expect(seen).toEqual([core.process, true])
  expect(await harness.store.leases.holder(`claim:${change.id}`)).toBeNull()
  expect(core.applying.has(change.id)).toBe(false)
})

it('a claim that somebody else took meanwhile is neither taken nor given back', async () => {
  const change = await refund()
  core.applying.add(change.id)
  const late = withCommand('refund', () => ({
    prepare: async () => {
      const version = change.version + 1
      await harness.store.changes.swap({ ...change, state: 'applying', claimedBy: core.process, version })
      return { ok: true, value: change.plan }
    },
  }))
  expect(await execute({ ...late, process: 'late' }, change.id)).toMatchObject({
    state: 'applying',
    claimedBy: core.process,
  })
  expect(core.applying.delete(change.id)).toBe(true)
  expect(harness.effects()).toEqual([])
})

it('an error that is no service’s leaves it unknown, as bytes may have left', async () => {
  const apply = async () => Promise.reject(new TypeError('x is not a function'))
  const end = await execute(
    withCommand('refund', () => ({ apply })),
    (await refund()).id,
  )
  expect(end).toMatchObject({ state: 'unknown', claimedBy: null })
  expect(end.outcome?.message).not.toContain('is not a function')
})

it('a right that was lost before anything left leaves it failed', async () => {
  const leases = { ...core.store.leases, renew: async () => false }
  const end = await execute({ ...core, store: { ...core.store, leases } }, (await refund()).id)
  expect(end).toMatchObject({ state: 'failed', claimedBy: null })
  expect(harness.effects()).toEqual([])
})

it('warnings of a command are on the card, and an answer that was not understood is one', async () => {
  const told = async (understood: boolean, warnings?: string[]) => {
    const apply = async () => ({ message: 'Done.', understood, ...(warnings && { warnings }) })
    const end = await execute(
      withCommand('refund', () => ({ apply })),
      (await refund()).id,
    )
    return end.outcome?.warning
  }
  expect(await told(true)).toBeNull()
  expect(await told(true, ['One.', 'Two.'])).toBe('One. Two.')
  expect(await told(false)).toBe('The service accepted it with an answer that we could not read.')
})
