import { expect, test } from 'vitest'
import type { Bulk } from '../../../src/kernel/store/bulk.ts'
import { csvOf, emailOf, startEmailService } from '../../harness/many-people.ts'
import { whenDone } from '../../harness/when-done.ts'
import { bulkPolicy, openHarness } from './harness.ts'

/** A job of four batches, one at a time, that tells what it does in which order; `around` is called in place of its storage. */
const open = async (around: (bulk: Bulk) => Partial<Bulk>) => {
  const service = await startEmailService({ subscribers: 40 })
  whenDone(() => service.close())
  const policy = bulkPolicy({ bulk: '{ chunk: 10, concurrency: 1, rate: 1000 }' })
  let now = Date.now()
  const harness = await openHarness({ baseUrl: service.baseUrl, policy, now: () => now })
  const { job } = await harness.start(
    'campaign send cmp_1',
    csvOf(Array.from({ length: 40 }, (_, n) => emailOf(n))),
  )
  const { bulk } = harness.store
  Object.defineProperty(harness.store, 'bulk', { value: { ...bulk, ...around(bulk) } })
  const wait = (minutes: number) => {
    now += minutes * 60_000
  }
  return { service, harness, job, bulk, wait }
}

test('the next batch is claimed while the one before is stored, and not sent before that', async () => {
  const order: string[] = []
  const claims = [0, 1, 2, 3, 4].map(() => Promise.withResolvers<void>())
  let claimed = 0
  const { service, harness, job, bulk } = await open((before) => ({
    claim: async (...args) => {
      const chunk = await before.claim(...args)
      order.push(`claimed ${chunk?.n ?? 'none'}`)
      claims[claimed++]?.resolve()
      return chunk
    },
    finish: async (chunk, ...args) => {
      await claims[chunk.n + 1]?.promise
      expect(service.sends).toHaveLength(chunk.n + 1)
      order.push(`stored ${chunk.n}`)
      return before.finish(chunk, ...args)
    },
  }))
  await harness.app.run(job)
  expect(order).toEqual([
    'claimed 0',
    ...[1, 2, 3, 'none'].flatMap((next, n) => [`claimed ${next}`, `stored ${n}`]),
  ])
  expect(await bulk.figures(job)).toMatchObject({ done: 40, left: 0, unknown: 0 })
})

test('a claim that fails while the batch before is being stored is tried again when it is', async () => {
  let claims = 0
  const { service, harness, job, bulk } = await open((before) => ({
    claim: (...args) =>
      ++claims === 2 ? Promise.reject(new Error('the database is away')) : before.claim(...args),
  }))
  await harness.app.run(job)
  expect(claims).toBe(6)
  expect(service.sends).toHaveLength(4)
  expect(await bulk.figures(job)).toMatchObject({ done: 40, left: 0, unknown: 0 })
})

test('a batch that waits until the one before is stored is not given up, however long that takes', async () => {
  const claimed = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  const searched = Promise.withResolvers<void>()
  const { harness, job, bulk, wait } = await open((before) => ({
    claim: async (...args) => {
      const chunk = await before.claim(...args)
      if (chunk?.n === 1) claimed.resolve()
      return chunk
    },
    finish: async (chunk, ...args) => {
      if (chunk.n === 0) await stored.promise
      return before.finish(chunk, ...args)
    },
    list: (...args) => {
      searched.resolve()
      return before.list(...args)
    },
  }))
  const run = harness.app.run(job)
  await claimed.promise
  wait(16)
  const drained = harness.app.drain()
  await searched.promise
  expect(await bulk.figures(job)).toMatchObject({ sending: 20, unknown: 0 })
  stored.resolve()
  await Promise.all([run, drained])
  expect(await bulk.figures(job)).toMatchObject({ done: 40, left: 0, unknown: 0 })
})
