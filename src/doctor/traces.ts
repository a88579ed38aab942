import type { Config } from '../config.ts'
import { type CheckResult, checkFailed, checkPassed } from '../messenger/definition.ts'
import { timeoutMs, whyLost } from './api-call.ts'

/** Whether the collector takes traces, by handing it none. */
export const checkTraces = async ({ traces }: Pick<Config, 'traces'>): Promise<CheckResult[]> => {
  if (traces === undefined) return []
  const { endpoint, headers } = traces
  const cure = 'Check OTEL_EXPORTER_OTLP_ENDPOINT: the address of a collector that speaks OTLP over HTTP.'
  try {
    const { ok, status } = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (ok) return [checkPassed('traces', `${endpoint} takes them.`)]
    const isRefused = status === 401 || status === 403
    return [
      checkFailed(
        'traces',
        `${endpoint} answers with status ${status}. ${isRefused ? 'Check OTEL_EXPORTER_OTLP_HEADERS.' : cure}`,
      ),
    ]
  } catch (error) {
    return [checkFailed('traces', `${endpoint} cannot be reached (${whyLost(error)}). ${cure}`)]
  }
}
