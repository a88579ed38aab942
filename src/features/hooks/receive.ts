import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../../kernel/core.ts'
import { parseBounded } from '../../lib/codecs/bounded-json.ts'
import { readBody } from '../../lib/http/read-body.ts'
import { createReplayGuard } from '../../lib/http/replay-guard.ts'
import { answerRequest, type HttpHandler, markSigned } from '../../lib/http/server.ts'
import type { ServiceHook } from '../../lib/services/endpoints/hook.ts'
import { textAt, timeOf } from '../../lib/services/endpoints/later.ts'
import { allServices } from '../../lib/services/endpoints/tables.ts'
import { createEvents } from './store.ts'
import { verifyHook } from './verify.ts'

export type HookSettings = {
  /** The secrets of each service that has any. */
  secrets: Readonly<Record<string, readonly string[]>>
  /** What the addresses of hooks begin with, as services were told them. */
  base: string
}

const maxBytes = 256_000
const maxId = 200
/** What is older than it may be is refused by its time. */
const replayMs = 15 * 60_000
/** A service that signs no time tries again for some days. */
const ownAgeMs = 3 * 24 * 3_600_000

/** Takes what services tell by themselves: proved to be theirs, stored, and acknowledged when it is on the disk. */
export const createHookHandler = (core: Core, { secrets, base }: HookSettings): HttpHandler => {
  const isReplay = createReplayGuard(replayMs, core.ticks)
  const count = (service: string, result: string) =>
    core.count({ kind: 'counted', metric: 'bellhop_hooks_total', labels: { service, result } })

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const name = /^\/hooks\/([a-z][a-z0-9]{1,30})$/.exec(path)?.[1]
    const hook = allServices().find((one) => one.name === name)?.hook
    const own = secrets[name ?? ''] ?? []
    if (name === undefined || hook === undefined || own.length === 0)
      return answerRequest(response, 404, { message: 'No service calls here.' })
    if (request.method !== 'POST') return answerRequest(response, 405, { message: 'Send a POST.' })
    const refuse = (status: number, result: string, message: string) => {
      count(name, result)
      answerRequest(response, status, { message })
    }
    const body = await readBody(request, maxBytes)
    if (body === undefined) return refuse(413, 'too_large', 'This is too long.')
    const verdict = verifyHook(hook, own, {
      headers: request.headers,
      body,
      url: `${base}/hooks/${name}`,
      now: core.now(),
    })
    if (!verdict.ok) return refuse(401, verdict.fault, `The call is ${verdict.fault}.`)
    markSigned(request)
    const event = eventOf(hook, request, body)
    if (event === undefined) return refuse(400, 'unreadable', 'This is no event: it has no id or no type.')
    const age = event.at === undefined ? undefined : core.now() - event.at
    if (!verdict.isTimed && (age === undefined || age > (hook.toleranceMs ?? ownAgeMs)))
      return refuse(401, 'stale', 'The call is stale.')
    const isNew = await core.store.tx(async (tx) => {
      const added = await tx.of(createEvents).add({
        service: name,
        id: event.id,
        body: body.toString('utf8'),
        at: core.now(),
      })
      if (added)
        await tx.tasks.put({
          kind: 'hook_event',
          key: `hook_event:${name}:${event.id}`,
          doc: { service: name, id: event.id },
          dueAt: core.now(),
        })
      return added
    })
    // Remembered once it is stored: a call that could not be is welcome again as it was.
    const isPlayedBack =
      verdict.isTimed && isReplay(createHash('sha256').update(verdict.signature).digest('hex'))
    if (!isNew && isPlayedBack) return refuse(401, 'replayed', 'The call was sent before.')
    count(name, isNew ? 'taken' : 'repeated')
    core.wake()
    answerRequest(response, 200, {})
  }

  return (request, response) => {
    take(request, response).catch((error: unknown) => {
      core.log.error({ err: error }, 'what a service told could not be stored')
      if (!response.headersSent) answerRequest(response, 503, { message: 'Send it again later.' })
    })
  }
}

const eventOf = (
  hook: ServiceHook,
  { headers }: Pick<IncomingMessage, 'headers'>,
  bytes: Buffer,
): { id: string; at: number | undefined } | undefined => {
  const body = eventBodyOf(bytes.toString('utf8'))
  const header = headers['webhook-id']
  const id = hook.id === undefined ? (typeof header === 'string' ? header : undefined) : textAt(body, hook.id)
  const isEvent = id !== undefined && id.length <= maxId && textAt(body, hook.type) !== undefined
  return isEvent ? { id, at: timeOf(hook.at && textAt(body, hook.at)) } : undefined
}

export const eventBodyOf = (text: string): unknown => {
  try {
    return parseBounded(text, { values: 20_000 })
  } catch {
    return undefined
  }
}
