import { parseBounded } from '../../model/bounded-json.ts'
import { retryAfterMsOf } from '../../retry.ts'
import type { NamedRow } from '../endpoints/tables.ts'
import { ServiceError, type ServiceErrorKind } from '../errors.ts'
import { openEnvelope } from './envelope.ts'
import { FenceError } from './fence.ts'
import type { HttpExchange } from './http-exchange.ts'
import { serviceMessageOf } from './service-message.ts'

export type ServiceAnswer<T = unknown> = {
  data: T | undefined
  message: string | undefined
  /** False for a change that was accepted with an answer that could not be read: done, but look at it. */
  understood: boolean
  status: number
  /** The whole body as parsed JSON, envelope and all. */
  body: unknown
}

/** `redact` takes out of the service's words what must not be repeated, such as our own key. */
export type InterpretOptions = { now: number; redact: (words: string) => string }

/** What an exchange means: an answer, or the error to throw. */
export function interpret(
  named: NamedRow,
  exchange: HttpExchange,
  { now, redact }: InterpretOptions,
): ServiceAnswer | ServiceError {
  const { row } = named
  const isRead = row.effect === 'read'
  const open = isRead ? 'not_done' : 'unknown'
  const error = (kind: ServiceErrorKind, outcome: ServiceError['outcome'], serviceMessage?: string) =>
    new ServiceError({
      kind,
      outcome,
      service: named.service,
      row: named.name,
      status: exchange.status,
      serviceMessage: serviceMessage === undefined ? undefined : redact(serviceMessage),
      retryAfterMs: retryAfterMsOf(exchange.headers['retry-after'], now),
      cause: exchange.end === 'broken' ? exchange.cause : undefined,
    })

  const { status } = exchange
  if (exchange.end === 'broken' && exchange.cause instanceof FenceError) return error('given_up', 'not_done')
  if (status === undefined)
    return error('unavailable', exchange.end === 'broken' && exchange.left ? open : 'not_done')
  const json = jsonOf(exchange)
  // The service says that it waited too long, not how much of the request it had acted on by then.
  if (status === requestTimeout) return error('unavailable', open, serviceMessageOf(json.value))
  if (status < 200 || status >= 500) return error('unavailable', open, serviceMessageOf(json.value))
  if (status >= 400) return error(kindOf(status), 'not_done', serviceMessageOf(json.value))
  if (status >= 300) return error('malformed', open)
  if (exchange.end === 'broken') return error('unavailable', open)

  const answer = { data: undefined, message: undefined, understood: true, status, body: json.value }
  if (json.form === 'empty') {
    if (isRead && row.shown) return error('malformed', open)
    // 204 says itself that there is nothing to read; elsewhere the document shows an answer that is not there.
    return { ...answer, understood: !row.shown || status === noContent }
  }
  if (json.form === 'garbage') return isRead ? error('malformed', open) : { ...answer, understood: false }

  const { refused, message: words, data } = openEnvelope(json.value)
  const message = words === undefined ? undefined : redact(words)
  if (refused) return error('rejected', 'not_done', serviceMessageOf(json.value))
  if (data === undefined) return isRead && row.shown ? error('malformed', open) : { ...answer, message }
  const parsed = row.answer.safeParse(data)
  if (parsed.success) return { ...answer, message, data: parsed.data }
  return isRead ? error('malformed', open) : { ...answer, message, understood: false }
}

const noContent = 204
const requestTimeout = 408

function kindOf(status: number): ServiceErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  return status === 429 ? 'rate_limited' : 'rejected'
}

/** An answer of five megabytes with rows as the documents show them holds fewer. */
const answerBounds = { values: 500_000 }

type Json = { form: 'json' | 'empty' | 'garbage'; value: unknown }

function jsonOf(exchange: HttpExchange): Json {
  if (exchange.end === 'broken' || exchange.body === 'too large') return { form: 'garbage', value: undefined }
  const text = exchange.body.toString('utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '') return { form: 'empty', value: undefined }
  try {
    return { form: 'json', value: parseBounded(text, answerBounds) }
  } catch {
    // Plain text that comes with an error is still the service's own words; a page of markup is nobody's.
    const speaks = exchange.status >= 400 && !/^\s*</.test(text)
    return { form: 'garbage', value: speaks ? text.slice(0, 2000) : undefined }
  }
}
