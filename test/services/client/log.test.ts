import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Observation } from '../../../src/lib/services/client/caller.ts'
import { ticksOf } from '../../harness/ticks.ts'
import { done, drop, inTurn, json, ok, type Recorder, raw, servicesAt, startRecorder } from '../recorder.ts'

let recorder: Recorder

beforeEach(async () => {
  recorder = await startRecorder(done)
})
afterEach(() => recorder.stop())

function watched(now = Date.now) {
  const lines: string[] = []
  const seen: Observation[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const services = servicesAt(
    recorder.origin,
    { breaker: { failures: 100, openMs: 1_000 } },
    { log, now, ticks: ticksOf(now), observe: (one) => seen.push(one) },
  )
  return { services, lines, seen }
}

describe('the log', () => {
  it('has operation, status, milliseconds and attempt of every attempt, and so do the observations', async () => {
    const { services, lines, seen } = watched()
    recorder.respond = inTurn(json({}, 503), done)
    await services.email.subscriberStats()
    await services.close()
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged).toMatchObject([
      {
        operation: 'email.subscriberStats',
        status: 503,
        attempt: 1,
        kind: 'unavailable',
        outcome: 'not_done',
      },
      { operation: 'email.subscriberStats', status: 200, attempt: 2 },
    ])
    for (const line of logged) expect(line.ms).toBeTypeOf('number')
    expect(seen).toMatchObject([
      { service: 'email', row: 'subscriberStats', status: 503, attempt: 1, kind: 'unavailable' },
      { service: 'email', row: 'subscriberStats', status: 200, attempt: 2 },
    ])
  })

  it('counts the milliseconds from the sending of an attempt to its answer', async () => {
    let now = 1_000_000
    const { services, lines, seen } = watched(() => now)
    recorder.respond = (...request) => {
      now += 250
      done(...request)
    }
    await services.email.subscriberStats()
    await services.close()
    expect(lines.map((line) => JSON.parse(line).ms)).toEqual([250])
    expect(seen.map(({ ms }) => ms)).toEqual([250])
  })

  it('has a line for a call that was held back', async () => {
    const { services, lines, seen } = watched()
    recorder.respond = json({}, 429, { 'retry-after': '60' })
    await services.chat.contactLists().catch(() => undefined)
    await services.chat.contactLists().catch(() => undefined)
    await services.close()
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      operation: 'chat.contactLists',
      kind: 'rate_limited',
      attempt: 1,
    })
    expect(seen[1]).toMatchObject({ status: undefined, kind: 'rate_limited' })
    expect(recorder.requests).toHaveLength(1)
  })

  it('never has a key, a body, a query value or an address, and neither has the error', async () => {
    const { services, lines } = watched()
    const secret = [
      'grace@example.com',
      'grace%40example.com',
      'hopper-search',
      'hopper-body',
      'hopper-answer',
    ]
    const keys = ['email-key-1', 'billing-key-1', 'billing-secret-1', btoa('billing-key-1:billing-secret-1')]
    const answers = [
      ok({ email: 'grace@example.com', note: 'hopper-answer' }),
      json({ message: 'hopper-answer grace@example.com email-key-1' }, 400),
      raw('<p>hopper-answer</p>', 200, { 'content-type': 'text/html' }),
      raw('hopper-answer', 503),
      drop,
    ]
    const errors: unknown[] = []
    for (const respond of answers) {
      recorder.respond = respond
      const calls = [
        services.email.getSubscriber({ params: { email: 'grace@example.com' } }),
        services.email.findSubscribers({ query: { search: 'hopper-search' } }),
        services.email.updateSubscriber({
          params: { email: 'grace@example.com' },
          body: { firstName: 'hopper-body' },
        }),
        services.email.getSubscriber({ params: { email: 'grace@example.com@' } }),
        services.billing.refundPayment({ params: { payment_id: 'p' }, body: { description: 'hopper-body' } }),
      ]
      for (const result of await Promise.allSettled(calls))
        if (result.status === 'rejected') errors.push(result.reason)
    }
    await services.close()
    expect(lines.length).toBeGreaterThan(20)
    expect(errors.length).toBeGreaterThan(10)
    const text = [...lines, ...errors.map((error) => String((error as Error).message))].join('\n')
    for (const word of [...secret, ...keys]) expect(text).not.toContain(word)
  })
})
