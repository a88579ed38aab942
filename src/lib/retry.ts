import { setTimeout as sleep } from 'node:timers/promises'
import { after, latest, longAgo, msBetween, ticks } from './clock.ts'

/** Pauses that double from the first to the longest. */
export type Backoff = { firstMs: number; longestMs: number }

/** How long to wait after so many failures. With `random` the upper half is left to chance, so that many callers do not come back together. */
export const backoffMs = ({ firstMs, longestMs }: Backoff, failures: number, random = 1): number =>
  Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + random / 2)

/** Waits so long, or until the signal ends the wait. */
export const pause = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, signal && { signal }).catch(() => undefined)
}

/**
 * What the work comes to, or `late` when that takes longer. The clock stops with the work: what many requests wait for
 * would otherwise be kept for as long as the slowest may take.
 */
export const orAfter = <T, L>(ms: number, late: L, work: T | Promise<T>): Promise<T | L> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, late).unref()
    const settle =
      <V>(end: (value: V) => void) =>
      (value: V): void => {
        clearTimeout(timer)
        end(value)
      }
    Promise.resolve(work).then(settle<T>(resolve), settle<unknown>(reject))
  })

/**
 * Works until it goes well. After each failure `waitMs` says how long to wait before the next attempt, or undefined to
 * give up; then, and when the signal aborts, the last error is thrown.
 */
export const retry = async <T>(
  work: () => T | Promise<T>,
  waitMs: (error: unknown, failures: number) => number | undefined,
  signal?: AbortSignal,
): Promise<T> => {
  for (let failures = 1; ; failures++) {
    try {
      return await work()
    } catch (error) {
      const ms = signal?.aborted ? undefined : waitMs(error, failures)
      if (ms === undefined) throw error
      await pause(ms, signal)
      if (signal?.aborted) throw error
    }
  }
}

/** However long somebody asks us to wait, they are asked again after this. */
export const longestRetryAfterMs = 2 * 60_000

/** Retry-After in either of its forms, seconds or an HTTP date, as milliseconds from now. */
export const retryAfterMsOf = (header: string | string[] | undefined, now: number): number | undefined => {
  const value = (Array.isArray(header) ? header[0] : header)?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(longestRetryAfterMs, Math.ceil(Number(value) * 1000))
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.min(longestRetryAfterMs, Math.max(0, at - now))
}

/** Lets callers through in order, at most `perSecond` of them each second. */
export const createRateLimit = (perSecond: number) => {
  let next = longAgo
  return async (): Promise<void> => {
    const now = ticks()
    const at = latest(now, next)
    next = after(at, 1000 / perSecond)
    const waitMs = msBetween(now, at)
    if (waitMs >= 1) await sleep(waitMs)
  }
}
