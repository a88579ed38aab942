import type { DiscordAPIError as ApiError } from '@discordjs/rest'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { discordLibrary } from './rest.ts'

/** What the core can do about it: tell elsewhere, or try again. Nothing of the request is carried along. */
export const fromDiscordError = (error: unknown): MessengerError => {
  if (error instanceof MessengerError) return error
  const { DiscordAPIError, HTTPError, RateLimitError } = discordLibrary()
  if (error instanceof RateLimitError) {
    const retryAfterMs = Math.max(error.retryAfter, error.timeToReset, 250)
    return new MessengerError('later', 'Discord asks us to slow down', { retryAfterMs })
  }
  if (error instanceof DiscordAPIError) {
    const said = error.code ?? 'something unreadable'
    return new MessengerError(
      brokenCodes.has(Number(error.code)) ? 'broken' : isPermanent(error) ? 'gone' : 'later',
      `Discord said ${said} (status ${error.status})`,
      { reason: String(said).slice(0, 20), remedy: remedies[Number(error.code)] },
    )
  }
  if (error instanceof HTTPError) {
    return new MessengerError('later', `Discord answered with status ${error.status}`)
  }
  return new MessengerError(
    'later',
    `Discord cannot be reached (${error instanceof Error ? error.name : 'error'})`,
  )
}

/** For the log: never the request, its body or a token in its address. */
export const discordErrorFields = (error: unknown): Record<string, unknown> => {
  const { DiscordAPIError, HTTPError, RateLimitError } = discordLibrary()
  if (error instanceof DiscordAPIError) {
    return { code: error.code, status: error.status, method: error.method, route: routeOf(error.url) }
  }
  if (error instanceof HTTPError)
    return { status: error.status, method: error.method, route: routeOf(error.url) }
  if (error instanceof RateLimitError) return { method: error.method, retryAfterMs: error.retryAfter }
  if (error instanceof MessengerError) return { kind: error.kind, said: error.message }
  return { error: error instanceof Error ? error.name : typeof error }
}

export const discordErrorCode = (error: unknown): number | string | undefined =>
  error instanceof discordLibrary().DiscordAPIError ? error.code : undefined

/** Somebody has answered this interaction before. */
export const isAlreadyAnswered = (error: unknown): boolean => discordErrorCode(error) === 40_060

/** Discord did not take what was in the request. */
export const isInvalidRequest = (error: unknown): boolean =>
  error instanceof discordLibrary().DiscordAPIError && error.status === 400

/**
 * Waiting changes nothing about these. A refused bot token is a mistake that somebody will correct, and an answer
 * without a code is not Discord's but of something that stands before it.
 */
const isPermanent = ({ status, code }: ApiError): boolean =>
  typeof code === 'number' &&
  (status === 400 || status === 403 || status === 404 || code === invalidWebhookToken)

const invalidWebhookToken = 50_027

/** What makes Discord take it. */
const remedies: Readonly<Record<number, string>> = {
  10003: 'the channel was deleted; name another one',
  10004: 'the bot is not in that server; invite it',
  10013: 'there is no such account; correct it in bellhop.yml',
  50001: 'let the bot see the channel',
  50007: 'they take no direct messages from the bot',
  50013: 'let the bot send messages in the channel',
  50033: 'there is no such account; correct it in bellhop.yml',
  50083: 'the thread is archived',
  50278: 'they share no server with the bot',
}

/** Discord does not take what was in the request: an empty message, an invalid form body. */
const brokenCodes = new Set([50_006, 50_035])

/** `/api/v10/webhooks/123/abc/messages/@original` -> `/webhooks/:id/:token/messages/@original` */
const routeOf = (url: string): string =>
  (URL.canParse(url) ? new URL(url).pathname : '')
    .replace(/^.*?\/v\d+/, '')
    .replace(/\/(webhooks|interactions)\/\d+\/[^/]+/, '/$1/:id/:token')
    .replace(/\/\d{5,}/g, '/:id')
