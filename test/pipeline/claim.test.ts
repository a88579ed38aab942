import { expect, it } from 'vitest'
import { execute } from '../../src/kernel/change/applying/execute.ts'
import { digestOfTerms } from '../../src/kernel/change/asking/prepare.ts'
import type { ChangeCommand } from '../../src/kernel/command/define.ts'
import type { Core } from '../../src/kernel/core.ts'
import { MessengerError } from '../../src/kernel/messenger/messenger.ts'
import type { Change, Party } from '../../src/kernel/model/change.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { no } from '../../src/lib/result.ts'
import { FenceError } from '../../src/lib/services/client/fence.ts'
import { ServiceError } from '../../src/lib/services/errors.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
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
  slack: { S0SUP: [support], S0FIN: [finance] }
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
  const asked = await harness.ask('subscriber update ada@example.com --company Acme')
  const change = await approved(asked, asked.requester, { holdUntil: clock.now + 1 })
  expect(await execute(core, change.id)).toEqual(change)
  expect(harness.sandbox.wire).toEqual([])
  const { holdUntil: _, ...before } = change
  expect(await execute(core, change.id, before)).toEqual(change)
  expect(harness.effects()).toEqual([])
  clock.now += 1
  expect(await execute(core, change.id)).toMatchObject({ state: 'applied' })
})

it('what is not approved is returned as it is, and looked up by nobody', async () => {
  const change = await harness.ask('subscriber update ada@example.com --company Bolt')
  harness.sandbox.wire.length = 0
  expect(await execute(core, change.id)).toEqual(change)
  expect(harness.sandbox.wire).toEqual([])
  await expect(execute(core, 'gone')).rejects.toThrow('change gone is gone')
})

it.each<[what: string, state: Change['state'], message: string, run: () => Core]>([
  [
    'whose command is gone',
    'voided',
    'refund can no longer be run.',
    () => ({ ...core, registry: { ...core.registry, get: () => undefined } }),
  ],
  [
    'that the service no longer lets anybody plan',
    'voided',
    'There is no such payment.',
    () =>
      withCommand('refund', () => ({
        prepare: async () => no(refusal('not_found', 'There is no such payment.')),
      })),
  ],
  [
    'whose rule has come to ask for a reason',
    'failed',
    'The rule "refund" asks for a reason.',
    () => under(file.replace('upTo: 100 },', 'upTo: 100 }, reason: required,')),
  ],
])('a change %s is %s, and says why', async (_, state, message, run) => {
  const change = await refund()
  expect(await execute(run(), change.id)).toMatchObject({ state, outcome: { message } })
  expect(harness.effects()).toEqual([])
  expect(await harness.store.leases.holder(`claim:${change.id}`)).toBeNull()
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

it('whoever has the change at hand reads it no more, nor twice what it depends on', async () => {
  const change = await refund()
  const seen: unknown[] = []
  const changes = { ...core.store.changes, get: () => Promise.reject(new Error('the database is away')) }
  const watched = (store: Store): Store => ({
    ...store,
    lock: (names) => {
      if (names.shared !== undefined) seen.push(names.shared)
      return store.lock(names)
    },
    absences: {
      ...store.absences,
      active: () => {
        seen.push('absences')
        return store.absences.active()
      },
    },
  })
  const tx: Store['tx'] = (work, durability) => core.store.tx((store) => work(watched(store)), durability)
  const end = await execute({ ...core, store: { ...core.store, changes, tx } }, change.id, change)
  expect(end.state).toBe('applied')
  expect(end).toEqual(await harness.stored(change))
  // Once where it is claimed, and once where it ends.
  expect(seen).toEqual(['absences', ['freeze', 'grants', 'passkeys'], 'absences'])
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

it.each<[said: Change['state'], learned: 'applied' | 'failed', end: Change['state'], contradicts: boolean]>([
  ['unknown', 'applied', 'unknown', false],
  ['applied', 'applied', 'applied', false],
  ['not_applied', 'failed', 'not_applied', false],
  ['not_applied', 'applied', 'unknown', true],
  ['applied', 'failed', 'unknown', false],
])(
  'of what is %s when it turns out to be %s, becoming %s, whoever runs the bot hears an alarm: %s',
  async (said, learned, end, contradicts) => {
    const change = await refund()
    const told: unknown[] = []
    const late = withCommand('refund', () => ({
      apply: async () => {
        const { version, ...now } = await harness.stored(change)
        const ended = said === 'unknown' ? null : { by: fay, at: clock.now, reason: 'I looked' }
        await harness.store.changes.swap({
          ...now,
          state: said,
          claimedBy: null,
          ended,
          version: version + 1,
        })
        if (learned === 'failed') throw new FenceError()
        return { message: 'Done.', understood: true }
      },
    }))
    const count: Core['count'] = (event) => void (event.kind === 'late' && told.push(event))
    const note = (level: string) => (fields: object, words: string) => void told.push([level, fields, words])
    const log = { ...core.log, error: note('error'), warn: note('warn') }
    expect(await execute({ ...late, count, log }, change.id)).toMatchObject({ state: end, late: { learned } })
    expect(told).toEqual([
      { kind: 'late', contradicts },
      [
        contradicts ? 'error' : 'warn',
        { changeId: change.id, learned, state: end },
        contradicts
          ? 'ALARM: a change that was said not to have happened was sent'
          : 'the outcome of a change was learned late',
      ],
    ])
  },
)

it('an outcome that came in time is no late one', async () => {
  const counted: string[] = []
  const count: Core['count'] = ({ kind }) => void counted.push(kind)
  await execute({ ...core, count }, (await refund()).id)
  expect(counted).not.toContain('late')
})

it('a connection is opened ahead for what is about to be sent, and none for a job, which sends later', async () => {
  const opened: unknown[] = []
  const services = { ...core.services, expect: (ids: unknown) => void opened.push(ids) }
  const pinned: NonNullable<Change['pinned']> = { set: 's1', digest: 'd1', total: 1, report: null }
  await execute({ ...core, services }, (await refund(60, { pinned })).id)
  expect(opened).toEqual([])
  await execute({ ...core, services }, (await refund()).id)
  expect(opened).toEqual([harness.registry.get('refund')?.uses])
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

it.each<[what: string, given: () => Promise<Change>, run: () => Core, now: object]>([
  [
    'whose plan is no longer what was shown',
    refund,
    () =>
      withCommand('refund', ({ prepare }) => ({
        prepare: async (...given) => {
          const plan = await prepare(...given)
          return plan.ok ? { ok: true, value: { ...Object(plan.value), amount: 50 } } : plan
        },
      })),
    { amount: 50 },
  ],
  [
    'that is stored with other terms than people voted for',
    () => refund(60, { canary: 0.5 }),
    () => core,
    { clauses: [{ count: 1 }] },
  ],
  [
    'that needs one more by the policy of today',
    refund,
    () => under(file.replace('approvals: 1', 'approvals: 2')),
    { clauses: [{ count: 2 }] },
  ],
])('a change %s is asked again, and votes for it as it was are void', async (_, given, run, now) => {
  const change = await given()
  expect(await execute(run(), change.id)).toMatchObject({ state: 'pending', votes: [], ...now })
  expect(harness.effects()).toEqual([])
})

it.each([
  { said: 'is in the group', rule: 'emergency', groups: () => ['S0SUP'] },
  {
    said: 'is in nobody knows which',
    rule: 'refund',
    groups: () => {
      throw new MessengerError('later', 'Slack is down')
    },
  },
])(
  'what somebody does alone, whose right to that comes from a group and who $said, goes by the rule $rule',
  async ({ groups, rule }) => {
    const run = under(
      file
        .replace('name: Gus,', 'name: Gus, roles: [clerk],')
        .replace('roles:\n  support', 'roles:\n  clerk: { run: [refund] }\n  support')
        .replace(
          'policies:',
          'emergency: { from: [support], commands: [refund], upTo: 500, for: 30m }\npolicies:',
        ),
    )
    joinGroups(harness.app, 'slack', groups)
    const line = `refund ${harness.payment()} 60`
    const asked = changeOf(
      await harness.handle({ from: account('slack', 'U0GUS', ['S0SUP']), intent: { kind: 'line', line } }),
    )
    const alone: Change = {
      ...asked,
      rule: 'emergency',
      clauses: [{ kind: 'confirm', sign: 'passkey' }],
      emergency: { why: 'It is due tonight' },
    }
    const digest = digestOfTerms({ name: 'refund' }, alone)
    await approved({ ...alone, digest }, asked.requester)
    // Nobody has signed it.
    expect(await execute(run, asked.id)).toMatchObject({ state: 'pending', rule })
    expect(harness.effects()).toEqual([])
  },
)

it.each([
  { said: ['S0FIN'], end: { state: 'applied', votes: [{}, {}] } },
  { said: [], end: { state: 'pending', lapsed: [{ person: 'gus' }], votes: [{ by: { person: 'fay' } }] } },
])(
  'a voter whose right comes from a group is waited for by name, and with $said it is $end.state',
  async ({ said, end }) => {
    let groups = (): string[] => {
      throw new MessengerError('later', 'Slack is down')
    }
    joinGroups(harness.app, 'slack', () => groups())
    const gus: Party = { person: 'gus', name: 'Gus', platform: 'slack', account: 'U0GUS', roles: ['finance'] }
    const change = await harness.ask(`refund ${harness.payment()} 160`)
    const votes = [fay, gus].map((by) => ({ by, at: clock.now, digest: change.digest }))
    await approved(change, fay, { votes })
    expect(await execute(core, change.id)).toMatchObject({
      state: 'approved',
      waiting: 'It waits for slack to say which groups Gus is in.',
    })
    expect(harness.effects()).toEqual([])
    groups = () => said
    expect(await execute(core, change.id)).toMatchObject(end)
  },
)

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
  expect(await harness.store.leases.holder(`claim:${change.id}`)).toBeNull()
})

it('what has come to need somebody else fails where nobody could tell who asked', async () => {
  const change = await harness.ask('subscriber update ada@example.com --company Cask')
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
  const steps: string[] = []
  const onStep: Core['onStep'] = (step) => void steps.push(step)
  expect(await execute({ ...watching, onStep }, change.id)).toMatchObject({
    state: 'applied',
    claimedBy: null,
  })
  expect(seen).toEqual([core.process, true])
  expect(steps).toEqual(['claimed', 'answered', 'stored'])
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

const trouble = { kind: 'unavailable', service: 'billing', row: 'refundPayment' } as const
it.each<[what: string, error: Error, state: Change['state'], message: string]>([
  [
    'of a service that did nothing',
    new ServiceError({ ...trouble, outcome: 'not_done' }),
    'failed',
    'The billing service does not answer.',
  ],
  [
    'of a service that may have done it',
    new ServiceError({ ...trouble, outcome: 'unknown' }),
    'unknown',
    'The billing service does not answer.',
  ],
  [
    'that is no service’s, as bytes may have left',
    new TypeError('x is not a function'),
    'unknown',
    'Something broke here',
  ],
  [
    'that says that the right was lost before anything left',
    new FenceError(),
    'failed',
    'Nothing was done: ',
  ],
])('an error %s leaves it as what is known of it', async (_, error, state, message) => {
  const apply = () => Promise.reject(error)
  const end = await execute(
    withCommand('refund', () => ({ apply })),
    (await refund()).id,
  )
  expect(end).toMatchObject({
    state,
    claimedBy: null,
    outcome: { message: expect.stringContaining(message) },
  })
  expect(end.outcome?.message).not.toContain('is not a function')
})

it('a right that was lost before anything left leaves it failed', async () => {
  const leases = { ...core.store.leases, renew: async () => false }
  const end = await execute({ ...core, store: { ...core.store, leases } }, (await refund()).id)
  expect(end).toMatchObject({ state: 'failed', claimedBy: null })
  expect(harness.effects()).toEqual([])
})

it('warnings of a command are on the card, and an answer that says too little is one', async () => {
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
  expect(await told(false)).toBe('The service says that it was done, and leaves out what its document shows.')
})

it('what a command shows of what it did, and what it moved, is kept with the outcome', async () => {
  const view = { title: 'The refund', blocks: [] }
  const moved = { value: 60, currency: 'USD' }
  const apply = async (more: object) => {
    const done = async () => ({ message: 'Done.', understood: true, ...more })
    const change = await refund()
    await execute(
      withCommand('refund', () => ({ apply: done })),
      change.id,
    )
    return (await harness.stored(change)).outcome
  }
  expect(await apply({})).toEqual({ at: clock.now, message: 'Done.', warning: null, view: null })
  expect(await apply({ view, moved })).toMatchObject({ view, moved })
})
