import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import type { PlatformConnection } from '../../../src/kernel/messenger/connection.ts'
import { after, longAgo, msBetween, ticks } from '../../../src/lib/clock.ts'
import type { Log } from '../../../src/lib/log.ts'
import { backoffMs } from '../../../src/lib/retry.ts'
import {
  type Interaction,
  interactionSchema,
  type MessagePayload,
  messagePayloadSchema,
} from '../protocol/payload.ts'
import type { DiscordApi } from './api.ts'
import { discordErrorCode, discordErrorFields } from './errors.ts'
import type { Respond } from './interaction-responder.ts'
import { firstAnswerPausesMs, retryCall } from './retry.ts'

export type GatewayDeps = {
  api: DiscordApi
  token: string
  applicationId: string
  leases: Bot['leases']
  log: Log
  connection: PlatformConnection
  onInteraction(interaction: Interaction, respond: Respond): Promise<void>
  onMessage(message: MessagePayload, botId: string): Promise<void>
}

export type Gateway = { start(): Promise<void>; stop(): Promise<void> }

/** The connection is held by one process; another takes it when its holder has not renewed it for so long. */
const leaseName = 'discord-gateway'
const leaseMs = 5_000
const renewEveryMs = 1_500
/** A connection that has not recovered by itself after this long is replaced. */
const stuckMs = 30_000
/** Discord refused the connection: a wrong token, or intents that it does not allow. The library does not try again. */
const fatalCloseCodes: ReadonlySet<number> = new Set([4004, 4010, 4011, 4012, 4013, 4014])

/** Direct messages, and messages in servers: only in those that mention the bot does Discord show the text. */
const intents = (1 << 9) | (1 << 12)

const reconnectPauses = { firstMs: 1_000, longestMs: 60_000 }

export const createGateway = (deps: GatewayDeps): Gateway => {
  const { leases, log, connection } = deps
  let manager: WebSocketManager | undefined
  let timer: NodeJS.Timeout | undefined
  let checking = Promise.resolve()
  let isStopped = false
  let retryAt = longAgo
  let failures = 0
  /** Since when this manager has not been connected. */
  let lostAt = longAgo
  let isRefused = false

  const connect = async (): Promise<void> => {
    const made = createManager(deps, (state, why) => {
      if (manager !== made) return
      if (state === 'connected') connection.connected()
      else connection[state](why)
      isRefused = state === 'refused'
      if (state === 'away') lostAt = ticks()
    })
    manager = made
    isRefused = false
    lostAt = ticks()
    if (connection.report().state === 'standing by') connection.away('connecting')
    try {
      await made.connect()
      failures = 0
    } catch (error) {
      if (manager === made) await backOff(discordErrorFields(error))
    }
  }
  /** For now: the next beats try again, after a growing while. */
  const backOff = async (fault: object): Promise<void> => {
    failures++
    retryAt = after(ticks(), backoffMs(reconnectPauses, failures))
    log.error({ ...fault, failures }, 'the Discord gateway could not be connected')
    connection.away('not connected')
    await disconnect()
  }
  const disconnect = async (): Promise<void> => {
    const old = manager
    manager = undefined
    if (old === undefined) return
    old.removeAllListeners()
    old.on(WebSocketShardEvents.Error, () => undefined)
    await Promise.race([
      Promise.resolve(old.destroy({ code: 1000 })).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, 1_500).unref()),
    ])
  }
  const isStuck = (): boolean =>
    isRefused || (connection.report().state !== 'connected' && msBetween(lostAt, ticks()) > stuckMs)
  const checkLease = async (): Promise<void> => {
    let isOurs = manager !== undefined
    try {
      isOurs = await leases.acquire(leaseName, leaseMs)
    } catch (error) {
      // Without a database nobody else can take it over either, and answering "the database is down" beats silence.
      log.warn({ err: error }, 'the hold on the Discord gateway could not be renewed')
    }
    if (isStopped) return
    if (isOurs && manager === undefined && ticks() >= retryAt) void connect()
    else if (!isOurs) {
      connection.standBy()
      await disconnect()
    } else if (manager !== undefined && isStuck()) await backOff({ state: connection.report().state })
  }
  const schedule = (): void => {
    timer = setTimeout(async () => {
      checking = checkLease()
      await checking
      if (!isStopped) schedule()
    }, renewEveryMs)
  }

  return {
    start: async () => {
      checking = checkLease()
      await checking
      schedule()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      connection.stop()
      await disconnect()
      // A renewal that is under way would bring the released lease back.
      await checking
      await leases.release(leaseName).catch(() => undefined)
    },
  }
}

const createManager = (
  { api, token, applicationId, log, connection, onInteraction, onMessage }: GatewayDeps,
  onChange: (state: 'connected' | 'away' | 'refused', why: string) => void,
): WebSocketManager => {
  const sessions = new Map<number, Session>()
  const manager = new WebSocketManager({
    token,
    intents,
    rest: api.rest,
    // As many as Discord recommends: it is asked whenever a connection is made.
    shardCount: null,
    handshakeTimeout: 10_000,
    helloTimeout: 10_000,
    retrieveSessionInfo: (shard) => sessions.get(shard) ?? null,
    updateSessionInfo: (shard, session) => {
      if (session === null) sessions.delete(shard)
      else sessions.set(shard, session)
    },
  })
  let botId = applicationId
  let shards = 1
  const standing = new Set<number>()
  /** People in every server are heard when every shard stands. */
  const stands = (shard: number): void => {
    standing.add(shard)
    if (standing.size >= shards) onChange('connected', '')
  }
  manager.on(WebSocketShardEvents.Ready, ({ user, shard }, id) => {
    botId = user?.id ?? applicationId
    shards = shard?.[1] ?? 1
    stands(id)
  })
  manager.on(WebSocketShardEvents.Resumed, stands)
  manager.on(WebSocketShardEvents.Closed, (code, shard) => {
    standing.delete(shard)
    log.info({ code, shard }, 'the Discord gateway closed the connection')
    onChange(fatalCloseCodes.has(code) ? 'refused' : 'away', `close code ${code}`)
  })
  manager.on(WebSocketShardEvents.Error, (error) => {
    log.warn({ error: error.name, said: error.message.slice(0, 80) }, 'the Discord gateway has a fault')
  })
  manager.on(WebSocketShardEvents.SocketError, (error) => {
    log.warn({ error: error.name, said: error.message.slice(0, 80) }, 'the Discord gateway has a fault')
  })
  manager.on(WebSocketShardEvents.HeartbeatComplete, connection.heard)
  manager.on(WebSocketShardEvents.Dispatch, ({ t, d }) => {
    connection.heard()
    if (t === 'INTERACTION_CREATE') {
      const read = interactionSchema.safeParse(d)
      if (!read.success) return log.warn({ event: t }, 'an interaction could not be read')
      const { id, token: answerToken } = read.data
      void onInteraction(read.data, (answer) => respondOnce(api, { id, token: answerToken }, answer))
    } else if (t === 'MESSAGE_CREATE') {
      const read = messagePayloadSchema.safeParse(d)
      if (read.success) void onMessage(read.data, botId)
    }
  })
  return manager
}

type Session = { resumeURL: string; sequence: number; sessionId: string; shardCount: number; shardId: number }

/** Answered already, by an attempt whose answer was lost or by another replica: what follows is decided by the store. */
const alreadyAcknowledged = 40_060

const respondOnce = async (
  api: DiscordApi,
  interaction: { id: string; token: string },
  answer: object,
): Promise<void> => {
  await retryCall(firstAnswerPausesMs, async () => {
    try {
      await api.respond(interaction, answer)
    } catch (error) {
      if (discordErrorCode(error) !== alreadyAcknowledged) throw error
    }
  })
}
