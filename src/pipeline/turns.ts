type Settings = {
  /** Requests that are worked on at a time. */
  atOnce: number
  /** One that takes longer, because a service does, gives its place away and goes on. */
  holdMs: number
  /** As many in `crowdMs` are a crowd. */
  crowd: number
  crowdMs: number
  /** What a request waits at most for a crowd to pass. */
  patienceMs: number
}

const usual: Settings = { atOnce: 8, holdMs: 200, crowd: 10, crowdMs: 50, patienceMs: 600 }

type Waiting = { since: number; start(): void }

/**
 * The order in which requests are worked on: as they came. A platform gives up on a delivery that is not acknowledged
 * within three seconds, while an answer may come later; so as long as deliveries pour in, work waits for a moment and
 * the process acknowledges them first.
 */
export const createTurns = (settings: Partial<Settings> = {}) => {
  const { atOnce, holdMs, crowd, crowdMs, patienceMs } = { ...usual, ...settings }
  const waiting: Waiting[] = []
  const arrivals = { since: 0, now: 0, before: 0 }
  let taken = 0
  let willLook = false

  const isCrowded = (at: number): boolean => {
    const spans = Math.floor((at - arrivals.since) / crowdMs)
    if (spans > 0) {
      arrivals.before = spans === 1 ? arrivals.now : 0
      arrivals.now = 0
      arrivals.since = at
    }
    return arrivals.now + arrivals.before > crowd
  }
  const pump = (): void => {
    const at = performance.now()
    while (waiting[0] !== undefined && taken < atOnce) {
      if (isCrowded(at) && at - waiting[0].since < patienceMs) {
        lookLater()
        return
      }
      taken++
      waiting.shift()?.start()
    }
  }
  const lookLater = (): void => {
    if (willLook) return
    willLook = true
    setTimeout(() => {
      willLook = false
      pump()
    }, crowdMs / 2)
  }
  const enter = (): Promise<void> =>
    new Promise((resolve) => {
      const since = performance.now()
      isCrowded(since)
      arrivals.now++
      waiting.push({ since, start: resolve })
      pump()
    })

  return async <T>(work: () => Promise<T>): Promise<T> => {
    await enter()
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      taken--
      pump()
    }
    const late = setTimeout(leave, holdMs)
    try {
      return await work()
    } finally {
      clearTimeout(late)
      leave()
    }
  }
}
