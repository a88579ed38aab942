import { z } from 'zod'
import type { FeatureTables } from '../../kernel/store/database/migrations.ts'
import type { Database } from '../../lib/sql/database.ts'

const row = z.object({
  witness: z.string(),
  /** How many entries the checkpoint is about. */
  size: z.number(),
  at: z.number(),
  /** The checkpoint as it was given to the witness. */
  note: z.string(),
  /** What the witness gave back: an address, a file's name, a time stamp in base64. */
  proof: z.string(),
})

export type Anchor = z.infer<typeof row>

/** Which checkpoints were given to which witness outside. */
export type Anchors = {
  /** Adding one again changes nothing. */
  add(anchor: Anchor): Promise<void>
  /** From the smallest up, those of more than this size. */
  after(witness: string, size: number, limit: number): Promise<Anchor[]>
  /** The newest of each witness. */
  latest(): Promise<Pick<Anchor, 'witness' | 'size' | 'at'>[]>
}

const columns = 'witness, size, at, note, proof'

const latestRow = row.pick({ witness: true, size: true, at: true })

export const createAnchors = (db: Database): Anchors => ({
  add: async ({ witness, size, at, note, proof }) => {
    await db.run(
      `INSERT INTO audit_anchors (${columns}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (witness, size) DO NOTHING`,
      [witness, size, at, note, proof],
    )
  },
  after: (witness, size, limit) =>
    db.all(
      row,
      `SELECT ${columns} FROM audit_anchors WHERE witness = $1 AND size > $2 ORDER BY size LIMIT $3`,
      [witness, size, limit],
    ),
  latest: () =>
    db.all(
      latestRow,
      `SELECT a.witness, a.size, a.at FROM audit_anchors a
       WHERE a.size = (SELECT MAX(b.size) FROM audit_anchors b WHERE b.witness = a.witness) ORDER BY a.witness`,
    ),
})

export const witnessTables: readonly FeatureTables[] = [
  {
    id: 9,
    sql: [
      `CREATE TABLE audit_anchors (
         witness TEXT NOT NULL,
         size BIGINT NOT NULL,
         at BIGINT NOT NULL,
         note TEXT NOT NULL,
         proof TEXT NOT NULL,
         PRIMARY KEY (witness, size))`,
    ],
  },
]
