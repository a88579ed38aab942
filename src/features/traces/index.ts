import { defineFeature } from '../../kernel/feature.ts'
import { checkTraces } from './doctor.ts'
import { type OtlpSettings, tracesEnvironment } from './environment.ts'

/** What becomes of requests, shown to a receiver that speaks OpenTelemetry. */
export const traces = defineFeature({
  name: 'traces',
  environment: tracesEnvironment,
  /** OpenTelemetry is loaded only where somebody wants traces. */
  trace: async ({ settings, version, log }) => {
    const to = settings.traces as OtlpSettings | undefined
    return to && (await import('./otlp.ts')).openTracing(to, { version, log })
  },
  doctor: ({ settings }) => checkTraces(settings.traces as OtlpSettings | undefined),
})
