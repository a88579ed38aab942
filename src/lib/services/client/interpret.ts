import { z } from 'zod'
import { parseBounded } from '../../codecs/bounded-json.ts'
import { retryAfterMsOf } from '../../retry.ts'
import { type ServiceStanding, standingIn } from '../endpoints/later.ts'
import type { CallInput } from '../endpoints/open-record.ts'
import type { Row } from '../endpoints/row.ts'
import { type NamedRow, serviceNamed } from '../endpoints/tables.ts'
import { ServiceError, type ServiceErrorKind } from '../errors.ts'
import { isToolsChanged } from '../mcp/connection.ts'
import { openToolAnswer } from '../mcp/tool-answer.ts'
import { isRecord } from '../read-answer.ts'
import { openEnvelope } from './envelope.ts'
import { FenceError } from './fence.ts'
import type { HttpExchange } from './http-exchange.ts'
import { readPayload, showsFields, tellsAnything } from './payload.ts'
import { serviceMessageOf } from './service-message.ts'

export type ServiceAnswer<T = unknown> = {
  data: T | undefined
  message: string | undefined
  /** False for a change whose answer says that it is done, and less than the document shows: look at it. */
  understood: boolean
  status: number
  /** The whole body as parsed JSON, envelope and all. */
  body: unknown
  /** Of a write that the service says it settles later, how it stands. */
  standing?: ServiceStanding
}

/** `redact` takes out of the service's words what must not be repeated, such as our own key. */
export type InterpretOptions = { now: number; redact: (words: string) => string; sent?: CallInput }

/**
 * What an exchange means: an answer, or the error to throw. A status of success proves nothing: whoever stands between, such as
 * a network that wants people to sign in, has one too. Only what is in the form of the service's document is its answer.
 */
export function interpretAnswer(
  named: NamedRow,
  exchange: HttpExchange,
  { now, redact, sent = {} }: InterpretOptions,
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
  if (exchange.end === 'broken' && isToolsChanged(exchange))
    return error('tools_changed', 'not_done', exchange.cause.message)
  if (status === undefined)
    return error('unavailable', exchange.end === 'broken' && exchange.left ? open : 'not_done')
  const json = jsonOf(exchange)
  const standing = standingOf(named, exchange, json, redact)
  if (standing?.state === 'held')
    return new ServiceError({
      kind: 'held',
      outcome: 'unknown',
      service: named.service,
      row: named.name,
      status,
      serviceMessage: standing.why,
      standing,
    })
  if (standing?.state === 'failed') return error('rejected', 'not_done', standing.why ?? standing.said)
  // The service says that it waited too long, not how much of the request it had acted on by then.
  if (status === requestTimeout) return error('unavailable', open, serviceMessageOf(json.value))
  if (status < 200 || status >= 500) return error('unavailable', open, serviceMessageOf(json.value))
  if (status >= 400) return error(kindOf(status), 'not_done', serviceMessageOf(json.value))
  if (status >= 300) return error('malformed', open)
  if (exchange.end === 'broken') return error('unavailable', open)

  const answer = {
    data: undefined,
    message: undefined,
    understood: true,
    status,
    body: json.value,
    ...(standing && { standing }),
  }
  if (json.form === 'empty') return mayBeEmpty(row, status) ? answer : error('malformed', open)
  if (json.form === 'garbage') return error('malformed', open)

  const service = serviceNamed(named.service)
  const isWrapping = service.envelope === true
  const isTool = service.mcp !== undefined
  const {
    verdict,
    isWrapped,
    message: words,
    data,
  } = isTool ? openToolAnswer(json.value) : openEnvelope(json.value, isWrapping)
  const message = words === undefined ? undefined : redact(words)
  if (verdict === 'refused')
    return error(
      'rejected',
      isTool && row.errorMeansNotDone !== true ? open : 'not_done',
      isTool ? words : serviceMessageOf(json.value),
    )
  if (isTool && verdict === undefined) return error('malformed', open, words)
  if (isWrapping && verdict !== 'done' && (!isRead || !tellsAnything(data))) return error('malformed', open)
  if (data === undefined || (!isRead && isWrapped && isNothing(data))) {
    if (isRead && row.shown) return error('malformed', open)
    const isWhole = !showsFields(row) && (!row.shown || message !== undefined)
    return { ...answer, message, understood: isWhole }
  }
  if (!isWrapped && !isWrapping && data === null) return error('malformed', open)
  const payload = readPayload(row, data, sent)
  if (payload !== undefined) return { ...answer, message, data: payload.data }
  // The server has declared that it is done, and says of it less than it should.
  return isTool && !isRead ? { ...answer, understood: false } : error('malformed', open)
}

/** Where a write says by the form of its row how it stands. */
const standingOf = (
  { service, row: { effect, later } }: NamedRow,
  exchange: HttpExchange,
  json: Json,
  redact: (words: string) => string,
): ServiceStanding | undefined => {
  if (effect === 'read' || later === undefined || exchange.end === 'broken') return undefined
  const body = serviceNamed(service).mcp === undefined ? json.value : openToolAnswer(json.value).data
  const found = standingIn(later.says, body, exchange.status)
  return found?.why === undefined ? found : { ...found, why: redact(found.why) }
}

const isNothing = (data: unknown) => isRecord(data) && Object.keys(data).length === 0

/** 204 says itself that there is nothing to read; where a document shows an answer, nothing is not it. */
const mayBeEmpty = ({ answer }: Row, status: number) =>
  answer instanceof z.ZodUndefined || (status === noContent && answer instanceof z.ZodUnknown)

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
