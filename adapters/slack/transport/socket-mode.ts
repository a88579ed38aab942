import { setTimeout as wait } from 'node:timers/promises'
import type { App as Bolt, Logger, Receiver } from '@slack/bolt'
import type { PlatformConnection } from '../../../src/kernel/messenger/connection.ts'
import { after, msBetween, ticks } from '../../../src/lib/clock.ts'
import { defined } from '../../../src/lib/defined.ts'
import type { Log } from '../../../src/lib/log.ts'
import { backoffMs, pause } from '../../../src/lib/retry.ts'
import { slackErrorFields } from '../api/errors.ts'
import { SlackWebClient } from '../api/web-client.ts'
import { type Envelope, openSlackSocket, type SlackSocket } from './slack-socket.ts'

/** Socket Mode: always one connection that stands, and beside it those that Slack is about to end. */
export type SocketMode = { receiver: Receiver; start(): Promise<void>; stop(): Promise<void> }

const helloWithinMs = 10_000
const startWaitMs = 3_000
const pauses = { firstMs: 500, longestMs: 30_000 }
/** Connections that end sooner than this, after a few of them, are opened with growing pauses. */
const steadyMs = 5_000
const maxShortLived = 3
/** Slack ends a connection some seconds after it asked for another; after this long we do. */
const drainMs = 15_000
/** What is being taken in when the bot stops is acknowledged within this. */
const stopWithinMs = 2_500
const maxUnsent = 1_000

/** Slack ends these for good, or until somebody does something about it. */
const refusals: ReadonlySet<string> = new Set(['link_disabled'])

export const createSocketMode = ({
  appToken,
  apiUrl,
  log,
  boltLog,
  connection,
}: {
  appToken: string
  apiUrl: string | undefined
  log: Log
  boltLog: Logger
  connection: PlatformConnection
}): SocketMode => {
  // An address to connect to is not a connection yet, and one that is not given may not be needed yet.
  const web = new SlackWebClient(
    appToken,
    { ...connection, connected: () => connection.heard(), away: () => undefined },
    { logger: boltLog, ...defined({ slackApiUrl: apiUrl }) },
  )
  /** Those that are open, the newest last. */
  const open = new Set<SlackSocket>()
  /** Acknowledgements that found no connection: the next one takes them. */
  const unsent: string[] = []
  /** What came by each of them and is not acknowledged yet. */
  const underWay = new Map<SlackSocket, Set<Promise<void>>>()
  const stopping = new AbortController()
  let bolt: Bolt | undefined
  let running: Promise<void> | undefined

  const send = (first: SlackSocket, text: string): void => {
    if (first.send(text) || [...open].reverse().some((socket) => socket.send(text))) return
    if (unsent.length < maxUnsent) unsent.push(text)
  }
  const take = async (socket: SlackSocket, envelope: Envelope): Promise<void> => {
    const { envelope_id, payload: body, retry_attempt: retryNum, retry_reason: retryReason } = envelope
    const acked = Promise.withResolvers<void>()
    const ack = async (answer?: unknown): Promise<void> => {
      const payload = typeof answer === 'string' && answer !== '' ? { text: answer } : answer || undefined
      send(socket, JSON.stringify({ envelope_id, ...defined({ payload }) }))
      acked.resolve()
    }
    const handled = bolt
      ?.processEvent({ body, ack, ...defined({ retryNum, retryReason }) })
      .catch((error: unknown) => {
        log.warn(slackErrorFields(error), 'a Slack delivery could not be read')
        return ack()
      })
    await Promise.race([acked.promise, handled])
  }
  const onEnvelope = (socket: SlackSocket, envelope: Envelope): void => {
    // What comes now is left for another connection, of this bot's next start or of another replica.
    if (stopping.signal.aborted) return
    const taken = underWay.get(socket) ?? new Set()
    underWay.set(socket, taken)
    const work = take(socket, envelope).finally(() => taken.delete(work))
    taken.add(work)
  }
  const connect = async (): Promise<SlackSocket> => {
    const { url = '' } = await web.apps.connections.open()
    const socket: SlackSocket = openSlackSocket(url, {
      onEnvelope: (envelope) => onEnvelope(socket, envelope),
      onHeard: connection.heard,
    })
    const late = AbortSignal.any([stopping.signal, AbortSignal.timeout(helloWithinMs)])
    const giveUp = () => socket.close()
    late.addEventListener('abort', giveUp)
    await socket.hello.finally(() => late.removeEventListener('abort', giveUp))
    const older = [...open]
    open.add(socket)
    void socket.closed.then(() => {
      open.delete(socket)
      underWay.delete(socket)
      if (open.size === 0) connection.away('the socket closed')
    })
    connection.connected()
    for (const text of unsent.splice(0)) send(socket, text)
    for (const old of older) void drain(old)
    return socket
  }
  /** Slack still sends on the old connection what it had begun to send; whatever came there is acknowledged first. */
  const drain = async (old: SlackSocket): Promise<void> => {
    await Promise.race([old.closed, wait(drainMs, undefined, { ref: false, signal: stopping.signal })]).catch(
      () => undefined,
    )
    await acknowledged(old)
    old.close()
  }
  const acknowledged = (socket: SlackSocket): Promise<unknown> =>
    Promise.allSettled(underWay.get(socket) ?? [])

  const keepConnected = async (): Promise<void> => {
    let failures = 0
    let shortLived = 0
    while (!stopping.signal.aborted) {
      try {
        const socket = await connect()
        failures = 0
        const since = ticks()
        const reason = await socket.goodbye
        log.info({ reason }, 'Slack ends a Socket Mode connection; opening another')
        shortLived = msBetween(since, ticks()) > steadyMs ? 0 : shortLived + 1
        if (refusals.has(reason)) connection.refused(reason)
        else if (shortLived <= maxShortLived) continue
      } catch (error) {
        failures++
        if (open.size === 0) connection.away(slackErrorFields(error).code)
        log.warn({ ...slackErrorFields(error), failures }, 'Socket Mode could not connect; trying again')
      }
      await pause(backoffMs(pauses, Math.max(1, failures, shortLived - maxShortLived)), stopping.signal)
    }
  }
  return {
    receiver: {
      init: (app) => {
        bolt = app
      },
      start: async () => undefined,
      stop: async () => undefined,
    },
    start: async () => {
      running = keepConnected()
      const until = after(ticks(), startWaitMs)
      while (open.size === 0 && ticks() < until) await wait(20)
    },
    stop: async () => {
      stopping.abort()
      const all = Promise.all([...open].map(acknowledged))
      await Promise.race([all, wait(stopWithinMs, undefined, { ref: false })])
      for (const socket of open) socket.close()
      await Promise.race([running, wait(500, undefined, { ref: false })])
    },
  }
}
