import type { Status } from '../command/context.ts'
import type { Registry } from '../command/registry.ts'
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

/** What `/metrics` counts. */
export type MetricEvent =
  | { kind: 'command'; command: string; result: string; platform: Platform; ms: number }
  | { kind: 'change'; state: string }
  | { kind: 'late'; contradicts: boolean }
  | { kind: 'repeated'; platform: Platform }
  | { kind: 'refused_delivery'; platform: Platform; reason: string }

export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
}
