import { after, longAgo, msBetween, type Tick, type Ticks } from '../clock.ts'

/**
 * A platform signs each delivery anew, so the same signature again is somebody playing back what they caught. A copy
 * within the same moment may be the network's doing: it is let through, and the delivery's own id makes it count once.
 */
const momentMs = 1_000

/**
 * Whether a signature was seen before. It is remembered for as long as its time would still be accepted, by 48 bits of
 * it: a hundred thousand of them are a few megabytes, and two that are alike do not occur.
 */
export const createReplayGuard = (acceptedMs: number, ticks: Ticks) => {
  let young = new Map<number, Tick>()
  let old = new Map<number, Tick>()
  let turnAt = longAgo
  return (hex: string): boolean => {
    const now = ticks()
    const signature = Number.parseInt(hex.slice(-12), 16)
    if (now >= turnAt) {
      old = young
      young = new Map()
      turnAt = after(now, 2 * acceptedMs)
    }
    const first = young.get(signature) ?? old.get(signature)
    if (first === undefined) young.set(signature, now)
    return first !== undefined && msBetween(first, now) > momentMs
  }
}
