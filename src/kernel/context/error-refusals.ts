import { type RowId, rowById, serviceWords } from '../../lib/services/endpoints/tables.ts'
import { isServiceError, type ServiceError } from '../../lib/services/errors.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { withoutAtEnd } from '../../lib/view/end.ts'
import { theirs } from '../../lib/view/outside.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import type { Core } from '../core.ts'
import { refuseUnstored } from '../messenger/intake.ts'
import { LogKeyError } from '../model/checkpoint.ts'

/** A service error as a sentence for people. */
export const serviceRefusal = (error: ServiceError): Refusal => {
  const words = serviceWords(error.service)
  const service = `T${words.slice(1)}`
  const said = error.serviceMessage ? `: ${theirs(withoutAtEnd(error.serviceMessage, '.'), 300)}` : ''
  switch (error.kind) {
    case 'rejected':
      return error.outcome === 'unknown'
        ? refusal(
            'rejected',
            `${service} answered with an error${said}. That does not say that nothing was done.`,
          )
        : refusal('rejected', `${service} refused${said}.`)
    case 'tools_changed':
      return refusal(
        'tools_changed',
        `Nothing was sent to ${words}: what it says of its tools is not what somebody looked at. ${error.serviceMessage ?? ''}`.trimEnd(),
      )
    case 'not_found': {
      const { row } = rowById(`${error.service}.${error.row}` as RowId)
      // Nothing was asked for by name, so it is the endpoint itself that is missing.
      if (row.effect === 'read' && row.params === undefined && !row.byQuery) {
        return refusal('not_found', `${service} has no such endpoint: ${row.method} ${row.path}.`)
      }
      // What a write without an id in its path names stands in its body.
      const orEndpoint = row.params === undefined ? `, or has no endpoint ${row.method} ${row.path}` : ''
      return refusal('not_found', `${service} found nothing by that name${orEndpoint}${said}.`)
    }
    case 'unauthorized':
      return refusal('unauthorized', `${service} does not accept our credentials${said}.`)
    case 'rate_limited':
      return refusal('rate_limited', `${service} is limiting our requests.`, {
        next:
          error.retryAfterMs === undefined
            ? 'Try again a little later.'
            : `Try again in ${plural(Math.max(1, Math.ceil(error.retryAfterMs / 1000)), 'second')}.`,
      })
    case 'unavailable':
      return refusal('unavailable', `${service} ${troubleWords(error)}.`)
    case 'held':
      return refusal('held', `${service} holds this until somebody agrees to it there${said}.`)
    case 'given_up':
      return refusal('given_up', `Nothing was sent to ${words}: the right to do so was lost.`)
    case 'malformed':
      return refusal(
        'malformed',
        `${service} sent an answer that could not be read: it is not what its document shows.${error.serviceMessage === undefined ? '' : ` It said ${theirs(error.serviceMessage, 300)}.`}`,
      )
  }
}

/** A success status without a complete answer means that the connection was cut. */
const troubleWords = ({ status, serviceMessage }: ServiceError): string => {
  if (status === undefined) return serviceMessage ?? 'does not answer'
  return status < 400
    ? 'did not complete its answer'
    : `has an error (status ${status})${serviceMessage ? `: ${theirs(withoutAtEnd(serviceMessage, '.'), 300)}` : ''}`
}

/**
 * Errors are caught once, at the edge. People see this refusal; the log has the full cause under the incident
 * number.
 */
export const refusalOf = (core: Pick<Core, 'log' | 'newId'>, error: unknown): Refusal => {
  if (isServiceError(error)) {
    core.log.warn({ err: error }, 'a service call failed')
    return serviceRefusal(error)
  }
  const stored = refuseUnstored(error)
  if (stored !== undefined) {
    core.log.error({ err: error }, 'the database is down')
    return stored
  }
  if (error instanceof LogKeyError) {
    core.log.error({ err: error }, 'the key of the audit log is not here')
    return refusal('not_allowed_now', error.message, { next: 'Ask another replica, or an administrator.' })
  }
  const incident = core.newId()
  core.log.error({ err: error, incident }, 'something broke')
  return refusal('broken', `Something broke here (incident ${incident}).`)
}
