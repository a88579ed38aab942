import type { Log } from '../../lib/log.ts'
import type { AnswerListener } from '../../lib/services/client/client.ts'
import { linksIn } from '../../lib/services/links-in.ts'
import { keyOfPair } from '../../lib/things/link.ts'
import type { Policy } from '../policy/policy.ts'
import type { Store } from '../store/store.ts'

export type LinkLearner = {
  /** Takes an answer in; nothing is read of it or written before whoever asked has it. */
  take: AnswerListener
  /** Resolves when everything taken in so far is written. It never fails: what cannot be written is learned another time. */
  flush(): Promise<void>
  /** After links were removed: what is seen again is written again. */
  forget(): void
}

/** Answers that wait are held in memory, so there is a bound. */
const maxWaiting = 200
/** Pairs that need not be written again. */
const maxKnown = 20_000
const pauseMs = 20

/** The one place that learns which ids belong together, from every answer of the services that it hears. */
export const createLinkLearner = ({
  store,
  linksNow,
  log,
}: {
  store: Store
  /** What the policy in force says about links. */
  linksNow: () => Policy['links']
  log: Log
}): LinkLearner => {
  let waiting: Parameters<AnswerListener>[] = []
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const known = new Set<string>()

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const taken = waiting
      waiting = []
      try {
        for (const [named, input, { data }] of taken) {
          const taught = linksIn(named, input, data, linksNow()).filter(
            (pair) => !known.has(`${named.service} ${keyOfPair(pair)}`),
          )
          await store.links.learn(taught.map((pair) => ({ pair, source: named.id })))
          for (const pair of taught) known.add(`${named.service} ${keyOfPair(pair)}`)
        }
      } catch (error) {
        log.warn({ err: error }, 'links could not be learned from an answer')
      }
      if (known.size > maxKnown) known.clear()
    }
  }
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    running ??= write().finally(() => {
      running = undefined
    })
    await running
  }
  return {
    take: (...answer) => {
      if (waiting.length >= maxWaiting) return
      waiting.push(answer)
      timer ??= setTimeout(() => void flush(), pauseMs).unref()
    },
    flush: async () => {
      // An answer is taken in right after whoever asked has it.
      await new Promise((resolve) => setImmediate(resolve))
      await flush()
    },
    forget: () => known.clear(),
  }
}
