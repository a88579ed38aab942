import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'

const row = z.object({ name: z.string(), since: z.number(), error: z.string() })

/** Somebody outside who is given the log, or checkpoints of it, and cannot be reached: since when and why. */
export type Gap = z.infer<typeof row>

export type Gaps = {
  all(): Promise<Gap[]>
  /** True when the gap begins now; one that lasts keeps its beginning. */
  open(gap: Gap): Promise<boolean>
  /** False when there was none. */
  close(name: string): Promise<boolean>
}

export const createGaps = (db: Database): Gaps => ({
  all: () => db.all(row, 'SELECT witness AS name, since, error FROM witness_gaps ORDER BY witness'),
  open: async ({ name, since, error }) => {
    const isNew = await db.run(
      'INSERT INTO witness_gaps (witness, since, error) VALUES ($1, $2, $3) ON CONFLICT (witness) DO NOTHING',
      [name, since, error],
    )
    if (isNew === 0) await db.run('UPDATE witness_gaps SET error = $2 WHERE witness = $1', [name, error])
    return isNew === 1
  },
  close: async (name) => (await db.run('DELETE FROM witness_gaps WHERE witness = $1', [name])) === 1,
})
