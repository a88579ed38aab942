import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { REST, type RESTOptions } from '@discordjs/rest'
import { codeOf } from './errors.ts'
import type { Message } from './message.ts'
import { flag } from './wire.ts'

export type ApiConfig = { token: string; applicationId: string; apiUrl?: string | undefined }
export type Posted = { id: string; channel_id: string }

/** The calls that we make, by what they are for. */
export type Api = {
  rest: REST
  send(channel: string, message: Message, more?: { once?: string; replyTo?: string }): Promise<Posted>
  edit(channel: string, id: string, message: Message): Promise<void>
  /** The conversation with one account. */
  conversation(account: string): Promise<string>
  /** The first answer to an interaction that came over the gateway. */
  respond(interaction: { id: string; token: string }, answer: object): Promise<void>
  /** What stands where the interaction was deferred or pressed; `isNew` waits for Discord to know of the first answer. */
  editOriginal(token: string, message: Message, isNew?: boolean): Promise<Posted>
  editFollowUp(token: string, id: string, message: Message): Promise<void>
  /** A message beside it, private unless told otherwise. */
  followUp(token: string, message: Message, more?: { isPrivate?: boolean; isNew?: boolean }): Promise<Posted>
}

/** A limit that lasts longer than this is the worker's to wait for. */
const patienceMs = 4_000

/** A first answer that hangs longer than this is tried again while there is time. */
const respondWithinMs = 1_200

export const createApi = ({ token, applicationId, apiUrl }: ApiConfig): Api => {
  const options: Partial<RESTOptions> = {
    version: '10',
    timeout: 10_000,
    retries: 1,
    rejectOnRateLimit: ({ retryAfter, timeToReset }) => Math.max(retryAfter, timeToReset) > patienceMs,
    ...(apiUrl === undefined ? {} : { api: apiUrl.replace(/\/+$/, '').replace(/\/v\d+$/, '') }),
  }
  const rest = new REST(options).setToken(token)
  // The fifty calls a second that a bot has are not those of its interactions.
  const answering = new REST({ ...options, globalRequestsPerSecond: Number.POSITIVE_INFINITY })
  const conversations = new Map<string, string>()
  const hook = (hookToken: string): `/${string}` => `/webhooks/${applicationId}/${hookToken}`
  /** A call with the bot's own token; the library forgets the token after one refusal, we do not. */
  const asBot = async <T>(call: () => Promise<unknown>): Promise<T> => {
    try {
      return (await call()) as T
    } catch (error) {
      rest.setToken(token)
      throw error
    }
  }

  return {
    rest,
    send: (channel, { body, files }, { once, replyTo } = {}) =>
      asBot(() =>
        rest.post(`/channels/${channel}/messages`, {
          body: {
            ...body,
            nonce: nonceOf(once ?? `${Math.random()}`),
            enforce_nonce: true,
            ...(replyTo === undefined
              ? {}
              : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
          },
          files,
        }),
      ),
    edit: async (channel, id, { body, files }) => {
      await asBot(() => rest.patch(`/channels/${channel}/messages/${id}`, { body, files }))
    },
    conversation: async (account) => {
      const known = conversations.get(account)
      if (known !== undefined) return known
      const { id } = await asBot<{ id: string }>(() =>
        rest.post('/users/@me/channels', { body: { recipient_id: account } }),
      )
      if (conversations.size > 5_000) conversations.clear()
      conversations.set(account, id)
      return id
    },
    respond: async (interaction, answer) => {
      await answering.post(`/interactions/${interaction.id}/${interaction.token}/callback`, {
        auth: false,
        body: answer,
        signal: AbortSignal.timeout(respondWithinMs),
      })
    },
    editOriginal: async (hookToken, { body, files }, isNew = false) =>
      (await onceKnown(isNew, () =>
        answering.patch(`${hook(hookToken)}/messages/@original`, { auth: false, body, files }),
      )) as Posted,
    editFollowUp: async (hookToken, id, { body, files }) => {
      await answering.patch(`${hook(hookToken)}/messages/${id}`, { auth: false, body, files })
    },
    followUp: async (hookToken, { body, files }, { isPrivate = true, isNew = false } = {}) =>
      (await onceKnown(isNew, () =>
        answering.post(hook(hookToken), {
          auth: false,
          query: new URLSearchParams({ wait: 'true' }),
          body: { ...body, flags: body.flags | (isPrivate ? flag.ephemeral : 0) },
          files,
        }),
      )) as Posted,
  }
}

/** Tries again while Discord does not know yet that the interaction was answered. */
const onceKnown = async <T>(isNew: boolean, call: () => Promise<T>): Promise<T> => {
  for (const pauseMs of isNew ? [100, 300, 900] : []) {
    try {
      return await call()
    } catch (error) {
      if (!notYet.has(Number(codeOf(error)))) throw error
      await wait(pauseMs)
    }
  }
  return call()
}

/** Discord says so while it has not yet read the first answer: unknown message, unknown webhook. */
const notYet = new Set([10_008, 10_015])

/** The same text within a few minutes is the same message, however often it is posted. */
const nonceOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 25)
