import type { MetricSources, Metrics } from './metrics.ts'
import { type HttpServer, sendJson } from './server.ts'

/** /: for whoever opens the address that was printed. /healthz: the process is alive. /readyz: it can serve requests. /metrics: metrics for Prometheus. */
export const serveHealth = (
  http: Pick<HttpServer, 'get'>,
  sources: MetricSources & { metrics: Metrics; isStopping: () => boolean },
): void => {
  const { store, metrics, isStopping } = sources
  http.get('/', (_, response) =>
    sendJson(response, 200, { status: 'Bellhop is running. CONSOLE=on turns the console on.' }),
  )
  http.get('/healthz', (_, response) => sendJson(response, 200, { status: 'ok' }))
  http.get('/readyz', async (_, response) => {
    if (isStopping()) return sendJson(response, 503, { status: 'stopping' })
    const isThere = await store.ping().then(
      () => true,
      () => false,
    )
    if (isThere) sendJson(response, 200, { status: 'ready' })
    else sendJson(response, 503, { status: 'the database does not answer' })
  })
  http.get('/metrics', async (_, response) => {
    try {
      const text = await metrics.text(sources)
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    } catch {
      sendJson(response, 503, { status: 'the database does not answer' })
    }
  })
}
