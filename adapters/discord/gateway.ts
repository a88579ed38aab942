import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws'
import type { Log } from '../../src/pipeline/world.ts'
import type { Leases } from '../../src/storage/leases.ts'
import { again, hurried } from './again.ts'
import type { Api } from './api.ts'
import { codeOf, faultOf } from './errors.ts'
import type { Respond } from './exchange.ts'
import { type Interaction, interactionSchema, type LineMessage, messageSchema } from './payload.ts'

export type GatewayDeps = {
  api: Api
  token: string
  applicationId: string
  leases: Leases
  /** Which process this is. */
  process: string
  log: Log
  onInteraction(interaction: Interaction, respond: Respond): Promise<void>
  onLine(message: LineMessage, botId: string): Promise<void>
}

export type Gateway = { start(): Promise<void>; stop(): Promise<void>; state(): string }

/** The connection is held by one process; another takes it when its holder has not renewed it for so long. */
const lease = 'discord-gateway'
const leaseMs = 5_000
const beatMs = 1_500
/** A connection that has not come back by itself after so long is made anew. */
const stuckMs = 30_000
/** Discord closed the door: a wrong token, intents that it does not allow. The library does not knock again. */
const refused = 'refused'
const refusals: ReadonlySet<number> = new Set([4004, 4010, 4011, 4012, 4013, 4014])

/** Direct messages, and messages in servers: only in those that mention the bot does Discord show the text. */
const intents = (1 << 9) | (1 << 12)

export const createGateway = (deps: GatewayDeps): Gateway => {
  const { leases, log } = deps
  let manager: WebSocketManager | undefined
  let state = 'starting'
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let retryAt = 0
  let failures = 0

  let changedAt = 0

  const turn = (now: string): void => {
    if (now !== state) changedAt = Date.now()
    state = now
  }
  const connect = async (): Promise<void> => {
    const made = createManager(deps, (now) => {
      if (manager === made) turn(now)
    })
    manager = made
    turn('connecting')
    try {
      await made.connect()
      failures = 0
    } catch (error) {
      if (manager === made) await giveUp(faultOf(error))
    }
  }
  /** For now: the next beats try again, after a growing while. */
  const giveUp = async (fault: object): Promise<void> => {
    failures++
    retryAt = Date.now() + Math.min(60_000, 500 * 2 ** Math.min(failures, 7))
    log.error({ ...fault, failures }, 'the Discord gateway does not let us in')
    await disconnect('not connected')
  }
  const disconnect = async (now: string): Promise<void> => {
    const old = manager
    manager = undefined
    turn(now)
    if (old === undefined) return
    old.removeAllListeners()
    old.on(WebSocketShardEvents.Error, () => undefined)
    await Promise.race([
      Promise.resolve(old.destroy({ code: 1000 })).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, 1_500).unref()),
    ])
  }
  const isStuck = (): boolean =>
    state === refused || (state !== 'connected' && Date.now() - changedAt > stuckMs)
  const beat = async (): Promise<void> => {
    let isOurs = manager !== undefined
    try {
      isOurs = await leases.acquire(lease, deps.process, leaseMs)
    } catch (error) {
      // Without a database nobody else can take it over either, and answering "the database is down" beats silence.
      log.warn({ err: error }, 'the hold on the Discord gateway could not be renewed')
    }
    if (isStopped) return
    if (isOurs && manager === undefined && Date.now() >= retryAt) void connect()
    else if (!isOurs && manager !== undefined) await disconnect('standing by')
    else if (!isOurs) turn('standing by')
    else if (manager !== undefined && isStuck()) await giveUp({ state })
  }
  const schedule = (): void => {
    timer = setTimeout(async () => {
      await beat()
      if (!isStopped) schedule()
    }, beatMs)
  }

  return {
    start: async () => {
      await beat()
      schedule()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await disconnect('stopped')
      await leases.release(lease, deps.process).catch(() => undefined)
    },
    state: () => state,
  }
}

const createManager = (
  { api, token, applicationId, log, onInteraction, onLine }: GatewayDeps,
  turn: (state: string) => void,
): WebSocketManager => {
  const sessions = new Map<number, Session>()
  const manager = new WebSocketManager({
    token,
    intents,
    rest: api.rest,
    shardCount: 1,
    handshakeTimeout: 10_000,
    helloTimeout: 10_000,
    retrieveSessionInfo: (shard) => sessions.get(shard) ?? null,
    updateSessionInfo: (shard, session) => {
      if (session === null) sessions.delete(shard)
      else sessions.set(shard, session)
    },
  })
  let botId = applicationId
  const connected = (): void => turn('connected')
  manager.on(WebSocketShardEvents.Ready, ({ data }) => {
    botId = data.user?.id ?? applicationId
    connected()
  })
  manager.on(WebSocketShardEvents.Resumed, connected)
  manager.on(WebSocketShardEvents.Closed, ({ code }) => {
    log.info({ code }, 'the Discord gateway closed the connection')
    turn(refusals.has(code) ? refused : 'reconnecting')
  })
  manager.on(WebSocketShardEvents.Error, ({ error }) => {
    log.warn({ error: error.name, said: error.message.slice(0, 80) }, 'the Discord gateway has a fault')
  })
  manager.on(WebSocketShardEvents.Dispatch, ({ data: { t, d } }) => {
    if (t === 'INTERACTION_CREATE') {
      const read = interactionSchema.safeParse(d)
      if (!read.success) return log.warn({ event: t }, 'an interaction could not be read')
      const { id, token: answerToken } = read.data
      void onInteraction(read.data, (answer) => respondOnce(api, { id, token: answerToken }, answer))
    } else if (t === 'MESSAGE_CREATE') {
      const read = messageSchema.safeParse(d)
      if (read.success) void onLine(read.data, botId)
    }
  })
  return manager
}

type Session = { resumeURL: string; sequence: number; sessionId: string; shardCount: number; shardId: number }

/** Answered already, by an attempt whose answer was lost or by another replica: what follows is decided by the store. */
const acknowledged = 40_060

const respondOnce = async (
  api: Api,
  interaction: { id: string; token: string },
  answer: object,
): Promise<void> => {
  await again(hurried, async () => {
    try {
      await api.respond(interaction, answer)
    } catch (error) {
      if (codeOf(error) !== acknowledged) throw error
    }
  })
}
