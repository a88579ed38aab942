import { processName } from '../../kernel/claims/process-name.ts'
import { createSentLog, type SentLog } from '../../kernel/claims/sent-log.ts'
import type { Status } from '../../kernel/command/context.ts'
import type { Registry } from '../../kernel/command/registry.ts'
import { createLinkLearner } from '../../kernel/context/link-learner.ts'
import type { Core, Log, MetricEvent } from '../../kernel/core.ts'
import { allFeatures } from '../../kernel/feature.ts'
import { createEventLoopWatch } from '../../kernel/load/event-loop-watch.ts'
import { createWorkerThread } from '../../kernel/load/worker-thread.ts'
import type { LogMemory } from '../../kernel/log/memory.ts'
import { createSequencer } from '../../kernel/log/sequencer.ts'
import { newSigner } from '../../kernel/log/signer.ts'
import { createOthersLooked, type DatabaseMove } from '../../kernel/loss/others.ts'
import { createLossWatch } from '../../kernel/loss/watch.ts'
import type { Bot } from '../../kernel/messenger/bot.ts'
import type { Inbound, Reply } from '../../kernel/messenger/inbound.ts'
import type { Messenger } from '../../kernel/messenger/messenger.ts'
import type { LogSigner } from '../../kernel/model/checkpoint.ts'
import type { PolicyReading, PolicySource } from '../../kernel/policy/in-force/policy-source.ts'
import { recordOwn, reloadPolicy } from '../../kernel/policy/in-force/policy-versions.ts'
import { tellUnsealed } from '../../kernel/policy/in-force/sealed.ts'
import type { MembersOutside } from '../../kernel/policy/outside-groups.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { createBot } from '../../kernel/request/bot.ts'
import { handle } from '../../kernel/request/handle.ts'
import { explainLine } from '../../kernel/request/look-ups/explain.ts'
import { isUrgentLine } from '../../kernel/request/urgent.ts'
import type { Store } from '../../kernel/store/store.ts'
import { createWorker } from '../../kernel/tasks/worker.ts'
import { defaultTimings, type Timings } from '../../kernel/timings.ts'
import { noTracing } from '../../kernel/watch/tracing.ts'
import { ticks, wallTime } from '../../lib/clock.ts'
import { idOfDelivery, newId } from '../../lib/codecs/readable-id.ts'
import { createAckQueue } from '../../lib/limits/ack-queue.ts'
import { createAdmission, createSerialPerPerson } from '../../lib/limits/admission.ts'
import { orAfter } from '../../lib/retry.ts'
import type { Services } from '../../lib/services/client/client.ts'
import type { SharedClock } from '../../lib/sql/shared-clock.ts'
import { refusal, refusalView } from '../../lib/view/refusals.ts'

export type AppDeps = {
  registry: Registry
  policy: Policy
  /** Where that came from, so that a changed one can be taken in. */
  policySource?: PolicySource | undefined
  /** Why the file of this start is not in force, which administrators are told. */
  refusedPolicy?: string
  /** Who tells who is in the groups of the policy that no messenger has. */
  members?: MembersOutside | undefined
  /** The secrets that bellhop.yml names by their variables. */
  secretOf?: Core['secretOf']
  services: Services
  store: Store
  /** Who signs the audit log; without one, a key that is forgotten at the end. */
  signer?: LogSigner
  /** What is remembered of the audit log outside the database; without it, nothing. */
  memory?: LogMemory
  /** When the database was last found to be on another server, which may have forgotten something. */
  lastMove?: () => DatabaseMove | undefined
  /** On which server it is. */
  site?: () => string | undefined
  /** What was sent, remembered outside the database; without it, what this process itself has sent. */
  sent?: SentLog
  log: Log
  status?: () => Promise<Status>
  now?: () => number
  /** Whoever runs beside others on one database has the time of it; without it, the machine's. */
  clock?: SharedClock
  ticks?: Core['ticks']
  newId?: () => string
  vouchesFor?: Core['vouchesFor']
  version?: string
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
  /** Works on one piece of long work until there is nothing left to take, as the terminal does. */
  run(work: string): Promise<void>
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
  const serialPerPerson = createSerialPerPerson()
  const timings = { ...defaultTimings, ...deps.timings }
  let version = 0
  let inForce = policy
  const core: Core = {
    registry,
    get policy() {
      return deps.members?.within(inForce) ?? inForce
    },
    set policy(next) {
      inForce = next
    },
    policySource: deps.policySource,
    usePolicy: (next, n) => {
      if (n < version) return
      version = n
      core.policy = next
    },
    refreshMembers: () => deps.members?.refresh(inForce),
    secretOf: deps.secretOf ?? (() => undefined),
    services,
    store,
    learner: createLinkLearner({ store, linksNow: () => core.policy.links, log }),
    signer: deps.signer ?? forgottenSigner(),
    recallLog: () => deps.memory?.recall(),
    sent: deps.sent ?? createSentLog(),
    newest: keptNewest(deps.memory),
    doubtStore: (card) => doubtStore(card),
    othersLooked: () => othersLooked(),
    log,
    version: deps.version ?? '',
    messengers: new Map(),
    vouchesFor: deps.vouchesFor ?? (() => true),
    signInPage: {},
    passkeyPlace: {},
    process: processName(),
    applying: new Set(),
    timings,
    admission: deps.admission ?? createAdmission(deps.ticks ?? ticks),
    serialPerPerson,
    workerThread: createWorkerThread(serialPerPerson, {
      ms: timings.threadMs,
      thread: new URL('../policy/thread.ts', import.meta.url),
    }),
    eventLoopWatch: createEventLoopWatch({ log, count }),
    tracing: deps.tracing ?? noTracing,
    now: deps.clock?.now ?? deps.now ?? wallTime,
    checkClock: () => checkClock(deps.clock, { log, count }),
    ticks: deps.ticks ?? ticks,
    newId: deps.newId ?? newId,
    changeIdOf: deps.newId ?? idOfDelivery,
    status: deps.status ?? (() => Promise.reject(new Error('no status is known'))),
    explain: explainLine,
    onStep: deps.onStep ?? (() => undefined),
    wake: (afterMs) => worker.wake(afterMs),
    takesOwn: (person) => worker.takesOwn(person),
    begin: (tasks, change) => worker.begin(tasks, change),
    count,
    progress: deps.progress ?? (() => undefined),
  }
  const doubtStore = createLossWatch(core, deps.memory, deps.site)
  const othersLooked = createOthersLooked(core, deps.lastMove ?? (() => undefined))
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
      await core.doubtStore()
      if (deps.memory !== undefined && takesTasks)
        for (const { recall } of allFeatures()) await recall?.(core, deps.memory)
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
    run: (work) => worker.run(work),
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

const checkClock = async (clock: SharedClock | undefined, { log, count }: Pick<Core, 'log' | 'count'>) => {
  const step = await clock?.check()
  if (step === undefined) return
  count({ kind: 'clock_step' })
  log.error(
    { stepMs: step },
    'the clock of the database stepped: leases and holds go on as if it had not, and times come back to it little by little',
  )
}

/** What is the newest here is kept for whoever comes after this process, too. */
const keptNewest = (memory: LogMemory | undefined): Core['newest'] => {
  let newest: Core['newest']['entry']
  return {
    get entry() {
      return newest
    },
    set entry(entry) {
      newest = entry
      if (entry !== undefined) memory?.keepStep(entry)
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
