import { randomInt, randomUUID } from 'node:crypto'
import { createSequencer } from './audit/sequencer.ts'
import { newSigner } from './audit/signer.ts'
import type { Status } from './command/context.ts'
import type { Registry } from './command/registry.ts'
import type { Core, Log, MetricEvent } from './core/core.ts'
import { defaultTimings, type Timings } from './core/timings.ts'
import { createAckQueue } from './messenger/ack-queue.ts'
import type { Bot } from './messenger/bot.ts'
import type { Inbound, Reply } from './messenger/inbound.ts'
import type { Messenger } from './messenger/messenger.ts'
import type { LogSigner } from './model/checkpoint.ts'
import { createBot } from './pipeline/bot.ts'
import { handle } from './pipeline/handle.ts'
import type { Policy } from './policy/policy.ts'
import type { Services } from './services/client/client.ts'
import type { Store } from './storage/store.ts'
import { refusal, refusalView } from './view/refusals.ts'
import { createWorker } from './worker/worker.ts'

export type AppDeps = {
  registry: Registry
  policy: Policy
  services: Services
  store: Store
  /** Who signs the audit log; without one, a key that is forgotten at the end. */
  signer?: LogSigner
  log: Log
  status?: () => Promise<Status>
  now?: () => number
  newId?: () => string
  /** Whether this process also runs the background worker; a single command in the terminal does not. */
  tasks?: boolean
  timings?: Partial<Timings>
  onStep?: Core['onStep']
  count?: (event: MetricEvent) => void
}

/** The bot without its messengers. */
export type App = {
  core: Core
  /** Must be called before `start`. */
  join(messenger: Messenger): void
  start(): Promise<void>
  handle(inbound: Inbound): Promise<Reply>
  /** What adapters are given. */
  bot: Bot
  /** Works on one job of long work until there is nothing left to take, as the terminal does. */
  run(job: string): Promise<void>
  /** Runs all tasks that are due, and returns when they are done. */
  drain(): Promise<void>
  /**
   * Accepts no more requests, waits up to `graceMs` for running ones, and stops. The store and the services
   * stay open.
   */
  stop(graceMs?: number): Promise<void>
}

export const createApp = (deps: AppDeps): App => {
  const { registry, policy, services, store, log } = deps
  const core: Core = {
    registry,
    policy,
    services,
    store,
    signer: deps.signer ?? newSigner(),
    log,
    messengers: new Map(),
    signInPage: {},
    process: randomUUID(),
    applying: new Set(),
    timings: { ...defaultTimings, ...deps.timings },
    now: deps.now ?? Date.now,
    newId: deps.newId ?? newId,
    status: deps.status ?? (() => Promise.reject(new Error('no status is known'))),
    onStep: deps.onStep ?? (() => undefined),
    wake: () => worker.wake(),
    count: deps.count ?? (() => undefined),
  }
  const worker = createWorker(core, { tasks: deps.tasks ?? true })
  const sequencer = createSequencer({
    store,
    signer: core.signer,
    process: core.process,
    warn: (error) => log.warn({ err: error }, 'the audit log could not be numbered yet'),
  })
  const underWay = new Set<Promise<Reply>>()
  let stopping = false

  const take = (inbound: Inbound): Promise<Reply> => {
    if (stopping) {
      const refused = refusal('stopping', 'The bot is restarting and took nothing in.')
      return Promise.resolve({ kind: 'refused', refusal: refused, view: refusalView(refused) })
    }
    const reply = handle(core, inbound)
    underWay.add(reply)
    return reply.finally(() => underWay.delete(reply))
  }

  return {
    core,
    join: (messenger) => {
      core.messengers.set(messenger.platform, messenger)
    },
    start: async () => {
      await worker.start()
      sequencer.start()
    },
    handle: take,
    bot: createBot(core, { handle: take, ackQueue: createAckQueue() }),
    run: (job) => worker.run(job),
    drain: async () => {
      await worker.drain()
      await sequencer.flush()
    },
    stop: async (graceMs = 8_000) => {
      stopping = true
      const enough = new Promise((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.allSettled(underWay), enough])
      await Promise.race([worker.stop(), enough])
      // Without any grace left too: the store is closed next, and an end that was just recorded gets its number.
      const numbered = new Promise((resolve) => setTimeout(resolve, 1_000).unref())
      await Promise.race([sequencer.stop(), numbered])
    },
  }
}

const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** Short enough to read aloud, without characters that are easily confused. */
const newId = (): string => Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')
