import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/cli/start/app.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { account, type Harness, openHarness } from '../pipeline/harness.ts'
import { createFakeMessenger, gone, later } from './fake-messenger.ts'

const minute = 60_000
const hour = 60 * minute

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, discord: "400000000000000001", roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, discord: "400000000000000002", roles: [finance] }
  - { id: finn, name: Finn Finance, slack: U0FINN, roles: [finance] }
  - { id: cleo, name: Cleo Cfo, slack: U0CLEO, roles: [cfo] }
groups:
  slack: { S0FIN: [finance], S0OPS: [support] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
  cfo: { approve: [refund] }
approvals: { slack: C0APPROVALS }
policies:
  - name: plain
    commands: [refund]
    amount: { upTo: 50 }
    require: { approvals: 1, from: [finance] }
    notify: channel
  - name: told
    commands: [refund]
    amount: { upTo: 100 }
    require: { approvals: 1, from: [finance] }
    notify: direct
  - name: slow
    commands: [refund]
    require: { approvals: 2, from: [finance] }
    remind: [1h, 10s]
    escalate: { after: 2h, to: [cfo] }
    expiresIn: 1d
`

/** A bot whose clock stands still, and its Slack. */
const open = async () => {
  const clock = { now: 1_800_000_000_000 }
  const harness = await openHarness({ policy, now: () => clock.now, started: false })
  const slack = createFakeMessenger('slack')
  harness.app.join(slack)
  const pass = async (ms: number) => {
    clock.now += ms
    await harness.app.drain()
  }
  const ask = async (amount: number): Promise<Change> => {
    const reply = await harness.handle({
      from: account('slack', 'U0SAM'),
      place: { channel: 'C0ROOM', handle: null, direct: false },
      intent: { kind: 'line', line: `refund ${harness.payment()} ${amount}` },
    })
    await harness.app.drain()
    if (reply.kind !== 'change') throw new Error(JSON.stringify(reply))
    return reply.change
  }
  const press = (verb: 'approve' | 'reject', change: Change, id: string) =>
    harness.handle({
      from: account('slack', id),
      intent: { kind: 'press', verb, id: change.id, reason: 'no' },
    })
  const reminders = () =>
    slack.shown('C0APPROVALS').filter((text) => /^(Reminder|Escalated|\w+ \w+ asks)/.test(text))
  return { harness, slack, clock, pass, ask, press, reminders }
}

const kindsOf = async ({ store }: Harness, { id }: Change): Promise<string[]> =>
  (await store.audit.find({ changeId: id, limit: 100 })).map(({ kind }) => kind).reverse()

const mentioned = (slack: Awaited<ReturnType<typeof open>>['slack'], channel: string) =>
  [...slack.messages.values()]
    .filter(({ place }) => place?.channel === channel)
    .map(({ versions }) => (versions.at(-1)?.mentions ?? []).map(({ accounts }) => accounts.slack))

describe('those whose turn it is', () => {
  it('are mentioned on the card: people with the role and the groups that give it, never the requester', async () => {
    const { slack, ask } = await open()
    await ask(500)
    expect(mentioned(slack, 'C0APPROVALS')).toEqual([['U0FAY', 'U0FINN', 'S0FIN']])
  })

  it('are those who have not voted yet, and nobody once it is over', async () => {
    const { harness, slack, ask, press } = await open()
    const change = await ask(500)
    await press('approve', change, 'U0FAY')
    await harness.app.drain()
    expect(mentioned(slack, 'C0APPROVALS')).toEqual([['U0FINN', 'S0FIN']])
    await press('reject', change, 'U0FINN')
    await harness.app.drain()
    expect(mentioned(slack, 'C0APPROVALS')).toEqual([[]])
  })

  it('are not mentioned where the rule says channel', async () => {
    const { slack, ask } = await open()
    await ask(40)
    expect(mentioned(slack, 'C0APPROVALS')).toEqual([[]])
    expect(slack.shown('U0FAY')).toEqual([])
  })

  it('get a copy in person where the rule says direct, which ends with the others', async () => {
    const { harness, slack, ask, press } = await open()
    const change = await ask(90)
    expect([slack.shown('U0FAY').length, slack.shown('U0FINN').length]).toEqual([1, 1])
    await press('reject', change, 'U0FAY')
    await harness.app.drain()
    expect(slack.shown('U0FINN')[0]).toContain('Rejected by Fay Finance')
  })
})

describe('a reminder', () => {
  it('comes at each of its times, takes the place of the one before, and not after the end', async () => {
    const { harness, ask, pass, press, reminders } = await open()
    const change = await ask(500)
    await pass(9_000)
    expect(reminders()).toEqual([])
    await pass(1_000)
    expect(reminders()).toEqual([expect.stringContaining('Needs 2 approvals from finance')])
    await pass(hour)
    expect(reminders()).toHaveLength(1)
    await press('reject', change, 'U0FAY')
    await pass(24 * hour)
    expect(reminders()).toEqual([expect.stringContaining('Rejected by Fay Finance')])
    expect((await kindsOf(harness, change)).filter((kind) => kind === 'reminded')).toHaveLength(2)
  })

  it('goes to those whose turn it is in person, where the approvals channel takes none', async () => {
    const { ask, pass, slack } = await open()
    await ask(500)
    slack.fail({ call: 'post', error: gone(), at: 'C0APPROVALS' })
    await pass(10_000)
    // The card itself goes there too.
    expect(['U0FAY', 'U0FINN', 'U0SAM'].map((id) => slack.shown(id).length)).toEqual([2, 2, 0])
  })

  it('is posted when the messenger is back, and once', async () => {
    const { ask, pass, slack, reminders } = await open()
    await ask(500)
    slack.fail({ call: 'post', error: later(), times: 2 })
    await pass(10_000)
    await pass(minute)
    await pass(minute)
    await pass(minute)
    expect(reminders()).toHaveLength(1)
  })

  it('is one, however many replicas look for it', async () => {
    const { harness, ask, clock, slack, reminders } = await open()
    const replicas = Array.from({ length: 4 }, () => createApp({ ...harness.app.core, now: () => clock.now }))
    for (const replica of replicas) replica.join(slack)
    const change = await ask(500)
    for (const step of [10_000, hour, hour]) {
      clock.now += step
      await Promise.all(replicas.map((replica) => replica.drain()))
    }
    expect(reminders()).toHaveLength(1)
    const kinds = await kindsOf(harness, change)
    expect(kinds).toEqual(['asked', 'reminded', 'reminded', 'escalated'])
  })
})

describe('an escalation', () => {
  it('adds people who may satisfy the clause, and lowers nothing', async () => {
    const { harness, ask, pass, press, reminders, slack } = await open()
    const change = await ask(500)
    expect(await press('approve', change, 'U0CLEO')).toMatchObject({ kind: 'refused' })
    await pass(2 * hour)
    expect(reminders()).toEqual([expect.stringContaining('Needs 2 approvals from finance or cfo')])
    expect(mentioned(slack, 'C0APPROVALS').at(-1)).toEqual(['U0FAY', 'U0FINN', 'U0CLEO', 'S0FIN'])
    await press('approve', change, 'U0CLEO')
    expect(await harness.stored(change)).toMatchObject({ state: 'pending', digest: change.digest })
    await press('approve', change, 'U0FAY')
    expect((await harness.stored(change)).state).toBe('applied')
  })

  it('does not happen to what has ended', async () => {
    const { harness, ask, pass, press } = await open()
    const change = await ask(500)
    await press('reject', change, 'U0FAY')
    await pass(3 * hour)
    expect(await kindsOf(harness, change)).toEqual(['asked', 'rejected'])
  })
})

describe('approval remind', () => {
  // The clock moves only when nothing is under way: a task whose time is over is given to another.
  const remind = async (harness: Harness, change: Change, id: string) => {
    const reply = await harness.handle({
      from: account('slack', id),
      intent: { kind: 'line', line: `approval remind ${change.id}` },
    })
    await harness.app.drain()
    return reply
  }

  it('is for the requester and those who may approve, three times and five minutes apart', async () => {
    const { harness, ask, pass, reminders } = await open()
    const change = await ask(90)
    expect(await remind(harness, change, 'U0SAM')).toMatchObject({
      kind: 'answer',
      view: { title: 'Reminded: Fay Finance, Finn Finance' },
    })
    await pass(minute)
    expect(reminders()).toEqual([expect.stringContaining('Sam Support asks again')])
    expect(await remind(harness, change, 'U0FAY')).toMatchObject({ refusal: { code: 'not_allowed_now' } })
    await pass(4 * minute)
    expect(await remind(harness, change, 'U0FAY')).toMatchObject({
      kind: 'answer',
      view: { title: 'Reminded: Fay Finance, Finn Finance' },
    })
    expect(await remind(harness, change, 'U0STRANGER')).toMatchObject({ refusal: { code: 'not_requester' } })
    await pass(5 * minute)
    expect(await remind(harness, change, 'U0SAM')).toMatchObject({
      kind: 'answer',
      view: { title: 'Reminded: Fay Finance, Finn Finance' },
    })
    await pass(5 * minute)
    expect(await remind(harness, change, 'U0SAM')).toMatchObject({ refusal: { code: 'not_allowed_now' } })
    expect(reminders()).toHaveLength(1)
  })
})
