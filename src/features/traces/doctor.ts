import { timeoutMs, whyLost } from '../../kernel/messenger/api-call.ts'
import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import type { OtlpSettings } from './environment.ts'

/** Whether the collector takes traces, by handing it none. */
export const checkTraces = async (to: OtlpSettings | undefined): Promise<CheckResult[]> => {
  if (to === undefined) return []
  const { endpoint, headers } = to
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
