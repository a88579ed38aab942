type Limits = { atOnce: number; mostWaiting: number; textAnHour: number }

/** Enough for whoever works fast or lets a program work; not enough to keep everybody else out. */
const defaults: Limits = { atOnce: 32, mostWaiting: 5_000, textAnHour: 10_000_000 }

/** A request as short as this costs no more than its line in the log, so only what is longer counts as text. */
const freeLength = 200
const hourMs = 3_600_000

/** What one person has under way, waiting and sent: whatever they send, the others are worked on beside it. */
export type Admission = {
  /** Resolves when it is their turn, for whoever calls `leave` afterwards; `full` if too much of theirs waits. */
  enter(lane: string): Promise<void> | 'full' | undefined
  leave(lane: string): void
  /** Whether somebody has sent so much text within the last hour that no more of it is kept; it is counted if not. */
  isTooMuchText(person: string, length: number): boolean
}

export const createAdmission = (now: () => number, limits: Partial<Limits> = {}): Admission => {
  const { atOnce, mostWaiting, textAnHour } = { ...defaults, ...limits }
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>()
  let hour = { n: 0, sent: new Map<string, number>(), before: new Map<string, number>() }
  return {
    enter: (key) => {
      const lane = lanes.get(key) ?? { running: 0, waiting: [] }
      lanes.set(key, lane)
      if (lane.running < atOnce) {
        lane.running++
        return undefined
      }
      if (lane.waiting.length >= mostWaiting) return 'full'
      return new Promise((resolve) => lane.waiting.push(resolve))
    },
    leave: (key) => {
      const lane = lanes.get(key)
      if (lane === undefined) return
      const next = lane.waiting.shift()
      // The place goes on to the next one.
      if (next !== undefined) return next()
      if (--lane.running === 0) lanes.delete(key)
    },
    isTooMuchText: (person, length) => {
      const size = Math.max(0, length - freeLength)
      if (size === 0) return false
      const n = Math.floor(now() / hourMs)
      if (n !== hour.n) hour = { n, sent: new Map(), before: n === hour.n + 1 ? hour.sent : new Map() }
      const sent = (hour.sent.get(person) ?? 0) + size
      // Of the hour before, the share that still lies within sixty minutes.
      const share = 1 - (now() % hourMs) / hourMs
      if (sent + (hour.before.get(person) ?? 0) * share > textAnHour) return true
      hour.sent.set(person, sent)
      return false
    },
  }
}
