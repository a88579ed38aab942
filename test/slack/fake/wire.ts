import { createHmac } from 'node:crypto'
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { FakeState } from './state.ts'

export type Delivered = { status: number; body: unknown; ms: number }
export type DeliveryKind = 'slash_commands' | 'interactive' | 'events_api'

/** How Slack brings something to the app: signed requests, or envelopes over a socket. */
export type Wire = {
  deliver(kind: DeliveryKind, payload: Record<string, unknown>, retry?: number): Promise<Delivered>
  close(): Promise<void>
}

export const signRequest = (secret: string, body: string, at: number): Record<string, string> => {
  const timestamp = String(Math.floor(at / 1000))
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` }
}

export const encodePayload = (
  kind: DeliveryKind,
  payload: Record<string, unknown>,
): { type: string; body: string } => {
  if (kind === 'events_api') return { type: 'application/json', body: JSON.stringify(payload) }
  const fields =
    kind === 'interactive' ? { payload: JSON.stringify(payload) } : (payload as Record<string, string>)
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() }
}

export const httpWire = (state: FakeState, urls: readonly string[]): Wire => ({
  deliver: async (kind, payload, retry = 0) => {
    const url = urls[state.serial++ % urls.length] as string
    const { type, body } = encodePayload(kind, payload)
    const started = performance.now()
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': type,
        ...signRequest(state.signingSecret, body, Date.now()),
        ...(retry === 0
          ? {}
          : { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'http_timeout' }),
      },
      body,
    })
    const said = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    return {
      status: answer.status,
      body: isJson ? JSON.parse(said) : said,
      ms: performance.now() - started,
    }
  },
  close: async () => undefined,
})

export type SocketWire = Wire & {
  /** Resolves when the app is connected. */
  connected(): Promise<void>
  /** Tells the app to come again, as Slack does every few hours. */
  refresh(): void
  /** Cuts the connection without a word. */
  cut(): void
  connections(): number
}

export const socketWire = (server: Server): SocketWire => {
  const sockets = new WebSocketServer({ server, path: '/socket' })
  const acks = new Map<string, (payload: unknown) => void>()
  let current: WebSocket | undefined
  let connections = 0
  let serial = 0
  sockets.on('connection', (socket) => {
    connections++
    current = socket
    socket.on('message', (data) => {
      const { envelope_id, payload } = JSON.parse(String(data)) as { envelope_id: string; payload?: unknown }
      acks.get(envelope_id)?.(payload)
    })
    socket.on('close', () => {
      if (current === socket) current = undefined
    })
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }))
  })
  const connected = async (): Promise<void> => {
    for (let tries = 0; current === undefined; tries++) {
      if (tries > 500) throw new Error('the app did not connect')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return {
    connected,
    connections: () => connections,
    refresh: () => current?.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' })),
    cut: () => current?.terminate(),
    deliver: async (kind, payload, retry = 0) => {
      await connected()
      const envelope = `envelope-${++serial}`
      const started = performance.now()
      const acked = new Promise<unknown>((resolve, reject) => {
        acks.set(envelope, resolve)
        setTimeout(() => reject(new Error('no ack within three seconds')), 3_000).unref()
      })
      current?.send(
        JSON.stringify({
          envelope_id: envelope,
          type: kind,
          payload,
          accepts_response_payload: kind !== 'events_api',
          ...(retry === 0 ? {} : { retry_attempt: retry, retry_reason: 'timeout' }),
        }),
      )
      return { status: 200, body: await acked, ms: performance.now() - started }
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        sockets.close(() => resolve())
      }),
  }
}
