import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import type { Database } from '../../lib/sql/database.ts'
import { createTasks, onPutAgain, type TaskInput } from './tasks.ts'

export type Deliveries = {
  /** True exactly once for an id, even if several replicas ask at the same time. */
  first(id: string): Promise<boolean>
  /** As `first`, and on the disk, together with the task of working on it. */
  take(id: string, task: TaskInput): Promise<boolean>
  /** It was never worked on: the next copy is the first again. */
  forget(id: string, taskKey: string): Promise<void>
  /** Deletes deliveries from before the given time; returns how many. */
  prune(before: number): Promise<number>
}

export const createDeliveries = (db: Database, now: () => number): Deliveries => ({
  // No need to wait for the disk: everything that follows from a delivery is written after it, so a power
  // failure that loses this row loses those writes too.
  first: async (id) =>
    (await db.together.run(
      'INSERT INTO deliveries (id, at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [id, now()],
      'buffered',
    )) === 1,
  take: async (id, task) => {
    if (db.engine === 'postgres') return (await db.together.run(...takeStatement(id, now(), task))) === 1
    return db.tx(async (inner) => {
      if (!(await createDeliveries(inner, now).first(id))) return false
      await createTasks(inner, now).put(task)
      return true
    })
  },
  forget: (id, taskKey) =>
    db.tx(async (inner) => {
      await createTasks(inner, now).drop([taskKey])
      await inner.run('DELETE FROM deliveries WHERE id = $1', [id])
    }),
  prune: (before) => db.run('DELETE FROM deliveries WHERE at < $1', [before]),
})

/** In one statement, which shares its trip with others; the embedded engine knows none that writes two tables. */
const takeStatement = (
  id: string,
  at: number,
  { key, kind, doc, dueAt }: TaskInput,
): [sql: string, values: unknown[]] => [
  `WITH first AS (INSERT INTO deliveries (id, at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id)
   INSERT INTO tasks (key, kind, doc, due_at, attempts, revision, owner, lease_until)
   SELECT $3, $4, $5, CAST($6 AS BIGINT), 0, 1, NULL, 0 FROM first
   ${onPutAgain}`,
  [id, at, key, kind, canonicalJson(doc), dueAt],
]
