import { createPlatformConnection, servedConnection } from '../../src/kernel/messenger/connection.ts'
import type { MessengerDeps, RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import { messengerOverAll } from '../../src/kernel/messenger/workspaces.ts'
import { backoffMs, pause, retry } from '../../src/lib/retry.ts'
import type { DiscordConfig } from './config.ts'
import { createGuilds } from './guilds.ts'
import { handleInteraction } from './inbound/interactions.ts'
import { handleMessage, takenMessage } from './inbound/messages.ts'
import { type Interaction, interactionSchema, type MessagePayload } from './protocol/payload.ts'
import { discordCommandsOf } from './registration/definitions.ts'
import { putCommands } from './registration/register.ts'
import { createDiscordApi } from './transport/api.ts'
import { discordErrorFields } from './transport/errors.ts'
import type { Gateway } from './transport/gateway.ts'
import { serveInteractions } from './transport/http-endpoint.ts'

const registrationAfterMs = 100
const registrationPauses = { firstMs: 4_000, longestMs: 300_000 }

/** What follows the context and the payload. */
type Tail<A extends unknown[]> = A extends [unknown, unknown, ...infer T] ? T : never

type DiscordDeps = Omit<MessengerDeps<DiscordConfig>, 'previews'>

/** Discord, over the gateway, over the signed endpoint, or both; the same code answers. */
export const createDiscord = async ({ bot, http, config, log }: DiscordDeps): Promise<RunningMessenger> => {
  const { token, applicationId, publicKey } = config
  const deps = { platform: 'discord', log, now: bot.now }
  const answers = createPlatformConnection({ ...deps, name: 'api', brings: 'answers' })
  const connections = [answers]
  const api = createDiscordApi(config, answers)
  const guilds = createGuilds({ bot, api, apiUrl: config.apiUrl, log })
  const handledWhere = (interaction: Interaction, ...rest: Tail<Parameters<typeof handleInteraction>>) => {
    const { guild_id: guild, user, member } = interaction
    const account = (member?.user ?? user)?.id
    return tracked(handleInteraction(guilds.of({ guild, account }), interaction, ...rest))
  }
  const saidWhere = (message: MessagePayload, ...rest: Tail<Parameters<typeof handleMessage>>) =>
    tracked(
      handleMessage(guilds.of({ guild: message.guild_id, account: message.author.id }), message, ...rest),
    )
  const underWay = new Set<Promise<void>>()
  const tracked = (work: Promise<void>): Promise<void> => {
    underWay.add(work)
    return work.finally(() => underWay.delete(work))
  }
  if (publicKey !== undefined) {
    const requests = servedConnection(deps)
    connections.push(requests)
    serveInteractions({
      http,
      publicKey,
      bot,
      log,
      onSigned: requests.heard,
      handle: (interaction, respond) => handledWhere(interaction, respond, { isAwaited: true }),
    })
  }
  let gateway: Gateway | undefined
  if (config.gateway) {
    const connection = createPlatformConnection({ ...deps, name: 'gateway', brings: 'requests' })
    connections.push(connection)
    const { createGateway } = await import('./transport/gateway.ts')
    gateway = createGateway({
      api,
      token,
      applicationId,
      leases: bot.leases,
      log,
      connection,
      onInteraction: (interaction, respond) => handledWhere(interaction, respond),
      onMessage: (message, botId) => saidWhere(message, botId),
    })
  }
  const stopping = new AbortController()

  /** The bot works with the commands that are there; Discord being away is no reason not to start. */
  const register = async (): Promise<void> => {
    const { lines } = await putCommands(api.rest, applicationId, discordCommandsOf(bot.registry))
    if (lines.length > 0) log.info({ changes: lines.length }, 'the Discord commands were registered')
  }
  /** Making the commands takes a twentieth of the start, and nobody waits for them. */
  const registerSoon = async (): Promise<void> => {
    await pause(registrationAfterMs, stopping.signal)
    if (!stopping.signal.aborted) await retry(register, registerAgainAfter, stopping.signal)
  }
  const registerAgainAfter = (error: unknown, attempt: number): number => {
    log.error({ ...discordErrorFields(error), attempt }, 'the Discord commands could not be registered yet')
    api.rest.setToken(token)
    return backoffMs(registrationPauses, attempt)
  }

  return {
    messenger: {
      ...messengerOverAll(guilds.messenger, guilds.messengerIn),
      // Its first answer was given by the process that died.
      redeliver: (payload) => {
        const line = takenMessage.safeParse(payload)
        return line.success
          ? saidWhere(line.data.message, line.data.botId, { isTaken: true })
          : handledWhere(interactionSchema.parse(payload), async () => undefined, { isTaken: true })
      },
    },
    connections,
    start: async () => {
      registerSoon().catch(() => undefined)
      await Promise.all([gateway?.start(), answers.keepAsking(api.ask)])
    },
    stop: async () => {
      stopping.abort()
      await gateway?.stop()
      for (const connection of connections) connection.stop()
      await Promise.allSettled(underWay)
    },
  }
}
