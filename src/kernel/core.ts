import type { OpenNote } from '../../verify.mjs'
import type { Ticks } from '../lib/clock.ts'
import type { Admission, SerialPerPerson } from '../lib/limits/admission.ts'
import type { Log } from '../lib/log.ts'
import type { Result } from '../lib/result.ts'
import type { Services } from '../lib/services/client/client.ts'
import type { View } from '../lib/view/view.ts'
import type { SentLog } from './claims/sent-log.ts'
import type { Actor, Status } from './command/context.ts'
import type { Registry } from './command/registry.ts'
import type { LinkLearner } from './context/link-learner.ts'
import type { EventLoopWatch } from './load/event-loop-watch.ts'
import type { WorkerThread } from './load/worker-thread.ts'
import type { Messenger } from './messenger/messenger.ts'
import type { Change, Platform } from './model/change.ts'
import type { LogSigner } from './model/checkpoint.ts'
import type { SeenCard } from './model/store-loss.ts'
import type { StoredStep } from './model/stored-step.ts'
import type { PolicySource } from './policy/in-force/policy-source.ts'
import type { Policy } from './policy/policy.ts'
import type { Store } from './store/store.ts'
import type { Task } from './store/tasks.ts'
import type { Timings } from './timings.ts'
import type { MetricEvent } from './watch/metrics.ts'
import type { Tracing } from './watch/tracing.ts'

/** Everything the pipeline depends on, passed in as parameters. */
export type Core = {
  registry: Registry
  /** The version in force. A request is handled with a copy of the core, so one version judges all of it. */
  policy: Policy
  /** Undefined where the policy came from nowhere and stays as it is. */
  policySource: PolicySource | undefined
  /** Puts a version into force in this process, unless one with a higher number is. */
  usePolicy(policy: Policy, n: number): void
  /** Asks who is in the groups outside of messengers, where that was not asked within the last minute. */
  refreshMembers(): Promise<void> | undefined
  /** The secret in a variable that bellhop.yml names; undefined where it is not set. */
  secretOf(variable: string): string | undefined
  services: Services
  store: Store
  /** What learns from the answers of the services which ids belong together. */
  learner: LinkLearner
  /** Who signs the audit log. */
  signer: LogSigner
  /** The newest checkpoint of the log that is kept outside the database. */
  recallLog(): OpenNote | undefined
  /** What was sent, as it is remembered outside the database. */
  sent: SentLog
  /** The entry of the last step that this process has stored: a store that lacks it went back in time. */
  newest: {
    entry?: StoredStep | undefined
    /** A comparison is under way, or has failed and is due again: until one has come to its end, nothing is claimed. */
    comparison?: 'under way' | 'due' | undefined
  }
  /**
   * Compares the store with what is remembered outside, and with a card that stands in a messenger. What it lost is held, told
   * and put back when this resolves.
   */
  doubtStore(card?: SeenCard): Promise<void>
  /** Resolves when other processes had the time to say what a database that moved has forgotten. */
  othersLooked(): Promise<void>
  messengers: Map<Platform, Messenger>
  /** Whether it is known who somebody is that speaks from there; what is not vouched for decides nothing. */
  vouchesFor(platform: Platform): boolean
  /** The id of this process: it is stored with claims, and its heartbeat shows that the process is alive. */
  process: string
  /** The changes that this process is applying right now. */
  applying: Set<string>
  timings: Timings
  /** Whose turn it is, where one person asks for much at once. */
  admission: Admission
  /** Runs what can be long, of each person one at a time. */
  serialPerPerson: SerialPerPerson
  /** Runs what can be long in a thread of its own. */
  workerThread: WorkerThread
  /** Tells what was under way when the process stood still. */
  eventLoopWatch: EventLoopWatch
  /** Shows what becomes of a request to whoever watches from outside. */
  tracing: Tracing
  /** Wall time: for people and other machines, and for what is stored. */
  now(): number
  /** Compares the time with the clock that it follows, and tells of a step. */
  checkClock(): Promise<void>
  /** What everything is measured by that this process paces, limits, waits for or keeps for a while. */
  ticks: Ticks
  newId(): string
  /** The id of the change that a delivery asks for: the same in a database that has forgotten it. */
  changeIdOf(delivery: string): string
  log: Log
  /** Of this bot, as receivers outside are told it. */
  version: string
  /** What the policy would say to a line; it goes the way of a request, which stands above this. */
  explain(core: Core, actor: Actor, line: string, as?: string): Promise<Result<View>>
  status(): Promise<Status>
  /** Where people sign in to the console; unknown while none takes sessions. */
  signInPage: { url?: string }
  /** Where people make and use passkeys; unknown where browsers would not allow it. */
  passkeyPlace: { origin?: () => string }
  /** Called at each step of a change; tests stop the process here. */
  onStep(step: Step, changeId: string): void
  /** Wakes the worker because there is something to publish, or will be after so many milliseconds. */
  wake(afterMs?: number): void
  /** Whether this process does at once what follows from the steps that it stores. */
  takesOwn(person: string): boolean
  /** Does what follows from a step that was just stored; the worker of this process holds these tasks. */
  begin(tasks: readonly Task[], change: Change): void
  count(event: MetricEvent): void
  /** How far something is that takes a while, for a terminal that shows it. */
  progress(label: string, done: number, total: number): void
}

export type Step = 'asked' | 'changed' | 'voted' | 'claimed' | 'answered' | 'stored'

export type { Log, MetricEvent }
