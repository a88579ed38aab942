import { setTimeout as sleep } from 'node:timers/promises'

/** Lets callers through in order, at most `perSecond` of them each second. */
export const createRateLimit = (perSecond: number) => {
  let next = 0
  return async (): Promise<void> => {
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + 1000 / perSecond
    if (at - now >= 1) await sleep(at - now)
  }
}
