import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { decompress } from './decompress.ts'
import { type Fence, FenceError } from './fence.ts'

export type HttpExchange =
  | { end: 'answered'; status: number; headers: IncomingHttpHeaders; body: Buffer | 'too large' }
  /** `left` says whether a byte of the request may have left; `status` is there if the answer had begun. */
  | { end: 'broken'; left: boolean; status: number | undefined; headers: IncomingHttpHeaders; cause: unknown }

/** Ended before anything could leave. */
export const broken = (cause: unknown): HttpExchange => ({
  end: 'broken',
  left: false,
  status: undefined,
  headers: {},
  cause,
})

export type Limits = {
  timeoutMs: number
  maxBytes: number
  signal: AbortSignal
  /** Looks at each part of an answer that may not end by itself: what it gives is the answer, and the rest is not waited for. */
  takeWhole?: (chunk: Buffer, headers: IncomingHttpHeaders) => Buffer | undefined
}

/**
 * One request, sent at most once. undici may put a request back into its queue when a connection ends under it; it
 * announces every write through `onRequestStart`, so the second announcement is answered with an abort, and so is a
 * first one that comes when the right to send has run out.
 */
export function sendOnce(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, maxBytes, signal, takeWhole }: Limits,
  fence?: Fence,
): Promise<HttpExchange> {
  const { promise, resolve } = Promise.withResolvers<HttpExchange>()
  let controller: Dispatcher.DispatchController | undefined
  let status: number | undefined
  let headers: IncomingHttpHeaders = {}
  let settled = false
  let size = 0
  const chunks: Buffer[] = []

  const settle = (result: HttpExchange) => {
    if (settled) return
    settled = true
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    resolve(result)
  }
  const fail = (cause: unknown) =>
    settle({ end: 'broken', left: controller !== undefined, status, headers, cause })
  const giveUp = (reason: Error) => {
    fail(reason)
    controller?.abort(reason)
  }
  const onAbort = () => giveUp(new Error('given up', { cause: signal.reason }))
  const timer = setTimeout(() => giveUp(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      if (settled) return started.abort(new Error('given up before it was sent'))
      if (controller !== undefined) return started.abort(new Error('never sent twice'))
      if (fence?.isFresh() === false) return started.abort(new FenceError())
      controller = started
    },
    onResponseStart(_, code, received) {
      if (code < 200) return
      status = code
      headers = received as IncomingHttpHeaders
    },
    onResponseData(receiving, chunk) {
      size += chunk.length
      if (size <= maxBytes) {
        chunks.push(chunk)
        const whole = takeWhole?.(chunk, headers)
        if (whole === undefined) return
        settle({ end: 'answered', status: status ?? 0, headers, body: whole })
        receiving.abort(new Error('the answer is whole'))
        return
      }
      settle({ end: 'answered', status: status ?? 0, headers, body: 'too large' })
      receiving.abort(new Error('the answer is too large'))
    },
    onResponseEnd() {
      const body = decompress(Buffer.concat(chunks, size), headers['content-encoding'], maxBytes)
      settle({ end: 'answered', status: status ?? 0, headers, body })
    },
    onResponseError(_, error) {
      fail(error)
    },
  }
  if (!settled) {
    try {
      dispatcher.dispatch(request, handler)
    } catch (error) {
      fail(error)
    }
  }
  return promise
}
