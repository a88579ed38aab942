import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStore } from '../../../src/kernel/store/store.ts'
import { DatabaseError } from '../../../src/lib/sql/database.ts'
import { textOf } from '../../harness/app.ts'
import { eachEngine, openTestDatabase } from '../../harness/database.ts'
import { csvOf, emailOf, type Fate, startEmailService } from '../../harness/many-people.ts'
import { bulkPolicy, openHarness } from './harness.ts'

const people = (count: number) => csvOf(Array.from({ length: count }, (_, n) => emailOf(n)))

let service: Awaited<ReturnType<typeof startEmailService>>
let fate: (n: number) => Fate = () => 'ok'
beforeAll(async () => {
  service = await startEmailService({ fate: (n) => fate(n) })
})
afterAll(() => service.close())

const run = async (
  chosen: (n: number) => Fate,
  count = 100,
  options: Partial<Parameters<typeof openHarness>[0]> = {},
) => {
  fate = chosen
  service.sends.length = 0
  service.requests.length = 0
  const harness = await openHarness({ baseUrl: service.baseUrl, ...options })
  const { job } = await harness.start('campaign send cmp_1', people(count))
  await harness.app.drain()
  return {
    harness,
    job,
    figures: await harness.store.bulk.figures(job),
    state: (await harness.store.bulk.get(job))?.state,
  }
}

/** Addresses that reached the service in a request which it may have taken. */
const taken = () => service.sends.filter(({ fate: one }) => one !== 'limit').flatMap(({ emails }) => emails)

describe('a chunk', () => {
  it('that the service limits is sent again after the pause it asked for', async () => {
    const { figures, state } = await run((n) => (n % 3 === 0 ? 'limit' : 'ok'))
    expect(state).toBe('done')
    expect(figures).toMatchObject({ done: 100, failed: 0, unknown: 0 })
    expect(new Set(taken()).size).toBe(taken().length)
  })

  it('that the service refuses is failed, once', async () => {
    const { figures } = await run((n) => (n === 3 ? 'refuse' : 'ok'))
    expect(figures).toMatchObject({ done: 90, failed: 10 })
    expect(service.sends).toHaveLength(10)
  })

  it('that is refused because of our key is not failed: the job pauses, and sends it when it is resumed', async () => {
    const { harness, job, figures, state } = await run(() => 'bad_key')
    expect(state).toBe('paused')
    expect(figures).toMatchObject({ done: 0, failed: 0, unknown: 0, left: 100 })
    expect(textOf(await harness.say(`job get ${job}`))).toContain('does not accept our credentials')
    fate = () => 'ok'
    await harness.press('resume', job)
    await harness.app.drain()
    expect(await harness.store.bulk.figures(job)).toMatchObject({ done: 100, failed: 0 })
  })

  it.each<Fate>(['drop_before', 'drop_after', 'error_before', 'error_after'])(
    'whose answer is lost (%s) is unknown, and never sent again',
    async (lost) => {
      const { figures, state } = await run((n) => (n === 3 || n === 7 ? lost : 'ok'))
      expect(state).toBe('done')
      expect(figures).toMatchObject({ done: 80, unknown: 20 })
      expect(service.sends).toHaveLength(10)
    },
  )

  it('waits while the service is away, and goes on when it is back', async () => {
    fate = () => 'ok'
    service.sends.length = 0
    const harness = await openHarness({ baseUrl: service.baseUrl })
    const { job } = await harness.start('campaign send cmp_1', people(100))
    const { reopen } = await service.interrupt()
    const running = harness.app.run(job)
    await expect.poll(async () => (await harness.store.bulk.get(job))?.reason).toContain('does not answer')
    expect(textOf(await harness.say(`job get ${job}`))).toContain('Waiting to continue.')
    await reopen()
    await running
    expect(await harness.store.bulk.figures(job)).toMatchObject({ done: 100, failed: 0, unknown: 0 })
    expect(new Set(taken()).size).toBe(100)
    expect(taken()).toHaveLength(100)
  })
})

describe('a job', () => {
  it('that waits for the service can be paused, and stops asking', async () => {
    fate = () => 'ok'
    const harness = await openHarness({ baseUrl: service.baseUrl })
    const { job } = await harness.start('campaign send cmp_1', people(100))
    const { reopen } = await service.interrupt()
    const running = harness.app.run(job)
    await expect.poll(async () => (await harness.store.bulk.get(job))?.reason).toContain('does not answer')
    await harness.press('pause', job)
    await running
    expect((await harness.store.bulk.get(job))?.state).toBe('paused')
    await reopen()
  })

  it('goes on when every other chunk is refused: that is not many in a row', async () => {
    const { state, figures } = await run((n) => (n % 2 === 0 ? 'refuse' : 'ok'), 200, {
      policy: bulkPolicy({ bulk: '{ chunk: 10, concurrency: 1, rate: 1000 }' }),
    })
    expect(state).toBe('done')
    expect(figures).toMatchObject({ done: 100, failed: 100 })
  })

  it('stores what became of a chunk when the database is back', async () => {
    fate = () => 'ok'
    service.sends.length = 0
    const harness = await openHarness({ baseUrl: service.baseUrl })
    const { job } = await harness.start('campaign send cmp_1', people(50))
    const { bulk } = harness.store
    const { finish } = bulk
    let isAway = true
    bulk.finish = (...args) => {
      if (!isAway) return finish(...args)
      isAway = false
      return Promise.reject(new DatabaseError('down', 'the plug is out'))
    }
    await harness.app.drain()
    expect(await bulk.figures(job)).toMatchObject({ done: 50, unknown: 0, left: 0, sending: 0 })
    expect(service.sends).toHaveLength(5)
  })

  it('gives up a chunk of its own that nobody works on, but not before any answer could have come', async () => {
    fate = () => 'ok'
    let now = Date.now()
    const harness = await openHarness({ baseUrl: service.baseUrl, now: () => now })
    const { bulk } = harness.store
    const { job } = await harness.start('campaign send cmp_1', people(50))
    await bulk.claim(job, harness.app.core.process)
    now += 5 * 60_000
    await harness.app.drain()
    expect(await bulk.figures(job)).toMatchObject({ done: 40, unknown: 0, sending: 10 })
    now += 11 * 60_000
    await harness.app.drain()
    expect(await bulk.figures(job)).toMatchObject({ done: 40, unknown: 10, sending: 0 })
  })

  it('gives up a chunk of its own whose result was never stored, says why, and shows it', async () => {
    fate = () => 'ok'
    let now = Date.now()
    const harness = await openHarness({ baseUrl: service.baseUrl, now: () => now })
    const { bulk, tasks } = harness.store
    const { job } = await harness.start('campaign send cmp_1', people(50))
    const { finish } = bulk
    bulk.finish = (chunk, ...rest) => (chunk.n === 2 ? Promise.resolve(false) : finish(chunk, ...rest))
    await harness.app.drain()
    bulk.finish = finish
    expect(await bulk.figures(job)).toMatchObject({ done: 40, unknown: 0, sending: 10 })
    await tasks.drop([`progress:${job}`])
    now += 16 * 60_000
    await harness.app.run(job)
    await harness.app.drain()
    expect(await bulk.figures(job)).toMatchObject({ done: 40, unknown: 10, sending: 0 })
    const [lost] = (await bulk.chunks(job, -1, 10)).filter(({ state }) => state === 'unknown')
    expect(lost).toMatchObject({ n: 2, error: 'The result could not be stored.' })
    expect((await bulk.get(job))?.state).toBe('done')
    now += 3_000
    await harness.app.drain()
    expect(harness.messenger.shown('C1').join('\n')).toMatch(/Outcome unknown +10/)
  })

  it('counts its rate from when it was resumed, and not what was done before', async () => {
    let now = Date.now()
    const { harness, job } = await run((n) => (n < 3 ? 'ok' : 'bad_key'), 100, {
      now: () => now,
      policy: bulkPolicy({ bulk: '{ chunk: 10, concurrency: 1, rate: 1000 }' }),
    })
    const { bulk } = harness.store
    expect(await bulk.get(job)).toMatchObject({ state: 'paused', sinceDone: 0 })
    now += 60_000
    await harness.press('resume', job)
    expect(await bulk.get(job)).toMatchObject({ state: 'running', sinceDone: 30, since: now })
  })

  it('no longer says that it waits once the service is back', async () => {
    const reasons: (string | null | undefined)[] = []
    fate = () => 'ok'
    const harness = await openHarness({
      baseUrl: service.baseUrl,
      policy: bulkPolicy({ bulk: '{ chunk: 10, concurrency: 1, rate: 1000 }' }),
    })
    const { bulk } = harness.store
    const { job } = await harness.start('campaign send cmp_1', people(30))
    const { reopen } = await service.interrupt()
    const { finish } = bulk
    bulk.finish = async (chunk, owner, end) => {
      if (end.state === 'sent') reasons.push((await bulk.get(job))?.reason)
      return finish(chunk, owner, end)
    }
    const running = harness.app.run(job)
    await expect.poll(async () => (await bulk.get(job))?.reason).toContain('does not answer')
    await reopen()
    await running
    expect(reasons).toEqual([null, null, null])
  })

  it('looks whether the service answers before it risks another chunk after two lost ones', async () => {
    await run((n) => (n < 2 ? 'drop_after' : 'ok'), 40, {
      policy: bulkPolicy({ bulk: '{ chunk: 10, concurrency: 1, rate: 1000 }' }),
    })
    const send = 'POST /api/v2/campaigns/send-to-individual'
    const from = service.requests.indexOf(send)
    expect(service.requests.slice(from)).toEqual([send, send, 'GET /api/v2/campaigns', send, send])
  })

  it('is not over while another process still sends one of its chunks', async () => {
    fate = () => 'ok'
    const harness = await openHarness({ baseUrl: service.baseUrl })
    const { bulk, leases } = harness.store
    const { job } = await harness.start('campaign send cmp_1', people(50))
    await leases.acquire('process:other', 'other', 3_600_000)
    const chunk = await bulk.claim(job, 'other')
    if (chunk === null) throw new Error('there was no chunk to take')
    await harness.app.drain()
    expect((await bulk.get(job))?.state).toBe('running')
    await bulk.finish(chunk, 'other', { ...chunk, state: 'sent', done: 10, error: null })
    await harness.app.drain()
    expect((await bulk.get(job))?.state).toBe('done')
    expect(await bulk.figures(job)).toMatchObject({ done: 50, unknown: 0, left: 0 })
  })

  it('pauses when everything is refused, instead of failing a hundred thousand times', async () => {
    const { harness, job, state, figures } = await run(() => 'refuse', 1_000)
    expect(state).toBe('paused')
    expect(figures.left).toBeGreaterThan(500)
    expect(textOf(await harness.say(`job get ${job}`))).toContain('batches in a row failed')
  })

  it('pauses when nothing is answered, and risks only a few chunks', async () => {
    const { state, figures } = await run(() => 'error_after', 2_000, {
      policy: bulkPolicy({ bulk: '{ chunk: 10, concurrency: 2, rate: 1000 }' }),
      settings: { breaker: { failures: 100, openMs: 100 } },
    })
    expect(state).toBe('paused')
    expect(figures.unknown).toBeLessThanOrEqual(120)
  })
})

eachEngine('replicas', (engine) => {
  it('share the chunks of a job, each sent by one of them', async () => {
    fate = () => 'ok'
    service.sends.length = 0
    const database = await openTestDatabase(engine)
    const stores = [1, 2, 3].map(() => createStore(database.db, { now: Date.now }))
    const bots = await Promise.all(stores.map((store) => openHarness({ baseUrl: service.baseUrl, store })))
    const [first] = bots
    const { job } = (await first?.start('campaign send cmp_1', people(1_000))) ?? { job: '' }
    await Promise.all(bots.map((harness) => harness.app.run(job)))
    await first?.app.drain()
    expect(service.sends).toHaveLength(100)
    expect(new Set(taken()).size).toBe(1_000)
    const owners = new Set((await stores[0]?.bulk.chunks(job, -1, 200))?.map(({ owner }) => owner))
    expect(owners.size).toBeGreaterThan(1)
    expect((await stores[0]?.bulk.get(job))?.state).toBe('done')
    await Promise.all(bots.map((harness) => harness.app.stop(1_000)))
    await database.close()
  })

  it('find the chunk of a dead one unknown, and leave it so', async () => {
    fate = () => 'ok'
    service.sends.length = 0
    const database = await openTestDatabase(engine)
    const store = createStore(database.db, { now: Date.now })
    const harness = await openHarness({ baseUrl: service.baseUrl, store })
    const { job } = await harness.start('campaign send cmp_1', people(50))
    const aMinuteAgo = createStore(database.db, { now: () => Date.now() - 60_000 })
    expect((await aMinuteAgo.bulk.claim(job, 'a process that died'))?.n).toBe(0)
    await harness.app.drain()
    expect(await store.bulk.figures(job)).toMatchObject({ done: 40, unknown: 10, left: 0 })
    expect((await store.bulk.get(job))?.state).toBe('done')
    expect(taken()).toHaveLength(40)
    await harness.app.stop(1_000)
    await database.close()
  })

  it('start a job whose starter died after the claim, once', async () => {
    fate = () => 'ok'
    service.sends.length = 0
    const database = await openTestDatabase(engine)
    const store = createStore(database.db, { now: Date.now })
    const harness = await openHarness({ baseUrl: service.baseUrl, store })
    const asked = harness.changeOf(await harness.withFile('campaign send cmp_1', people(30)))
    const stuck = { ...asked, version: 2, state: 'applying' as const, claimedBy: 'a process that died' }
    expect(await store.changes.swap(stuck)).toBe(true)
    const second = await openHarness({ baseUrl: service.baseUrl, store, tasks: true })
    await expect.poll(async () => (await store.changes.get(asked.id))?.state).toBe('applied')
    await expect.poll(() => service.sends.length).toBe(3)
    await Promise.all([harness, second].map((one) => one.app.stop(1_000)))
    await database.close()
  })
})
