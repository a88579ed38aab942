import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { Agent, buildConnector, ping, WebSocket } from 'undici'
import { z } from 'zod'
import { msBetween, ticks } from '../../../src/lib/clock.ts'
import { parseBounded } from '../../../src/lib/codecs/bounded-json.ts'

const frameSchema = z.object({
  type: z.string(),
  /** Why Slack asks us to come again. */
  reason: z.string().optional(),
  envelope_id: z.string().optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  retry_attempt: z.number().optional(),
  retry_reason: z.string().optional(),
})
export type Envelope = Omit<z.infer<typeof frameSchema>, 'envelope_id' | 'payload'> & {
  envelope_id: string
  payload: Record<string, unknown>
}

/** One connection of Socket Mode, from its first frame to its last. It never comes back: the next one is another. */
export type SlackSocket = {
  /** Slack is ready to send; rejects if the socket closes before. */
  hello: Promise<void>
  /** Slack's reason to ask for another connection, or that this one is closed. Until it closes, envelopes still come. */
  goodbye: Promise<string>
  closed: Promise<void>
  /** False when it no longer can. */
  send(text: string): boolean
  close(): void
}

const pingEveryMs = 5_000
/** Neither a frame nor an answer to our pings for so long: nobody is there. */
const silentMs = 15_000
/** Slack may leave the other half of a closed connection open. */
const closeWithinMs = 1_000

export const openSlackSocket = (
  url: string,
  { onEnvelope, onHeard }: { onEnvelope(envelope: Envelope): void; onHeard(): void },
): SlackSocket => {
  let raw: Socket | undefined
  const connect = buildConnector({ allowH2: false })
  const dispatcher = new Agent({
    connect: (options, callback) =>
      connect(options, (...result) => {
        if (result[1] !== null) raw = result[1]
        callback(...result)
      }),
  })
  const socket = new WebSocket(url, { dispatcher })
  const hello = Promise.withResolvers<void>()
  const goodbye = Promise.withResolvers<string>()
  const closed = Promise.withResolvers<void>()
  hello.promise.catch(() => undefined)
  let heardAt = ticks()

  const heard = (): void => {
    heardAt = ticks()
    onHeard()
  }
  const onPong = (message: unknown): void => {
    if ((message as { websocket?: unknown }).websocket === socket) heard()
  }
  subscribe('undici:websocket:pong', onPong)
  const beat = setInterval(() => {
    if (msBetween(heardAt, ticks()) > silentMs) raw?.destroy()
    else if (socket.readyState === WebSocket.OPEN) ping(socket, Buffer.alloc(0))
  }, pingEveryMs).unref()

  socket.addEventListener('message', ({ data }) => {
    heard()
    const frame = frameSchema.safeParse(typeof data === 'string' ? toJson(data) : undefined).data
    if (frame === undefined) return
    const { envelope_id, payload } = frame
    if (frame.type === 'hello') hello.resolve()
    else if (frame.type === 'disconnect') goodbye.resolve(frame.reason ?? 'disconnect')
    else if (envelope_id !== undefined && payload !== undefined)
      onEnvelope({ ...frame, envelope_id, payload })
  })
  // A close follows each error.
  socket.addEventListener('error', () => raw?.destroy())
  socket.addEventListener('close', () => {
    clearInterval(beat)
    unsubscribe('undici:websocket:pong', onPong)
    raw?.destroy()
    hello.reject(new Error('the socket closed before Slack said hello'))
    goodbye.resolve('closed')
    closed.resolve()
  })
  return {
    hello: hello.promise,
    goodbye: goodbye.promise,
    closed: closed.promise,
    send: (text) => {
      if (socket.readyState !== WebSocket.OPEN) return false
      socket.send(text)
      return true
    },
    close: () => {
      socket.close(1000)
      setTimeout(() => raw?.destroy(), closeWithinMs).unref()
    },
  }
}

const toJson = (text: string): unknown => {
  try {
    return parseBounded(text)
  } catch {
    return undefined
  }
}
