import { z } from 'zod'
import type { FeatureTables } from '../../kernel/store/database/migrations.ts'
import type { Database } from '../../lib/sql/database.ts'

const row = z.object({ seq: z.number() })

/** How far each receiver of the audit log's stream has the log. */
export type StreamCursors = {
  /** The number of the last entry that it has; 0 before the first. */
  at(receiver: string): Promise<number>
  /** False when another process moved it meanwhile. */
  move(receiver: string, from: number, to: number): Promise<boolean>
}

export const createStreamCursors = (db: Database, now: () => number): StreamCursors => ({
  at: async (receiver) =>
    (await db.all(row, 'SELECT seq FROM stream_cursors WHERE receiver = $1', [receiver]))[0]?.seq ?? 0,
  move: async (receiver, from, to) =>
    (await db.run(
      `INSERT INTO stream_cursors (receiver, seq, at) VALUES ($1, $2, $3)
       ON CONFLICT (receiver) DO UPDATE SET seq = excluded.seq, at = excluded.at WHERE stream_cursors.seq = $4`,
      [receiver, to, now(), from],
    )) === 1,
})

export const streamTables: readonly FeatureTables[] = [
  {
    id: 14,
    name: 'how far the stream of the audit log is',
    sql: ['CREATE TABLE stream_cursors (receiver TEXT PRIMARY KEY, seq BIGINT NOT NULL, at BIGINT NOT NULL)'],
  },
]
