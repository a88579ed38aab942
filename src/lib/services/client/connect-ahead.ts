import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { msBetween, type Tick, ticks } from '../../clock.ts'

/** How long a connection counts as fresh while nothing was sent on it: far less than any server waits for a request. */
const freshMs = 1_000

export type AheadConnector = {
  connect: buildConnector.connector
  /** Connects for a request that is about to come. */
  expect(): void
}

type Opened = { socket: Socket; at: Tick }

/**
 * A connector that hands out what it was told to open ahead, each connection once and only while it is fresh. Then it is
 * given up, so there is nothing to close.
 */
export const connectAhead = (connect: buildConnector.connector, origin: string): AheadConnector => {
  const { hostname, host, protocol, port } = new URL(origin)
  const ahead = new Set<Promise<Opened | undefined>>()
  const open = (): Promise<Opened | undefined> =>
    new Promise((resolve) =>
      connect({ hostname: hostname.replace(/^\[(.*)\]$/, '$1'), host, protocol, port }, (_, socket) =>
        resolve(socket ? { socket, at: ticks() } : undefined),
      ),
    )
  const giveUp = async (one: Promise<Opened | undefined>): Promise<void> => {
    if (ahead.delete(one)) (await one)?.socket.destroy()
  }
  return {
    expect: () => {
      const one = open()
      ahead.add(one)
      void one.then(() => setTimeout(() => giveUp(one), freshMs).unref())
    },
    connect: (options, callback) => {
      const [first] = ahead
      if (first === undefined) return connect(options, callback)
      ahead.delete(first)
      void first.then((opened) => {
        if (opened !== undefined && isFresh(opened)) return callback(null, opened.socket)
        opened?.socket.destroy()
        connect(options, callback)
      })
    },
  }
}

/** Nothing came on it, not even its end, and no time has passed in which the server may have given it up. */
const isFresh = ({ socket, at }: Opened): boolean =>
  socket.readyState === 'open' && socket.readableLength === 0 && msBetween(at, ticks()) < freshMs
