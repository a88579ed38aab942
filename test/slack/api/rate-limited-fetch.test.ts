import { describe, expect, test } from 'vitest'
import { createRateLimitedFetch } from '../../../adapters/slack/api/rate-limited-fetch.ts'
import { ticksOf } from '../../harness/ticks.ts'

/** A Slack that takes so many posts a second in a channel, and notes when each came. */
const limitedTo = (most: number) => {
  let now = 1_000_000
  const calls: { channel: string; at: number; status: number }[] = []
  const send = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const channel = new URLSearchParams(String(init?.body)).get('channel') ?? ''
    const lately = calls.filter(
      (one) => one.channel === channel && one.status === 200 && now - one.at < 1_000,
    )
    const status = lately.length < most ? 200 : 429
    calls.push({ channel, at: now, status })
    await new Promise((resolve) => setImmediate(resolve))
    return new Response(null, { status, ...(status === 429 ? { headers: { 'retry-after': '1' } } : {}) })
  }
  const pace = createRateLimitedFetch(
    send as typeof fetch,
    ticksOf(() => now),
  )
  const post = (channel: string) =>
    pace('https://slack.com/api/chat.postMessage', { method: 'POST', body: `channel=${channel}&text=hi` })
  return { calls, post, pass: (ms: number) => (now += ms) }
}

describe('a channel that Slack limits', () => {
  test('is left alone until the time that Slack named, and others are not', async () => {
    const { calls, post, pass } = limitedTo(1)
    await post('C1')
    expect((await post('C1')).status).toBe(429)
    pass(400)
    const early = await post('C1')
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '1'])
    expect(calls).toHaveLength(2)
    expect((await post('C2')).status).toBe(200)
    pass(700)
    expect((await post('C1')).status).toBe(200)
  })

  test('is asked by one at a time after it, so that a crowd is refused once', async () => {
    const { calls, post, pass } = limitedTo(2)
    await Promise.all([post('C1'), post('C1'), post('C1')])
    pass(1_100)
    const crowd = await Promise.all(Array.from({ length: 20 }, () => post('C1')))
    expect(crowd.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(calls.slice(3).filter(({ status }) => status === 429)).toHaveLength(1)
  })
})
