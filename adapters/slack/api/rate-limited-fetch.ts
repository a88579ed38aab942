import {
  after,
  longAgo,
  msBetween,
  ticks as systemTicks,
  type Tick,
  type Ticks,
} from '../../../src/lib/clock.ts'
import { defined } from '../../../src/lib/defined.ts'
import { plainHeaders } from '../../../src/lib/undici.ts'
import type { Posted } from './post.ts'

/** As much of an answer as we and Slack's client look at. */
export type SlackAnswer = Pick<Response, 'status' | 'statusText' | 'url' | 'text'> & {
  headers: Pick<Headers, 'get' | 'entries'>
}
type Send = (...request: Parameters<typeof fetch>) => Promise<SlackAnswer>
type Pause = { until: Tick; tail: Promise<unknown> }

/** How long after a pause calls still go one at a time. */
const easingMs = 5_000

/**
 * Slack's limits hold for a method, and for posting by channel. Until the time that it names nobody asks there again:
 * they hear at once how long to wait. After it they go one by one, so that those who waited are not all refused together.
 */
export const createRateLimitedFetch = (send: Send, ticks: Ticks = systemTicks): Send => {
  const pauses = new Map<string, Pause>()

  // Finding the channel takes a look at the whole form, and nearly always nothing is paused.
  const pauseOf = (...request: Parameters<Send>): Pause | undefined =>
    pauses.size === 0 ? undefined : pauses.get(keyOf(...request))
  const ask: Send = async (input, init) => {
    const until = pauseOf(input, init)?.until ?? longAgo
    if (ticks() < until) {
      const seconds = Math.ceil(msBetween(ticks(), until) / 1000)
      return plainAnswer(urlOf(input), { status: 429, retryAfter: String(seconds), said: '' })
    }
    const answer = await send(input, init)
    if (answer.status === 429) pause(keyOf(input, init), answer)
    return answer
  }
  const pause = (key: string, answer: SlackAnswer): void => {
    for (const [old, { until }] of pauses) if (after(until, easingMs) < ticks()) pauses.delete(old)
    const seconds = Number(answer.headers.get('retry-after'))
    const until = after(ticks(), 1000 * (Number.isFinite(seconds) && seconds > 0 ? seconds : 1))
    pauses.set(key, { until, tail: pauses.get(key)?.tail ?? Promise.resolve() })
  }
  return (...args) => {
    const paused = pauseOf(...args)
    if (paused === undefined || after(paused.until, easingMs) < ticks()) return ask(...args)
    const mine = paused.tail.then(() => ask(...args))
    const tail = mine.catch(() => undefined)
    paused.tail = tail
    return mine
  }
}

/** The channel stands in the form that Slack's client sends. */
const keyOf = (...[input, init]: Parameters<Send>): string => {
  const channel = typeof init?.body === 'string' ? /(?:^|&)channel=([^&]*)/.exec(init.body)?.[1] : undefined
  return `${urlOf(input)} ${channel ?? ''}`
}

const urlOf = (input: Parameters<Send>[0]): string =>
  typeof input === 'object' && 'url' in input ? input.url : String(input)

/** What came of a plain request, in the form of what comes of a fetch. */
export const plainAnswer = (url: string, { status, retryAfter, said }: Posted): SlackAnswer => ({
  url,
  status,
  statusText: '',
  headers: plainHeaders(defined({ 'retry-after': retryAfter })),
  text: async () => said,
})
