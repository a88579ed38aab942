import { after, latest, longAgo, msBetween, type Ticks } from '../../clock.ts'
import { backoffMs, pause } from '../../retry.ts'
import type { Effect, ServiceName } from '../endpoints/row.ts'
import type { NamedRow } from '../endpoints/tables.ts'
import { ServiceError, type ServiceErrorKind } from '../errors.ts'
import { createBreaker, type Ticket } from './breaker.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import type { Connection } from './connection.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import type { Fence } from './fence.ts'
import type { HttpExchange } from './http-exchange.ts'
import { interpretAnswer, type ServiceAnswer } from './interpret.ts'
import { type CallInput, toRequest, type WireRequest } from './request.ts'
import type { ClientSettings } from './settings.ts'

export type CallOptions = {
  signal?: AbortSignal | undefined
  deadlineMs?: number | undefined
  fence?: Fence | undefined
  /** Nobody is told of the answer: it is one of very many that nobody looks at. */
  unheard?: boolean | undefined
}

export type Observation = {
  service: ServiceName
  row: string
  status: number | undefined
  ms: number
  attempt: number
  kind?: ServiceErrorKind
}

/** The part of a pino logger that is used. */
export type ServiceLog = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

type CallerContext = {
  settings: ClientSettings
  log: ServiceLog
  /** Wall time, for services that name the time at which to come again. */
  now: () => number
  ticks: Ticks
  random: () => number
  observe: (observation: Observation) => void
  redact: (words: string) => string
  closing: AbortSignal
}

/** A request as it goes over the wire, and what it was made of. */
type Sent = { request: WireRequest; input: CallInput }

type Entry = { leave: () => void; ticket: Ticket }

/** Everything that the calls of one service share: its connection, its bound, its breaker, and the pause it asked for. */
export function createCaller(connection: Connection, context: CallerContext) {
  const { settings, ticks } = context
  const slots = createConcurrencyLimit(settings.concurrency)
  const breaker = createBreaker(settings.breaker, ticks)
  let pausedUntil = longAgo
  const pausedForMs = () => Math.max(0, msBetween(ticks(), pausedUntil))

  async function call(named: NamedRow, input: CallInput, options: CallOptions = {}): Promise<ServiceAnswer> {
    const request = toRequest(named, input)
    const ms =
      options.deadlineMs ?? (named.row.effect === 'read' ? settings.readDeadlineMs : settings.writeDeadlineMs)
    const deadline = startDeadline(ms, ticks, [context.closing, options.signal])
    try {
      return await attempts(named, { request, input }, deadline, options.fence)
    } finally {
      deadline.stop()
    }
  }

  async function attempts(
    named: NamedRow,
    sent: Sent,
    deadline: Deadline,
    fence: Fence | undefined,
  ): Promise<ServiceAnswer> {
    let last: ServiceError | undefined
    for (let attempt = 1; ; attempt += 1) {
      const entry = await admission(named, deadline)
      if (entry instanceof ServiceError) {
        tellUnsent(named, entry, attempt)
        // A closed door says less than what happened on the attempt before it.
        throw last ?? entry
      }
      const { result, left } = await attemptOnce(named, sent, deadline, fence, attempt, entry)
      if (!(result instanceof ServiceError)) return result
      last = afterEarlier(last, result)
      const waitMs = Math.max(
        result.retryAfterMs ?? 0,
        backoffMs(settings.backoff, attempt, context.random()),
      )
      if (attempt > settings.retries || !mayRetry(named.row.effect, result, left)) throw last
      if (waitMs >= deadline.leftMs()) throw last
      await pause(waitMs, deadline.signal)
    }
  }

  async function admission(named: NamedRow, deadline: Deadline): Promise<Entry | ServiceError> {
    for (;;) {
      const pauseMs = pausedForMs()
      if (pauseMs > 0) {
        if (pauseMs >= deadline.leftMs()) return notSent(named, 'rate_limited', { retryAfterMs: pauseMs })
        await pause(pauseMs, deadline.signal)
      }
      // Nobody waits here for a breaker that is open: it sends all who get in away at once.
      const leave = await slots.enter(deadline.signal).catch(() => undefined)
      if (leave === undefined) return notSent(named, 'unavailable', deadline.wasCancelled() ? {} : overloaded)
      if (pausedForMs() > 0) {
        leave()
        continue
      }
      const ticket = breaker.enter()
      if ('probe' in ticket) return { leave, ticket }
      leave()
      return notSent(named, 'unavailable', { retryAfterMs: ticket.shutForMs })
    }
  }

  async function attemptOnce(
    named: NamedRow,
    sent: Sent,
    deadline: Deadline,
    fence: Fence | undefined,
    attempt: number,
    { leave, ticket }: Entry,
  ) {
    const { service, name, row } = named
    const timeoutMs =
      row.effect === 'once' ? deadline.leftMs() : Math.min(settings.attemptMs, deadline.leftMs())
    const started = ticks()
    let report: 'ok' | 'failed' | 'nothing' = 'nothing'
    try {
      const limits = { timeoutMs, maxBytes: settings.maxBytes, signal: deadline.signal }
      const exchange = await connection.send(sent.request, row.effect, limits, fence)
      const result = interpretAnswer(named, exchange, {
        now: context.now(),
        redact: context.redact,
        sent: sent.input,
      })
      report = reportOf(result, deadline)
      if (
        result instanceof ServiceError &&
        result.kind === 'rate_limited' &&
        result.retryAfterMs !== undefined
      )
        pausedUntil = latest(pausedUntil, after(ticks(), result.retryAfterMs))
      tell(named, exchange, result, {
        service,
        row: name,
        status: exchange.status,
        ms: msBetween(started, ticks()),
        attempt,
      })
      return { result, left: exchange.end === 'answered' || exchange.left }
    } finally {
      breaker.report(ticket, report)
      leave()
    }
  }

  function tellUnsent(
    { id, service, name }: NamedRow,
    { kind, retryAfterMs }: ServiceError,
    attempt: number,
  ) {
    context.observe({ service, row: name, status: undefined, ms: 0, attempt, kind })
    context.log.warn({ operation: id, attempt, kind, retryAfterMs }, 'service call not sent')
  }

  function tell(
    named: NamedRow,
    exchange: HttpExchange,
    result: ServiceAnswer | ServiceError,
    seen: Observation,
  ) {
    const fields = {
      operation: named.id,
      method: named.row.method,
      path: named.row.path,
      status: seen.status,
      ms: seen.ms,
      attempt: seen.attempt,
    }
    if (result instanceof ServiceError) {
      context.observe({ ...seen, kind: result.kind })
      const { kind, outcome } = result
      context.log.warn({ ...fields, kind, outcome, ...traitsOf(exchange) }, 'service call failed')
    } else {
      context.observe(seen)
      if (result.understood) context.log.info(fields, 'service call')
      else context.log.warn({ ...fields, ...traitsOf(exchange) }, 'service answer not understood')
    }
  }

  return { call, breakerState: breaker.state, pausedForMs }
}

type Unsent = { retryAfterMs?: number; serviceMessage?: string }

const notSent = ({ service, name }: NamedRow, kind: 'rate_limited' | 'unavailable', more: Unsent = {}) =>
  new ServiceError({ kind, outcome: 'not_done', service, row: name, ...more })

const overloaded: Unsent = { serviceMessage: 'is so slow that too many requests wait for it' }

/** A `once` request is sent again only when no byte of it can have left. */
function mayRetry(effect: Effect, error: ServiceError, left: boolean) {
  if (error.kind !== 'unavailable' && error.kind !== 'rate_limited') return false
  return effect !== 'once' || !left
}

/** An earlier attempt that may have been taken is not undone by what a later one says. */
function afterEarlier(earlier: ServiceError | undefined, error: ServiceError) {
  if (earlier?.outcome !== 'unknown' || error.outcome === 'unknown') return error
  const { kind, service, row, status, serviceMessage, retryAfterMs, cause } = error
  return new ServiceError({
    kind,
    outcome: 'unknown',
    service,
    row,
    status,
    serviceMessage,
    retryAfterMs,
    cause,
  })
}

/** A call that its own side gave up says nothing about the service, but its deadline running out does. */
function reportOf(result: ServiceAnswer | ServiceError, deadline: Deadline) {
  if (!(result instanceof ServiceError)) return 'ok'
  if (result.kind === 'given_up') return 'nothing'
  if (result.kind !== 'unavailable') return 'ok'
  return deadline.wasCancelled() ? 'nothing' : 'failed'
}

/** What may be logged of an answer that went wrong: never what stands in it. */
function traitsOf(exchange: HttpExchange) {
  if (exchange.end === 'answered') {
    const bytes = exchange.body === 'too large' ? exchange.body : exchange.body.length
    return { contentType: exchange.headers['content-type'], bytes }
  }
  const { cause } = exchange
  return {
    fault: cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : 'unknown',
  }
}
