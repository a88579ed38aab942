import type { MetricEvent } from '../../http/metrics.ts'
import type { Log } from '../../log.ts'

const lookMs = 50
/** Nobody is answered, and nothing is decided, while the process stands still for longer than this. */
const mostMs = 200
const mostNamed = 5

/** Looks whether the process stands still while something is under way; at rest it costs nothing. */
export type StallWatch = {
  /** `what` is a name of ours, such as that of a command: it goes to the log. */
  begin(what: string): { isOver(): void }
  during<T>(what: string, work: () => Promise<T>): Promise<T>
}

export const createStallWatch = (
  { log, count }: { log: Pick<Log, 'warn'>; count(event: MetricEvent): void },
  clock: () => number = () => performance.now(),
  worked: () => number = workedMs,
): StallWatch => {
  const underWay = new Set<{ what: string }>()
  let looked = 0
  let had = 0
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const now = clock()
    const ms = Math.round(now - looked - lookMs)
    looked = now
    const before = had
    had = worked()
    if (ms <= mostMs) return
    count({ kind: 'stall', ms })
    const names = [...new Set([...underWay].map(({ what }) => what))]
    log.warn(
      { ms, cpuMs: Math.round(had - before), underWay: names.slice(0, mostNamed), requests: underWay.size },
      'the process stood still: nothing else was answered meanwhile',
    )
  }
  const begin: StallWatch['begin'] = (what) => {
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
