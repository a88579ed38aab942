import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Fault } from './faults.ts'
import type { ServiceResponse } from './respond.ts'

export function send(response: ServerResponse, { status, body, headers }: ServiceResponse) {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

/** Answers as the fault says. `reply` is what the service would have said, if the request took effect. */
export async function sendFault(response: ServerResponse, fault: Fault, reply: ServiceResponse | undefined) {
  const status = fault.status ?? reply?.status
  switch (fault.kind) {
    case 'delay':
      if (reply) send(response, { ...reply, status: fault.status ?? reply.status })
      else send(response, failure(status ?? 500))
      return
    case 'status':
      send(response, failure(status ?? 500))
      return
    case 'rate_limit':
      send(response, { ...failure(429), headers: { 'retry-after': String(fault.retryAfter ?? 1) } })
      return
    case 'html':
      response.writeHead(status ?? 502, { 'content-type': 'text/html; charset=utf-8' })
      response.end('<!doctype html><html><body><h1>Bad gateway</h1></body></html>')
      return
    case 'garbage':
      response.writeHead(status ?? 200, { 'content-type': 'application/json' })
      response.end(Buffer.from([...Buffer.from('{"status":"succ'), 0, 255, 254]))
      return
    case 'wrong_shape':
      response.writeHead(status ?? 200, { 'content-type': 'application/json' })
      response.end('{"ok":1,"data":[[["unexpected"]]]}')
      return
    case 'huge':
      response.writeHead(status ?? 200, { 'content-type': 'application/json' })
      // The reader is expected to hang up before the end.
      await pipeline(Readable.from(hugeBody()), response).catch(() => undefined)
      return
    case 'drop_before':
    case 'drop_after':
      response.socket?.destroy()
      return
    case 'hang_after':
      return
  }
}

const hugeSize = 64 * 1024 * 1024

function* hugeBody() {
  const chunk = 'x'.repeat(64 * 1024)
  yield '{"status":"success","data":{"padding":"'
  for (let sent = 0; sent < hugeSize; sent += chunk.length) yield chunk
  yield '"}}'
}

const failure = (status: number): ServiceResponse => ({
  status,
  body: { success: false, status: 'error', message: `the sandbox was told to answer ${status}` },
  headers: {},
})
