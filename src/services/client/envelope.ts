import { isRecord } from '../read-answer.ts'
import { toShortText } from './service-message.ts'

export type Opened = { refused: boolean; message: string | undefined; data: unknown }

/**
 * The services wrap their payload in `{ status, message, data }`, in `{ success, message, data }`, in both or, for
 * all we know, in nothing: then the body is the payload. A record of its own has a `status` too (`subscribed`,
 * `live`), so `status` is a verdict only where nothing but an envelope's words surrounds it.
 */
export function openEnvelope(body: unknown): Opened {
  if (!isRecord(body) || !isEnvelope(body)) return { refused: false, message: undefined, data: body }
  return {
    refused: body.success === false || isRefusal(body.status),
    message: typeof body.message === 'string' ? toShortText(body.message) : undefined,
    data: Object.hasOwn(body, 'data') ? (body.data ?? undefined) : payloadBeside(body),
  }
}

const envelopeWords = new Set([
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

function isEnvelope(body: Record<string, unknown>) {
  if (typeof body.success === 'boolean' || Object.hasOwn(body, 'data')) return true
  if (!Object.hasOwn(body, 'status')) return false
  return typeof body.message === 'string' || Object.keys(body).every((key) => envelopeWords.has(key))
}

/** A numeric `status` repeats the HTTP status, whatever type it is written in. */
function isRefusal(status: unknown) {
  if (status === false) return true
  if (typeof status === 'number') return status >= 400
  if (typeof status !== 'string') return false
  const word = status.trim().toLowerCase()
  return /^\d{3}$/.test(word) ? Number(word) >= 400 : word !== 'success'
}

/** Some services put the payload next to the verdict instead of under `data`. */
function payloadBeside(body: Record<string, unknown>) {
  const rest = Object.entries(body).filter(([key]) => !envelopeWords.has(key))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}
