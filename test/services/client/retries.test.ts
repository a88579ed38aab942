import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMetrics } from '../../../src/cli/start/metrics.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { backoffMs, longestRetryAfterMs, retryAfterMsOf } from '../../../src/lib/retry.ts'
import type { Observation } from '../../../src/lib/services/client/caller.ts'
import type { Services } from '../../../src/lib/services/client/client.ts'
import { defaultSettings } from '../../../src/lib/services/client/settings.ts'
import { listen } from '../../harness/listen.ts'
import { ticksOf } from '../../harness/ticks.ts'
import {
  brisk,
  done,
  drop,
  hang,
  inTurn,
  json,
  ok,
  type Recorder,
  servicesAt,
  startRecorder,
} from '../recorder.ts'

let recorder: Recorder
let services: Services
let seen: Observation[] = []

beforeEach(async () => {
  recorder = await startRecorder(done)
  seen = []
  services = servicesAt(
    recorder.origin,
    { ...brisk, breaker: { failures: 100, openMs: 1_000 } },
    { observe: (attempt) => seen.push(attempt) },
  )
})
afterEach(async () => {
  await services.close()
  await recorder.stop()
})

const read = () => services.email.getSubscriber({ params: { email: 'a@example.com' } })
const update = () =>
  services.email.updateSubscriber({ params: { email: 'a@example.com' }, body: { firstName: 'A' } })
const refund = () => services.billing.refundPayment({ params: { payment_id: 'p1' }, body: { amount: 5 } })
const message = () => services.chat.sendText({ body: { to: 1, type: 'text' } })

describe('a read or an idempotent write', () => {
  it.each([
    ['a read', read],
    ['an idempotent write', update],
  ])('%s is sent again after a drop, a 503 and a timeout', async (_, call) => {
    recorder.respond = inTurn(drop, json({}, 503), hang, ok({ email: 'a@example.com' }))
    await expect(call()).resolves.toMatchObject({ data: { email: 'a@example.com' } })
    expect(recorder.requests).toHaveLength(4)
  })

  it('is given up after three retries', async () => {
    recorder.respond = json({}, 500)
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable', status: 500 })
    expect(recorder.requests).toHaveLength(4)
  })

  it('is not sent again when it was refused', async () => {
    recorder.respond = json({}, 400)
    await expect(read()).rejects.toMatchObject({ kind: 'rejected' })
    expect(recorder.requests).toHaveLength(1)
  })

  it('ends within its deadline, whatever the retries', async () => {
    recorder.respond = hang
    await expect(services.email.subscriberStats({}, { deadlineMs: 400 })).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(recorder.requests.length).toBeLessThan(4)
  })

  it('stays unknown if an earlier attempt may have been taken and a later one was refused', async () => {
    recorder.respond = inTurn(drop, json({ message: 'no' }, 400))
    await expect(update()).rejects.toMatchObject({
      kind: 'rejected',
      outcome: 'unknown',
      serviceMessage: 'no',
    })
  })
})

describe('the wait before another attempt', () => {
  it('doubles up to two seconds, and chance takes away half of it at most', () => {
    const least = [1, 2, 3, 4, 5, 6, 20].map((attempt) => backoffMs(defaultSettings.backoff, attempt, 0))
    const most = [1, 2, 3, 4, 5, 6, 20].map((attempt) => backoffMs(defaultSettings.backoff, attempt, 1))
    expect(most).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000])
    expect(least).toEqual(most.map((ms) => ms / 2))
  })
})

describe('a once request', () => {
  it.each([
    ['dropped', drop],
    ['answered with a 503', json({}, 503, { 'retry-after': '0' })],
    ['answered with a 429', json({}, 429, { 'retry-after': '0' })],
    ['never answered', hang],
  ])('that is %s is sent once', async (_, respond) => {
    recorder.respond = respond
    await expect(refund()).rejects.toBeInstanceOf(Error)
    await expect(message()).rejects.toBeInstanceOf(Error)
    recorder.respond = done
    await services.chat.contactLists()
    expect(recorder.requests.map(({ url }) => url)).toEqual([
      '/billing/api/v1/transaction/refund/p1',
      '/chat/api/v1/messages',
      '/chat/api/v1/contacts/lists',
    ])
  })

  it('that takes longer than an attempt is waited for to its deadline', async () => {
    recorder.respond = (response, request, nth) => {
      setTimeout(() => done(response, request, nth), 600)
    }
    await expect(refund()).resolves.toMatchObject({ understood: true })
    expect(recorder.requests).toHaveLength(1)
  })

  it('is tried again while nothing listens, because nothing has left', async () => {
    await recorder.stop()
    const refunding = refund()
    await expect.poll(() => seen).toHaveLength(1)
    let taken = 0
    const late = createServer((request, response) => {
      taken += 1
      request.resume()
      response.end('{"status":"success","message":"Refunded"}')
    })
    const { close } = await listen(late, recorder.port)
    await expect(refunding).resolves.toMatchObject({ message: 'Refunded' })
    expect(taken).toBe(1)
    await close()
  })

  it('never meets a connection that the server is just closing', async () => {
    recorder.server.keepAliveTimeout = 1
    for (let n = 0; n < 20; n += 1) {
      await read()
      await refund()
      await sleep(n)
    }
    expect(recorder.requests.filter(({ method }) => method === 'POST')).toHaveLength(20)
  })
})

describe('a stale kept-alive connection', () => {
  it('costs a read nothing but a retry', async () => {
    await read()
    recorder.server.closeAllConnections()
    await expect(read()).resolves.toMatchObject({ status: 200 })
    recorder.respond = inTurn(done, done, drop, done)
    await expect(read()).resolves.toMatchObject({ status: 200 })
  })
})

describe('429 with Retry-After', () => {
  it('is waited out by a read, and by every later call of that service', async () => {
    const at: number[] = []
    recorder.respond = (response, request, nth) => {
      at.push(performance.now())
      return (nth === 1 ? json({}, 429, { 'retry-after': '1' }) : done)(response, request, nth)
    }
    const first = read()
    await expect.poll(() => seen).toHaveLength(1)
    expect(services.pauses()).toMatchObject({ chat: 0, billing: 0 })
    await Promise.all([first, update()])
    const [asked = 0, ...again] = at
    expect(Math.min(...again) - asked).toBeGreaterThanOrEqual(990)
    expect(recorder.requests).toHaveLength(3)
  })

  it('longer than the deadline is said at once, and nothing is sent meanwhile', async () => {
    // Whoever waited for the deadline here would wait longer than a test may take.
    await services.close()
    const deadlines = { readDeadlineMs: 110_000, writeDeadlineMs: 110_000 }
    services = servicesAt(recorder.origin, deadlines, {
      now: () => 1_000_000,
      ticks: ticksOf(() => 1_000_000),
    })
    recorder.respond = json({}, 429, { 'retry-after': '120' })
    await expect(read()).rejects.toMatchObject({
      kind: 'rate_limited',
      outcome: 'not_done',
      retryAfterMs: 120_000,
    })
    await expect(update()).rejects.toMatchObject({
      kind: 'rate_limited',
      outcome: 'not_done',
      status: undefined,
      retryAfterMs: 120_000,
    })
    expect(recorder.requests).toHaveLength(1)
  })

  it('for a day is honoured for two minutes, and then the service is asked again', async () => {
    let now = 1_000_000
    await services.close()
    services = servicesAt(recorder.origin, {}, { now: () => now, ticks: ticksOf(() => now) })
    recorder.respond = inTurn(json({}, 429, { 'retry-after': '86400' }), done)
    await expect(read()).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 120_000 })
    expect(services.pauses()).toEqual({ email: 120_000, chat: 0, billing: 0 })
    const metrics = createMetrics()
    const store = {
      changes: { countByState: async () => ({}) },
      tasks: { pending: async () => ({}) },
      freezes: { all: async () => [] },
    }
    expect(
      await metrics.text({
        store: store as unknown as Store,
        services,
        platforms: () => [],
        measured: async () => [],
      }),
    ).toContain('bellhop_service_pause_seconds{service="email"} 120')
    now += 119_999
    await expect(services.email.subscriberStats({}, { deadlineMs: 1 })).rejects.toMatchObject({
      kind: 'rate_limited',
    })
    now += 1
    await expect(read()).resolves.toMatchObject({ status: 200 })
    expect(services.pauses().email).toBe(0)
  })

  it('is not cut short by another that asks for less', async () => {
    const held: (() => void)[] = []
    const pauses = ['60', '1']
    recorder.respond = (response, request, nth) =>
      void held.push(() =>
        json({}, 429, { 'retry-after': pauses[nth - 1] as string })(response, request, nth),
      )
    const calls = [refund(), refund()].map((call) => call.catch((error: unknown) => error))
    await expect.poll(() => held).toHaveLength(2)
    held[0]?.()
    await expect.poll(() => services.pauses().billing).toBeGreaterThan(1_000)
    held[1]?.()
    await Promise.all(calls)
    const later = services.billing
      .findTransactions({ params: { customer_id: 'c1' } })
      .catch((error: unknown) => error)
    expect(await later).toMatchObject({ kind: 'rate_limited', status: undefined })
    expect(((await later) as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(1_000)
    expect(recorder.requests).toHaveLength(2)
  })

  it('is read in seconds and as a date', () => {
    const now = Date.parse('2026-11-15T10:00:00Z')
    expect(retryAfterMsOf('3', now)).toBe(3_000)
    expect(retryAfterMsOf('Sun, 15 Nov 2026 10:00:05 GMT', now)).toBe(5_000)
    expect(retryAfterMsOf('Sun, 15 Nov 2026 09:00:00 GMT', now)).toBe(0)
    expect(retryAfterMsOf('121', now)).toBe(longestRetryAfterMs)
    expect(retryAfterMsOf('9'.repeat(400), now)).toBe(longestRetryAfterMs)
    expect(retryAfterMsOf('Mon, 15 Nov 2027 10:00:00 GMT', now)).toBe(longestRetryAfterMs)
    expect(retryAfterMsOf('soon', now)).toBeUndefined()
    expect(retryAfterMsOf('', now)).toBeUndefined()
    expect(retryAfterMsOf(undefined, now)).toBeUndefined()
  })
})
