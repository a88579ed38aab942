import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../harness/listen.ts'
import { respondTo } from './response-url.ts'
import type { FakeState } from './state.ts'
import { callMethod } from './web-api.ts'

/** Slack's side of the wire: the Web API, response_urls and uploads. */
export const startServer = async (state: FakeState): Promise<Server> => {
  const server = createServer(async (request, response) => {
    const [, root = '', name = ''] = (request.url ?? '').split('/')
    const body = await text(request)
    const send = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof value === 'string' ? value : JSON.stringify(value))
    const fault = state.faults.get(root === 'api' ? name : root)?.shift()
    if (fault !== undefined) {
      state.calls.push({ method: root === 'api' ? name : root, args: {}, ok: false })
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
      if (fault.status === 0) return void request.socket.destroy()
      return send(fault.status, { ok: false, error: fault.error ?? 'fault' }, headers)
    }
    if (root === 'api') return send(200, callMethod(state, name, tokenOf(request), argsOf(body)))
    if (root === 'response') {
      const own = [state, ...state.others].find(({ responseUrls }) => responseUrls.has(name)) ?? state
      const { status, text: said } = respondTo(own, name, JSON.parse(body))
      return send(status, said)
    }
    if (root === 'file') {
      const shared = state.files.find(({ id }) => id === name)
      if (tokenOf(request) !== state.botToken || !state.scopes.has('files:read') || shared === undefined) {
        return send(200, '<html>Sign in</html>', { 'content-type': 'text/html' })
      }
      return send(200, shared.content, { 'content-type': 'text/csv' })
    }
    const file = root === 'upload' ? state.files.find(({ id }) => id === name) : undefined
    if (file === undefined) return send(404, 'not_found')
    file.content = body
    return send(200, 'OK')
  })
  const { origin } = await listen(server)
  state.origin = origin
  return server
}

const tokenOf = (request: IncomingMessage): string | undefined =>
  /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]

/** Nested values come as JSON inside the form. */
const argsOf = (body: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(body)].map(([key, value]) => [
      key,
      key !== 'text' && /^[[{]/.test(value) ? JSON.parse(value) : value,
    ]),
  )
