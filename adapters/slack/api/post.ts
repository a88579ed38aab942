import { request } from '../../../src/lib/undici.ts'

const timeoutMs = 10_000

export type Posted = { status: number; retryAfter: string | undefined; said: string }

/** One request, with nothing of what fetch makes around it. */
export const post = async (url: string, headers: Record<string, string>, body: string): Promise<Posted> => {
  const answer = await request(url, {
    method: 'POST',
    headers,
    body,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const { 'retry-after': retryAfter } = answer.headers
  return {
    status: answer.statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    // Once Slack has answered, an answer that breaks off is no reason to send the same again.
    said: await answer.body.text().catch(() => ''),
  }
}
