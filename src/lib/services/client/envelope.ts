import { isRecord } from '../read-answer.ts'
import { toShortText } from './service-message.ts'

export type Opened = {
  /** What the envelope says of the request: undefined where there is none, or one whose word is no verdict. */
  verdict: 'done' | 'refused' | undefined
  isWrapped: boolean
  message: string | undefined
  data: unknown
}

/**
 * Services wrap their payload in `{ status, message, data }`, in `{ success, message, data }`, in both or in nothing: then the
 * body is the payload. A record of its own has a `status` too (`subscribed`, `live`), so where no document shows an envelope,
 * `status` is a verdict only if nothing but an envelope's words surrounds it.
 */
export function openEnvelope(body: unknown, isShown: boolean): Opened {
  if (!isRecord(body) || !isEnvelope(body, isShown))
    return { verdict: undefined, isWrapped: false, message: undefined, data: body }
  return {
    verdict: verdictOf(body),
    isWrapped: true,
    message: typeof body.message === 'string' ? toShortText(body.message) : undefined,
    data: Object.hasOwn(body, 'data') ? (body.data ?? undefined) : payloadBeside(body),
  }
}

const envelopeWords: ReadonlySet<string> = new Set([
  'status',
  'success',
  'message',
  'data',
  'error',
  'errors',
  'code',
  'statusCode',
  'detail',
  'details',
  'reason',
  'description',
  'timestamp',
  'requestId',
  'path',
])

/** A field that any answer may have says nothing about which answer it is. */
export const isEnvelopeWord = (key: string): boolean => envelopeWords.has(key)

function isEnvelope(body: Record<string, unknown>, isShown: boolean) {
  if (typeof body.success === 'boolean' || Object.hasOwn(body, 'data')) return true
  if (!Object.hasOwn(body, 'status')) return false
  return (isShown && typeof body.message === 'string') || Object.keys(body).every(isEnvelopeWord)
}

function verdictOf({ success, status }: Record<string, unknown>): Opened['verdict'] {
  const said = wordOf(status)
  if (success === false || said === 'refused') return 'refused'
  return success === true || said === 'done' ? 'done' : undefined
}

/** A numeric `status` repeats the HTTP status, whatever type it is written in. No other word says that nothing was done. */
function wordOf(status: unknown): Opened['verdict'] {
  if (status === false) return 'refused'
  if (typeof status !== 'string' && typeof status !== 'number') return undefined
  const word = String(status).trim().toLowerCase()
  if (word === 'success' || /^2\d\d$/.test(word)) return 'done'
  return /^[45]\d\d$/.test(word) || refusals.has(word) ? 'refused' : undefined
}

const refusals: ReadonlySet<string> = new Set([
  'error',
  'fail',
  'failed',
  'failure',
  'rejected',
  'refused',
  'declined',
  'denied',
  'invalid',
])

/** Some services put the payload next to the verdict instead of under `data`. */
function payloadBeside(body: Record<string, unknown>) {
  const rest = Object.entries(body).filter(([key]) => !isEnvelopeWord(key))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}
