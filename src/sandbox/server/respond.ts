import { timingSafeEqual } from 'node:crypto'
import type { ServiceName } from '../../services/endpoints/row.ts'
import { type BillingRow, billingHandlers } from '../../../packs/billing/sandbox/endpoints.ts'
import { type ChatRow, chatHandlers } from '../../../packs/chat/sandbox/endpoints.ts'
import { type EmailRow, emailHandlers } from '../../../packs/email/sandbox/endpoints.ts'
import { jsonOf } from '../endpoint/fields.ts'
import type { HandlerResult } from '../endpoint/handler.ts'
import { RefusedError, refuse } from '../endpoint/refuse.ts'
import type { SandboxState } from '../../../sandbox/seed/state.ts'
import { authorizationOf } from './api-keys.ts'
import { type Route, routeOf } from './route.ts'

/** A request to one of the services, read off the wire. */
export interface ServiceRequest {
  service: ServiceName
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface ServiceResponse {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string>
}

/** The row of a request, if one matches; a bad request is refused later, by `replyTo`. */
export function rowOf(request: ServiceRequest, state: SandboxState): string | undefined {
  try {
    return find(request, state)?.row
  } catch {
    return undefined
  }
}

export function respondTo(request: ServiceRequest, state: SandboxState, now: number): ServiceResponse {
  try {
    const { service, query, headers } = request
    if (!isAuthorized(service, headers.authorization)) refuse('the API key is missing or wrong', 401)
    checkBody(request)
    const route = find(request, state) ?? refuse('there is no such endpoint', 404)
    const { row, params } = route
    const call = { params, query, body: bodyOf(request), now }
    return toResponse(run(service, row, call, state), route)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const body = { success: false, status: 'error', message: error.message }
    return { status: error.status, body, headers: {} }
  }
}

export const bodyOf = ({ method, text }: ServiceRequest) =>
  method === 'GET' || text === '' ? undefined : jsonOf(text)

const find = (request: ServiceRequest, state: SandboxState) =>
  routeOf({ ...request, body: bodyOf(request) }, state)

function run(
  service: ServiceName,
  row: Route['row'],
  call: { params: string[]; query: URLSearchParams; body: unknown; now: number },
  state: SandboxState,
): HandlerResult {
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
const toResponse = ({ status = 200, body }: HandlerResult, { shown }: Route): ServiceResponse => ({
  status,
  body,
  headers: shown ? {} : { 'x-sandbox-shape': 'assumed' },
})

function isAuthorized(service: ServiceName, given: string | string[] | undefined): boolean {
  const expected = Buffer.from(authorizationOf[service])
  const actual = Buffer.from(String(given))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function checkBody(request: ServiceRequest) {
  if (request.method === 'GET' || request.text === '') return
  const type = String(request.headers['content-type'])
  if (!/^application\/json\b/i.test(type)) refuse('the body must be application/json', 415)
  const body = bodyOf(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    refuse('the body must be a JSON object')
}
