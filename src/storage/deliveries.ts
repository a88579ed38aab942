import type { Database } from './database/database.ts'

export type Deliveries = {
  /** True exactly once for an id, whatever replicas race. */
  first(id: string): Promise<boolean>
  /** Forgets what came before then; how many. */
  prune(before: number): Promise<number>
}

export const createDeliveries = (db: Database, now: () => number): Deliveries => ({
  // At once: whatever comes of a delivery is written after it, and is lost with it or not at all.
  first: async (id) =>
    (await db.run(
      'INSERT INTO deliveries (id, at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [id, now()],
      'buffered',
    )) === 1,
  prune: (before) => db.run('DELETE FROM deliveries WHERE at < $1', [before]),
})
