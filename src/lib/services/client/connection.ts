import type { Dispatcher, buildConnector as undiciConnector } from 'undici'
import { buildConnector, HttpClient, HttpPool } from '../../undici.ts'
import { withoutAtEnd } from '../../view/end.ts'
import type { Effect } from '../endpoints/row.ts'
import { connectAhead } from './connect-ahead.ts'
import { type Fence, passFence } from './fence.ts'
import { broken, type HttpExchange, type Limits, sendOnce } from './http-exchange.ts'
import type { WireRequest } from './request.ts'
import type { ClientSettings } from './settings.ts'

export type Connection = {
  send(request: WireRequest, effect: Effect, limits: Limits, fence?: Fence): Promise<HttpExchange>
  /** A `once` request is about to come: its connection may stand by then. */
  expect(): void
  /** Why nothing of this service may be called now, as far as that can be known before anything is sent. */
  look?(): Promise<HttpExchange | undefined>
  close(): Promise<void>
}

/**
 * Kept-alive connections for what may be repeated, and a fresh connection for every `once` request. A server may close
 * an idle connection at the very moment a request is written to it, and nobody could then say whether a write was
 * taken; on a fresh connection, opened a moment ago and never used, it does not. The fence of a `once` request is passed
 * when its connection stands.
 */
export function createConnection(
  baseUrl: string,
  credentials: Readonly<Record<string, string>>,
  settings: ClientSettings,
): Connection {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = withoutAtEnd(pathname, '/')
  const connector = buildConnector({
    timeout: settings.attemptMs,
    // Only under HTTP/1.1 does the announcement of a request mean that it has its connection to itself.
    allowH2: false,
  })
  // Time is kept per attempt by the exchange, the body included.
  const untimed = { headersTimeout: 0, bodyTimeout: 0 }
  const kept = new HttpPool(origin, {
    ...untimed,
    connect: connector,
    connections: settings.concurrency,
    pipelining: 1,
  })
  const fresh = connectAhead(connector, origin)
  const sendAlone = (request: Dispatcher.DispatchOptions, limits: Limits, fence?: Fence) => {
    const connect = fence === undefined ? fresh.connect : connectThenPass(fresh.connect, fence)
    const client = new HttpClient(origin, { ...untimed, connect, pipelining: 0 })
    return sendOnce(client, request, limits, fence).finally(() => client.destroy(isOver))
  }

  return {
    async send({ method, path, body, headers }, effect, limits, fence) {
      const request: Dispatcher.DispatchOptions = {
        origin,
        method,
        path: prefix + path,
        headers: {
          ...credentials,
          accept: 'application/json',
          // Without this header every encoding would be welcome.
          'accept-encoding': 'identity',
          'user-agent': 'bellhop',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body ?? null,
        idempotent: effect === 'read',
      }
      if (effect === 'once') return sendAlone(request, limits, fence)
      if (fence === undefined || effect === 'read') return sendOnce(kept, request, limits)
      try {
        await passFence(fence)
      } catch (error) {
        return broken(error)
      }
      return sendOnce(kept, request, limits, fence)
    },
    expect: fresh.expect,
    close: () => kept.destroy(),
  }
}

/** Made once: undici would make one each time, and note where. */
const isOver = new Error('the only request of this connection is over')

const connectThenPass =
  (connect: undiciConnector.connector, fence: Fence): undiciConnector.connector =>
  (options, callback) =>
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      passFence(fence).then(
        () => callback(null, socket),
        (lost: Error) => {
          socket.destroy()
          callback(lost, null)
        },
      )
    })
