import { webApi } from '@slack/bolt'
import { MessengerError } from '../../src/approvals/messenger.ts'
import type { Message } from './blocks.ts'
import { limits } from './limits.ts'

/** A response_url: a way to answer where the bot is no member, for a while and a few times. */
export type Line = { url: string; until: number }

export type Response =
  | (Message & { response_type: 'ephemeral' | 'in_channel'; replace_original: boolean })
  | { delete_original: true }

export type Responder = {
  isAlive(line: Line): boolean
  send(line: Line, response: Response): Promise<void>
}

export const lineOf = (url: unknown): Line | undefined =>
  typeof url === 'string' && url !== '' ? { url, until: Date.now() + limits.respond.ms } : undefined

export const createResponder = (): Responder => {
  const uses = new Map<string, { count: number; until: number }>()
  let forgetAt = 0
  const isAlive = ({ url, until }: Line): boolean =>
    Date.now() < until && (uses.get(url)?.count ?? 0) < limits.respond.uses
  return {
    isAlive,
    send: async (line, response) => {
      if (!isAlive(line)) throw new MessengerError('gone', 'this response_url is used up')
      if (uses.size > 1_000 && Date.now() > forgetAt) {
        forget(uses)
        forgetAt = Date.now() + 60_000
      }
      const used = uses.get(line.url) ?? { count: 0, until: line.until }
      used.count++
      uses.set(line.url, used)
      try {
        await post(line.url, response)
      } catch (error) {
        if (error instanceof MessengerError && error.kind === 'later') used.count--
        throw error
      }
    },
  }
}

const forget = (uses: Map<string, { until: number }>): void => {
  for (const [url, { until }] of uses) if (until < Date.now()) uses.delete(url)
}

const post = async (url: string, response: Response): Promise<void> => {
  // Not AbortSignal.timeout: what it would hold on to until the time is over is most of the memory of a request.
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), 10_000)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(response),
    redirect: 'error',
    signal: late.signal,
  }).catch(() => {
    clearTimeout(timer)
    throw new MessengerError('later', 'the response_url cannot be reached')
  })
  const said = (await answer.text().catch(() => '')).slice(0, 500)
  clearTimeout(timer)
  if (answer.status === 429) {
    const seconds = Number(answer.headers.get('retry-after') ?? 1)
    throw new MessengerError('later', 'Slack asks us to slow down', {
      retryAfterMs: (Number.isFinite(seconds) ? seconds : 1) * 1000,
    })
  }
  if (answer.status >= 500) throw new MessengerError('later', `Slack answered with status ${answer.status}`)
  const code = refusalIn(said)
  if (answer.ok && code === undefined) return
  if (code !== undefined) throw new webApi.WebAPIPlatformError({ ok: false, error: code })
  throw new MessengerError('gone', `the response_url answered with status ${answer.status}`)
}

/** `ok`, a bare word for what is wrong, or both in JSON. */
const refusalIn = (said: string): string | undefined => {
  try {
    const { ok, error } = JSON.parse(said) as { ok?: unknown; error?: unknown }
    return ok === false ? String(error) : undefined
  } catch {
    return /^[a-z_]{3,60}$/.test(said) ? said : undefined
  }
}
