import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'
import { json } from '../../lib/sql/sql.ts'

const facts = z.object({ version: z.string(), policy: z.string(), key: z.string() })

/** What a running bot works with: its own version, the digest of its policy, and the key that it signs the audit log with. */
export type ReplicaFacts = z.infer<typeof facts>

/** Which bots run on this database, and what each of them works with; kept among the leases, which tell who is alive. */
export type Replicas = {
  tell(process: string, about: ReplicaFacts): Promise<void>
  leave(process: string): Promise<void>
  running(): Promise<ReplicaFacts[]>
}

/** What a process that died left behind is pruned after this. */
const toldForMs = 7 * 24 * 3_600_000

const aboutRow = z.object({ about: json.pipe(facts) })

export const createReplicas = (db: Database, now: () => number): Replicas => ({
  tell: (process, about) =>
    db.later(
      `INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, ends_at = excluded.ends_at`,
      [`replica:${process}`, JSON.stringify(about), now() + toldForMs],
    ),
  leave: (process) => db.later('DELETE FROM leases WHERE name = $1', [`replica:${process}`]),
  running: async () => {
    const rows = await db.all(
      aboutRow,
      `SELECT told.owner AS about FROM leases AS told
       JOIN leases AS alive ON told.name = 'replica:' || alive.owner
       WHERE alive.name = 'process:' || alive.owner AND alive.ends_at > $1`,
      [now()],
    )
    return rows.map(({ about }) => about)
  },
})
