import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ServiceName } from '../../services/endpoints/row.ts'
import { applyDueChanges } from '../../../packs/billing/sandbox/plan-change.ts'
import { jsonOf } from '../endpoint/fields.ts'
import type { SandboxState } from '../../../sandbox/seed/state.ts'
import { type Faults, faultRule, hasEffect } from './faults.ts'
import { bodyOf, respondTo, rowOf, type ServiceRequest } from './respond.ts'
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
export type Bases = Partial<Record<ServiceName, string>>

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
  const service = (Object.keys(bases) as ServiceName[]).find((name) => pathname.startsWith(`${bases[name]}/`))
  if (!service) return control(context, `${request.method} ${pathname}`, body, response)
  const serviceRequest: ServiceRequest = {
    service,
    method: request.method ?? 'GET',
    path: pathname.slice(bases[service]?.length ?? 0),
    query: new URLSearchParams(rest.join('?')),
    headers: request.headers,
    text: body,
  }
  await respond(context, serviceRequest, raw, response)
}

async function respond(
  context: SandboxContext,
  serviceRequest: ServiceRequest,
  raw: string,
  response: ServerResponse,
) {
  const { service, method, path, headers, text: sent } = serviceRequest
  const row = context.use(false, () => rowOf(serviceRequest, context.state))
  const at = context.now()
  const body = sent === '' ? undefined : (bodyOf(serviceRequest) ?? sent)
  appendToWire(context.wire, { service, method, path: raw, headers, body, at, ...(row && { row }) })
  const fault = context.faults.take({ service, method, path, rawPath: raw, row })
  if (fault?.ms) await context.faults.delay(fault.ms, context.closing)
  const reply =
    !fault || hasEffect(fault)
      ? context.use(method !== 'GET', () => {
          applyDueChanges(context.state.billing, context.now())
          return respondTo(serviceRequest, context.state, context.now())
        })
      : undefined
  context.log(`${service} ${row ?? `${method} unknown`} ${fault?.kind ?? reply?.status ?? ''}`)
  if (fault) await sendFault(response, fault, reply)
  else if (reply) send(response, reply)
}

/** The sandbox's own switches, for people and scripts outside this process. */
function control(context: SandboxContext, asked: string, body: string, response: ServerResponse) {
  const say = (status: number, content: object) =>
    send(response, { status, body: content as Record<string, unknown>, headers: {} })
  if (asked === 'GET /wire') return say(200, { wire: context.wire.map(toRedactedEntry) })
  if (asked === 'POST /reset') {
    context.reset()
    return say(200, { status: 'success' })
  }
  if (asked === 'POST /faults') {
    const rule = faultRule.safeParse(jsonOf(body))
    if (!rule.success) return say(400, { status: 'error', message: rule.error.issues[0]?.message })
    context.faults.add(rule.data)
    return say(200, { status: 'success' })
  }
  return say(404, { status: 'error', message: 'there is no such endpoint' })
}
