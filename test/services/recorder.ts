import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServices, type Services, type ServicesDeps } from '../../src/lib/services/client/client.ts'
import type { ClientSettings } from '../../src/lib/services/client/settings.ts'
import { listen } from '../harness/listen.ts'
import { whenDone } from '../harness/when-done.ts'

export type Recorded = {
  method: string
  /** As it came over the wire, still encoded. */
  url: string
  headers: IncomingMessage['headers']
  body: string
  port: number | undefined
}

export type Respond = (response: ServerResponse, request: Recorded, nth: number) => void

/** A plain server that writes down what it gets and answers as it is told; it knows nothing of the tables. */
export async function startRecorder(respond: Respond) {
  const requests: Recorded[] = []
  let connections = 0
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk) => chunks.push(chunk))
    message.on('end', () => {
      const request = {
        method: message.method ?? '',
        url: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        port: message.socket.remotePort,
      }
      requests.push(request)
      recorder.respond(response, request, requests.length)
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  const { origin, port, close } = await listen(server)
  const recorder = {
    requests,
    server,
    respond,
    origin,
    port,
    connections: () => connections,
    stop: close,
  }
  return recorder
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(value))
  }

export const raw =
  (body: string, status = 200, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

export const drop: Respond = (response) => {
  response.socket?.destroy()
}

export const hang: Respond = () => undefined

/** One answer after another; the last one stays. */
export const inTurn =
  (...answers: Respond[]): Respond =>
  (response, request, nth) =>
    answers[Math.min(nth, answers.length) - 1]?.(response, request, nth)

export const ok = (data: unknown) => json({ success: true, status: 'success', message: 'Done', data })

/** What every row that reads takes for its answer: of what the address names, and of lists without a member. To a change, that it is done. */
export const done: Respond = (response, request, nth) => {
  const asked = decodeURIComponent(new URL(request.url, 'http://a').pathname.split('/').at(-1) ?? '')
  const lists = { subscribers: [], campaigns: [], lists: [] }
  const read = { _id: asked, email: asked, engagedSubscribers: 0, ...lists }
  ok(request.method === 'GET' ? read : {})(response, request, nth)
}

export const quiet = { info: () => undefined, warn: () => undefined }

/** For tests in which nobody answers; elsewhere a busy machine would look like a service that does not. */
export const brisk: Partial<ClientSettings> = {
  readDeadlineMs: 1_500,
  writeDeadlineMs: 1_500,
  attemptMs: 300,
}
const patient: Partial<ClientSettings> = { readDeadlineMs: 9_000, writeDeadlineMs: 9_000, attemptMs: 9_000 }

export function servicesAt(
  origin: string,
  settings: Partial<ClientSettings> = {},
  deps: Partial<ServicesDeps> = {},
) {
  return createServices(
    {
      email: { baseUrl: `${origin}/email/api/v2`, apiKey: 'email-key-1' },
      chat: { baseUrl: `${origin}/chat/api/v1/`, apiKey: 'chat-key-1' },
      billing: {
        baseUrl: `${origin}/billing/api/v1`,
        apiKey: 'billing-key-1',
        secretKey: 'billing-secret-1',
      },
    },
    { log: quiet, ...deps, settings: { ...patient, ...settings } },
  )
}

/** A recorder and clients of the three services that call it, for the tests of a file. */
export const openRecorder = async (): Promise<{ recorder: Recorder; services: Services }> => {
  const recorder = await startRecorder(done)
  const services = servicesAt(recorder.origin)
  whenDone(async () => {
    await services.close()
    await recorder.stop()
  })
  return { recorder, services }
}
