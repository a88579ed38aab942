import type { Status } from '../command/context.ts'
import type { Registry } from '../command/registry.ts'
import type { MetricEvent } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import type { Messenger } from '../messenger/messenger.ts'
import type { Platform } from '../model/change.ts'
import type { Policy } from '../policy/policy.ts'
import type { Services } from '../services/client/client.ts'
import type { Store } from '../storage/store.ts'
import type { Timings } from './timings.ts'

/** The core as the pipeline sees it; everything comes in by parameter. */
export type Core = {
  registry: Registry
  policy: Policy
  services: Services
  store: Store
  messengers: Map<Platform, Messenger>
  /** Which process this is: claims carry it, and its heartbeat shows that it lives. */
  process: string
  /** The changes that this process is applying right now. */
  applying: Set<string>
  timings: Timings
  now(): number
  newId(): string
  log: Log
  status(): Promise<Status>
  /** Called as each step of a change is reached; tests stop the process here. */
  onStep(step: Step, changeId: string): void
  /** Wakes the worker: there is something to tell. */
  wake(): void
  count(event: MetricEvent): void
}

export type Step = 'asked' | 'voted' | 'claimed' | 'answered' | 'stored'

export type { Log, MetricEvent }
