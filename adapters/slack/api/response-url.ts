import * as webApi from '@slack/web-api'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { wallTime } from '../../../src/lib/clock.ts'
import type { SlackMessage } from './block-kit.ts'
import { limits } from './limits.ts'
import { post } from './post.ts'

/** A response_url: a way to answer where the bot is no member, for a while and a few times. */
export type ResponseUrl = { url: string; until: number }

export type ResponseUrlBody =
  | (SlackMessage & { response_type: 'ephemeral' | 'in_channel'; replace_original: boolean })
  | { delete_original: true }

export type ResponseUrlClient = {
  isUsable(responseUrl: ResponseUrl): boolean
  send(responseUrl: ResponseUrl, response: ResponseUrlBody): Promise<void>
}

export const responseUrlOf = (url: unknown): ResponseUrl | undefined =>
  typeof url === 'string' && url !== '' ? { url, until: wallTime() + limits.respond.ms } : undefined

/** Uses are counted so that Slack need not refuse us. Slack itself refuses those that are no longer counted. */
const maxCounted = 5_000

export const createResponseUrlClient = (): ResponseUrlClient => {
  const uses = new Map<string, number>()
  const isUsable = ({ url, until }: ResponseUrl): boolean =>
    wallTime() < until && (uses.get(url) ?? 0) < limits.respond.uses
  const count = (url: string, by: 1 | -1): void => {
    uses.set(url, (uses.get(url) ?? 0) + by)
    const [oldest] = uses.keys()
    if (uses.size > maxCounted && oldest !== undefined) uses.delete(oldest)
  }
  return {
    isUsable,
    send: async (responseUrl, response) => {
      if (!isUsable(responseUrl)) throw new MessengerError('gone', 'this response_url is used up')
      count(responseUrl.url, 1)
      try {
        await respond(responseUrl.url, response)
      } catch (error) {
        if (error instanceof MessengerError && error.kind === 'later') count(responseUrl.url, -1)
        throw error
      }
    },
  }
}

const respond = async (url: string, response: ResponseUrlBody): Promise<void> => {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const answer = await post(url, headers, JSON.stringify(response)).catch(() => {
    throw new MessengerError('later', 'the response_url cannot be reached')
  })
  const { status } = answer
  const said = answer.said.slice(0, 500)
  if (status === 429) {
    const seconds = Number(answer.retryAfter ?? 1)
    throw new MessengerError('later', 'Slack asks us to slow down', {
      retryAfterMs: (Number.isFinite(seconds) ? seconds : 1) * 1000,
    })
  }
  if (status >= 500) throw new MessengerError('later', `Slack answered with status ${status}`)
  const code = refusalIn(said)
  if (status < 300 && code === undefined) return
  if (code !== undefined) throw new webApi.WebAPIPlatformError({ ok: false, error: code })
  throw new MessengerError('gone', `the response_url answered with status ${status}`)
}

/** `ok`, a bare word for what is wrong, or both in JSON. */
const refusalIn = (said: string): string | undefined => {
  if (said === 'ok') return undefined
  try {
    const { ok, error } = JSON.parse(said) as { ok?: unknown; error?: unknown }
    return ok === false ? String(error) : undefined
  } catch {
    return /^[a-z_]{3,60}$/.test(said) ? said : undefined
  }
}
