import { createHmac } from 'node:crypto'
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { withinOwnTime } from '../../harness/own-time.ts'
import type { FakeState } from './state.ts'

const inTime = <T>(acknowledged: Promise<T>): Promise<T> =>
  withinOwnTime(3_000, acknowledged, 'no ack within three seconds')

export type Delivered = { status: number; body: unknown }
export type DeliveryKind = 'slash_commands' | 'interactive' | 'events_api'

/** How Slack brings something to the app: signed requests, or envelopes over a socket. What is acknowledged too late has failed. */
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
    const asked = fetch(url, {
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
    const answer = await inTime(asked)
    const said = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    return { status: answer.status, body: isJson ? JSON.parse(said) : said }
  },
  close: async () => undefined,
})

export type SocketWire = Wire & {
  /** Resolves when the app is connected. */
  connected(): Promise<void>
  /** Tells the app to come again, as Slack does every few hours; `warning` comes some seconds before it. */
  refresh(reason?: 'refresh_requested' | 'warning'): void
  /** Somebody turns Socket Mode off: the connection ends for good. */
  disable(): void
  /** Ends the oldest connection, as Slack does a while after it asked for another. */
  endOldest(): void
  /** Cuts every connection without a word. */
  cut(): void
  /** How many there have been. */
  connections(): number
  /** How many stand now. */
  standing(): number
  /** Every acknowledgement that came, in order: by which connection, and of which envelope. */
  acknowledged: string[]
}

type Sent = { frame: Record<string, unknown>; settle(payload: unknown): void }

export const socketWire = (server: Server): SocketWire => {
  const sockets = new WebSocketServer({ server, path: '/socket' })
  /** What was sent and not acknowledged: the next connection gets it again. */
  const unacknowledged = new Map<string, Sent>()
  const acknowledged: string[] = []
  /** Those that stand, the oldest first. What is new goes to the newest, as long as Slack has not asked it to come again. */
  const standing: { socket: WebSocket; isEnding: boolean }[] = []
  let connections = 0
  let serial = 0
  const newest = () => standing.findLast(({ isEnding }) => !isEnding) ?? standing.at(-1)
  sockets.on('connection', (socket) => {
    const number = ++connections
    standing.push({ socket, isEnding: false })
    socket.on('message', (data) => {
      const { envelope_id, payload } = JSON.parse(String(data)) as { envelope_id: string; payload?: unknown }
      acknowledged.push(`${number} ${envelope_id}`)
      unacknowledged.get(envelope_id)?.settle(payload)
      unacknowledged.delete(envelope_id)
    })
    socket.on('close', () => {
      const at = standing.findIndex((one) => one.socket === socket)
      if (at >= 0) standing.splice(at, 1)
    })
    socket.send(JSON.stringify({ type: 'hello', num_connections: standing.length }))
    for (const { frame } of unacknowledged.values()) socket.send(JSON.stringify(frame))
  })
  const connected = async (): Promise<void> => {
    for (let tries = 0; standing.length === 0; tries++) {
      if (tries > 500) throw new Error('the app did not connect')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const goodbye = (reason: string): void => {
    const last = newest()
    if (last === undefined) return
    last.isEnding = true
    last.socket.send(JSON.stringify({ type: 'disconnect', reason }))
  }
  return {
    connected,
    acknowledged,
    connections: () => connections,
    standing: () => standing.length,
    refresh: (reason = 'refresh_requested') => goodbye(reason),
    disable: () => {
      goodbye('link_disabled')
      for (const { socket } of standing) socket.close(1000)
    },
    endOldest: () => standing[0]?.socket.close(1000),
    cut: () => {
      for (const { socket } of standing) socket.terminate()
    },
    deliver: async (kind, payload, retry = 0) => {
      await connected()
      const envelope = `envelope-${++serial}`
      const frame = {
        envelope_id: envelope,
        type: kind,
        payload,
        accepts_response_payload: kind !== 'events_api',
        ...(retry === 0 ? {} : { retry_attempt: retry, retry_reason: 'timeout' }),
      }
      const acked = new Promise<unknown>((settle) => {
        unacknowledged.set(envelope, { frame, settle })
      })
      newest()?.socket.send(JSON.stringify(frame))
      return { status: 200, body: await inTime(acked) }
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        sockets.close(() => resolve())
      }),
  }
}
