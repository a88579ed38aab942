import type { ServiceStanding } from './endpoints/later.ts'
import type { ServiceName } from './endpoints/row.ts'

export type ServiceErrorKind =
  | 'rejected'
  | 'not_found'
  | 'unauthorized'
  | 'rate_limited'
  | 'unavailable'
  | 'malformed'
  | 'given_up'
  | 'held'
  | 'tools_changed'

/** `unknown` means that the change may have happened although no answer says so. */
export type ServiceOutcome = 'not_done' | 'unknown'

type Details = {
  kind: ServiceErrorKind
  outcome: ServiceOutcome
  service: ServiceName
  row: string
  status?: number | undefined
  serviceMessage?: string | undefined
  retryAfterMs?: number | undefined
  standing?: ServiceStanding | undefined
  cause?: unknown
}

/**
 * The message contains only the operation and the kind, so it may be logged; `serviceMessage` may contain
 * personal data.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly kind: ServiceErrorKind
  readonly outcome: ServiceOutcome
  readonly service: ServiceName
  readonly row: string
  readonly status: number | undefined
  readonly serviceMessage: string | undefined
  readonly retryAfterMs: number | undefined
  /** Of what the service holds: how it stands there. */
  readonly standing: ServiceStanding | undefined

  constructor(details: Details) {
    const { kind, outcome, service, row, status, serviceMessage, retryAfterMs, cause } = details
    super(
      `${service}.${row}: ${kind}, ${outcome}${status === undefined ? '' : `, status ${status}`}`,
      cause === undefined ? undefined : { cause },
    )
    this.kind = kind
    this.outcome = outcome
    this.service = service
    this.row = row
    this.status = status
    this.serviceMessage = serviceMessage
    this.retryAfterMs = retryAfterMs
    this.standing = details.standing
  }
}

export const isServiceError = (error: unknown): error is ServiceError => error instanceof ServiceError

/**
 * `back`: it certainly did not happen and may be tried again. `failed`: the service refused. `unknown`: the
 * service may have accepted the request, so it is not sent again.
 */
export const fateOf = (error: ServiceError): 'back' | 'failed' | 'unknown' => {
  if (error.outcome === 'unknown') return 'unknown'
  return backKinds.has(error.kind) ? 'back' : 'failed'
}

const backKinds: ReadonlySet<ServiceErrorKind> = new Set([
  'unavailable',
  'rate_limited',
  'unauthorized',
  'given_up',
  'tools_changed',
])
