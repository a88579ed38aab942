type Settings = {
  /** How many requests are processed at the same time. */
  atOnce: number
  /** A request that takes longer than this, because of a slow service, no longer counts towards that number and continues. */
  holdMs: number
  /** A line that waits for nothing that came before it: a decision, or the brake. */
  isUrgent(line: string): boolean
}

const defaults: Settings = { atOnce: 16, holdMs: 25, isUrgent: () => false }

/** Runs the work for an acknowledged request when its turn comes; `by` says whose it is, and what was typed. */
export type AckQueue = <T>(work: () => Promise<T>, by?: { account: string; line?: string }) => Promise<T>

/**
 * Processes requests a few at a time: those of one sender in the order in which they arrived, and of each sender one in
 * turn, so that nobody waits behind all that another sent. A platform gives up on a delivery that is not
 * acknowledged within three seconds, but an answer may come later: during a burst the deliveries that arrive are
 * acknowledged between the few that are worked on, and not behind all of them.
 */
export const createAckQueue = (settings: Partial<Settings> = {}): AckQueue => {
  const { atOnce, holdMs, isUrgent } = { ...defaults, ...settings }
  const waiting = new Map<string, (() => Promise<void>)[]>()
  let running = 0
  let willStart = false

  const next = (): (() => Promise<void>) | undefined => {
    for (const [account, turns] of waiting) {
      const turn = turns.shift()
      // Whoever has more comes again after everybody else.
      waiting.delete(account)
      if (turns.length > 0) waiting.set(account, turns)
      return turn
    }
    return undefined
  }
  const start = (): void => {
    willStart = false
    while (running < atOnce && waiting.size > 0) void run(next() as () => Promise<void>)
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

  return (work, { account = '', line } = { account: '' }) =>
    new Promise((resolve, reject) => {
      const turn = () => work().then(resolve, reject)
      const isItsTurn = running < atOnce && waiting.size === 0
      if (isItsTurn || (line !== undefined && isUrgent(line))) return void run(turn)
      const before = waiting.get(account)
      if (before === undefined) waiting.set(account, [turn])
      else before.push(turn)
      soon()
    })
}
