import { randomInt, randomUUID } from 'node:crypto'
import type { LogMemory } from './audit/memory.ts'
import { createSequencer } from './audit/sequencer.ts'
import { newSigner } from './audit/signer.ts'
import type { Status } from './command/context.ts'
import type { Registry } from './command/registry.ts'
import { createLinkLearner } from './core/context/link-learner.ts'
import type { Core, Log, MetricEvent } from './core/core.ts'
import { createAdmission, createOneAtATime } from './core/load/admission.ts'
import { createApart } from './core/load/apart.ts'
import { createStallWatch } from './core/load/stall-watch.ts'
import type { PolicyReading, PolicySource } from './core/policy/policy-source.ts'
import { recordOwn, reloadPolicy } from './core/policy/policy-versions.ts'
import { tellUnsealed } from './core/policy/sealed.ts'
import { defaultTimings, type Timings } from './core/timings.ts'
import { noTracing } from './http/tracing.ts'
import { createAckQueue } from './messenger/ack-queue.ts'
import type { Bot } from './messenger/bot.ts'
import type { Inbound, Reply } from './messenger/inbound.ts'
import type { Messenger } from './messenger/messenger.ts'
import type { LogSigner } from './model/checkpoint.ts'
import { explainLine } from './pipeline/explaining/explain.ts'
import { createBot } from './pipeline/way-in/bot.ts'
import { handle } from './pipeline/way-in/handle.ts'
import { isUrgentLine } from './pipeline/way-in/urgent.ts'
import type { Policy } from './policy/policy.ts'
import { orAfter } from './retry.ts'
import type { Services } from './services/client/client.ts'
import type { Store } from './storage/store.ts'
import { refusal, refusalView } from './view/refusals.ts'
import { createWorker } from './worker/worker.ts'

export type AppDeps = {
  registry: Registry
  policy: Policy
  /** Where that came from, so that a changed one can be taken in. */
  policySource?: PolicySource | undefined
  /** Why the file of this start is not in force, which administrators are told. */
  refusedPolicy?: string
  /** The secrets that bellhop.yml names by their variables. */
  secretOf?: Core['secretOf']
  services: Services
  store: Store
  /** Who signs the audit log; without one, a key that is forgotten at the end. */
  signer?: LogSigner
  /** What is remembered of the audit log outside the database; without it, nothing. */
  memory?: LogMemory
  log: Log
  status?: () => Promise<Status>
  now?: () => number
  newId?: () => string
  vouchesFor?: Core['vouchesFor']
  version?: string
  secret?: Core['secret']
  /** Other bounds for each person, where programs ask faster than people do. */
  admission?: Core['admission']
  /** Whether this process also runs the background worker; a single command in the terminal does not. */
  tasks?: boolean
  timings?: Partial<Timings>
  onStep?: Core['onStep']
  count?: (event: MetricEvent) => void
  tracing?: Core['tracing']
  progress?: Core['progress']
}

/** The bot without its messengers. */
export type App = {
  core: Core
  /** Must be called before `start`. */
  join(messenger: Messenger): void
  start(): Promise<void>
  handle(inbound: Inbound): Promise<Reply>
  /** Takes the policy file in as it is now; a broken one is told, and the old one stays. Undefined where there is no file. */
  reload(): Promise<PolicyReading | undefined>
  /** What adapters are given. */
  bot: Bot
  /** Works on one job of long work until there is nothing left to take, as the terminal does. */
  run(job: string): Promise<void>
  /** Runs all tasks that are due, and returns when they are done. */
  drain(): Promise<void>
  /**
   * Once, in this order: takes nothing in, finishes what is under way or gives it up after `graceMs`, lets go of
   * what this process holds, and numbers the last audit entries. The store and the services stay open.
   */
  stop(graceMs?: number, around?: StopAround): Promise<void>
}

/** What the one who started the app stops together with it. */
type StopAround = {
  /** Ends what brings requests, and resolves when those that it had brought are answered. */
  stopReceiving?: () => Promise<unknown>
  /** Ends calls that are still under way. They then record their outcome. */
  giveUp?: () => Promise<unknown>
}

/** How long calls that were given up have to record their outcome. */
const recordWithinMs = 1_000

export const createApp = (deps: AppDeps): App => {
  const { registry, policy, services, store, log, count = () => undefined } = deps
  const oneAtATime = createOneAtATime()
  const timings = { ...defaultTimings, ...deps.timings }
  let version = 0
  const core: Core = {
    registry,
    policy,
    policySource: deps.policySource,
    usePolicy: (next, n) => {
      if (n < version) return
      version = n
      core.policy = next
    },
    secretOf: deps.secretOf ?? (() => undefined),
    services,
    store,
    learner: createLinkLearner({ store, linksNow: () => core.policy.links, log }),
    signer: deps.signer ?? forgottenSigner(),
    recallLog: () => deps.memory?.recall(),
    log,
    version: deps.version ?? '',
    secret: deps.secret ?? (() => undefined),
    messengers: new Map(),
    vouchesFor: deps.vouchesFor ?? (() => true),
    signInPage: {},
    passkeyPlace: {},
    process: randomUUID(),
    applying: new Set(),
    timings,
    admission: deps.admission ?? createAdmission(deps.now ?? Date.now),
    oneAtATime,
    apart: createApart(oneAtATime, { ms: timings.apartMs }),
    stalls: createStallWatch({ log, count }),
    tracing: deps.tracing ?? noTracing,
    now: deps.now ?? Date.now,
    newId: deps.newId ?? newId,
    status: deps.status ?? (() => Promise.reject(new Error('no status is known'))),
    explain: explainLine,
    onStep: deps.onStep ?? (() => undefined),
    wake: (afterMs) => worker.wake(afterMs),
    takesOwn: (person) => worker.takesOwn(person),
    begin: (tasks, change) => worker.begin(tasks, change),
    count,
    progress: deps.progress ?? (() => undefined),
  }
  services.onAnswer(core.learner.take)
  const takesTasks = deps.tasks ?? true
  const worker = createWorker(core, { tasks: takesTasks })
  const sequencer = createSequencer({
    store,
    signer: core.signer,
    process: core.process,
    warn: (error) => log.warn({ err: error }, 'the audit log could not be numbered yet'),
  })
  const underWay = new Set<Promise<Reply>>()
  let stopped: Promise<void> | undefined

  const take = (inbound: Inbound): Promise<Reply> => {
    if (stopped !== undefined) {
      const refused = refusal('stopping', 'The bot is restarting and took nothing in.')
      return Promise.resolve({ kind: 'refused', refusal: refused, view: refusalView(refused) })
    }
    const reply = handle(core, inbound)
    underWay.add(reply)
    return reply.finally(() => underWay.delete(reply))
  }

  const stopInOrder = async (graceMs: number, { stopReceiving, giveUp }: StopAround): Promise<void> => {
    const inHand = Promise.allSettled([stopReceiving?.(), worker.finish(), ...underWay])
    const isDone = await settledWithin(graceMs, inHand)
    await giveUp?.()
    if (!isDone && giveUp !== undefined) await settledWithin(recordWithinMs, inHand)
    await worker.stop()
    await settledWithin(recordWithinMs, core.learner.flush())
    await sequencer.stop()
    await deps.memory?.stop()
  }

  return {
    core,
    join: (messenger) => {
      core.messengers.set(messenger.platform, messenger)
    },
    start: async () => {
      await recordOwn(core, { inForce: takesTasks })
      if (deps.refusedPolicy !== undefined && takesTasks) await tellUnsealed(core, deps.refusedPolicy)
      await worker.start()
      sequencer.start()
      deps.memory?.start()
    },
    reload: () => reloadPolicy(core),
    handle: take,
    bot: createBot(core, {
      handle: take,
      ackQueue: createAckQueue({ isUrgent: (line) => isUrgentLine(registry, line) }),
    }),
    run: (job) => worker.run(job),
    drain: async () => {
      await worker.drain()
      await sequencer.flush()
    },
    stop: (graceMs = 8_000, around = {}) => {
      stopped ??= stopInOrder(graceMs, around)
      return stopped
    },
  }
}

/** One for the whole process: a log has one key. */
let forgotten: LogSigner | undefined
const forgottenSigner = (): LogSigner => {
  forgotten ??= newSigner()
  return forgotten
}

const settledWithin = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  orAfter(
    ms,
    false,
    work.then(() => true),
  )

const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** Short enough to read aloud, without characters that are easily confused. */
const newId = (): string => Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')
