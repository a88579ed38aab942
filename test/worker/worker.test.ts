import { expect, it } from 'vitest'
import { createApp } from '../../src/cli/start/app.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { fromOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { type Harness, openHarness } from '../pipeline/harness.ts'

const timings = { heartbeatMs: 30, lifeMs: 3_000, idleMs: 20, applyGraceMs: 50, leaseMs: 1_000 }

/** As a process left it: claimed, and nothing heard of it since. */
const claimedBy = async (harness: Harness, process: string): Promise<Change> => {
  const change = await harness.ask(`refund ${harness.payment()} 20`)
  const next = { ...change, state: 'applying' as const, claimedBy: process, version: change.version + 1 }
  expect(await harness.store.changes.swap(next)).toBe(true)
  return next
}

eachEngine('the worker', (engine) => {
  it('makes what a dead process was applying unknown, and leaves alone what a living one is', async () => {
    const harness = await openHarness({ engine, timings })
    await harness.store.leases.acquire('process:alive', 'alive', 60_000)
    const [lost, running] = [await claimedBy(harness, 'dead'), await claimedBy(harness, 'alive')]
    await expect.poll(async () => (await harness.stored(lost)).state).toBe('unknown')
    const next = await claimedBy(harness, 'dead too')
    await expect.poll(async () => (await harness.stored(next)).state).toBe('unknown')
    expect(await harness.stored(running)).toMatchObject({ state: 'applying', claimedBy: 'alive' })
    expect((await harness.stored(lost)).outcome?.message).toContain('died before the answer came')
  })

  it('does what a dead process held at once, and not only when its lease is over', async () => {
    const harness = await openHarness({ engine, timings })
    const change = await harness.ask(`refund ${harness.payment()} 20`)
    await harness.store.tasks.put({ kind: 'cards', key: 'held', doc: { id: change.id }, dueAt: 1 })
    await harness.store.tasks.take({ limit: 9, leaseMs: 3_600_000, owner: 'dead' })
    await expect.poll(async () => (await harness.store.tasks.pending()).cards ?? 0).toBe(0)
  })

  it('leaves a living process what it holds', async () => {
    const harness = await openHarness({ engine, timings, tasks: false })
    const { leases, tasks } = harness.store
    const { id } = await harness.ask(`refund ${harness.payment()} 20`)
    await leases.acquire('process:alive', 'alive', 3_600_000)
    for (const owner of ['alive', 'dead']) {
      await tasks.put({ kind: 'cards', key: owner, doc: { id }, dueAt: 1 })
      await tasks.take({ limit: 9, leaseMs: 3_600_000, owner })
    }
    const second = createApp({ ...harness.app.core, timings })
    await second.start()
    await expect.poll(() => tasks.owners()).toEqual(['alive'])
    await second.stop()
  })

  it('works on sixteen things at a time, not more', async () => {
    // A task that hangs for longer than its lease would be taken a second time.
    const harness = await openHarness({ engine, timings: { ...timings, leaseMs: 60_000 }, started: false })
    const slack = createFakeMessenger('slack')
    const hanging = Promise.withResolvers<string>()
    const channels = new Set<string | null>()
    const post = (channel: string | null) => {
      channels.add(channel)
      return hanging.promise
    }
    harness.app.join({ ...slack, post: ({ channel }) => post(channel) })
    await harness.app.start()
    for (let n = 0; n < 18; n++) {
      await harness.handle({
        from: fromOf('U0SAM', 'slack'),
        place: { channel: `C${n}`, handle: null, direct: false },
        intent: { kind: 'line', line: `refund ${harness.payment()} ${60 + n}` },
      })
    }
    await expect.poll(() => channels.size).toBe(16)
    const left = await harness.store.tasks.take({ limit: 99, leaseMs: 1, owner: 'test' })
    expect(left.filter(({ kind }) => kind === 'cards')).toHaveLength(2)
    hanging.resolve('slack-1')
  })

  it('does at once what is put again while it hears that the one before is stored as done', async () => {
    const harness = await openHarness({ engine, timings: { ...timings, leaseMs: 60_000 }, started: false })
    const slack = createFakeMessenger('slack')
    harness.app.join(slack)
    await harness.app.start()
    const { tasks } = harness.store
    const heard = Promise.withResolvers<void>()
    const { done } = tasks
    tasks.done = async (task) => {
      const isDone = await done(task)
      if (task.kind === 'cards') await heard.promise
      return isDone
    }
    const asked = await harness.handle({
      from: fromOf('U0SAM', 'slack'),
      place: { channel: 'C1', handle: null, direct: false },
      intent: { kind: 'line', line: `refund ${harness.payment()} 60` },
    })
    if (asked.kind !== 'change') throw new Error(asked.kind)
    await expect.poll(async () => (await tasks.pending()).cards ?? 0).toBe(0)
    await harness.click('cancel', asked.change)
    heard.resolve()
    await expect.poll(() => slack.shown('C1').join()).toContain('Cancelled')
  })

  it('makes what this process no longer works on unknown too', async () => {
    const harness = await openHarness({ engine, timings })
    const change = await claimedBy(harness, harness.app.core.process)
    await expect.poll(async () => (await harness.stored(change)).state).toBe('unknown')
    expect((await harness.stored(change)).outcome?.message).toBe('Its outcome could not be recorded.')
  })

  it('makes unknown what this process has finished, if its outcome was not stored after all', async () => {
    const harness = await openHarness({ engine, timings })
    const change = await harness.ask(`refund ${harness.payment()} 20`)
    const { version } = await harness.click('confirm', change)
    const restored = { ...change, state: 'applying' as const, claimedBy: harness.app.core.process }
    expect(await harness.store.changes.swap({ ...restored, version: version + 1 })).toBe(true)
    await expect.poll(async () => (await harness.stored(change)).state).toBe('unknown')
  })

  it('leaves alone what this process is applying, however long it takes', async () => {
    const harness = await openHarness({ engine, timings })
    const change = await harness.ask(`refund ${harness.payment()} 20`)
    harness.sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 400 })
    expect(await harness.click('confirm', change)).toMatchObject({ state: 'applied' })
    expect(harness.effects('refundPayment')).toHaveLength(1)
  })

  it('expires what waited too long, by itself', async () => {
    let now = Date.now()
    const harness = await openHarness({ engine, timings, now: () => now })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    now = change.expiresAt + 1
    await expect.poll(async () => (await harness.stored(change)).state).toBe('expired')
  })

  it('expires what was asked again at its new time, and not at the one it had before', async () => {
    let now = Date.now()
    const harness = await openHarness({ engine, timings, now: () => now })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const longer = { ...change, version: change.version + 1, expiresAt: change.expiresAt + 60_000 }
    expect(await harness.store.changes.swap(longer)).toBe(true)
    now = change.expiresAt + 1
    await harness.app.drain()
    expect((await harness.stored(change)).state).toBe('pending')
    now = longer.expiresAt + 1
    await expect.poll(async () => (await harness.stored(change)).state).toBe('expired')
  })

  it('leaves no work behind that an ended change has no use for', async () => {
    const harness = await openHarness({ engine, timings })
    // The customer's payments are part of what is decided on.
    const [one, other] = [harness.payment(), harness.payment()]
    const done = await harness.ask(`refund ${one} 20`)
    const dropped = await harness.ask(`refund ${other} 60`)
    const states = [await harness.click('confirm', done), await harness.click('cancel', dropped)]
    expect(states.map(({ state }) => state)).toEqual(['applied', 'cancelled'])
    await expect.poll(() => harness.store.tasks.pending()).toEqual({})
  })

  it('forgets at its start what has become too old while nobody ran', async () => {
    let now = Date.now() - 3 * 24 * 3_600_000
    const harness = await openHarness({ engine, timings, started: false, now: () => now })
    await harness.store.deliveries.first('slack:old')
    now = Date.now()
    await harness.app.start()
    await expect.poll(() => harness.store.deliveries.first('slack:old')).toBe(true)
  })

  it('shows that it lives until it stops', async () => {
    const harness = await openHarness({ engine, timings })
    const { process } = harness.app.core
    expect(await harness.store.leases.holder(`process:${process}`)).toBe(process)
    await harness.app.stop()
    expect(await harness.store.leases.holder(`process:${process}`)).toBeNull()
  })

  it('goes on with the others while a platform leaves one without an answer', async () => {
    const harness = await openHarness({ engine, timings, started: false })
    const slack = createFakeMessenger('slack')
    const asked = Promise.withResolvers<void>()
    const hanging = Promise.withResolvers<string>()
    harness.app.join({
      ...slack,
      post: (place, view) => {
        if (place.channel !== 'C-slow') return slack.post(place, view)
        asked.resolve()
        return hanging.promise
      },
    })
    await harness.app.start()
    const askIn = (channel: string) =>
      harness.handle({
        from: fromOf('U0SAM', 'slack'),
        place: { channel, handle: null, direct: false },
        intent: { kind: 'line', line: `refund ${harness.payment()} 60` },
      })
    await askIn('C-slow')
    await asked.promise
    await askIn('C-quick')
    await expect.poll(() => slack.shown('C-quick')).toHaveLength(1)
    hanging.resolve('slack-slow')
  })
})
