import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { jsonOf } from '../endpoint/fields.ts'
import type { SandboxState, StandIn } from '../service-sandbox.ts'
import { type FaultRule, type Faults, hasEffect } from './faults.ts'
import { readMcpMessage } from './mcp.ts'
import { bodyOf, respondTo, rowOf, type ServiceRequest, type ServiceResponse } from './respond.ts'
import { send, sendFault } from './send.ts'
import { appendToWire, toRedactedEntry, type WireEntry } from './wire.ts'

export interface SandboxContext {
  state: SandboxState
  /** Does the work with the newest state, and keeps what a writing one makes of it. */
  use<T>(isWrite: boolean, work: () => T): T
  faults: Faults
  wire: WireEntry[]
  now: () => number
  log: (line: string) => void
  reset: () => void
  /** Aborted when the sandbox closes, so that delayed answers do not outlive it. */
  closing: AbortSignal
}

/** Where each service begins on this server's paths. */
export type Bases = readonly { standIn: StandIn; base: string }[]

export function createListener(context: SandboxContext, bases: Bases): RequestListener {
  return (request, response) => {
    serve(context, bases, request, response).catch((error: unknown) => {
      if (context.closing.aborted || response.destroyed) return
      context.log(`failed: ${error instanceof Error ? error.stack : error}`)
      response.socket?.destroy()
    })
  }
}

async function serve(
  context: SandboxContext,
  bases: Bases,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const raw = request.url ?? '/'
  const [pathname = '', ...rest] = raw.split('?')
  const body = await text(request)
  const at = bases.find(({ base }) => pathname.startsWith(`${base}/`) || pathname === base)
  if (!at) return control(context, `${request.method} ${pathname}`, body, response)
  const serviceRequest: ServiceRequest = {
    standIn: at.standIn,
    method: request.method ?? 'GET',
    path: pathname.slice(at.base.length),
    query: new URLSearchParams(rest.join('?')),
    headers: request.headers,
    text: body,
  }
  if (at.standIn.service.mcp === undefined) return respond(context, serviceRequest, raw, response)
  const read = readMcpMessage(serviceRequest)
  if ('reply' in read) return send(response, read.reply)
  await respond(context, read.call, `${at.base}${read.call.path}`, response, read.toAnswer)
}

async function respond(
  context: SandboxContext,
  serviceRequest: ServiceRequest,
  raw: string,
  response: ServerResponse,
  toAnswer = (reply: ServiceResponse) => reply,
) {
  const { standIn, method, path, headers, text: sent } = serviceRequest
  const service = standIn.service.name
  const row = context.use(false, () => rowOf(serviceRequest, context.state))
  const at = context.now()
  const body = sent === '' ? undefined : (bodyOf(serviceRequest) ?? sent)
  appendToWire(context.wire, { service, method, path: raw, headers, body, at, ...(row && { row }) })
  const fault = context.faults.take({ service, method, path, rawPath: raw, row })
  if (fault?.ms) await context.faults.delay(fault.ms, context.closing)
  const reply =
    !fault || hasEffect(fault)
      ? context.use(method !== 'GET', () => {
          standIn.sandbox.pass?.(context.state[service] as never, context.now())
          return toAnswer(respondTo(serviceRequest, context.state, context.now()))
        })
      : undefined
  context.log(`${service} ${row ?? `${method} unknown`} ${fault?.kind ?? reply?.status ?? ''}`)
  if (fault) await sendFault(response, fault, reply)
  else if (reply) send(response, reply)
}

/** The sandbox's own switches, for people and scripts outside this process. */
function control(context: SandboxContext, asked: string, body: string, response: ServerResponse) {
  const say = (status: number, content: object) => send(response, { status, body: content, headers: {} })
  if (asked === 'GET /wire') return say(200, { wire: context.wire.map(toRedactedEntry) })
  if (asked === 'POST /reset') {
    context.reset()
    return say(200, { status: 'success' })
  }
  if (asked === 'POST /faults') {
    const rule = jsonOf(body)
    const wrong = context.faults.whyNot(rule)
    if (wrong !== undefined) return say(400, { status: 'error', message: wrong })
    context.faults.add(rule as FaultRule)
    return say(200, { status: 'success' })
  }
  return say(404, { status: 'error', message: 'there is no such endpoint' })
}
