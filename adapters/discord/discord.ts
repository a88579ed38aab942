import type { App } from '../../src/app.ts'
import type { Messenger } from '../../src/approvals/messenger.ts'
import type { HttpServer } from '../../src/http/server.ts'
import type { Log } from '../../src/pipeline/world.ts'
import { createApi } from './api.ts'
import { discordCommandsOf } from './commands.ts'
import type { Desk } from './desk.ts'
import { createDrafts } from './drafts.ts'
import { serveInteractions } from './endpoint.ts'
import { faultOf } from './errors.ts'
import { handleInteraction } from './interactions.ts'
import { handleLine } from './lines.ts'
import { createMessenger } from './messenger.ts'
import { putCommands } from './register.ts'

export type DiscordConfig = {
  token: string
  applicationId: string
  /** Turns the HTTP endpoint on. */
  publicKey?: string | undefined
  gateway: boolean
  apiUrl?: string | undefined
}

export type DiscordDeps = { app: App; http: HttpServer; config: DiscordConfig; log: Log }

export type Discord = {
  messenger: Messenger
  start(): Promise<void>
  stop(): Promise<void>
  state(): string
}

/** Discord, over the gateway, over the signed endpoint, or both; the same code answers. */
export const createDiscord = async ({ app, http, config, log }: DiscordDeps): Promise<Discord> => {
  const { token, applicationId, publicKey } = config
  const { world } = app
  const commands = discordCommandsOf(world.registry)
  const api = createApi(config)
  const desk: Desk = { app, api, drafts: createDrafts(world), log, now: world.now }
  const underWay = new Set<Promise<void>>()
  const tracked = (work: Promise<void>): Promise<void> => {
    underWay.add(work)
    return work.finally(() => underWay.delete(work))
  }
  const onInteraction: Parameters<typeof serveInteractions>[0]['handle'] = (interaction, respond) =>
    tracked(handleInteraction(desk, interaction, respond))
  if (publicKey !== undefined) {
    serveInteractions({ http, publicKey, count: world.count, log, now: world.now, handle: onInteraction })
  }
  const gateway = config.gateway
    ? (await import('./gateway.ts')).createGateway({
        api,
        token,
        applicationId,
        leases: world.store.leases,
        process: world.process,
        log,
        onInteraction,
        onLine: (message, botId) => tracked(handleLine(desk, message, botId)),
      })
    : undefined
  let isStopped = false
  let registering: NodeJS.Timeout | undefined

  /** The bot works with the commands that are there; Discord being away is no reason not to start. */
  const register = async (attempt = 1): Promise<void> => {
    try {
      const { lines } = await putCommands(api.rest, applicationId, commands)
      if (lines.length > 0) log.info({ changes: lines.length }, 'the Discord commands were registered')
    } catch (error) {
      log.error({ ...faultOf(error), attempt }, 'the Discord commands could not be registered yet')
      api.rest.setToken(token)
      if (!isStopped)
        registering = setTimeout(() => void register(attempt + 1), Math.min(300_000, 2_000 * 2 ** attempt))
    }
  }

  return {
    messenger: createMessenger(api, world.now),
    start: async () => {
      void register()
      await gateway?.start()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(registering)
      await gateway?.stop()
      await Promise.race([
        Promise.allSettled(underWay),
        new Promise((resolve) => setTimeout(resolve, 5_000).unref()),
      ])
    },
    state: () => gateway?.state() ?? 'over HTTP',
  }
}
