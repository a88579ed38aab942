import { createFairQueue } from './fair-queue.ts'

type Settings = {
  /** How many requests are processed at the same time. */
  atOnce: number
  /** A request that takes longer than this, because of a slow service, no longer counts towards that number and continues. */
  holdMs: number
  /** While more requests than the first wait for their acknowledgement, and more than the second for their turn, one is processed at a time. */
  crowd: { unstored: number; waiting: number }
  /** A line that waits for nothing that came before it: a decision, or the brake. */
  isUrgent(line: string): boolean
}

const defaults: Settings = {
  atOnce: 16,
  holdMs: 25,
  crowd: { unstored: 4, waiting: 64 },
  isUrgent: () => false,
}

type By = { account: string; line?: string; storing?: Promise<unknown> | undefined }

/** Runs the work for a request when its turn comes; `by` says whose it is, what was typed, and what its acknowledgement waits for. */
export type AckQueue = <T>(work: () => Promise<T>, by?: By) => Promise<T>

/**
 * Processes requests a few at a time: those of one sender in the order in which they arrived, and of each sender one in
 * turn, so that nobody waits behind all that another sent. A platform gives up on a delivery that is not
 * acknowledged within three seconds, but an answer may come later: during a burst the deliveries that arrive are
 * acknowledged first, and share their commits, while what was begun goes on.
 */
export const createAckQueue = (settings: Partial<Settings> = {}): AckQueue => {
  const { atOnce, holdMs, crowd, isUrgent } = { ...defaults, ...settings }
  const waiting = createFairQueue<() => Promise<void>>()
  let running = 0
  let unstored = 0
  let willStart = false

  const isCrowded = (): boolean => unstored > crowd.unstored && waiting.size() > crowd.waiting
  const hasRoom = (): boolean => running < (isCrowded() ? 1 : atOnce)
  const start = (): void => {
    willStart = false
    while (hasRoom() && waiting.size() > 0) void run(waiting.next() as () => Promise<void>)
  }
  const soon = (): void => {
    if (willStart || waiting.size() === 0) return
    willStart = true
    setImmediate(start)
  }
  const run = async (work: () => Promise<void>): Promise<void> => {
    running++
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      running--
      soon()
    }
    const late = setTimeout(leave, holdMs)
    await work()
    clearTimeout(late)
    leave()
  }

  const count = (storing: Promise<unknown>): void => {
    unstored++
    const stored = () => {
      unstored--
      soon()
    }
    storing.then(stored, stored)
  }

  return (work, { account = '', line, storing } = { account: '' }) =>
    new Promise((resolve, reject) => {
      const turn = () => work().then(resolve, reject)
      if (storing !== undefined) count(storing)
      const isItsTurn = hasRoom() && waiting.size() === 0
      if (isItsTurn || (line !== undefined && isUrgent(line))) return void run(turn)
      waiting.add(account, turn)
      soon()
    })
}
