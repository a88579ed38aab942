import { escape as percentEncoded } from 'node:querystring'
import * as webApi from '@slack/web-api'
import type { PlatformConnection } from '../../../src/kernel/messenger/connection.ts'
import { type Tick, ticks } from '../../../src/lib/clock.ts'
import { isRefusedToken, slackErrorCode } from './errors.ts'
import { post } from './post.ts'
import { createRateLimitedFetch, plainAnswer } from './rate-limited-fetch.ts'

/** What people wait for. */
const messageMethods: ReadonlySet<string> = new Set(['chat.postMessage', 'chat.update', 'chat.postEphemeral'])

const timeoutMs = 10_000

/**
 * Slack's client. A message leaves in the same form as by the client's own way, without what that does around every
 * request: a copy of all that is sent with its secrets removed, made for a log that nobody reads, and a queue and
 * retries that are the core's.
 */
export class SlackWebClient extends webApi.WebClient {
  readonly #send: ReturnType<typeof createRateLimitedFetch>
  readonly #authorization: string

  readonly #connection: PlatformConnection

  constructor(
    token: string,
    connection: PlatformConnection,
    options: Pick<webApi.WebClientOptions, 'logger' | 'slackApiUrl'>,
  ) {
    const send = createRateLimitedFetch(sendForm)
    super(token, {
      ...options,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      fetch: send as typeof fetch,
      timeout: timeoutMs,
    })
    this.#send = send
    this.#authorization = `Bearer ${token}`
    this.#connection = connection
  }

  /** Whatever is called, its answer says how the connection stands. */
  override async apiCall(
    method: string,
    options: Record<string, unknown> = {},
  ): Promise<webApi.WebAPICallResult> {
    const askedAt = ticks()
    try {
      const result = await this.#call(method, options)
      this.#connection.connected(askedAt)
      return result
    } catch (error) {
      noteFailure(this.#connection, error, askedAt)
      throw error
    }
  }

  async #call(method: string, options: Record<string, unknown>): Promise<webApi.WebAPICallResult> {
    if (!messageMethods.has(method)) return super.apiCall(method, options)
    const answer = await this.#send(`${this.slackApiUrl}${method}`, {
      headers: {
        authorization: this.#authorization,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'bellhop',
      },
      body: formOf(options),
    }).catch((error: Error) => {
      throw new webApi.WebAPIRequestError(error)
    })
    if (answer.status === 429) {
      throw new webApi.WebAPIRateLimitedError(Number(answer.headers.get('retry-after')) || 1)
    }
    const said = await answer.text()
    if (answer.status !== 200) throw new webApi.WebAPIHTTPError(answer.status, '', {}, said)
    const result = resultIn(said)
    if (!result.ok) throw new webApi.WebAPIPlatformError({ ...result, error: String(result.error) })
    return result
  }
}

/** A "no" to one request shows that Slack takes us; a "no" to the token, or none at all, that it does not. */
const noteFailure = (connection: PlatformConnection, error: unknown, askedAt: Tick): void => {
  const code = slackErrorCode(error)
  const outage =
    error instanceof webApi.WebAPIHTTPError ? `status ${error.statusCode}` : 'Slack cannot be reached'
  if (error instanceof webApi.WebAPIRateLimitedError) connection.heard()
  else if (code === undefined || outages.has(code)) connection.away(code ?? outage)
  else if (isRefusedToken(code)) connection.refused(code)
  else connection.connected(askedAt)
}

/** Slack answers, and says that it is not well. */
const outages: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
])

/** Whatever is no form, such as a file, leaves by fetch. */
const sendForm: Parameters<typeof createRateLimitedFetch>[0] = async (url, init = {}) => {
  if (typeof init.body !== 'string') return fetch(url, init)
  const posted = await post(String(url), init.headers as Record<string, string>, init.body)
  return plainAnswer(String(url), posted)
}

const formOf = (options: Record<string, unknown>): string =>
  Object.entries(options)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${key}=${fieldOf(value)}`)
    .join('&')

/** Whatever is no plain value is JSON inside the form; the blocks of a card are written once for all its copies. */
const fieldOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return percentEncoded(String(value))
  const text = written.get(value) ?? percentEncoded(JSON.stringify(value))
  written.set(value, text)
  return text
}
const written = new WeakMap<object, string>()

type Result = webApi.WebAPICallResult & { error?: string }

const resultIn = (said: string): Result => {
  try {
    return JSON.parse(said) as Result
  } catch {
    return { ok: false, error: said.slice(0, 60) }
  }
}
