import { longAgo, msBetween, type Ticks, ticks } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { MetricEvent } from '../watch/metrics.ts'

const lookMs = 50
/** Nobody is answered, and nothing is decided, while the process stands still for longer than this. */
const maxMs = 200
const maxNamed = 5

/** Looks whether the process stands still while something is under way; at rest it costs nothing. */
export type EventLoopWatch = {
  /** `what` is a name of ours, such as that of a command: it goes to the log. */
  begin(what: string): { isOver(): void }
  during<T>(what: string, work: () => Promise<T>): Promise<T>
}

export const createEventLoopWatch = (
  { log, count }: { log: Pick<Log, 'warn'>; count(event: MetricEvent): void },
  clock: Ticks = ticks,
  worked: () => number = workedMs,
): EventLoopWatch => {
  const underWay = new Set<{ what: string }>()
  let looked = longAgo
  let had = 0
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const now = clock()
    const ms = Math.round(msBetween(looked, now) - lookMs)
    looked = now
    const before = had
    had = worked()
    if (ms <= maxMs) return
    count({ kind: 'stall', ms })
    const names = [...new Set([...underWay].map(({ what }) => what))]
    log.warn(
      { ms, cpuMs: Math.round(had - before), underWay: names.slice(0, maxNamed), requests: underWay.size },
      'the process stood still: nothing else was answered meanwhile',
    )
  }
  const begin: EventLoopWatch['begin'] = (what) => {
    const one = { what }
    if (underWay.size === 0) {
      looked = clock()
      had = worked()
      timer = setInterval(look, lookMs).unref()
    }
    underWay.add(one)
    return {
      isOver: () => {
        if (!underWay.has(one)) return
        // What blocks and ends at once is over before a timer can say so.
        look()
        underWay.delete(one)
        if (underWay.size === 0) clearInterval(timer)
      },
    }
  }
  return {
    begin,
    during: async (what, work) => {
      const { isOver } = begin(what)
      try {
        return await work()
      } finally {
        isOver()
      }
    },
  }
}

/** What this thread has worked; the rest of a stall it waited for a processor. Older versions of Node count the whole process. */
const workedMs = (): number => {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}
