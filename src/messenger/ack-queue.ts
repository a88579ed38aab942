type Settings = {
  /** How many requests are processed at the same time. */
  atOnce: number
  /** A request that takes longer than this, because of a slow service, no longer counts towards that number and continues. */
  holdMs: number
}

const defaults: Settings = { atOnce: 16, holdMs: 25 }

/** Runs the work for an acknowledged request when its turn comes. */
export type AckQueue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Processes requests in the order in which they arrived, a few at a time. A platform gives up on a delivery that is not
 * acknowledged within three seconds, but an answer may come later: during a burst the deliveries that arrive are
 * acknowledged between the few that are worked on, and not behind all of them.
 */
export const createAckQueue = (settings: Partial<Settings> = {}): AckQueue => {
  const { atOnce, holdMs } = { ...defaults, ...settings }
  let waiting: (() => Promise<void>)[] = []
  let next = 0
  let running = 0
  let willStart = false

  const start = (): void => {
    willStart = false
    for (; running < atOnce && next < waiting.length; next++) void run(waiting[next] as () => Promise<void>)
    if (next < waiting.length) return
    waiting = []
    next = 0
  }
  const soon = (): void => {
    if (willStart) return
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

  return (work) =>
    new Promise((resolve, reject) => {
      const turn = () => work().then(resolve, reject)
      const isItsTurn = running < atOnce && waiting.length === 0
      if (isItsTurn) return void run(turn)
      waiting.push(turn)
      soon()
    })
}
