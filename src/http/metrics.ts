import { createRequire } from 'node:module'
import type { Platform } from '../model/change.ts'
import type { MessengerReport } from '../model/connection.ts'
import type { Observation } from '../services/client/caller.ts'
import type { Services } from '../services/client/client.ts'
import type { Store } from '../storage/store.ts'

/** What `/metrics` counts. Labels are names of ours, and of agents as bellhop.yml lists them: never an address or a person. */
export type MetricEvent =
  | { kind: 'command'; command: string; result: string; platform: Platform; ms: number }
  | { kind: 'change'; state: string }
  | { kind: 'late'; contradicts: boolean }
  | { kind: 'repeated'; platform: Platform }
  | { kind: 'refused_delivery'; platform: Platform; reason: string }
  | { kind: 'refused_message'; platform: Platform; message: string; reason: string }
  | { kind: 'lost_message'; message: string }
  | { kind: 'stall'; ms: number }
  | { kind: 'agent_call'; agent: string; tool: string; result: string }
  | { kind: 'webhook'; result: 'told' | 'failed' | 'dead' }

export type Metrics = {
  count(event: MetricEvent): void
  observe(observation: Observation): void
  /** Gauges are computed when they are requested. */
  text(sources: MetricSources): Promise<string>
}

export type MetricSources = {
  store: Store
  services: Services
  platforms: () => MessengerReport[]
  /** Who keeps checkpoints of the log outside. */
  witnesses: () => Promise<{ name: string; latest: { at: number } | undefined; away: object | undefined }[]>
  /** How far behind the receiver of the log's stream is, where there is one. */
  stream: () => Promise<{ behind: number; lagMs: number; away: object | undefined } | undefined>
}

const seconds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

const load = createRequire(import.meta.url)

/** What Prometheus reads. prom-client brings eighty modules along, so it is loaded by the first event, or when a start is over. */
export const createMetrics = (): Metrics & { load(): void } => {
  let loaded: Metrics | undefined
  const metrics = (): Metrics => {
    loaded ??= metricsBy(load('prom-client'))
    return loaded
  }
  return {
    load: metrics,
    count: (event) => metrics().count(event),
    observe: (observation) => metrics().observe(observation),
    text: (sources) => metrics().text(sources),
  }
}

const metricsBy = ({
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
}: typeof import('prom-client')): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const commands = new Histogram({
    name: 'bellhop_command_seconds',
    help: 'Commands and button presses, by result',
    labelNames: ['platform', 'command', 'result'],
    buckets: seconds,
    registers,
  })
  const changes = new Counter({
    name: 'bellhop_change_steps_total',
    help: 'Changes that reached a state',
    labelNames: ['state'],
    registers,
  })
  const late = new Counter({
    name: 'bellhop_late_answers_total',
    help: 'Outcomes learned after a change was given up; contradicts: a person had said that it did not happen',
    labelNames: ['contradicts'],
    registers,
  })
  const repeated = new Counter({
    name: 'bellhop_repeated_deliveries_total',
    help: 'Repeated deliveries that had been handled before',
    labelNames: ['platform'],
    registers,
  })
  const refused = new Counter({
    name: 'bellhop_refused_deliveries_total',
    help: 'Requests refused before they were read: forged, stale, future, oversized',
    labelNames: ['platform', 'reason'],
    registers,
  })
  const refusedMessages = new Counter({
    name: 'bellhop_refused_messages_total',
    help: 'Messages that a platform refused for good; each was told elsewhere, or is counted as undelivered too',
    labelNames: ['platform', 'message', 'reason'],
    registers,
  })
  const lostMessages = new Counter({
    name: 'bellhop_undelivered_messages_total',
    help: 'Messages that reached nobody whom they were for; the audit log has each',
    labelNames: ['message'],
    registers,
  })
  const webhooks = new Counter({
    name: 'bellhop_webhooks_total',
    help: 'Attempts to tell a webhook, by what came of them',
    labelNames: ['result'],
    registers,
  })
  const agentCalls = new Counter({
    name: 'bellhop_agent_calls_total',
    help: 'Calls of agents, by tool and result',
    labelNames: ['agent', 'tool', 'result'],
    registers,
  })
  const stalls = new Histogram({
    name: 'bellhop_event_loop_stall_seconds',
    help: 'How long the process stood still, each time that it did for over 200 ms; the log says what was under way',
    buckets: [0.3, 1, 3, 10],
    registers,
  })
  const calls = new Histogram({
    name: 'bellhop_service_call_seconds',
    help: 'Calls to the three services, counting each attempt',
    labelNames: ['service', 'row', 'result'],
    buckets: seconds,
    registers,
  })
  const waiting = new Gauge({
    name: 'bellhop_changes',
    help: 'Changes that have not ended, by state',
    labelNames: ['state'],
    registers,
  })
  const queue = new Gauge({
    name: 'bellhop_queue_depth',
    help: 'Tasks in the queue, by kind',
    labelNames: ['kind'],
    registers,
  })
  const breaker = new Gauge({
    name: 'bellhop_service_breaker_open',
    help: '1 while no calls are sent to the service',
    labelNames: ['service'],
    registers,
  })
  const pause = new Gauge({
    name: 'bellhop_service_pause_seconds',
    help: 'How long the service still asks us to wait',
    labelNames: ['service'],
    registers,
  })
  const witnessAway = new Gauge({
    name: 'bellhop_witness_away',
    help: '1 while a witness of the audit log does not have the checkpoints that it should',
    labelNames: ['witness'],
    registers,
  })
  const witnessAge = new Gauge({
    name: 'bellhop_witness_checkpoint_age_seconds',
    help: 'Seconds since a witness of the audit log was last given a checkpoint',
    labelNames: ['witness'],
    registers,
  })
  const ofStream = (name: string, help: string) =>
    new Gauge({ name: `bellhop_stream_${name}`, help, registers })
  const streamBehind = ofStream(
    'lag_entries',
    'Entries of the audit log that the receiver of its stream lacks',
  )
  const streamLag = ofStream(
    'lag_seconds',
    'The age of the oldest entry that the receiver of the stream lacks',
  )
  const streamAway = ofStream('away', '1 while the receiver of the stream does not take entries')
  const ofConnection = (name: string, help: string) =>
    new Gauge({
      name: `bellhop_messenger_${name}`,
      help,
      labelNames: ['platform', 'connection'],
      registers,
    })
  const connected = ofConnection('connected', '1 while the platform takes us, on the connection of this name')
  const heard = ofConnection(
    'last_heard_timestamp_seconds',
    'When anything last came from the platform, in seconds since 1970',
  )
  const lastRefused = ofConnection(
    'last_refused_timestamp_seconds',
    'When the platform last did not take us, in seconds since 1970',
  )
  const showMessengers = (platforms: readonly MessengerReport[]): void => {
    for (const { name: platform, connections } of platforms) {
      for (const { name: connection, state, heardAt, refusedAt } of connections) {
        connected.set({ platform, connection }, state === 'connected' ? 1 : 0)
        if (heardAt !== undefined) heard.set({ platform, connection }, heardAt / 1000)
        if (refusedAt !== undefined) lastRefused.set({ platform, connection }, refusedAt / 1000)
      }
    }
  }
  return {
    count: (event) => {
      switch (event.kind) {
        case 'command':
          return commands.observe(
            { platform: event.platform, command: event.command, result: event.result },
            event.ms / 1000,
          )
        case 'change':
          return changes.inc({ state: event.state })
        case 'late':
          return late.inc({ contradicts: String(event.contradicts) })
        case 'repeated':
          return repeated.inc({ platform: event.platform })
        case 'refused_delivery':
          return refused.inc({ platform: event.platform, reason: event.reason })
        case 'refused_message':
          return refusedMessages.inc({
            platform: event.platform,
            message: event.message,
            reason: event.reason,
          })
        case 'lost_message':
          return lostMessages.inc({ message: event.message })
        case 'stall':
          return stalls.observe(event.ms / 1000)
        case 'webhook':
          return webhooks.inc({ result: event.result })
        case 'agent_call':
          return agentCalls.inc({ agent: event.agent, tool: event.tool, result: event.result })
      }
    },
    observe: ({ service, row, ms, kind }) => calls.observe({ service, row, result: kind ?? 'ok' }, ms / 1000),
    text: async ({ store, services, platforms, witnesses, stream }) => {
      showMessengers(platforms())
      const [states, tasks, keepers, streamed] = await Promise.all([
        store.changes.countByState(),
        store.tasks.pending(),
        witnesses(),
        stream(),
      ])
      streamBehind.set(streamed?.behind ?? 0)
      streamLag.set((streamed?.lagMs ?? 0) / 1000)
      streamAway.set(streamed?.away === undefined ? 0 : 1)
      witnessAway.reset()
      witnessAge.reset()
      for (const { name: witness, latest, away } of keepers) {
        witnessAway.set({ witness }, away === undefined ? 0 : 1)
        if (latest !== undefined) witnessAge.set({ witness }, (Date.now() - latest.at) / 1000)
      }
      for (const state of ['pending', 'approved', 'applying', 'unknown'] as const) {
        waiting.set({ state }, states[state] ?? 0)
      }
      queue.reset()
      for (const [kind, count] of Object.entries(tasks)) queue.set({ kind }, count)
      for (const [service, state] of Object.entries(services.breakers())) {
        breaker.set({ service }, state === 'closed' ? 0 : 1)
      }
      for (const [service, ms] of Object.entries(services.pauses())) pause.set({ service }, ms / 1000)
      return registry.metrics()
    },
  }
}
