import { createServer } from 'node:http'
import { z } from 'zod'
import { listen } from '../../harness/listen.ts'
import { whenDone } from '../../harness/when-done.ts'

/** As the protocol has them, and nothing that it does not have. */
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.union([z.int(), z.string()]) }),
])
const attributes = z
  .array(z.strictObject({ key: z.string(), value }))
  .transform((all) => Object.fromEntries(all.map((one) => [one.key, Object.values(one.value)[0]])))
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes,
  events: z.array(z.unknown()),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })),
})
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
})

export type ReceivedSpan = z.infer<typeof spanSchema> & { service: string }

/** Takes traces as a collector does at its HTTP port, and refuses what is none. */
export const startReceiver = async () => {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const asked: { headers: NodeJS.Dict<string | string[]> }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const isTraces = request.method === 'POST' && request.url === '/v1/traces'
    const read = isTraces ? exported.safeParse(JSON.parse(body)) : undefined
    asked.push({ headers: request.headers })
    bodies.push(body)
    for (const { resource, scopeSpans } of read?.data?.resourceSpans ?? []) {
      const service = String(resource.attributes['service.name'])
      spans.push(...scopeSpans.flatMap((one) => one.spans.map((span) => ({ ...span, service }))))
    }
    response.writeHead(read?.success ? 200 : 400, { 'content-type': 'application/json' })
    response.end(read?.success ? '{}' : JSON.stringify(read?.error ?? 'no such place'))
  })
  const { origin, close } = await listen(server)
  whenDone(close)
  return { origin, spans, bodies, asked, close }
}
