import { createHash } from 'node:crypto'
import type { RESTOptions, REST as Rest } from '@discordjs/rest'
import type { PlatformConnection } from '../../../src/kernel/messenger/connection.ts'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { ticks } from '../../../src/lib/clock.ts'
import { retry } from '../../../src/lib/retry.ts'
import { withoutAtEnd } from '../../../src/lib/view/end.ts'
import { messageFlag } from '../protocol/codes.ts'
import { type ChannelAccess, mayView } from '../protocol/permissions.ts'
import type { DiscordMessage } from '../render/message.ts'
import { discordErrorCode } from './errors.ts'
import { discordLibrary, makeRequest } from './rest.ts'

export type DiscordApiConfig = { token: string; applicationId: string; apiUrl?: string | undefined }
export type CreatedMessage = { id: string; channel_id: string }

/** The calls that we make, by what they are for. */
export type DiscordApi = {
  rest: Rest
  /** Whether Discord takes the bot's token; throws if it does not say so. */
  ask(): Promise<void>
  send(
    channel: string,
    message: DiscordMessage,
    more?: { idempotencyKey?: string; replyTo?: string },
  ): Promise<CreatedMessage>
  edit(channel: string, id: string, message: DiscordMessage): Promise<void>
  /** What the bot has posted in a channel, the newest first. */
  ownMessages(channel: string): AsyncGenerator<object>
  remove(channel: string, id: string): Promise<void>
  /** Whether an account may read a channel now. */
  mayRead(account: string, channel: string): Promise<boolean>
  /** The roles that an account has now, in every server that the bot is in. */
  /** Whether it is a member of one of these guilds. */
  isMember(account: string, isCounted: (guild: string) => boolean): Promise<boolean>
  rolesOf(account: string, isCounted: (guild: string) => boolean): Promise<string[]>
  /** The conversation with one account. */
  openDirectChannel(account: string): Promise<string>
  /** The first answer to an interaction that came over the gateway. */
  respond(interaction: { id: string; token: string }, answer: object): Promise<void>
  /** What stands where the interaction was deferred or pressed; `isJustIssued` waits for Discord to know of the first answer. */
  editOriginal(token: string, message: DiscordMessage, isJustIssued?: boolean): Promise<CreatedMessage>
  editFollowUp(token: string, id: string, message: DiscordMessage, isJustIssued?: boolean): Promise<void>
  /** A message beside it, private unless told otherwise. */
  followUp(
    token: string,
    message: DiscordMessage,
    more?: { isPrivate?: boolean; isJustIssued?: boolean },
  ): Promise<CreatedMessage>
}

type HistoryMessage = { id: string; author: { id: string }; content?: string; components?: unknown }

/** How far back a channel is read. */
const pageSize = 100
const maxPages = 20

const version = '10'
const timeoutMs = 10_000
/** Discord wants to be told of a library and its version. */
const userAgent = 'DiscordBot (https://discord.js.org, 14) bellhop'

/** A limit that lasts longer than this is the worker's to wait for. */
const longestRateLimitMs = 4_000

/** A first answer that hangs longer than this is tried again while there is time. */
const respondWithinMs = 1_200

export const createDiscordApi = (
  { token, applicationId, apiUrl }: DiscordApiConfig,
  connection?: PlatformConnection,
): DiscordApi => {
  const api = withoutAtEnd(apiUrl ?? 'https://discord.com/api', '/').replace(/\/v\d+$/, '')
  const options: Partial<RESTOptions> = {
    api,
    version,
    makeRequest,
    timeout: timeoutMs,
    retries: 1,
    rejectOnRateLimit: ({ retryAfter, timeToReset }) =>
      Math.max(retryAfter, timeToReset) > longestRateLimitMs,
  }
  const noted = noting(connection)
  const rest = onFirstUse(() =>
    new (discordLibrary().REST)({ ...options, makeRequest: noted }).setToken(token),
  )
  // The fifty calls a second that a bot has are not those of its interactions.
  const interactionRest = onFirstUse(
    () => new (discordLibrary().REST)({ ...options, globalRequestsPerSecond: Number.POSITIVE_INFINITY }),
  )
  const directChannels = new Map<string, string>()
  const webhookPath = (webhookToken: string): `/${string}` => `/webhooks/${applicationId}/${webhookToken}`
  /** A call with the bot's own token; the library forgets the token after one refusal, we do not. */
  const asBot = async <T>(call: () => Promise<unknown>): Promise<T> => {
    try {
      return (await call()) as T
    } catch (error) {
      rest().setToken(token)
      throw error
    }
  }

  /** What an account is in each of these guilds that it is a member of. */
  const membersIn = async (
    account: string,
    isCounted: (guild: string) => boolean,
  ): Promise<{ roles: string[] }[]> => {
    const guilds = await asBot<{ id: string }[]>(() => rest().get('/users/@me/guilds'))
    const inGuild = async ({ id }: { id: string }): Promise<{ roles: string[] }[]> => {
      try {
        return [await asBot<{ roles: string[] }>(() => rest().get(`/guilds/${id}/members/${account}`))]
      } catch (error) {
        if (discordErrorCode(error) === unknownMember) return []
        throw error
      }
    }
    return (await Promise.all(guilds.filter(({ id }) => isCounted(id)).map(inGuild))).flat()
  }

  const readingChannel = async (id: string): Promise<ChannelInfo> => {
    const info = await asBot<ChannelInfo>(() => rest().get(`/channels/${id}`))
    return threads.has(info.type) && info.parent_id !== undefined ? readingChannel(info.parent_id) : info
  }

  return {
    get rest() {
      return rest()
    },
    ask: async () => {
      const answer = await noted(`${api}/v${version}/users/@me`, {
        method: 'GET',
        headers: { authorization: `Bot ${token}`, 'user-agent': userAgent },
        signal: AbortSignal.timeout(timeoutMs),
      })
      await answer.arrayBuffer()
      if (!answer.ok) throw new MessengerError('later', `Discord answered with status ${answer.status}`)
    },
    send: (channel, { body, files }, { idempotencyKey, replyTo } = {}) =>
      asBot(() =>
        rest().post(`/channels/${channel}/messages`, {
          body: {
            ...body,
            nonce: nonceOf(idempotencyKey ?? `${Math.random()}`),
            enforce_nonce: true,
            ...(replyTo === undefined
              ? {}
              : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
          },
          files,
        }),
      ),
    edit: async (channel, id, { body, files }) => {
      await asBot(() => rest().patch(`/channels/${channel}/messages/${id}`, { body, files }))
    },
    ownMessages: async function* (channel) {
      const { id: self } = await asBot<{ id: string }>(() => rest().get('/users/@me'))
      let before: string | undefined
      for (let pages = 0; pages < maxPages; pages++) {
        const query = new URLSearchParams({
          limit: String(pageSize),
          ...(before === undefined ? {} : { before }),
        })
        const page = await asBot<HistoryMessage[]>(() =>
          rest().get(`/channels/${channel}/messages`, { query }),
        )
        for (const { author, content, components } of page) {
          if (author.id === self) yield { content, components }
        }
        before = page.at(-1)?.id
        if (page.length < pageSize) return
      }
    },
    remove: async (channel, id) => {
      await asBot(() => rest().delete(`/channels/${channel}/messages/${id}`))
    },
    mayRead: async (account, channel) => {
      try {
        const info = await readingChannel(channel)
        const { guild_id: id, permission_overwrites: overwrites = [] } = info
        if (id === undefined || info.type === privateThread) return false
        const [guild, member] = await Promise.all([
          asBot<{ id: string; owner_id: string; roles: { id: string; permissions: string }[] }>(() =>
            rest().get(`/guilds/${id}`),
          ),
          asBot<{ roles: string[] }>(() => rest().get(`/guilds/${id}/members/${account}`)),
        ])
        return mayView({
          guild,
          roles: guild.roles,
          member: { id: account, roles: member.roles },
          overwrites,
        })
      } catch (error) {
        if (unseenCodes.has(Number(discordErrorCode(error)))) return false
        throw error
      }
    },
    isMember: async (account, isCounted) => (await membersIn(account, isCounted)).length > 0,
    rolesOf: async (account, isCounted) =>
      (await membersIn(account, isCounted)).flatMap(({ roles }) => roles),
    openDirectChannel: async (account) => {
      const known = directChannels.get(account)
      if (known !== undefined) return known
      const { id } = await asBot<{ id: string }>(() =>
        rest().post('/users/@me/channels', { body: { recipient_id: account } }),
      )
      if (directChannels.size > 5_000) directChannels.clear()
      directChannels.set(account, id)
      return id
    },
    respond: async (interaction, answer) => {
      await interactionRest().post(`/interactions/${interaction.id}/${interaction.token}/callback`, {
        auth: false,
        body: answer,
        signal: AbortSignal.timeout(respondWithinMs),
      })
    },
    editOriginal: async (webhookToken, { body, files }, isJustIssued = false) =>
      (await retryUntilKnown(isJustIssued, () =>
        interactionRest().patch(`${webhookPath(webhookToken)}/messages/@original`, {
          auth: false,
          body,
          files,
        }),
      )) as CreatedMessage,
    editFollowUp: async (webhookToken, id, { body, files }, isJustIssued = false) => {
      await retryUntilKnown(isJustIssued, () =>
        interactionRest().patch(`${webhookPath(webhookToken)}/messages/${id}`, { auth: false, body, files }),
      )
    },
    followUp: async (webhookToken, { body, files }, { isPrivate = true, isJustIssued = false } = {}) =>
      (await retryUntilKnown(isJustIssued, () =>
        interactionRest().post(webhookPath(webhookToken), {
          auth: false,
          query: new URLSearchParams({ wait: 'true' }),
          body: { ...body, flags: body.flags | (isPrivate ? messageFlag.ephemeral : 0) },
          files,
        }),
      )) as CreatedMessage,
  }
}

const onFirstUse = (create: () => Rest): (() => Rest) => {
  let created: Rest | undefined
  return () => {
    created ??= create()
    return created
  }
}

/** Every answer to a call with the bot's token says how the connection stands. */
const noting =
  (connection: PlatformConnection | undefined): RESTOptions['makeRequest'] =>
  async (url, init) => {
    const askedAt = ticks()
    try {
      const response = await makeRequest(url, init)
      const { status } = response
      if (status === 401) connection?.refused('status 401: the token is not taken')
      else if (status >= 500) connection?.away(`status ${status}`)
      else connection?.connected(askedAt)
      return response
    } catch (error) {
      connection?.away('Discord cannot be reached')
      throw error
    }
  }

/** Tries again while Discord does not know yet that the interaction was answered. */
const retryUntilKnown = <T>(isJustIssued: boolean, call: () => Promise<T>): Promise<T> =>
  retry(call, (error, failures) =>
    isJustIssued && notYetKnownCodes.has(Number(discordErrorCode(error)))
      ? [100, 300, 900][failures - 1]
      : undefined,
  )

/** Discord says so while it has not yet read the first answer: unknown message, unknown webhook. */
const notYetKnownCodes = new Set([10_008, 10_015])

/** A public thread is read by whoever reads its channel; who is in a private one is not asked. */
const privateThread = 12
const threads: ReadonlySet<number> = new Set([10, 11])

type ChannelInfo = {
  type: number
  parent_id?: string
  guild_id?: string
  permission_overwrites?: ChannelAccess['overwrites']
}

/** The channel or the member does not exist here, or the bot may not see it. */
const unseenCodes: ReadonlySet<number> = new Set([10_003, 10_007, 50_001, 50_035])

/** The account is not in that server. */
const unknownMember = 10_007

/** The same text within a few minutes is the same message, however often it is posted. */
const nonceOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 25)
