import { z } from 'zod'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import type { Database } from '../../lib/sql/database.ts'
import { createParams, json } from '../../lib/sql/sql.ts'

const row = z.object({
  key: z.string(),
  kind: z.string(),
  doc: json,
  dueAt: z.number(),
  /** How often it was postponed. */
  attempts: z.number(),
  error: z.string().nullable(),
  /** Rises with every put. */
  revision: z.number(),
  owner: z.string(),
})

const countRow = z.object({ kind: z.string(), n: z.number() })
const keyRow = z.object({ key: z.string() })
const ownerRow = z.object({ owner: z.string() })
const heldRow = row.extend({ owner: z.string().nullable(), leaseUntil: z.number() })

/** A task that its owner holds until the lease ends. */
export type Task = z.infer<typeof row>
export type TaskInput = { kind: string; key: string; doc: unknown; dueAt: number }

/** Work that must survive a crash. */
export type Tasks = {
  /**
   * One task per key: putting it again replaces its doc, keeps the earlier due time, and keeps the number of
   * attempts. Several are written at once, each under a key of its own.
   */
  put(...tasks: readonly TaskInput[]): Promise<void>
  /**
   * As `put`, and the owner holds those that are due, as if it had taken them, unless somebody holds them already. Returns
   * the ones that it holds.
   */
  putHeld(hold: { leaseMs: number; owner: string }, ...tasks: readonly TaskInput[]): Promise<Task[]>
  /** Takes due tasks that nobody holds, longest due first; the owner holds them until the lease ends. */
  take(wanted: { limit: number; leaseMs: number; owner: string }): Promise<Task[]>
  /** Removes the task. If it was put again since it was taken, it stays due and this returns false. */
  done(task: Task): Promise<boolean>
  /** Removes what is no longer wanted, whoever holds it. */
  drop(keys: readonly string[]): Promise<void>
  /** Returns the task for later; if it was put again meanwhile, it keeps the due time of that put. */
  postpone(task: Task, dueAt: number, error: string): Promise<void>
  /** Like `postpone`, for a task that succeeded and is to run again: its attempts are reset. */
  again(task: Task, dueAt: number): Promise<void>
  pending(): Promise<Record<string, number>>
  /** The owners that hold tasks now. */
  owners(): Promise<string[]>
  /** Releases the tasks of an owner that will not finish them; returns how many. */
  release(owner: string): Promise<number>
}

const columns = 'key, kind, doc, due_at AS "dueAt", attempts, error, revision, owner'

export const createTasks = (db: Database, now: () => number): Tasks => ({
  put: async (...tasks) => {
    const { sql, values } = putStatement(tasks)
    await db.later(sql, values)
  },

  putHeld: async ({ leaseMs, owner }, ...tasks) => {
    const at = now()
    const until = at + leaseMs
    const { sql, values } = putStatement(tasks, { at, owner, until })
    const rows = await db.all(heldRow, `${sql} RETURNING ${columns}, lease_until AS "leaseUntil"`, values)
    return rows.flatMap(({ leaseUntil, ...task }) =>
      task.owner === owner && leaseUntil === until ? { ...task, owner } : [],
    )
  },

  take: async ({ limit, leaseMs, owner }) => {
    const at = now()
    // Mostly nothing is due. The embedded engine takes longer to change no row than to see that there is none.
    if (db.engine === 'sqlite') {
      const look = 'SELECT key FROM tasks WHERE due_at <= $1 AND lease_until <= $1 LIMIT 1'
      if ((await db.all(keyRow, look, [at])).length === 0) return []
    }
    const { values, add } = createParams()
    const taken = await db.all(
      row,
      `WITH due AS MATERIALIZED (
         SELECT key FROM tasks
         WHERE due_at <= ${add(at)} AND lease_until <= ${add(at)}
         ORDER BY due_at LIMIT ${add(limit)} FOR UPDATE SKIP LOCKED)
       UPDATE tasks SET owner = ${add(owner)}, lease_until = ${add(at + leaseMs)}
       WHERE key IN (SELECT key FROM due)
       RETURNING ${columns}`,
      values,
      // No need to wait for the disk: losing the fact that this process took a task does no harm.
      'ordered',
    )
    return taken.sort((one, other) => one.dueAt - other.dueAt)
  },

  done: async ({ key, revision, owner }) => {
    const { run } = db.together
    // A task whose end is lost in a power failure is done once more, as after any other crash.
    const remove = 'DELETE FROM tasks WHERE key = $1 AND revision = $2'
    if ((await run(remove, [key, revision], 'buffered')) === 1) return true
    const free = 'UPDATE tasks SET owner = NULL, lease_until = 0 WHERE key = $1 AND owner = $2'
    await run(free, [key, owner], 'buffered')
    return false
  },

  drop: async (keys) => {
    const { values, addAll } = createParams()
    // As the end of a task: what is lost in a power failure is done once more.
    await db.later(`DELETE FROM tasks WHERE key IN (${addAll(keys)})`, values, 'buffered')
  },

  postpone: async ({ key, revision, owner }, dueAt, error) => {
    await db.run(
      `UPDATE tasks SET attempts = attempts + 1, error = $4, owner = NULL, lease_until = 0,
         due_at = CASE WHEN revision = $3 THEN CAST($5 AS BIGINT) ELSE due_at END
       WHERE key = $1 AND owner = $2`,
      [key, owner, revision, error, dueAt],
    )
  },

  again: async ({ key, revision, owner }, dueAt) => {
    await db.run(
      `UPDATE tasks SET attempts = 0, error = NULL, owner = NULL, lease_until = 0,
         due_at = CASE WHEN revision = $3 THEN CAST($4 AS BIGINT) ELSE due_at END
       WHERE key = $1 AND owner = $2`,
      [key, owner, revision, dueAt],
    )
  },

  pending: async () => {
    const counts = await db.all(countRow, 'SELECT kind, COUNT(*) AS n FROM tasks GROUP BY kind')
    return Object.fromEntries(counts.map(({ kind, n }) => [kind, n]))
  },

  owners: async () => {
    const held = await db.all(
      ownerRow,
      'SELECT DISTINCT owner FROM tasks WHERE lease_until > 0 AND lease_until > $1 AND owner IS NOT NULL',
      [now()],
    )
    return held.map(({ owner }) => owner)
  },

  release: (owner) =>
    db.run('UPDATE tasks SET owner = NULL, lease_until = 0 WHERE lease_until > 0 AND owner = $1', [owner]),
})

/** One task per key, whichever statement puts it. */
export const onPutAgain = `ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, doc = excluded.doc,
       revision = tasks.revision + 1,
       due_at = CASE WHEN excluded.due_at < tasks.due_at THEN excluded.due_at ELSE tasks.due_at END`

const putStatement = (
  tasks: readonly TaskInput[],
  hold: { at: number; owner: string | null; until: number } = { at: 0, owner: null, until: 0 },
) => {
  const { values, add } = createParams()
  const rows = tasks.map(({ kind, key, doc, dueAt }) => {
    const isHeld = hold.owner !== null && dueAt <= hold.at
    const held = isHeld ? `${add(hold.owner)}, ${add(hold.until)}` : 'NULL, 0'
    return `(${add(key)}, ${add(kind)}, ${add(canonicalJson(doc))}, ${add(dueAt)}, 0, 1, ${held})`
  })
  const isTaken = `excluded.lease_until > 0 AND tasks.lease_until <= ${add(hold.at)}`
  const sql = `INSERT INTO tasks (key, kind, doc, due_at, attempts, revision, owner, lease_until)
     VALUES ${rows.join(', ')}
     ${onPutAgain},
       owner = CASE WHEN ${isTaken} THEN excluded.owner ELSE tasks.owner END,
       lease_until = CASE WHEN ${isTaken} THEN excluded.lease_until ELSE tasks.lease_until END`
  return { sql, values }
}
