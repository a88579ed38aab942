import { z } from 'zod'

/** What came back: JSON with its status and headers, or why nothing useful did. */
export type ApiReply =
  | { kind: 'answered'; status: number; headers: Headers; body: unknown }
  | { kind: 'lost'; why: string }

export const timeoutMs = 8_000

/** One call of a messenger's API, without its SDK. Nothing that is thrown here, and no token, gets into the words. */
export const callApi = async (
  method: 'GET' | 'POST',
  url: string,
  authorization: string,
): Promise<ApiReply> => {
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization, accept: 'application/json', 'user-agent': 'Bellhop doctor' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body: unknown = await response.json().catch(() => undefined)
    return { kind: 'answered', status: response.status, headers: response.headers, body }
  } catch (error) {
    return { kind: 'lost', why: whyLost(error) }
  }
}

/** The body as the schema reads it, or nothing. */
export const parsedBody = <T>(schema: z.ZodType<T>, body: unknown): T | undefined =>
  schema.safeParse(body).data

/** In a word or two that hold nothing of what was sent. */
export const whyLost = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  const code = z.object({ cause: z.object({ code: z.string() }) }).safeParse(error).data?.cause.code
  return code ?? 'the connection failed'
}
