import { type Dispatcher, Pool } from 'undici'
import type { Effect } from '../endpoints/row.ts'
import { type HttpExchange, type Limits, sendOnce } from './http-exchange.ts'
import type { WireRequest } from './request.ts'
import type { ClientSettings } from './settings.ts'

export type Connection = {
  send(request: WireRequest, effect: Effect, limits: Limits): Promise<HttpExchange>
  close(): Promise<void>
}

/**
 * Two pools: kept-alive connections for what may be repeated, and a fresh connection for every `once` request. A server
 * may close an idle connection at the very moment a request is written to it, and nobody could then say
 * whether a refund was taken; on a fresh connection that cannot happen.
 */
export function createConnection(
  baseUrl: string,
  authorization: string,
  settings: ClientSettings,
): Connection {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const options = {
    connections: settings.concurrency,
    connectTimeout: settings.attemptMs,
    // Time is kept per attempt by the exchange, the body included.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Only under HTTP/1.1 does the announcement of a request mean that it has its connection to itself.
    allowH2: false,
  }
  const kept = new Pool(origin, { ...options, pipelining: 1 })
  const fresh = new Pool(origin, { ...options, pipelining: 0 })

  return {
    send({ method, path, body }, effect, limits) {
      const request: Dispatcher.DispatchOptions = {
        origin,
        method,
        path: prefix + path,
        headers: {
          authorization,
          accept: 'application/json',
          // Without this header every encoding would be welcome.
          'accept-encoding': 'identity',
          'user-agent': 'bellhop',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body ?? null,
        idempotent: effect === 'read',
      }
      return sendOnce(effect === 'once' ? fresh : kept, request, limits)
    },
    async close() {
      await Promise.all([kept.destroy(), fresh.destroy()])
    },
  }
}
