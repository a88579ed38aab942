import { createRequire } from 'node:module'
import { openStates } from '../../kernel/model/change.ts'
import type { MessengerReport } from '../../kernel/model/connection.ts'
import { lossIn } from '../../kernel/model/store-loss.ts'
import type { Store } from '../../kernel/store/store.ts'
import { type Measured, type MetricEvent, metricsOfFeatures } from '../../kernel/watch/metrics.ts'
import type { Observation } from '../../lib/services/client/caller.ts'
import type { Services } from '../../lib/services/client/client.ts'

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
  /** What features measure. */
  measured: () => Promise<readonly Measured[]>
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
  const counterOf = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const gaugeOf = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers })
  const commands = new Histogram({
    name: 'bellhop_command_seconds',
    help: 'Commands and button presses, by result',
    labelNames: ['platform', 'command', 'result'],
    buckets: seconds,
    registers,
  })
  const changes = counterOf('bellhop_change_steps_total', 'Changes that reached a state', 'state')
  const late = counterOf(
    'bellhop_late_answers_total',
    'Outcomes learned after a change was given up; contradicts: a person had said that it did not happen',
    'contradicts',
  )
  const repeated = counterOf(
    'bellhop_repeated_deliveries_total',
    'Repeated deliveries that had been handled before',
    'platform',
  )
  const refused = counterOf(
    'bellhop_refused_deliveries_total',
    'Requests refused before they were read: forged, stale, future, oversized',
    'platform',
    'reason',
  )
  const refusedMessages = counterOf(
    'bellhop_refused_messages_total',
    'Messages that a platform refused for good; each was told elsewhere, or is counted as undelivered too',
    'platform',
    'message',
    'reason',
  )
  const lostMessages = counterOf(
    'bellhop_undelivered_messages_total',
    'Messages that reached nobody whom they were for; the audit log has each',
    'message',
  )
  const clockSteps = counterOf(
    'bellhop_clock_steps_total',
    'Times that the clock of the database stepped by more than a few seconds',
  )
  const ofFeatures = metricsOfFeatures()
  const counters = new Map(
    ofFeatures.counters.map(({ name, help, labels = [] }) => [name, counterOf(name, help, ...labels)]),
  )
  const gauges = new Map(
    ofFeatures.gauges.map(({ name, help, labels = [] }) => [name, gaugeOf(name, help, ...labels)]),
  )
  const agentCalls = counterOf(
    'bellhop_agent_calls_total',
    'Calls of agents, by tool and result',
    'agent',
    'tool',
    'result',
  )
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
  const storeLost = gaugeOf(
    'bellhop_store_lost',
    '1 from when the database has lost what was stored last, until somebody unfreezes everything',
  )
  const waiting = gaugeOf('bellhop_changes', 'Changes that have not ended, by state', 'state')
  const queue = gaugeOf('bellhop_queue_depth', 'Tasks in the queue, by kind', 'kind')
  const breaker = gaugeOf(
    'bellhop_service_breaker_open',
    '1 while no calls are sent to the service',
    'service',
  )
  const pause = gaugeOf(
    'bellhop_service_pause_seconds',
    'How long the service still asks us to wait',
    'service',
  )
  const ofConnection = (name: string, help: string) =>
    gaugeOf(`bellhop_messenger_${name}`, help, 'platform', 'connection')
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
        case 'clock_step':
          return clockSteps.inc()
        case 'counted':
          return counters.get(event.metric)?.inc(event.labels)
        case 'agent_call':
          return agentCalls.inc({ agent: event.agent, tool: event.tool, result: event.result })
      }
    },
    observe: ({ service, row, ms, kind }) => calls.observe({ service, row, result: kind ?? 'ok' }, ms / 1000),
    text: async ({ store, services, platforms, measured }) => {
      showMessengers(platforms())
      const [states, tasks, shown, freezes] = await Promise.all([
        store.changes.countByState(),
        store.tasks.pending(),
        measured(),
        store.freezes.all(),
      ])
      storeLost.set(lossIn(freezes) === undefined ? 0 : 1)
      for (const gauge of gauges.values()) gauge.reset()
      for (const { metric, labels = {}, value } of shown) gauges.get(metric)?.set(labels, value)
      for (const state of openStates) {
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
