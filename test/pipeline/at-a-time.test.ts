import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/cli/start/app.ts'
import { cardOf } from '../../src/kernel/cards/card.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { account, buttonOf, openHarness } from './harness.ts'

const hour = 3_600_000

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, discord: "400000000000000001", roles: [support], zone: America/New_York }
  - { id: fay, name: Fay Finance, slack: U0FAY, roles: [finance] }
roles:
  support: { run: [refund, "list *", "subscriber *", "contact *", "api *"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] }, expiresIn: 30m }
  - { name: lists, commands: [list create], require: none }
  - { name: people, commands: ["subscriber update"], require: confirm, expiresIn: 7d }
`

const open = async () => {
  const clock = { now: Date.UTC(2026, 10, 13, 11) }
  const harness = await openHarness({ policy, now: () => clock.now, started: false })
  harness.app.join({ ...createFakeMessenger('slack'), zone: async () => 'Europe/Berlin' })
  const as = (id: string, line: string, platform = 'slack') =>
    harness.handle({ from: account(platform, id), intent: { kind: 'line', line } })
  const ask = async (line: string, platform?: string): Promise<Change> => {
    const reply = await as(platform === 'discord' ? '400000000000000001' : 'U0SAM', line, platform)
    if (reply.kind !== 'change') throw new Error(JSON.stringify(reply))
    return reply.change
  }
  const pass = async (ms: number) => {
    clock.now += ms
    await harness.app.drain()
  }
  return { harness, clock, as, ask, pass }
}

const shown = (change: Change, now: number) => textOfView(cardOf(change, now).view, { details: true })

describe('a change for a later time', () => {
  it('is approved now, runs then and once, and says when in both zones', async () => {
    const { harness, as, ask, pass, clock } = await open()
    const change = await ask(`refund ${harness.payment()} 20 --at "tomorrow 9:00"`)
    expect(shown(change, clock.now)).toContain('14 Nov 2026, 09:00 Europe/Berlin (08:00 UTC)')
    expect(change.line).toContain('--at 2026-11-14T09:00+01:00')
    await as('U0FAY', `approval get ${change.id}`)
    await as('U0FAY', `approval approve ${change.id}`)
    await pass(20 * hour)
    expect((await harness.stored(change)).state).toBe('approved')
    expect(harness.effects()).toEqual([])
    const replicas = Array.from({ length: 4 }, () => createApp({ ...harness.app.core, now: () => clock.now }))
    clock.now += hour
    await Promise.all(replicas.map((replica) => replica.drain()))
    expect((await harness.stored(change)).state).toBe('applied')
    expect(harness.effects()).toHaveLength(1)
  })

  it('can be cancelled until then', async () => {
    const { harness, as, ask, pass } = await open()
    const change = await ask(`refund ${harness.payment()} 20 --at "in 5h"`)
    await as('U0FAY', `approval get ${change.id}`)
    await as('U0FAY', `approval approve ${change.id}`)
    expect(await as('U0SAM', `approval cancel ${change.id}`)).toMatchObject({
      change: { state: 'cancelled' },
    })
    await pass(6 * hour)
    expect(harness.effects()).toEqual([])
  })

  it('is prepared again then, and people are asked again when it is no longer what they saw', async () => {
    const { harness, as, ask, pass } = await open()
    const change = await ask('subscriber update ada@example.com --first-name Augusta --at "in 2h"')
    await as('U0SAM', `approval approve ${change.id}`)
    const [ada] = harness.sandbox.state.email.subscribers.filter(({ email }) => email === 'ada@example.com')
    Object.assign(ada as object, { first_name: 'Somebody', firstName: 'Somebody' })
    await pass(3 * hour)
    expect(await harness.stored(change)).toMatchObject({
      state: 'pending',
      drift: { message: expect.any(String) },
    })
  })

  it('waits also if nobody is asked', async () => {
    const { harness, ask, pass } = await open()
    const change = await ask('list create Later --at "in 1h"')
    expect(change.state).toBe('approved')
    await pass(hour - 1_000)
    expect(harness.effects()).toEqual([])
    await pass(2_000)
    expect((await harness.stored(change)).state).toBe('applied')
  })

  it('expires when nobody has decided by its time', async () => {
    const { harness, ask, pass } = await open()
    const change = await ask(`refund ${harness.payment()} 20 --at "in 10m"`)
    await pass(hour)
    expect((await harness.stored(change)).state).toBe('expired')
  })

  it('says so when the request expires before its time', async () => {
    const { harness, ask, clock } = await open()
    const change = await ask(`refund ${harness.payment()} 20 --at "in 5h"`)
    expect(shown(change, clock.now)).toContain(
      'This request expires at 13 Nov 2026, 11:30 UTC, before its time comes',
    )
  })

  it('takes the zone of the file where the messenger knows none', async () => {
    const { harness, ask } = await open()
    const change = await ask(`refund ${harness.payment()} 20 --at "tomorrow 9:00"`, 'discord')
    expect(change.runAt).toEqual({ at: Date.UTC(2026, 10, 14, 14), zone: 'America/New_York' })
  })

  it('is refused with a clear word for times that are over, and for look-ups', async () => {
    const { harness, as } = await open()
    const line = `refund ${harness.payment()} 20 --at`
    expect(await as('U0SAM', `${line} "today 9:00"`)).toMatchObject({ refusal: { code: 'bad_value' } })
    expect(await as('U0SAM', `${line} whenever`)).toMatchObject({ refusal: { code: 'bad_value' } })
    expect(await as('U0SAM', 'api call chat GET /contacts/ --at "in 2h"')).toMatchObject({
      refusal: { code: 'bad_value' },
    })
    expect(await as('U0SAM', 'subscriber get ada@example.com --at "in 2h"')).toMatchObject({
      refusal: { code: 'unknown_flag' },
    })
  })
})

it('neither a look-up nor a request that waits is made an emergency', async () => {
  const { harness, as, ask } = await open()
  const refused = { refusal: { message: 'Only a change that is asked for anew can be an emergency.' } }
  expect(await as('U0SAM', 'api call chat GET /contacts/ --emergency "it burns"')).toMatchObject(refused)
  const change = await ask(`refund ${harness.payment()} 20`)
  const line = `approval change ${change.id} --amount 30 --emergency "it burns"`
  expect(await as('U0SAM', line)).toMatchObject(refused)
  expect(await harness.stored(change)).toMatchObject({ amount: 20, version: change.version })
})

it('a card that waits for days is drawn again now and then, not every minute', async () => {
  const { harness, as, ask, clock } = await open()
  const slack = createFakeMessenger('slack')
  harness.app.join({ ...slack, zone: async () => 'Europe/Berlin' })
  const change = await ask(`refund ${harness.payment()} 20 --at "in 10d"`)
  await as('U0FAY', `approval get ${change.id}`)
  await as('U0FAY', `approval approve ${change.id}`)
  await harness.app.drain()
  const drawn = () => [...slack.messages.values()].reduce((sum, { versions }) => sum + versions.length, 0)
  const before = drawn()
  for (let minutes = 0; minutes < 60; minutes++) {
    clock.now += 60_000
    await harness.app.drain()
  }
  expect(drawn() - before).toBe(0)
  clock.now += 10 * hour
  await harness.app.drain()
  expect(drawn() - before).toBeGreaterThan(0)
})

describe('another time for what was approved', () => {
  const moved = async (line = '--at "tomorrow 15:00"') => {
    const opened = await open()
    const { harness, as, ask } = opened
    const change = await ask(`refund ${harness.payment()} 20 --at "tomorrow 9:00"`)
    await as('U0FAY', `approval get ${change.id}`)
    await as('U0FAY', `approval approve ${change.id}`)
    const approved = await harness.stored(change)
    await as('U0SAM', `approval change ${change.id} ${line}`)
    return { ...opened, change, approved, other: await harness.stored(change) }
  }

  it('leaves it as approved until the new time is: unconfirmed, it runs in its own time, once', async () => {
    const { harness, pass, clock, approved, other } = await moved()
    expect(other).toMatchObject({ state: 'pending', votes: [] })
    expect(shown(other, clock.now)).toContain('it stays approved for 14 Nov 2026, 09:00 Europe/Berlin')
    await pass(31 * 60_000)
    const back = await harness.stored(other)
    expect(back).toMatchObject({
      state: 'approved',
      digest: approved.digest,
      votes: approved.votes,
      runAt: approved.runAt,
      holdUntil: approved.holdUntil,
      clauses: approved.clauses,
    })
    expect(back.standby).toBeUndefined()
    await pass(20 * hour)
    expect(harness.effects()).toEqual([])
    await pass(hour)
    expect((await harness.stored(other)).state).toBe('applied')
    expect(harness.effects()).toHaveLength(1)
    await pass(48 * hour)
    expect(harness.effects()).toHaveLength(1)
  })

  it('runs in its own time where the new one waits for longer than that', async () => {
    const { harness, as, ask, pass } = await open()
    const change = await ask('subscriber update ada@example.com --company Acme --at "tomorrow 9:00"')
    await harness.handle({
      from: account('slack', 'U0SAM'),
      intent: { kind: 'press', verb: 'confirm', id: buttonOf(change) },
    })
    expect((await harness.stored(change)).state).toBe('approved')
    await as('U0SAM', `approval change ${change.id} --at "in 3d"`)
    await pass(20 * hour)
    expect((await harness.stored(change)).state).toBe('pending')
    await pass(hour)
    expect((await harness.stored(change)).state).toBe('applied')
    expect(harness.effects()).toHaveLength(1)
  })

  it('runs in the new time alone once that is approved', async () => {
    const { harness, as, pass, other } = await moved()
    await as('U0FAY', `approval get ${other.id}`)
    await as('U0FAY', `approval approve ${other.id}`)
    const approved = await harness.stored(other)
    expect(approved).toMatchObject({ state: 'approved', runAt: other.runAt })
    expect(approved.standby).toBeUndefined()
    await pass(22 * hour)
    expect(harness.effects()).toEqual([])
    await pass(6 * hour)
    expect((await harness.stored(other)).state).toBe('applied')
    expect(harness.effects()).toHaveLength(1)
  })

  it.each([
    ['U0FAY', 'reject', ' --reason "not at all"', 'rejected'],
    ['U0SAM', 'cancel', '', 'cancelled'],
  ])('%s can %s both', async (who, verb, more, state) => {
    const { harness, as, pass, other } = await moved()
    await as(who, `approval get ${other.id}`)
    await as(who, `approval ${verb} ${other.id}${more}`)
    await pass(48 * hour)
    expect((await harness.stored(other)).state).toBe(state)
    expect(harness.effects()).toEqual([])
  })

  it('is no way to keep approved what was changed besides', async () => {
    const { harness, pass, other } = await moved('--at "tomorrow 15:00" --amount 30')
    expect(other.standby).toBeUndefined()
    await pass(48 * hour)
    expect((await harness.stored(other)).state).toBe('expired')
    expect(harness.effects()).toEqual([])
  })

  it('is another edition each time: a card of an earlier one decides nothing', async () => {
    const { harness, as, pass, other } = await moved()
    const press = (change: Change) =>
      harness.handle({
        from: account('slack', 'U0FAY'),
        intent: { kind: 'press', verb: 'approve', id: buttonOf(change) },
      })
    await pass(31 * 60_000)
    expect((await press(other)).kind).toBe('refused')
    await as('U0SAM', `approval change ${other.id} --at "tomorrow 18:00"`)
    const again = await harness.stored(other)
    expect(again.state).toBe('pending')
    expect(await press(other)).toMatchObject({ kind: 'refused', refusal: { code: 'changed_since' } })
    expect(await press(again)).toMatchObject({ change: { state: 'approved', runAt: again.runAt } })
  })

  it('may be asked for several times, and what was approved is what stays', async () => {
    const { harness, as, pass, approved, other } = await moved()
    await as('U0SAM', `approval change ${other.id} --at "tomorrow 18:00"`)
    expect((await harness.stored(other)).standby?.digest).toBe(approved.digest)
    await as('U0SAM', `approval change ${other.id} --amount 30`)
    expect((await harness.stored(other)).standby).toBeUndefined()
    await pass(48 * hour)
    expect(harness.effects()).toEqual([])
  })
})
