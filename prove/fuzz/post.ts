import { Pool } from 'undici'
import type { createFindings } from './findings.ts'

/** A forged one must be refused as such; any other must not break anything. */
export type Post = { headers: Record<string, string>; body: string; isForged: boolean }

/** Posts one case after the other over a few connections; anything but a clean answer is a violation. */
export const postAll = async (
  url: string,
  cases: number,
  next: () => Post,
  findings: ReturnType<typeof createFindings>,
  connections = 8,
): Promise<void> => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections, headersTimeout: 60_000, bodyTimeout: 60_000 })
  let left = cases
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const { headers, body, isForged } = next()
      try {
        const answer = await pool.request({ method: 'POST', path: pathname, headers, body })
        await answer.body.dump()
        findings.count(`status ${answer.statusCode}`)
        if (isForged !== (answer.statusCode === 401)) {
          findings.violate(`${isForged ? 'a forged' : 'a signed'} request got status ${answer.statusCode}`)
        }
        if (answer.statusCode >= 500)
          findings.violate(`status ${answer.statusCode} for ${body.slice(0, 800)}`)
      } catch (error) {
        findings.violate(`${(error as Error).message} for ${body.slice(0, 800)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  await pool.close()
}
