import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Services } from '../../../src/lib/services/client/client.ts'
import { ticksOf } from '../../harness/ticks.ts'
import { done, hang, json, type Recorder, servicesAt, startRecorder } from '../recorder.ts'

let recorder: Recorder
let services: Services | undefined

beforeEach(async () => {
  recorder = await startRecorder(done)
})
afterEach(async () => {
  await services?.close()
  await recorder.stop()
})

describe('the breaker', () => {
  it('opens after failures in a row, refuses at once, and closes when a probe comes back', async () => {
    let now = 1_000_000
    const s = servicesAt(
      recorder.origin,
      { retries: 0, attemptMs: 9_000, readDeadlineMs: 9_000, breaker: { failures: 3, openMs: 10_000 } },
      { now: () => now, ticks: ticksOf(() => now) },
    )
    services = s
    recorder.respond = json({}, 503)
    for (let n = 0; n < 3; n += 1)
      await expect(s.email.subscriberStats()).rejects.toMatchObject({ status: 503 })
    expect(s.breakers()).toEqual({ email: 'open', chat: 'closed', billing: 'closed' })

    await expect(s.email.createList({ body: { name: 'x' } })).rejects.toMatchObject({
      kind: 'unavailable',
      outcome: 'not_done',
      status: undefined,
      retryAfterMs: 10_000,
    })
    expect(recorder.requests).toHaveLength(3)
    await expect(s.chat.contactLists()).rejects.toMatchObject({ status: 503 })

    now += 10_000
    expect(s.breakers().email).toBe('half_open')
    await expect(s.email.subscriberStats()).rejects.toMatchObject({ status: 503 })
    expect(s.breakers().email).toBe('open')

    now += 10_000
    recorder.respond = done
    await s.email.subscriberStats()
    expect(s.breakers().email).toBe('closed')
  })

  it('is not opened by refusals', async () => {
    services = servicesAt(recorder.origin, { retries: 0, breaker: { failures: 2, openMs: 10_000 } })
    recorder.respond = json({}, 400)
    for (let n = 0; n < 5; n += 1) await services.email.subscriberStats().catch(() => undefined)
    expect(services.breakers().email).toBe('closed')
  })

  it('is not opened by calls that their own side gave up', async () => {
    services = servicesAt(recorder.origin, { retries: 0, breaker: { failures: 2, openMs: 10_000 } })
    recorder.respond = hang
    for (let n = 0; n < 3; n += 1)
      await expect(
        services.email.subscriberStats({}, { signal: AbortSignal.timeout(20) }),
      ).rejects.toMatchObject({ kind: 'unavailable' })
    expect(services.breakers().email).toBe('closed')
  })

  it('that opens between two attempts does not hide that the first may have been taken', async () => {
    services = servicesAt(recorder.origin, { breaker: { failures: 1, openMs: 10_000 } })
    recorder.respond = json({}, 503)
    const update = services.email.updateSubscriber({
      params: { email: 'a@b.example' },
      body: { firstName: 'A' },
    })
    await expect(update).rejects.toMatchObject({ kind: 'unavailable', outcome: 'unknown', status: 503 })
    expect(recorder.requests).toHaveLength(1)
  })
})

describe('the concurrency bound', () => {
  it('holds per service, and everybody gets a turn', async () => {
    services = servicesAt(recorder.origin, { concurrency: 3 })
    let inside = 0
    let most = 0
    recorder.respond = (response, request, nth) => {
      inside += 1
      most = Math.max(most, inside)
      setTimeout(() => {
        inside -= 1
        done(response, request, nth)
      }, 10)
    }
    const { email } = services
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? email.subscriberStats() : email.createList({ body: { name: `list ${n}` } }),
      ),
    )
    expect(recorder.requests).toHaveLength(20)
    expect(most).toBe(3)
  })

  it('lets a call that waits too long go, with nothing sent', async () => {
    const s = servicesAt(recorder.origin, { concurrency: 1, retries: 0, attemptMs: 1_000 })
    services = s
    recorder.respond = hang
    const first = s.email.subscriberStats().catch(() => undefined)
    await expect.poll(() => recorder.requests).toHaveLength(1)
    await expect(s.email.createList({ body: { name: 'x' } }, { deadlineMs: 100 })).rejects.toMatchObject({
      kind: 'unavailable',
      outcome: 'not_done',
    })
    expect(recorder.requests).toHaveLength(1)
    await first
  })

  it('sends nothing that waited for its turn while the service asked for a pause', async () => {
    services = servicesAt(recorder.origin, { concurrency: 1, attemptMs: 9_000, writeDeadlineMs: 9_000 })
    recorder.respond = json({}, 429, { 'retry-after': '60' })
    const { billing } = services
    const calls = ['p1', 'p2'].map((payment_id) =>
      billing.refundPayment({ params: { payment_id } }).catch((error: unknown) => error),
    )
    expect(await Promise.all(calls)).toMatchObject([
      { kind: 'rate_limited', status: 429 },
      { kind: 'rate_limited', outcome: 'not_done', status: undefined },
    ])
    expect(recorder.requests).toHaveLength(1)
  })
})

describe('closing', () => {
  it('gives up what is under way, says what may have happened, and takes nothing new', async () => {
    // Nothing else would end these within the time that a test may take.
    const s = servicesAt(recorder.origin, {
      attemptMs: 200_000,
      readDeadlineMs: 200_000,
      writeDeadlineMs: 200_000,
    })
    recorder.respond = hang
    const read = s.email.subscriberStats().catch((error: unknown) => error)
    const refund = s.billing.refundPayment({ params: { payment_id: 'p' } }).catch((error: unknown) => error)
    await expect.poll(() => recorder.requests).toHaveLength(2)
    await s.close()
    expect(await read).toMatchObject({ kind: 'unavailable', outcome: 'not_done' })
    expect(await refund).toMatchObject({ kind: 'unavailable', outcome: 'unknown' })
    await expect(s.billing.refundPayment({ params: { payment_id: 'p' } })).rejects.toMatchObject({
      kind: 'unavailable',
      outcome: 'not_done',
    })
    expect(recorder.requests).toHaveLength(2)
  })

  it('ends the connections that are kept', async () => {
    const s = servicesAt(recorder.origin)
    const ended = new Promise<void>((resolve) => {
      recorder.server.once('connection', (socket) => socket.once('close', () => resolve()))
    })
    await s.email.subscriberStats()
    await s.close()
    await ended
  })
})
