import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { answerRequest } from '../../../src/lib/http/server.ts'
import { type Refusal, type RefusalCode, refusals } from '../../../src/lib/view/refusals.ts'
import type { CallResult } from '../results.ts'

/** Where a refusal is about something else than what was asked for (422). */
const statuses: Partial<Record<RefusalCode, number>> = {
  no_token: 401,
  stranger: 403,
  unlisted: 403,
  may_not_run: 403,
  may_not_approve: 403,
  no_such_change: 404,
  not_found: 404,
  unknown_endpoint: 404,
  missing_key: 400,
  wrong_way: 400,
  key_reused: 409,
  frozen: 409,
  not_pending: 409,
  not_allowed_now: 409,
  too_large: 413,
  too_many_calls: 429,
  too_many_requests: 429,
  rate_limited: 503,
  unavailable: 503,
  database_down: 503,
  disk_full: 503,
  maybe_stored: 503,
  not_stored: 503,
  stopping: 503,
  not_known_yet: 503,
  unauthorized: 502,
  malformed: 502,
  broken: 500,
}

/** Where waiting helps and nobody knows how long. */
const retryAfterSeconds = 5

/** Why a call is refused. */
export type CallProblem = Pick<Refusal, 'code' | 'message' | 'next'> & {
  field?: string
  retry_after_seconds?: number
  /** Words of others may stand in it: they are data. */
  customer_text?: boolean
  /** What is meant could be one of these. */
  blocks?: unknown
  status?: number
  headers?: OutgoingHttpHeaders
}

/** A refusal as RFC 9457 has it, by its code of docs/refusals.md. */
export const sendProblem = (response: ServerResponse, problem: CallProblem): void => {
  const { code, message, next, field, retry_after_seconds, customer_text, blocks } = problem
  const { status = statuses[code] ?? 422, headers = {} } = problem
  const wait = retry_after_seconds ?? (status === 503 || status === 429 ? retryAfterSeconds : undefined)
  const body = {
    type: `urn:bellhop:refusal:${code}`,
    title: refusals[code][0],
    status,
    detail: message,
    code,
    next,
    field,
    customer_text,
    blocks,
  }
  answerRequest(response, status, body, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    ...headers,
  })
}

/** The refusal in an answer, if it is one. */
export const problemIn = ({ data }: CallResult): CallProblem | undefined =>
  'state' in data && data.state === 'refused' ? (data as unknown as CallProblem) : undefined
