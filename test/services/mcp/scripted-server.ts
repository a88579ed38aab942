import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { newFolder } from '../../harness/bot-process.ts'
import { listen } from '../../harness/listen.ts'
import { createScript } from './scripted.ts'

export type ScriptedServer = {
  baseUrl: string
  /** The calls of tools that reached it. */
  heard(): string[]
  close(): Promise<void>
}

export const overStdio = async (): Promise<ScriptedServer> => {
  const file = join(newFolder(), 'heard')
  const script = resolve(import.meta.dirname, 'stdio-server.ts')
  return {
    baseUrl: `HEARD=${file} ${process.execPath} ${script}`,
    heard: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []),
    close: async () => undefined,
  }
}

export type HttpScript = ScriptedServer & {
  /** Says other things of its tools from now on, and tells nobody. */
  turn(description: string): void
  /** Tells every client that listens that its tools have changed. */
  announce(): void
  listeners(): number
  /** Forgets its sessions, as a server does that was started again. */
  forget(): void
  /** What it takes for a token. */
  accepts(token: string): void
}

export const overHttp = async ({ streams = true } = {}): Promise<HttpScript> => {
  const calls: string[] = []
  const { answer, turn } = createScript(
    (call) => calls.push(call),
    () => ({ token: accepted }),
  )
  const sessions = new Set<string>()
  const listeners = new Set<ServerResponse>()
  let accepted = 'scripted-token'
  const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`
  const server = createServer(async (request, response) => {
    const session = String(request.headers['mcp-session-id'] ?? '')
    if (request.headers.authorization !== `Bearer ${accepted}`) return response.writeHead(401).end()
    if (session !== '' && !sessions.has(session)) return response.writeHead(404).end()
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      listeners.add(response)
      return response.on('close', () => listeners.delete(response))
    }
    const message = JSON.parse(await text(request))
    const { said, after } = answer(message)
    if (after === 'cut') return response.socket?.destroy()
    const given = message.method === 'initialize' ? { 'mcp-session-id': randomUUID() } : {}
    for (const id of Object.values(given)) sessions.add(id)
    if (said.length === 0 && after === undefined) return response.writeHead(202).end()
    if (!streams && said.length === 1) {
      if (after === 'hang' && message.params?.arguments?.how === 'hang') return undefined
      return response
        .writeHead(200, { 'content-type': 'application/json', ...given })
        .end(JSON.stringify(said[0]))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', ...given }).flushHeaders()
    for (const one of said) response.write(event(one))
    // An answer is whole where its event is: many servers leave the stream open behind it.
    return undefined
  })
  const { origin, close } = await listen(server)
  return {
    baseUrl: `${origin}/mcp`,
    heard: () => calls,
    turn,
    announce: () => {
      for (const one of listeners)
        one.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }))
    },
    listeners: () => listeners.size,
    forget: () => sessions.clear(),
    accepts: (token) => {
      accepted = token
    },
    close,
  }
}
