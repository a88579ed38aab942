import { wallTime } from '../../lib/clock.ts'
import { parseBounded } from '../../lib/codecs/bounded-json.ts'
import { retryAfterMsOf } from '../../lib/retry.ts'
import { request } from '../../lib/undici.ts'
import type { DutySource } from './sources.ts'

/** What is needed to ask one of the sources, by its name, and how long an answer may take; those without a token are not there. */
export type DutySettings = Readonly<Record<string, { base: string; token: string; withinMs?: number }>>

/** Why a schedule did not say who is on duty, in words that hold nothing of what was sent or answered. */
export class ScheduleError extends Error {
  override name = 'ScheduleError'
  readonly retryAfterMs: number | undefined
  constructor(words: string, retryAfterMs?: number) {
    super(words)
    this.retryAfterMs = retryAfterMs
  }
}

/** A schedule that has more people on duty at once than these hold is none. */
const maxPages = 10
const maxBytes = 2_000_000

/** The addresses of those who are on duty in a schedule now, in lower case. */
export const askSchedule = async (
  source: DutySource,
  settings: DutySettings,
  schedule: string,
): Promise<ReadonlySet<string>> => {
  const found: string[] = []
  for (let page = 0; page < maxPages; page++) {
    const { addresses, isMore = false } = await pageOf(source, settings, schedule, page)
    found.push(...addresses.flatMap((one) => one?.trim().toLowerCase() || []))
    if (!isMore) return new Set(found)
  }
  throw new ScheduleError('the list of those on duty has no end')
}

const pageOf = async (source: DutySource, settings: DutySettings, schedule: string, page: number) => {
  const { name, token, url } = source
  const setting = settings[name]
  if (setting === undefined) throw new ScheduleError(`${token} is not set`)
  const { statusCode, headers, text } = await exchange(
    `${setting.base}${source.at(schedule, page)}`,
    setting.withinMs ?? 8_000,
    {
      ...source.headers(setting.token),
      'user-agent': 'bellhop',
    },
  )
  if (statusCode === 429)
    throw new ScheduleError(
      'it limits how often it is asked',
      retryAfterMsOf(headers['retry-after'], wallTime()),
    )
  if (statusCode === 401 || statusCode === 403)
    throw new ScheduleError(`it does not take the token (status ${statusCode}): check ${token}`)
  if (statusCode === 404) throw new ScheduleError('there is no such schedule (status 404)')
  if (statusCode !== 200) throw new ScheduleError(`it answers with status ${statusCode}`)
  const read = source.read(schedule).safeParse(jsonIn(text))
  if (!read.success)
    throw new ScheduleError(`it answers with something else than who is on duty: check ${url} if it is set`)
  return read.data
}

const exchange = async (url: string, withinMs: number, headers: Readonly<Record<string, string>>) => {
  try {
    // Redirects are not followed: who they lead to is given no token.
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(url, {
      method: 'GET',
      headers,
      // Asked once a minute: a connection that is kept would often be closed by then.
      reset: true,
      signal: AbortSignal.timeout(withinMs),
    })
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of body) {
      parts.push(part)
      bytes += part.length
      if (bytes > maxBytes) throw new ScheduleError('its answer is too large')
    }
    return { statusCode, headers: answered, text: Buffer.concat(parts).toString() }
  } catch (error) {
    if (error instanceof ScheduleError) throw error
    const { code, name } = error as NodeJS.ErrnoException
    throw new ScheduleError(
      name === 'TimeoutError'
        ? `no answer within ${withinMs / 1000} s`
        : `it cannot be reached (${code ?? name})`,
    )
  }
}

const jsonIn = (text: string): unknown => {
  try {
    return parseBounded(text)
  } catch {
    return undefined
  }
}
