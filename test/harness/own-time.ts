import { setTimeout as sleep } from 'node:timers/promises'

const stepMs = 20

let passedMs = 0
let last = { at: performance.now(), used: process.cpuUsage() }

setInterval(() => {
  const at = performance.now()
  const { user, system } = process.cpuUsage(last.used)
  passedMs += Math.min(at - last.at, Math.max(2 * stepMs, (user + system) / 1_000))
  last = { at, used: process.cpuUsage() }
}, stepMs).unref()

/**
 * The time that this process has had, in milliseconds: it stands still while the machine is busy with others. A fake platform in
 * the bot's own process measures its limits with it, so that a bot is too late only by what it does itself.
 */
export const ownTime = (): number => passedMs

/** Rejects when the work takes longer than that. */
export const withinOwnTime = async <T>(ms: number, work: Promise<T>, words: string): Promise<T> => {
  let isDone = false
  const end = ownTime() + ms
  const limit = async () => {
    while (!isDone && ownTime() < end) await sleep(stepMs, undefined, { ref: false })
    throw new Error(words)
  }
  try {
    return await Promise.race([work, limit()])
  } finally {
    isDone = true
  }
}
