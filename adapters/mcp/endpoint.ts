import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { type HttpHandler, markSigned, refuseRequest } from '../../src/http/server.ts'
import type { Log } from '../../src/log.ts'
import type { Bot } from '../../src/messenger/bot.ts'
import { readBody } from '../../src/messenger/read-body.ts'
import type { Agent } from '../../src/model/agent.ts'
import { whyTooLargeJson } from '../../src/model/bounded-json.ts'
import type { FindCaller } from './callers.ts'

type EndpointDeps = {
  handler: McpHttpHandler
  findCaller: FindCaller
  bot: Pick<Bot, 'countRefused'>
  /** Pages of these origins may call; programs have none. */
  isOwnOrigin(origin: string): boolean
  /** Where to read who gives out tokens. */
  metadataUrl: string | undefined
  /** An agent that we know has called. */
  onCall(): void
  log: Log
}

const mostBodyBytes = 1_000_000

/** A call is let in by its token alone, and nothing of it is read before. */
export const createEndpoint = (deps: EndpointDeps): HttpHandler => {
  const { bot, findCaller, isOwnOrigin, metadataUrl } = deps
  return async (request, response) => {
    const refuse = (
      status: number,
      reason: string,
      message: string,
      headers: OutgoingHttpHeaders = {},
    ): void => {
      bot.countRefused('mcp', reason)
      refuseRequest(response, status, { message }, headers)
    }
    try {
      const { origin, authorization } = request.headers
      const [path, query] = (request.url ?? '').split('?', 2)
      if (path !== '/mcp') return refuse(404, 'path', 'There is nothing here: agents call /mcp.')
      if (origin !== undefined && !isOwnOrigin(origin)) {
        return refuse(403, 'origin', 'Pages of another origin may not call this.')
      }
      if (authorization === undefined || authorization === '') {
        const message =
          query === undefined
            ? 'A token is needed: send it as Authorization: Bearer <token>.'
            : 'A token in the address is not read: send it as Authorization: Bearer <token>.'
        return refuse(401, 'no_token', message, challenge(metadataUrl))
      }
      if (query !== undefined) {
        return refuse(
          400,
          'query',
          'Nothing belongs behind the address, a token least of all: send it as a header.',
        )
      }
      const agent = await findCaller(authorization)
      if (agent === undefined) {
        return refuse(
          401,
          'token',
          'This token is not good here, or no longer.',
          challenge(metadataUrl, 'invalid_token'),
        )
      }
      markSigned(request)
      deps.onCall()
      if (request.method !== 'POST') {
        return refuse(405, 'method', 'Calls come by POST.', { allow: 'POST' })
      }
      const body = await readBody(request, mostBodyBytes)
      if (body === undefined) return refuse(413, 'oversized', 'A call has at most 1,000,000 bytes.')
      const tooLarge = whyTooLargeJson(body.toString('utf8'))
      if (tooLarge !== undefined) return refuse(413, 'oversized', tooLarge)
      await answer(deps, agent, { request, response, body })
    } catch (error) {
      deps.log.warn({ err: error }, 'a call of an agent could not be answered')
      if (response.headersSent) response.destroy()
      else refuse(503, 'broken', 'This could not be answered now: call again.')
    }
  }
}

const challenge = (metadataUrl: string | undefined, error?: string) => ({
  'www-authenticate': [
    'Bearer realm="bellhop"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ].join(', '),
})

type Exchange = { request: IncomingMessage; response: ServerResponse; body: Buffer }

/** The same request in the form that the package wants, without the token. */
const answer = async ({ handler }: EndpointDeps, agent: Agent, exchange: Exchange): Promise<void> => {
  const { request, response, body } = exchange
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'authorization') headers.set(name, [value].flat().join(', '))
  }
  const asked = new Request('http://bellhop/mcp', {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
    signal: gone.signal,
  })
  const authInfo = { token: '', clientId: agent.id, scopes: [], extra: { agent } }
  const answered = await handler.fetch(asked, { authInfo })
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  if (answered.body === null) response.end()
  else {
    const stream = Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0])
    // A caller that is gone misses the rest; what it asked for goes on.
    await pipeline(stream, response).catch(() => undefined)
  }
}
