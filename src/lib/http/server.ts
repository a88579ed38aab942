import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** An import would look at everything that the module has, and with that load Node’s own copy of undici. */
const { createServer } = process.getBuiltinModule('node:http')

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The one HTTP server. */
export type HttpServer = {
  get(path: string, handler: HttpHandler): void
  post(path: string, handler: HttpHandler): void
  /** Passes everything at and below this path to another handler. */
  mount(path: string, handler: HttpHandler): void
  /** Once it listens. */
  port(): number | undefined
  /** Where it listens. */
  listen(address: { host: string; port: number }): Promise<string>
  close(): Promise<void>
}

/** A request that never ends must not keep the process running, so its connection is cut after this long. */
const closeWithinMs = 5_000

/** A request ends within this, its body included, or its connection is cut. */
const requestWithinMs = 10_000

/**
 * Longer than balancers and clients keep a connection that nobody uses, so that they close it and we do not: a request that is
 * sent while we close would be lost.
 */
export const idleWithinMs = 75_000

/** Connections that have not brought a valid signature yet: past this many, one is cut, of whoever holds the most of them. */
const maxUnsigned = 500

/** What lasts longer, such as the stream of an open page, is waiting: it is no longer watched. */
const watchedMs = 5_000

export const createHttpServer = ({
  most = maxUnsigned,
  withinMs = requestWithinMs,
  watch,
}: {
  most?: number
  withinMs?: number
  /** Is told what is under way, by the path that we serve and not by the one that was asked for. */
  watch?: (what: string) => { isOver(): void }
} = {}): HttpServer => {
  const handlers = new Map<string, HttpHandler>()
  const mounted = new Map<string, HttpHandler>()
  const timeouts = {
    requestTimeout: withinMs,
    headersTimeout: withinMs,
    keepAliveTimeout: idleWithinMs,
    connectionsCheckingInterval: withinMs / 10,
  }
  const server = createServer(timeouts, (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const own = `${method} ${path}`
    const under = `/${path.split('/', 2)[1]}`
    const handler = handlers.get(own) ?? mounted.get(under) ?? nothingHere
    if (watch !== undefined && handler !== nothingHere) {
      const { isOver } = watch(handlers.has(own) ? own : `${method === 'GET' ? 'GET' : 'POST'} ${under}`)
      const waits = setTimeout(isOver, watchedMs).unref()
      response.once('close', () => {
        clearTimeout(waits)
        isOver()
      })
    }
    handler(request, response)
  })
  const unsigned = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unsigned.add(socket)
    unsignedBeside.set(socket, unsigned)
    socket.once('close', () => unsigned.delete(socket))
    if (unsigned.size > most) oldestOfMost(unsigned)?.destroy()
  })
  const address = () => server.address() as AddressInfo | null
  return {
    get: (path, handler) => void handlers.set(`GET ${path}`, handler),
    post: (path, handler) => void handlers.set(`POST ${path}`, handler),
    mount: (path, handler) => void mounted.set(path, handler),
    port: () => address()?.port,
    listen: async ({ host, port }) => {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      const { address: bound, port: chosen, family } = address() as AddressInfo
      return `http://${family === 'IPv6' ? `[${bound}]` : bound}:${chosen}`
    },
    close: async () => {
      if (!server.listening) return
      const cut = setTimeout(() => server.closeAllConnections(), closeWithinMs)
      await new Promise((resolve) => server.close(resolve))
      clearTimeout(cut)
    },
  }
}

/** The oldest of the network that holds the most, so that nobody who opens many cuts those of others. */
const oldestOfMost = (open: ReadonlySet<Socket>): Socket | undefined => {
  const held = [...Map.groupBy(open, networkOf).values()]
  return held.reduce((most, one) => (one.length > most.length ? one : most), [])[0]
}

/** An address; of version 6 the half that a network is given, since all of the other half is one household's. */
const networkOf = ({ remoteAddress = '' }: Socket): string =>
  remoteAddress.includes('.') ? remoteAddress : remoteAddress.split(':', 4).join(':')

const unsignedBeside = new WeakMap<Socket, Set<Socket>>()

/** Whoever has signed a request is who they say: their connection is not cut for the sake of others. */
export const markSigned = ({ socket }: IncomingMessage): void => {
  unsignedBeside.get(socket)?.delete(socket)
}

export const sendJson = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

/** For so long a caller may go on sending what nobody reads, so that it gets to read why. */
const lingerMs = 2_000

/**
 * Answers a request of which the body may still be on its way: a connection that is closed before all of it was taken is
 * reset, and the caller sees that in place of the answer. So the whole answer leaves at once and the connection a little later.
 */
export const answerRequest = (
  response: ServerResponse,
  status: number,
  answer: object | string,
  headers: OutgoingHttpHeaders = {},
): void => {
  const request = response.req
  const isText = typeof answer === 'string'
  const text = isText ? answer : JSON.stringify(answer)
  const head = {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  }
  if (request.complete) return void response.writeHead(status, head).end(text)
  response.writeHead(status, { ...head, connection: 'close' }).write(text)
  const end = () => {
    clearTimeout(cut)
    response.end()
  }
  const cut = setTimeout(end, lingerMs)
  request.once('end', end).once('close', end).resume()
}

const nothingHere: HttpHandler = (_, response) =>
  answerRequest(response, 404, { message: 'There is nothing here.' })

/** Whether only this machine can reach a server bound to this address. */
export const isPrivateHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** What a browser keeps for us under a name; empty where it sent nothing. */
export const cookieIn = ({ cookie = '' }: IncomingHttpHeaders, name: string): string =>
  cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? ''
