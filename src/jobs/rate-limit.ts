import { setTimeout as sleep } from 'node:timers/promises'

/** Hands out turns, at most so many a second, in the order they were asked for. */
export const createRateLimit = (perSecond: number) => {
  let next = 0
  return async (): Promise<void> => {
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + 1000 / perSecond
    if (at - now >= 1) await sleep(at - now)
  }
}
