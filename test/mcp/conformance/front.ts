import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { whenDone } from '../../harness/when-done.ts'

/** A tool or a resource of the suite's own, played by one of ours. */
export type StandIn = {
  as: string
  given?(asked: Record<string, unknown>): Record<string, unknown>
  /** How the suite calls our one form. */
  form?: string
  /** Called with each message of progress, counted. */
  onProgress?(count: number): void
}

/**
 * Stands before the bot and passes everything on: with the token that the suite has no way to send, under the address that the
 * bot knows itself by, and with our tools in the place of the suite's own.
 */
export const startFront = async (
  to: string,
  token: string,
  standIns: Record<string, StandIn>,
): Promise<string> => {
  const { hostname, port } = new URL(to)
  const server = createServer(async (asked, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk)
    pass(asked, answer, Buffer.concat(chunks).toString('utf8'))
  })
  const pass = (asked: IncomingMessage, answer: ServerResponse, body: string): void => {
    const own = String((server.address() as AddressInfo).port)
    const headers: OutgoingHttpHeaders = { ...asked.headers, authorization: `Bearer ${token}` }
    for (const name of ['host', 'origin'] as const) {
      const said = asked.headers[name]
      if (said !== undefined) headers[name] = said.replace(own, port)
    }
    const { name, standIn } = standInOf(body, standIns)
    const said = standIn === undefined ? body : played(body, standIn)
    if (standIn !== undefined && headers['mcp-name'] === name) headers['mcp-name'] = standIn.as
    if (body !== '') headers['content-length'] = String(Buffer.byteLength(said))
    const options = { hostname, port, path: asked.url, method: asked.method, headers, agent: false }
    const passed = request(options, (got) => {
      const { 'content-length': _, ...rest } = got.headers
      answer.writeHead(got.statusCode ?? 502, rest)
      let count = 0
      got.setEncoding('utf8')
      got.on('data', (text: string) => {
        if (text.includes('notifications/progress')) standIn?.onProgress?.(++count)
        answer.write(standIn?.form ? text.replace('"values":{"method"', `"${standIn.form}":{"method"`) : text)
      })
      got.on('end', () => answer.end())
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    passed.end(said)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const standInOf = (body: string, standIns: Record<string, StandIn>) => {
  try {
    const { method, params } = JSON.parse(body)
    const name = String({ 'tools/call': params?.name, 'resources/read': params?.uri }[String(method)])
    return { name, standIn: Object.hasOwn(standIns, name) ? standIns[name] : undefined }
  } catch {
    return { name: '', standIn: undefined }
  }
}

const played = (body: string, { as, given = () => ({}), form }: StandIn): string => {
  const message = JSON.parse(body)
  const { inputResponses, ...params } = message.params
  const answers = form === undefined ? inputResponses : renamed(inputResponses, form)
  const asked =
    message.method === 'tools/call' ? { name: as, arguments: given(params.arguments ?? {}) } : { uri: as }
  message.params = { ...params, ...asked, ...(answers === undefined ? {} : { inputResponses: answers }) }
  return JSON.stringify(message)
}

const renamed = (responses: Record<string, unknown> | undefined, form: string) =>
  responses &&
  Object.fromEntries(Object.entries(responses).map(([key, value]) => [key === form ? 'values' : key, value]))
