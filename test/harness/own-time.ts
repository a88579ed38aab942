import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const stepMs = 20

let passedMs = 0
let last = { at: performance.now(), used: process.cpuUsage() }

/** How long the threads of other processes have waited for a processor, as the kernel counts it. */
const waitedMs = new Map<number, number>()

setInterval(() => {
  const at = performance.now()
  const used = process.cpuUsage()
  const usedMs = (used.user - last.used.user + used.system - last.used.system) / 1_000
  const had = Math.min(at - last.at, Math.max(2 * stepMs, usedMs))
  passedMs += Math.max(0, had - Math.max(0, ...[...waitedMs.keys()].map(waitedSince)))
  last = { at, used }
}, stepMs).unref()

const waitedSince = (pid: number): number => {
  const before = waitedMs.get(pid) ?? 0
  const threads = orEnded(() => readdirSync(`/proc/${pid}/task`), [])
  const now = threads
    .map((thread) => orEnded(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), '0 0'))
    .reduce((sum, stat) => sum + Number(stat.split(' ')[1]) / 1e6, 0)
  if (threads.length === 0) waitedMs.delete(pid)
  else waitedMs.set(pid, now)
  return now - before
}

const orEnded = <T>(read: () => T, nothing: T): T => {
  try {
    return read()
  } catch {
    return nothing
  }
}

/** Time stands still while that process waits for its turn, too: a bot in a process of its own. */
export const countTimeOf = (pid: number): void => void waitedSince(pid)

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
