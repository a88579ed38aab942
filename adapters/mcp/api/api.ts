import { refuseUnstored } from '../../../src/kernel/messenger/intake.ts'
import { type HttpHandler, sendJson } from '../../../src/lib/http/server.ts'
import type { Turn } from '../../../src/lib/limits/call-rate.ts'
import type { Log } from '../../../src/lib/log.ts'
import { fieldRefusal, type RefusalCode, refusal } from '../../../src/lib/view/refusals.ts'
import { type GuardDeps, isLetIn, letIn, type NotLetIn } from '../guard.ts'
import { askForChange } from './asking.ts'
import { type Answering, type ApiCall, type ApiDeps, isProblem } from './call.ts'
import { listRequests, look, lookUp } from './looking.ts'
import { openApiOf } from './openapi.ts'
import { problemIn, sendProblem } from './problem.ts'

const codeOfReason: Partial<Record<string, RefusalCode>> = {
  origin: 'may_not_run',
  no_token: 'no_token',
  token: 'no_token',
}

const routeOf = (path: string): Record<string, Answering> | undefined => {
  if (path === '/api/requests') return { GET: listRequests, POST: askForChange }
  if (path === '/api/look-ups') return { POST: lookUp }
  const id = /^\/api\/requests\/([\w.~-]{1,200})$/.exec(path)?.[1]
  return id === undefined ? undefined : { GET: (deps, call) => look(deps, call, id) }
}

/** Plain HTTP for programs: the same requests and answers as /mcp has, as JSON. */
export const createApi = (deps: ApiDeps & GuardDeps & { publicUrl: string; log: Log }): HttpHandler => {
  const { bot, requests, publicUrl, log } = deps
  let document: object | undefined
  return async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
    const refuse = ({ status, reason, message, headers = {} }: NotLetIn): void => {
      bot.countRefused('mcp', reason)
      const code = codeOfReason[reason] ?? 'unknown_endpoint'
      const next = code === 'no_token' ? undefined : '/api/openapi.json says what there is.'
      const said = refusal(code, message, next === undefined ? {} : { next })
      sendProblem(response, { ...said, status, headers })
    }
    try {
      if (path === '/api/openapi.json' && method === 'GET') {
        document ??= openApiOf(bot.registry.all, publicUrl)
        return sendJson(response, 200, document)
      }
      const agent = await letIn(deps, request)
      if (!isLetIn(agent)) return refuse(agent)
      const route = routeOf(path)
      if (route === undefined)
        return refuse({ status: 404, reason: 'path', message: 'There is nothing here.' })
      const { turn, refused } = requests.turn(agent)
      const headers = { 'cache-control': 'no-store', ...limitHeaders(agent.rate, turn) }
      const early = refused && problemIn(refused)
      if (early !== undefined) {
        bot.agents.count(agent.id, 'other', early.code)
        return sendProblem(response, { ...early, headers })
      }
      const answering = route[method]
      if (answering === undefined) {
        const allow = Object.keys(route).join(', ')
        const message = `This takes ${allow.replace(', ', ' and ')}.`
        return refuse({ status: 405, reason: 'method', message, headers: { ...headers, allow } })
      }
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const call: ApiCall = { agent, request, query: new URLSearchParams(query), gone: gone.signal }
      const answer = await answering(deps, call)
      if (isProblem(answer))
        return sendProblem(response, { ...answer, headers: { ...headers, ...answer.headers } })
      for (const [name, value] of Object.entries({ ...headers, ...answer.headers })) {
        response.setHeader(name, value)
      }
      sendJson(response, answer.status, answer.body)
    } catch (error) {
      log.warn({ err: error }, 'a call of an agent could not be answered')
      if (response.headersSent) response.destroy()
      else {
        const broken = refusal('broken', 'This could not be answered now.', { next: 'Call again.' })
        const said = fieldRefusal(refuseUnstored(error) ?? broken)
        sendProblem(response, { ...said, status: 503 })
      }
    }
  }
}

/** As the draft of the IETF has them, and as most clients still read them. */
const limitHeaders = (rate: number, { left, resetMs }: Turn) => {
  const seconds = Math.ceil(resetMs / 1000)
  return {
    'ratelimit-policy': `"calls";q=${rate};w=60`,
    ratelimit: `"calls";r=${left};t=${seconds}`,
    'ratelimit-limit': String(rate),
    'ratelimit-remaining': String(left),
    'ratelimit-reset': String(seconds),
  }
}
