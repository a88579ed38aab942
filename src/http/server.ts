import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'

export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The one HTTP server. Routes on the way of every chat message stand before fastify, which serves all the rest. */
export type HttpServer = {
  routes: FastifyInstance
  /** Serves POST on this path by itself, with the raw request. */
  raw(path: string, handler: RawHandler): void
  /** Where it listens. */
  listen(address: { host: string; port: number }): Promise<string>
  close(): Promise<void>
}

/** A request that never ends must not hold the process: after this long its connection is cut. */
const closeWithinMs = 5_000

export const createHttpServer = (): HttpServer => {
  const raws = new Map<string, RawHandler>()
  const routes = fastify({
    bodyLimit: 1_000_000,
    logger: false,
    trustProxy: false,
    forceCloseConnections: 'idle',
    serverFactory: (handler) =>
      createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
        const path = request.url?.split('?', 1)[0] ?? ''
        const raw = request.method === 'POST' ? raws.get(path) : undefined
        if (raw === undefined) handler(request, response)
        else raw(request, response)
      }),
  })
  return {
    routes,
    raw: (path, handler) => {
      raws.set(path, handler)
    },
    listen: async ({ host, port }) => {
      await routes.listen({ host, port })
      const { address, port: bound, family } = routes.server.address() as AddressInfo
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
    },
    close: async () => {
      const cut = setTimeout(() => routes.server.closeAllConnections(), closeWithinMs)
      await routes.close()
      clearTimeout(cut)
    },
  }
}
