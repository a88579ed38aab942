import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Json, State } from './state.ts'

type Session = {
  id: string
  /** Its number, and of how many. */
  shard: [number, number]
  events: { s: number; t: string; d: unknown }[]
  socket: WebSocket | undefined
}

export type FakeGateway = {
  url: string
  identifies: Json[]
  resumes: number
  connections(): number
  dispatch(type: string, data: unknown): void
  /** Any frame at all, to whoever is connected. */
  raw(frame: unknown): void
  /** Cuts the connection, or has the bot reconnect; what is dispatched meanwhile waits for a resume. */
  drop(code?: number): void
  askReconnect(): void
  invalidate(canResume: boolean): void
  close(): Promise<void>
}

/** Discord's gateway: HELLO, IDENTIFY, READY, heartbeats, RESUME with what was missed, reconnect, invalid session. */
export const startFakeGateway = async (state: State, heartbeatMs = 40_000): Promise<FakeGateway> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const sessions = new Map<string, Session>()
  let sequence = 0
  const gateway: FakeGateway = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identifies: [],
    resumes: 0,
    connections: () => [...sessions.values()].filter(({ socket }) => socket?.readyState === 1).length,
    dispatch: (t, d) => {
      for (const session of sessions.values()) {
        if (!isOfShard(session.shard, d)) continue
        const event = { s: ++sequence, t, d }
        session.events.push(event)
        session.socket?.send(JSON.stringify({ op: 0, ...event }))
      }
    },
    raw: (frame) => {
      for (const client of server.clients)
        client.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    },
    drop: (code = 4_000) => {
      for (const session of sessions.values()) {
        session.socket?.close(code)
        session.socket = undefined
      }
    },
    askReconnect: () => gateway.raw({ op: 7, d: null }),
    invalidate: (canResume) => {
      if (!canResume) sessions.clear()
      gateway.raw({ op: 9, d: canResume })
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate()
        server.close(() => resolve())
      }),
  }
  server.on('connection', (socket) => {
    const send = (frame: object) => socket.send(JSON.stringify(frame))
    send({ op: 10, d: { heartbeat_interval: heartbeatMs } })
    socket.on('close', () => {
      for (const session of sessions.values()) if (session.socket === socket) session.socket = undefined
    })
    socket.on('message', (data) => {
      const { op, d } = JSON.parse(String(data)) as { op: number; d: Json }
      if (op === 1) send({ op: 11 })
      if (op === 2) {
        gateway.identifies.push(d)
        if (d.token !== state.token) return socket.close(4_004)
        const [shard = 0, count = 1] = (d.shard ?? []) as number[]
        if (count < state.shards) return socket.close(4_011)
        if (shard >= count) return socket.close(4_010)
        const session: Session = { id: state.newId(), shard: [shard, count], events: [], socket }
        sessions.set(session.id, session)
        send({
          op: 0,
          s: ++sequence,
          t: 'READY',
          d: {
            v: 10,
            user: { id: state.applicationId, username: 'bellhop', bot: true },
            guilds: [{ id: '600000000000000001', unavailable: true }],
            shard: [shard, count],
            session_id: session.id,
            resume_gateway_url: gateway.url,
            application: { id: state.applicationId, flags: 0 },
          },
        })
        send({ op: 0, s: ++sequence, t: 'GUILD_CREATE', d: { id: '600000000000000001', name: 'Test' } })
      }
      if (op === 6) {
        const session = sessions.get(String(d.session_id))
        if (session === undefined) return send({ op: 9, d: false })
        gateway.resumes++
        session.socket = socket
        for (const event of session.events.filter(({ s }) => s > Number(d.seq))) send({ op: 0, ...event })
        send({ op: 0, s: ++sequence, t: 'RESUMED', d: {} })
      }
    })
  })
  return gateway
}

/** Discord brings what happens in a server to one shard, and direct messages to the first. */
const isOfShard = ([shard, count]: [number, number], data: unknown): boolean => {
  const { guild_id } = (data ?? {}) as { guild_id?: string }
  return shard === (guild_id === undefined ? 0 : Number((BigInt(guild_id) >> 22n) % BigInt(count)))
}
