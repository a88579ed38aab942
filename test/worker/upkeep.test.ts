import { utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSpool } from '../../src/kernel/messenger/spool.ts'
import { createWorker } from '../../src/kernel/tasks/worker.ts'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { fromOf, openTestApp } from '../harness/app.ts'
import { openHarness } from '../pipeline/harness.ts'
import { policy } from '../pipeline/policy.ts'

const dayMs = 24 * 3_600_000

test('everything that is only kept for a while is pruned at the start and every hour, each by its own age', async () => {
  const { app, store } = await openTestApp({ started: false })
  const { core } = app
  const now = Date.now()
  const calls: Record<string, unknown[]> = {}
  const counted = <T extends { prune(...args: never[]): Promise<number> }>(
    name: string,
    repository: T,
  ): T => ({
    ...repository,
    prune: async (before: unknown) => {
      calls[name] = [...(calls[name] ?? []), before]
      return 0
    },
  })
  const spool = createSpool('left-behind.csv', 'text/csv')
  await spool.add('x'.repeat(1_100_000))
  const { path = '' } = await spool.end()
  utimesSync(dirname(path), (now - 7_200_000) / 1000, (now - 7_200_000) / 1000)
  const hourly: (() => void)[] = []
  const intervals = vi.spyOn(globalThis, 'setInterval').mockImplementation(((
    work: () => void,
    ms: number,
  ) => {
    if (ms === dayMs / 24) hourly.push(work)
    return { unref: () => undefined }
  }) as unknown as typeof setInterval)
  onTestFinished(() => intervals.mockRestore())
  const worker = createWorker(
    {
      ...core,
      now: () => now,
      store: {
        ...store,
        deliveries: counted('deliveries', store.deliveries),
        answers: counted('answers', store.answers),
        drafts: counted('drafts', store.drafts),
        leases: counted('leases', store.leases),
        sessions: counted('sessions', store.sessions),
        bulk: counted('bulk', store.bulk),
      },
    },
    { tasks: true },
  )
  await worker.start()
  await worker.finish()
  const once = {
    deliveries: [now - 2 * dayMs],
    answers: [now - 7 * dayMs],
    drafts: [now - 7 * dayMs],
    leases: [now - dayMs],
    sessions: [now],
    bulk: [{ unused: now - dayMs, ended: now - 30 * dayMs }],
  }
  expect(calls).toEqual(once)
  expect(() => utimesSync(dirname(path), 1, 1)).toThrow('ENOENT')
  for (const work of hourly) work()
  await worker.finish()
  await worker.stop()
  expect(calls).toEqual(Object.fromEntries(Object.entries(once).map(([name, [at]]) => [name, [at, at]])))
})

test('a process does not take its own task over, even when its own lease has run out', async () => {
  const timings = { heartbeatMs: 15, idleMs: 15, lifeMs: 3_000, leaseMs: 60_000 }
  const { app, store, payment, handle } = await openHarness({ timings, started: false, tasks: false })
  const slack = createFakeMessenger('slack')
  const hanging = Promise.withResolvers<string>()
  let posts = 0
  app.join({
    ...slack,
    post: (place, view) => {
      if (place.channel !== 'C-slow') return slack.post(place, view)
      posts++
      return hanging.promise
    },
  })
  const release = vi.fn(store.tasks.release)
  const worker = createWorker(
    {
      ...app.core,
      store: {
        ...store,
        tasks: { ...store.tasks, release },
        leases: {
          ...store.leases,
          holder: async (name) => (name.startsWith('process:') ? null : store.leases.holder(name)),
        },
      },
    },
    { tasks: true },
  )
  await handle({
    from: fromOf('U0SAM', 'slack'),
    place: { channel: 'C-slow', handle: null, direct: false },
    intent: { kind: 'line', line: `refund ${payment()} 60` },
  })
  await worker.start()
  worker.wake()
  await expect.poll(() => posts).toBe(1)
  await sleep(300)
  expect(release.mock.calls.map(([owner]) => owner)).not.toContain(app.core.process)
  expect(posts).toBe(1)
  hanging.resolve('slack-1')
  await worker.finish()
  await worker.stop()
})

test('a held change whose task comes too early is applied when its time has come', async () => {
  let now = Date.now()
  const held = policy.replace(/(name: refund, [^\n]*?)\s*\}\s*$/m, '$1, hold: 10m }')
  expect(held).not.toBe(policy)
  const { app, store, ask, click, payment, effects, stored } = await openHarness({
    policy: held,
    now: () => now,
    tasks: false,
  })
  const change = await ask(`refund ${payment()} 60`)
  const approved = await click('approve', change, 'fay')
  expect(approved).toMatchObject({ state: 'approved', holdUntil: now + 600_000 })
  await store.tasks.put({ kind: 'apply', key: `apply:${change.id}`, doc: { id: change.id }, dueAt: now })
  await app.drain()
  expect(effects('refundPayment')).toHaveLength(0)
  now += 599_000
  await app.drain()
  expect((await stored(change)).state).toBe('approved')
  now += 2_000
  await app.drain()
  expect((await stored(change)).state).toBe('applied')
  expect(effects('refundPayment')).toHaveLength(1)
})
