import type { Platform } from '../model/change.ts'

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
  | { kind: 'clock_step' }
  /** One of what a feature counts. */
  | { kind: 'counted'; metric: string; labels: Readonly<Record<string, string>> }

/** What a feature counts or measures. */
export type Metric = { readonly name: string; readonly help: string; readonly labels?: readonly string[] }

/** What a gauge of a feature shows. One that is not measured is at 0, or has no labels to show. */
export type Measured = {
  readonly metric: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

type OfFeatures = { readonly counters: readonly Metric[]; readonly gauges: readonly Metric[] }

let installed: OfFeatures = { counters: [], gauges: [] }

export const useMetrics = (all: OfFeatures): void => {
  installed = all
}

/** Read when metrics are made, after the features of this process were named. */
export const metricsOfFeatures = (): OfFeatures => installed
