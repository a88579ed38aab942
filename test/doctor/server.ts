import { createServer, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from '../harness/listen.ts'

export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown }

/** A small server that answers as it is told, and remembers who asked for what. */
export const serve = async (answer: (request: IncomingMessage) => Answer) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const { status = 200, headers = {}, body } = answer(request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const { origin, close } = await listen(server)
  onTestFinished(close)
  return { url: origin, asked }
}

/** Where nobody listens. */
export const nowhere = 'http://127.0.0.1:9'
