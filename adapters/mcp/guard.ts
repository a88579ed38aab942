import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Agent } from '../../src/kernel/model/agent.ts'
import { whyTooLargeJson } from '../../src/lib/codecs/bounded-json.ts'
import { readBody } from '../../src/lib/http/read-body.ts'
import { markSigned } from '../../src/lib/http/server.ts'
import type { FindCaller } from './callers.ts'

export type GuardDeps = {
  findCaller: FindCaller
  /** Pages of these origins may call; programs have none. */
  isOwnOrigin(origin: string): boolean
  /** Where to read who gives out tokens. */
  metadataUrl: string | undefined
  /** An agent that we know has called. */
  onCall(): void
}

/** Why a call is not let in: a status, a label for metrics, and a sentence. */
export type NotLetIn = { status: number; reason: string; message: string; headers?: OutgoingHttpHeaders }

/** A thousand addresses take a tenth of it. */
const maxBodyBytes = 256_000

/** A call is let in by its token alone, and nothing of it is read before. */
export const letIn = async (
  { findCaller, isOwnOrigin, metadataUrl, onCall }: GuardDeps,
  request: IncomingMessage,
): Promise<Agent | NotLetIn> => {
  const { origin, authorization } = request.headers
  const query = (request.url ?? '').split('?', 2)[1]
  if (origin !== undefined && !isOwnOrigin(origin)) {
    return { status: 403, reason: 'origin', message: 'Pages of another origin may not call this.' }
  }
  if (authorization === undefined || authorization === '') {
    const message =
      query === undefined
        ? 'A token is needed: send it as Authorization: Bearer <token>.'
        : 'A token in the address is not read: send it as Authorization: Bearer <token>.'
    return { status: 401, reason: 'no_token', message, headers: challenge(metadataUrl) }
  }
  const agent = await findCaller(authorization)
  if (agent === undefined) {
    const message = 'This token is not good here, or no longer.'
    return { status: 401, reason: 'token', message, headers: challenge(metadataUrl, 'invalid_token') }
  }
  markSigned(request)
  onCall()
  return agent
}

/** The body of a call that was let in, unless it is larger than a call has reason to be. */
export const readCallBody = async (request: IncomingMessage): Promise<Buffer | NotLetIn> => {
  const body = await readBody(request, maxBodyBytes)
  const message =
    body === undefined ? 'A call has at most 256,000 bytes.' : whyTooLargeJson(body.toString('utf8'))
  if (body !== undefined && message === undefined) return body
  return { status: 413, reason: 'oversized', message: message ?? '' }
}

export const isLetIn = <T extends object>(one: T | NotLetIn): one is T =>
  !('reason' in one && 'status' in one)

const challenge = (metadataUrl: string | undefined, error?: string) => ({
  'www-authenticate': [
    'Bearer realm="bellhop"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ].join(', '),
})
