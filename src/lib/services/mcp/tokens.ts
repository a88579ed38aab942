import { z } from 'zod'
import { after, longAgo, type Ticks } from '../../clock.ts'
import { parseBounded } from '../../codecs/bounded-json.ts'
import { request } from '../../undici.ts'

export type Tokens = {
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** The server does not take the last one: the next is another. */
  forget(): void
}

export type SignIn = { tokenUrl: string; scope?: string; clientId: string; clientSecret: string }

const answerSchema = z.object({
  access_token: z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .max(20_000),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive().optional(),
})

/** Used for so much less than it is said to be good for, and for so long where nothing is said. */
const marginMs = 30_000
const usualMs = 300_000
const patienceMs = 10_000
const maxBytes = 100_000

/** Tokens for a client of its own (OAuth client credentials): one at a time, until shortly before it ends. */
export const createTokens = (
  { tokenUrl, scope, clientId, clientSecret }: SignIn,
  resource: string,
  { ticks, onToken }: { ticks: Ticks; onToken(token: string): void },
): Tokens => {
  let current: Promise<string> | undefined
  let until = longAgo
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    resource,
    ...(scope === undefined ? {} : { scope }),
  })
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const get = async (): Promise<string> => {
    const { statusCode, body } = await request(tokenUrl, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'bellhop',
      },
      body: form.toString(),
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await body.text()
    if (statusCode !== 200 || text.length > maxBytes)
      throw new Error(`${new URL(tokenUrl).origin} gave no token (status ${statusCode})`)
    const read = answerSchema.safeParse(parseBounded(text))
    if (!read.success) throw new Error(`${new URL(tokenUrl).origin} gave no token that can be used`)
    const { access_token: token, expires_in: seconds } = read.data
    onToken(token)
    until = after(ticks(), seconds === undefined ? usualMs : Math.max(0, seconds * 1000 - marginMs))
    return token
  }
  return {
    async headers(signal) {
      signal.throwIfAborted()
      if (current === undefined || until < ticks()) {
        until = after(ticks(), patienceMs + marginMs)
        current = get()
        current.catch(() => {
          current = undefined
        })
      }
      return { authorization: `Bearer ${await current}` }
    },
    forget: () => {
      current = undefined
    },
  }
}
