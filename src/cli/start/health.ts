import { lossIn } from '../../kernel/model/store-loss.ts'
import { defined } from '../../lib/defined.ts'
import { type HttpServer, sendJson } from '../../lib/http/server.ts'
import type { MetricSources, Metrics } from './metrics.ts'

const fullWords = 'the disk of the database is full'

/**
 * /: for whoever opens the address that was printed. /healthz: the process is alive. /readyz: it can serve requests
 * somewhere, and which of its parts are away. /metrics: metrics for Prometheus.
 */
export const serveHealth = (
  http: Pick<HttpServer, 'get'>,
  sources: MetricSources & { metrics: Metrics; isStopping: () => boolean },
): void => {
  const { store, services, platforms, metrics, isStopping } = sources
  http.get('/', (_, response) =>
    sendJson(response, 200, { status: 'Bellhop is running. CONSOLE=on turns the console on.' }),
  )
  http.get('/healthz', (_, response) => sendJson(response, 200, { status: 'ok' }))
  http.get('/readyz', async (_, response) => {
    if (isStopping()) return sendJson(response, 503, { status: 'stopping' })
    const [isThere, loss] = await Promise.all([store.ping(), store.freezes.all()]).then(
      // After a loss look-ups go on, and whoever may unfreeze is answered too.
      ([, freezes]) => [true, lossIn(freezes)] as const,
      () => [false, undefined] as const,
    )
    const isFull = store.isFull()
    const isStoring = isThere && !isFull
    const messengers = platforms()
    const isAnswering = messengers.length === 0 || messengers.some((one) => one.isAnswering)
    const parts = [
      {
        part: 'database',
        state: !isStoring ? 'away' : loss === undefined ? 'connected' : 'lost',
        ...defined({ why: isFull ? fullWords : loss?.reason }),
      },
      ...Object.entries(services.breakers()).map(([name, breaker]) => ({
        part: `${name} service`,
        state: breaker === 'closed' ? 'connected' : 'away',
      })),
      ...messengers.flatMap(({ name, connections }) =>
        connections.map(({ name: connection, state, why }) => ({
          part: `${name} ${connection}`,
          state,
          ...defined({ why }),
        })),
      ),
    ]
    const status = !isThere
      ? 'the database does not answer'
      : isFull
        ? fullWords
        : isAnswering
          ? (loss?.reason ?? 'ready')
          : 'no messenger takes the bot'
    sendJson(response, isStoring && isAnswering ? 200 : 503, { status, parts })
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
