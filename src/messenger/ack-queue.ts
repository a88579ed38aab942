type Settings = {
  /** How many requests are processed at the same time. */
  atOnce: number
  /**
   * A request that takes longer than this, because of a slow service, no longer counts towards that number
   * and continues.
   */
  holdMs: number
  /** More than this many in `burstMs` are a burst: more than a team produces by normal use. */
  burst: number
  burstMs: number
  /** How long a request waits at most for a burst to pass. */
  maxWaitMs: number
}

const defaults: Settings = { atOnce: 8, holdMs: 25, burst: 4, burstMs: 5, maxWaitMs: 1_000 }

type Waiting = { since: number; start(): Promise<void> }

/** Runs the work for an acknowledged request when its turn comes. */
export type AckQueue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Processes requests in the order in which they arrived. A platform gives up on a delivery that is not
 * acknowledged within three seconds, but an answer may come later. So acknowledgements come first: work
 * starts when all deliveries that have arrived are acknowledged, is delayed for a moment during a burst, and
 * then starts with one request.
 */
export const createAckQueue = (settings: Partial<Settings> = {}): AckQueue => {
  const { atOnce, holdMs, burst, burstMs, maxWaitMs } = { ...defaults, ...settings }
  const waiting: Waiting[] = []
  let next = 0
  const arrivals = { since: 0, now: 0, before: 0 }
  let taken = 0
  let allowed = atOnce
  let willPump = false

  const isBurst = (at: number): boolean => {
    const spans = Math.floor((at - arrivals.since) / burstMs)
    if (spans > 0) {
      arrivals.before = spans === 1 ? arrivals.now : 0
      arrivals.now = 0
      arrivals.since = at
    }
    return arrivals.now + arrivals.before > burst
  }
  const pump = (): void => {
    willPump = false
    const at = performance.now()
    for (let first = waiting[next]; first !== undefined && taken < allowed; first = waiting[next]) {
      if (isBurst(at) && at - first.since < maxWaitMs) {
        allowed = 1
        willPump = true
        setTimeout(pump, Math.min(burstMs, maxWaitMs))
        return
      }
      next++
      void run(first)
    }
    if (next === waiting.length) {
      waiting.length = 0
      next = 0
    }
  }
  const soon = (): void => {
    if (willPump) return
    willPump = true
    setImmediate(pump)
  }
  const run = async ({ start }: Waiting): Promise<void> => {
    taken++
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      taken--
      allowed = Math.min(atOnce, allowed + 1)
      soon()
    }
    const late = setTimeout(leave, holdMs)
    await start()
    clearTimeout(late)
    leave()
  }

  // Thousands of requests may wait, so each holds only its work and its callbacks.
  return (work) =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      isBurst(since)
      arrivals.now++
      waiting.push({ since, start: () => work().then(resolve, reject) })
      soon()
    })
}
