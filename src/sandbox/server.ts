import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceName } from '../services/row.ts'
import { settle } from './billing-plan-change.ts'
import { bodyOf, type Exchange, replyTo, rowOf } from './exchange.ts'
import { type Faults, faultRule, hasEffect } from './faults.ts'
import { jsonOf } from './fields.ts'
import { send, sendFault } from './send.ts'
import type { SandboxState } from './state.ts'
import { remember, toPublicEntry, type WireEntry } from './wire.ts'

export interface Floor {
  state: SandboxState
  faults: Faults
  wire: WireEntry[]
  now: () => number
  log: (line: string) => void
  reset: () => void
  /** Aborted when the sandbox closes, so that delayed answers do not outlive it. */
  closing: AbortSignal
}

/** Where each service begins on this server's paths. */
export type Bases = Partial<Record<ServiceName, string>>

export function createListener(floor: Floor, bases: Bases): RequestListener {
  return (request, response) => {
    serve(floor, bases, request, response).catch((error: unknown) => {
      if (floor.closing.aborted || response.destroyed) return
      floor.log(`failed: ${error instanceof Error ? error.stack : error}`)
      response.socket?.destroy()
    })
  }
}

async function serve(floor: Floor, bases: Bases, request: IncomingMessage, response: ServerResponse) {
  const raw = request.url ?? '/'
  const [pathname = '', ...rest] = raw.split('?')
  const body = await text(request)
  const service = (Object.keys(bases) as ServiceName[]).find((name) => pathname.startsWith(`${bases[name]}/`))
  if (!service) return control(floor, `${request.method} ${pathname}`, body, response)
  const exchange: Exchange = {
    service,
    method: request.method ?? 'GET',
    path: pathname.slice(bases[service]?.length ?? 0),
    query: new URLSearchParams(rest.join('?')),
    headers: request.headers,
    text: body,
  }
  await answer(floor, exchange, raw, response)
}

async function answer(floor: Floor, exchange: Exchange, raw: string, response: ServerResponse) {
  const { service, method, path, headers, text: sent } = exchange
  const row = rowOf(exchange, floor.state)
  const at = floor.now()
  const body = sent === '' ? undefined : (bodyOf(exchange) ?? sent)
  remember(floor.wire, { service, method, path: raw, headers, body, at, ...(row && { row }) })
  const fault = floor.faults.take({ service, method, path, rawPath: raw, row })
  if (fault?.ms) await wait(fault.ms, undefined, { signal: floor.closing })
  settle(floor.state.billing, floor.now())
  const reply = !fault || hasEffect(fault) ? replyTo(exchange, floor.state, floor.now()) : undefined
  floor.log(`${service} ${row ?? `${method} unknown`} ${fault?.kind ?? reply?.status ?? ''}`)
  if (fault) await sendFault(response, fault, reply)
  else if (reply) send(response, reply)
}

/** The sandbox's own switches, for people and scripts outside this process. */
function control(floor: Floor, asked: string, body: string, response: ServerResponse) {
  const say = (status: number, content: object) =>
    send(response, { status, body: content as Record<string, unknown>, headers: {} })
  if (asked === 'GET /wire') return say(200, { wire: floor.wire.map(toPublicEntry) })
  if (asked === 'POST /reset') {
    floor.reset()
    return say(200, { status: 'success' })
  }
  if (asked === 'POST /faults') {
    const rule = faultRule.safeParse(jsonOf(body))
    if (!rule.success) return say(400, { status: 'error', message: rule.error.issues[0]?.message })
    floor.faults.add(rule.data)
    return say(200, { status: 'success' })
  }
  return say(404, { status: 'error', message: 'there is no such endpoint' })
}
