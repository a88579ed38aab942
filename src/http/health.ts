import type { Services } from '../services/client.ts'
import type { Store } from '../storage/store.ts'
import type { Metrics } from './metrics.ts'
import type { HttpServer } from './server.ts'

/** /healthz: the process lives. /readyz: it can do its work. /metrics: figures for Prometheus. */
export const serveHealth = (
  { routes }: HttpServer,
  sources: { store: Store; services: Services; metrics: Metrics; isStopping: () => boolean },
): void => {
  routes.get('/healthz', async () => ({ status: 'ok' }))
  routes.get('/readyz', async (_, reply) => {
    if (sources.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await sources.store.ping()
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' })
    }
  })
  routes.get('/metrics', async (_, reply) => {
    reply.type('text/plain; version=0.0.4; charset=utf-8')
    return sources.metrics.text(sources)
  })
}
