import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { NoteFacts, SpanFacts, Tracing } from '../../kernel/watch/tracing.ts'
import { longAgo, msBetween, ticks, wallTime } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { type RowId, rowById } from '../../lib/services/endpoints/tables.ts'
import type { OtlpSettings } from './environment.ts'

/** Loaded only where there is a receiver: it brings OpenTelemetry with it. */
export const openTracing = (
  { endpoint, headers, service }: OtlpSettings,
  { version, log, everyMs = 5_000 }: { version: string; log: Pick<Log, 'warn'>; everyMs?: number },
): Tracing => {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers } })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: telling(exporter, log), scheduledDelayMillis: everyMs }),
    ],
  })
  const tracer = provider.getTracer('bellhop', version)
  const current = new AsyncLocalStorage<Span | undefined>()

  const during = async <T>(
    name: string,
    options: SpanOptions,
    parent: Context,
    facts: SpanFacts,
    work: (note: NoteFacts) => Promise<T>,
  ): Promise<T> => {
    const span = tracer.startSpan(name, { ...options, attributes: attributesOf(facts) }, parent)
    try {
      return await current.run(span, () => work((more) => void span.setAttributes(attributesOf(more))))
    } catch (error) {
      // Its name and no more: a message may hold what somebody typed.
      span.setAttribute('error.type', error instanceof Error ? error.name : 'error')
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  return {
    request: (name, work) => during(name, { kind: SpanKind.SERVER, root: true }, ROOT_CONTEXT, {}, work),
    ofChange: ({ id, command, trace: kept }, name, work) => {
      const here = current.getStore()
      const facts = { change: id, command }
      const asked = contextIn(kept)
      const isHere =
        here !== undefined && (asked === undefined || here.spanContext().traceId === asked.traceId)
      if (isHere) return during(name, {}, trace.setSpan(ROOT_CONTEXT, here), facts, work)
      const options = here === undefined ? {} : { links: [{ context: here.spanContext() }] }
      const parent = asked === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, asked)
      return during(name, options, parent, facts, work)
    },
    apart: (work) => current.run(undefined, work),
    called: ({ service: called, row, status, ms, attempt, kind }) => {
      const within = current.getStore()
      if (within === undefined) return
      const ended = wallTime()
      const id = `${called}.${row}` as RowId
      const { method, path } = rowById(id).row
      const attributes: Attributes = {
        'bellhop.service': called,
        'http.request.method': method,
        'url.template': path,
        'http.request.resend_count': attempt - 1,
        ...(status === undefined ? {} : { 'http.response.status_code': status }),
        ...(kind === undefined ? {} : { 'error.type': kind }),
      }
      const options = { kind: SpanKind.CLIENT, startTime: ended - ms, attributes }
      const span = tracer.startSpan(id, options, trace.setSpan(ROOT_CONTEXT, within))
      if (kind !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(ended)
    },
    here: () => {
      const span = current.getStore()?.spanContext()
      return span && `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`
    },
    close: async (withinMs) => {
      // Whoever does not take them in time has lost them: nobody waits for that.
      await provider.forceFlush({ timeoutMillis: withinMs }).catch(() => undefined)
      provider.shutdown().catch(() => undefined)
    },
  }
}

const attributesOf = (facts: SpanFacts): Attributes =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [`bellhop.${name}`, value]))

/** Another version may have written anything there; what cannot be read begins a new trace. */
const contextIn = (kept: string | undefined): SpanContext | undefined => {
  const [version, traceId = '', spanId = '', flags = ''] = kept?.split('-') ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return version === '00' && isSpanContextValid(context) ? context : undefined
}

const tellEveryMs = 60_000

/** The receiver is somebody else's: what it does not take is told now and then, and nothing else suffers. */
const telling = (exporter: SpanExporter, log: Pick<Log, 'warn'>): SpanExporter => {
  let told = longAgo
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && msBetween(told, ticks()) > tellEveryMs) {
          told = ticks()
          log.warn({ spans: spans.length, error: result.error.name }, 'traces were not taken and are lost')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush === undefined
      ? {}
      : { forceFlush: () => exporter.forceFlush?.() as Promise<void> }),
  }
}
