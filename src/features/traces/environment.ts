import type { FeatureEnvironment } from '../../kernel/feature.ts'
import type { Environment } from '../../kernel/messenger/definition.ts'
import { whyNoBase } from '../../lib/codecs/public-address.ts'
import { withoutAtEnd } from '../../lib/view/end.ts'

/** Who takes traces, and as which service of theirs we are known. */
export type OtlpSettings = { endpoint: string; headers: Readonly<Record<string, string>>; service: string }

/** As OpenTelemetry names these: an address without the path of traces, and headers as name=value with commas between them. */
const tracesOf = (env: Environment, problems: string[]): OtlpSettings | undefined => {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const written = env.OTEL_EXPORTER_OTLP_HEADERS
  if (endpoint === undefined) return undefined
  const wrong = whyNoBase(endpoint)
  if (wrong !== undefined) problems.push(`OTEL_EXPORTER_OTLP_ENDPOINT ${wrong}`)
  const headers = (written?.split(',') ?? []).map((one) => one.split(/=(.*)/s).map((part) => part.trim()))
  if (headers.some(([name = '', value = '']) => !/^[\w-]+$/.test(name) || !/^[\x21-\x7e]+$/.test(value))) {
    problems.push(
      'OTEL_EXPORTER_OTLP_HEADERS must be headers as name=value, with commas between them and %20 for a space.',
    )
    return undefined
  }
  return {
    endpoint: withoutAtEnd(endpoint, '/'),
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name, unescaped(value)])),
    service: env.OTEL_SERVICE_NAME ?? 'bellhop',
  }
}

/** A value that only looks escaped is meant as it stands. */
const unescaped = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

export const tracesEnvironment: FeatureEnvironment = {
  variables: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_SERVICE_NAME'],
  secrets: ['OTEL_EXPORTER_OTLP_HEADERS'],
  read: tracesOf,
}
