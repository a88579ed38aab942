import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type Recorded, type Respond, startRecorder } from '../services/recorder.ts'
import { whenDone } from './when-done.ts'

/** Puts other data into an answer of the sandbox; undefined leaves it as it is. */
export type Replace = (request: Recorded, data: unknown) => unknown

/** A plain HTTP server in front of the sandbox, which writes down every request as it came over the wire. */
export const createFront = () => {
  const requests: Recorded[] = []
  const front = {
    requests,
    replace: (() => undefined) as Replace,
    /** Answers in the place of the sandbox. */
    instead: (() => undefined) as (
      request: Recorded,
    ) => { status: number; body: unknown } | Respond | undefined,
    async open(sandbox: Sandbox) {
      const recorder = await startRecorder(async (response, request, nth) => {
        requests.push(request)
        const own = front.instead(request)
        if (typeof own === 'function') return own(response, request, nth)
        if (own !== undefined) {
          response.writeHead(own.status, { 'content-type': 'application/json' }).end(JSON.stringify(own.body))
          return
        }
        const {
          host: _,
          connection: __,
          'transfer-encoding': ___,
          'content-length': ____,
          ...headers
        } = request.headers
        const answer = await fetch(new URL(request.url, sandbox.email.baseUrl), {
          method: request.method,
          headers: headers as Record<string, string>,
          ...(request.body === '' ? {} : { body: request.body }),
        })
        const text = await answer.text()
        const data = answer.ok ? front.replace(request, JSON.parse(text).data) : undefined
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(data === undefined ? text : JSON.stringify({ ...JSON.parse(text), data }))
      })
      whenDone(recorder.stop)
      const via = <T extends { baseUrl: string }>(service: T): T => ({
        ...service,
        baseUrl: `${recorder.origin}${new URL(service.baseUrl).pathname}`,
      })
      return { email: via(sandbox.email), chat: via(sandbox.chat), billing: via(sandbox.billing) }
    },
  }
  return front
}
