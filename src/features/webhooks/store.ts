import { z } from 'zod'
import type { FeatureTables } from '../../kernel/store/database/migrations.ts'
import type { Database } from '../../lib/sql/database.ts'
import { createParams } from '../../lib/sql/sql.ts'

const row = z.object({
  hook: z.string(),
  changeId: z.string(),
  n: z.number(),
  type: z.string(),
  at: z.number(),
  body: z.string(),
  attempts: z.number(),
  dueAt: z.number(),
  error: z.string().nullable(),
  isDead: z.number().transform((value) => value === 1),
})

/** One step of a change that a hook is still to be told; `n` is the version of the change, so it gives the order. */
export type QueuedEvent = z.infer<typeof row>
export type NewEvent = Pick<QueuedEvent, 'hook' | 'changeId' | 'n' | 'type' | 'at' | 'body'>

export type Webhooks = {
  enqueue(events: readonly NewEvent[]): Promise<void>
  /** Of each change the first step that waits, if it is due: what follows waits behind it. */
  due(hook: string, at: number, limit: number): Promise<QueuedEvent[]>
  /** When the next one is due; undefined where nothing is, dead letters aside. */
  nextDue(hook: string): Promise<number | undefined>
  told(event: QueuedEvent): Promise<void>
  /** It was not taken: tried again then, or never by itself. */
  failed(event: QueuedEvent, next: { dueAt: number; error: string; isDead: boolean }): Promise<void>
  /** How much waits for each hook, and since when. */
  queued(): Promise<{ hook: string; queued: number; dead: number; since: number }[]>
  /** The dead letters, the oldest first; what waits behind them is not among them. */
  dead(limit: number): Promise<QueuedEvent[]>
  /** Tries dead letters again, of one change or of all; returns the hooks they are for. */
  revive(at: number, changeId?: string): Promise<string[]>
  /** Forgets what has waited since before this time; returns how many. */
  prune(before: number): Promise<number>
}

const columns =
  'hook, change_id AS "changeId", n, type, at, body, attempts, due_at AS "dueAt", error, is_dead AS "isDead"'

const isFirst = `NOT EXISTS (SELECT 1 FROM webhook_events AS earlier
  WHERE earlier.hook = event.hook AND earlier.change_id = event.change_id AND earlier.n < event.n)`

const dueRow = z.object({ at: z.number().nullable() })
const queuedRow = z.object({ hook: z.string(), queued: z.number(), dead: z.number(), since: z.number() })
const hookRow = z.object({ hook: z.string() })

export const createWebhooks = (db: Database): Webhooks => ({
  enqueue: async (events) => {
    if (events.length === 0) return
    const { values, add } = createParams()
    const rows = events.map(
      ({ hook, changeId, n, type, at, body }) =>
        `(${add(hook)}, ${add(changeId)}, ${add(n)}, ${add(type)}, ${add(at)}, ${add(body)}, 0, ${add(at)}, NULL, 0)`,
    )
    await db.later(
      `INSERT INTO webhook_events (hook, change_id, n, type, at, body, attempts, due_at, error, is_dead)
       VALUES ${rows.join(', ')}`,
      values,
    )
  },
  due: (hook, at, limit) =>
    db.all(
      row,
      `SELECT ${columns} FROM webhook_events AS event
       WHERE hook = $1 AND is_dead = 0 AND due_at <= $2 AND ${isFirst} ORDER BY due_at, at LIMIT $3`,
      [hook, at, limit],
    ),
  nextDue: async (hook) => {
    const [found] = await db.all(
      dueRow,
      `SELECT MIN(due_at) AS at FROM webhook_events AS event WHERE hook = $1 AND is_dead = 0 AND ${isFirst}`,
      [hook],
    )
    return found?.at ?? undefined
  },
  told: async ({ hook, changeId, n }) => {
    await db.run('DELETE FROM webhook_events WHERE hook = $1 AND change_id = $2 AND n = $3', [
      hook,
      changeId,
      n,
    ])
  },
  failed: async ({ hook, changeId, n }, { dueAt, error, isDead }) => {
    await db.run(
      `UPDATE webhook_events SET attempts = attempts + 1, due_at = $4, error = $5, is_dead = $6
       WHERE hook = $1 AND change_id = $2 AND n = $3`,
      [hook, changeId, n, dueAt, error, isDead ? 1 : 0],
    )
  },
  queued: () =>
    db.all(
      queuedRow,
      `SELECT hook, COUNT(*) AS queued, SUM(is_dead) AS dead, MIN(at) AS since FROM webhook_events GROUP BY hook`,
    ),
  dead: (limit) =>
    db.all(
      row,
      `SELECT ${columns} FROM webhook_events WHERE is_dead = 1 ORDER BY at, change_id, n LIMIT $1`,
      [limit],
    ),
  revive: async (at, changeId) => {
    const { values, add } = createParams()
    const ofOne = changeId === undefined ? '' : ` AND change_id = ${add(changeId)}`
    const revived = await db.all(
      hookRow,
      `UPDATE webhook_events SET is_dead = 0, attempts = 0, due_at = ${add(at)} WHERE is_dead = 1${ofOne} RETURNING hook`,
      values,
    )
    return [...new Set(revived.map(({ hook }) => hook))]
  },
  prune: (before) => db.run('DELETE FROM webhook_events WHERE at < $1', [before]),
})

export const webhookTables: readonly FeatureTables[] = [
  {
    id: 16,
    name: 'webhooks',
    sql: [
      `CREATE TABLE webhook_events (
         hook TEXT NOT NULL,
         change_id TEXT NOT NULL,
         n BIGINT NOT NULL,
         type TEXT NOT NULL,
         at BIGINT NOT NULL,
         body TEXT NOT NULL,
         attempts BIGINT NOT NULL,
         due_at BIGINT NOT NULL,
         error TEXT,
         is_dead INTEGER NOT NULL,
         PRIMARY KEY (hook, change_id, n))`,
      'CREATE INDEX webhook_events_due ON webhook_events (hook, due_at) WHERE is_dead = 0',
    ],
  },
]
