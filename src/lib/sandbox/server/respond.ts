import { timingSafeEqual } from 'node:crypto'
import { credentialsOf } from '../../services/client/credentials.ts'
import type { Service } from '../../services/endpoints/row.ts'
import { jsonOf } from '../endpoint/fields.ts'
import type { HandlerResult } from '../endpoint/handler.ts'
import { RefusedError, refuse } from '../endpoint/refuse.ts'
import { type SandboxState, type StandIn, sandboxKeys } from '../service-sandbox.ts'
import { type Route, routeOf } from './route.ts'

/** A request to a service, read off the wire. */
export interface ServiceRequest {
  standIn: StandIn
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface ServiceResponse {
  status: number
  body: unknown
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
    const { standIn, query, headers } = request
    if (!isAuthorized(standIn.service, headers)) refuse('the API key is missing or wrong', 401)
    checkBody(request)
    const route = find(request, state) ?? refuse('there is no such endpoint', 404)
    const { row, params } = route
    const handle = standIn.sandbox.handlers[row] ?? refuse(`the sandbox has no answer for ${row}`, 501)
    const own = state[standIn.service.name] as never
    return toResponse(handle({ params, query, body: bodyOf(request), now, state: own }), route)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const body = { success: false, status: 'error', message: error.message }
    return { status: error.status, body, headers: {} }
  }
}

export const bodyOf = ({ method, text }: ServiceRequest) =>
  method === 'GET' || text === '' ? undefined : jsonOf(text)

const find = (request: ServiceRequest, state: SandboxState) =>
  routeOf(request.standIn, { ...request, body: bodyOf(request) }, state)

// Rows that the documents list by method and path alone answer in shapes of the stand-in's own making. The header is the one
// place that says so: nothing may be concluded from those bodies about the real services.
const toResponse = ({ status = 200, body }: HandlerResult, { shown }: Route): ServiceResponse => ({
  status,
  body,
  headers: shown ? {} : { 'x-sandbox-shape': 'assumed' },
})

function isAuthorized(service: Service, headers: ServiceRequest['headers']): boolean {
  const wanted = Object.entries(credentialsOf(service, sandboxKeys(service)).headers)
  return wanted.every(([name, value]) => {
    const expected = Buffer.from(value)
    const actual = Buffer.from(String(headers[name]))
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  })
}

function checkBody(request: ServiceRequest) {
  if (request.method === 'GET' || request.text === '') return
  const type = String(request.headers['content-type'])
  if (!/^application\/json\b/i.test(type)) refuse('the body must be application/json', 415)
  const body = bodyOf(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    refuse('the body must be a JSON object')
}
