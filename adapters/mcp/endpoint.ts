import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { refuseUnstored } from '../../src/kernel/messenger/intake.ts'
import { answerRequest, type HttpHandler } from '../../src/lib/http/server.ts'
import type { Log } from '../../src/lib/log.ts'
import { refusalLine } from '../../src/lib/view/refusals.ts'
import { type GuardDeps, isLetIn, letIn, type NotLetIn, readCallBody } from './guard.ts'
import type { AgentCaller } from './requests.ts'
import type { Slackbot } from './slackbot.ts'

type EndpointDeps = GuardDeps & {
  handler: McpHttpHandler
  bot: Pick<Bot, 'countRefused'>
  log: Log
  /** Lets in whom Slack's own assistant calls for, where that is on. */
  slackbot: Slackbot | undefined
}

export const createEndpoint = (deps: EndpointDeps): HttpHandler => {
  const { bot } = deps
  return async (request, response) => {
    const refuse = ({ status, reason, message, headers = {} }: NotLetIn): void => {
      bot.countRefused('mcp', reason)
      answerRequest(response, status, { message }, headers)
    }
    try {
      const [path, query] = (request.url ?? '').split('?', 2)
      if (path !== '/mcp') {
        return refuse({ status: 404, reason: 'path', message: 'There is nothing here: agents call /mcp.' })
      }
      if (query !== undefined && (request.headers.authorization ?? '') !== '') {
        const message = 'Nothing belongs behind the address, a token least of all: send it as a header.'
        return refuse({ status: 400, reason: 'query', message })
      }
      const isSigned = deps.slackbot?.isMeant(request) === true
      const agent = isSigned ? undefined : await letIn(deps, request)
      if (agent !== undefined && !isLetIn(agent)) return refuse(agent)
      if (request.method !== 'POST') {
        const headers = { allow: 'POST' }
        return refuse({ status: 405, reason: 'method', message: 'Calls come by POST.', headers })
      }
      const body = await readCallBody(request)
      if (!isLetIn(body)) return refuse(body)
      const caller = agent ?? (await deps.slackbot?.callerOf(request, body))
      if (caller === undefined) return
      if (!isLetIn(caller)) return refuse(caller)
      if (isSigned) deps.onCall()
      await answer(deps, caller, { request, response, body })
    } catch (error) {
      deps.log.warn({ err: error }, 'a call of an agent could not be answered')
      if (response.headersSent) response.destroy()
      else {
        const unstored = refuseUnstored(error)
        const message =
          unstored === undefined ? 'This could not be answered now: call again.' : refusalLine(unstored)
        refuse({ status: 503, reason: unstored?.code ?? 'broken', message })
      }
    }
  }
}

/** A call, alone or among others. What cannot be read is refused by the package. */
const isCall = (body: Buffer): boolean => {
  try {
    return [JSON.parse(body.toString('utf8'))].flat().some((message) => message?.method === 'tools/call')
  } catch {
    return false
  }
}

type Exchange = { request: IncomingMessage; response: ServerResponse; body: Buffer }

/** The same request in the form that the package wants, without the token. */
const answer = async ({ handler }: EndpointDeps, agent: AgentCaller, exchange: Exchange): Promise<void> => {
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
  const authInfo = { token: '', clientId: agent.id, scopes: [], extra: { agent, isCall: isCall(body) } }
  const answered = await handler.fetch(asked, { authInfo })
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  if (answered.body === null) response.end()
  else {
    const stream = Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0])
    // A caller that is gone misses the rest; what it asked for goes on.
    await pipeline(stream, response).catch(() => undefined)
  }
}
