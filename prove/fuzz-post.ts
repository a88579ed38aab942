import { Pool } from 'undici'
import type { createNotes } from './fuzz-report.ts'

/** A forged one must be refused as such; any other must not break anything. */
export type Post = { headers: Record<string, string>; body: string; isForged: boolean }

/** Posts one case after the other over a few connections; anything but a clean answer is a violation. */
export const postAll = async (
  url: string,
  cases: number,
  next: () => Post,
  notes: ReturnType<typeof createNotes>,
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
        notes.count(`status ${answer.statusCode}`)
        if (isForged !== (answer.statusCode === 401)) {
          notes.violate(`${isForged ? 'a forged' : 'a signed'} request got status ${answer.statusCode}`)
        }
        if (answer.statusCode >= 500) notes.violate(`status ${answer.statusCode} for ${body.slice(0, 800)}`)
      } catch (error) {
        notes.violate(`${(error as Error).message} for ${body.slice(0, 800)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  await pool.close()
}
