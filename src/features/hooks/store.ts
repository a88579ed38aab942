import { z } from 'zod'
import type { FeatureTables } from '../../kernel/store/database/migrations.ts'
import type { Database } from '../../lib/sql/database.ts'

const eventRow = z.object({ body: z.string(), at: z.number() })
const changeRow = z.object({ changeId: z.string() })

/** What services have told by themselves, and under which of their ids changes are known there. */
export type Events = {
  /** False when it was stored before. */
  add(event: { service: string; id: string; body: string; at: number }): Promise<boolean>
  get(service: string, id: string): Promise<{ body: string; at: number } | undefined>
  /** It is over: its id stays, so that a copy is known. */
  done(service: string, id: string): Promise<void>
  prune(before: number): Promise<number>
  know(known: { service: string; id: string; changeId: string }): Promise<void>
  changeOf(service: string, id: string): Promise<string | undefined>
}

export const createEvents = (db: Database): Events => ({
  add: async ({ service, id, body, at }) =>
    (await db.run(
      `INSERT INTO hooks_events (service, id, body, at) VALUES ($1, $2, $3, $4) ON CONFLICT (service, id) DO NOTHING`,
      [service, id, body, at],
    )) === 1,
  get: async (service, id) =>
    (
      await db.all(eventRow, 'SELECT body, at FROM hooks_events WHERE service = $1 AND id = $2', [
        service,
        id,
      ])
    )[0],
  done: async (service, id) => {
    await db.run(`UPDATE hooks_events SET body = '' WHERE service = $1 AND id = $2`, [service, id])
  },
  prune: (before) => db.run('DELETE FROM hooks_events WHERE at < $1', [before]),
  know: async ({ service, id, changeId }) => {
    await db.run(
      `INSERT INTO hooks_changes (service, id, change_id) VALUES ($1, $2, $3) ON CONFLICT (service, id) DO NOTHING`,
      [service, id, changeId],
    )
  },
  changeOf: async (service, id) =>
    (
      await db.all(
        changeRow,
        'SELECT change_id AS "changeId" FROM hooks_changes WHERE service = $1 AND id = $2',
        [service, id],
      )
    )[0]?.changeId,
})

export const eventTables: readonly FeatureTables[] = [
  {
    id: 'hooks/1',
    sql: [
      `CREATE TABLE hooks_events (
         service TEXT NOT NULL,
         id TEXT NOT NULL,
         body TEXT NOT NULL,
         at BIGINT NOT NULL,
         PRIMARY KEY (service, id))`,
      'CREATE INDEX hooks_events_by_time ON hooks_events (at)',
      `CREATE TABLE hooks_changes (
         service TEXT NOT NULL,
         id TEXT NOT NULL,
         change_id TEXT NOT NULL,
         PRIMARY KEY (service, id))`,
    ],
  },
]
