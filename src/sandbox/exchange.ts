import { timingSafeEqual } from 'node:crypto'
import type { ServiceName } from '../services/row.ts'
import { type BillingRow, billingHandlers } from './billing.ts'
import type { Answer } from './call.ts'
import { type ChatRow, chatHandlers } from './chat.ts'
import { type EmailRow, emailHandlers } from './email.ts'
import { jsonOf } from './fields.ts'
import { authorizationOf } from './keys.ts'
import { RefusedError, refuse } from './refused.ts'
import { type Route, routeOf } from './route.ts'
import type { SandboxState } from './state.ts'

/** A request to one of the services, read off the wire. */
export interface Exchange {
  service: ServiceName
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface Reply {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string>
}

/** The row of a request, if it can be told; a bad request is refused later, by `replyTo`. */
export function rowOf(exchange: Exchange, state: SandboxState): string | undefined {
  try {
    return find(exchange, state)?.row
  } catch {
    return undefined
  }
}

export function replyTo(exchange: Exchange, state: SandboxState, now: number): Reply {
  try {
    const { service, query, headers } = exchange
    if (!isAuthorized(service, headers.authorization)) refuse('the API key is missing or wrong', 401)
    checkBody(exchange)
    const route = find(exchange, state) ?? refuse('there is no such endpoint', 404)
    const { row, params } = route
    const call = { params, query, body: bodyOf(exchange), now }
    return toReply(run(service, row, call, state), route)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const body = { success: false, status: 'error', message: error.message }
    return { status: error.status, body, headers: {} }
  }
}

export const bodyOf = ({ method, text }: Exchange) =>
  method === 'GET' || text === '' ? undefined : jsonOf(text)

const find = (exchange: Exchange, state: SandboxState) =>
  routeOf({ ...exchange, body: bodyOf(exchange) }, state)

function run(
  service: ServiceName,
  row: Route['row'],
  call: { params: string[]; query: URLSearchParams; body: unknown; now: number },
  state: SandboxState,
): Answer {
  switch (service) {
    case 'email':
      return emailHandlers[row as EmailRow]({ ...call, state: state.email })
    case 'chat':
      return chatHandlers[row as ChatRow]({ ...call, state: state.chat })
    case 'billing':
      return billingHandlers[row as BillingRow]({ ...call, state: state.billing })
  }
}

// Rows that the documents list by method and path alone answer in shapes of the stand-in's own making. The header is the one
// place that says so: nothing may be concluded from those bodies about the real services.
const toReply = ({ status = 200, body }: Answer, { shown }: Route): Reply => ({
  status,
  body,
  headers: shown ? {} : { 'x-sandbox-shape': 'assumed' },
})

function isAuthorized(service: ServiceName, given: string | string[] | undefined): boolean {
  const expected = Buffer.from(authorizationOf[service])
  const actual = Buffer.from(String(given))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function checkBody(exchange: Exchange) {
  if (exchange.method === 'GET' || exchange.text === '') return
  const type = String(exchange.headers['content-type'])
  if (!/^application\/json\b/i.test(type)) refuse('the body must be application/json', 415)
  const body = bodyOf(exchange)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    refuse('the body must be a JSON object')
}
