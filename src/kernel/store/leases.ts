import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'

/** A named lock that one process holds for a limited time and renews by taking it again. */
export type Leases = {
  /** True if the owner has the lease now. */
  acquire(name: string, owner: string, ttlMs: number): Promise<boolean>
  /** Takes it whoever has it; for a name that only the holder of a lock gives out. */
  give(name: string, owner: string, ttlMs: number): Promise<void>
  /** Keeps for longer what the owner has; false when somebody ended it. */
  renew(name: string, owner: string, ttlMs: number): Promise<boolean>
  /** True when nobody has it and its last owner can no longer renew it; false while it is held. */
  end(name: string): Promise<boolean>
  release(name: string, owner: string): Promise<void>
  /** The holder; null if the lease has expired. */
  holder(name: string): Promise<string | null>
  /** Those whose names begin so, also those that have expired. */
  under(prefix: string): Promise<Lease[]>
  /** Deletes leases that ended before the given time; returns how many. */
  prune(before: number): Promise<number>
}

const ownerRow = z.object({ owner: z.string() })
const leaseRow = z.object({ name: z.string(), owner: z.string(), endsAt: z.number() })
export type Lease = z.infer<typeof leaseRow>

export const createLeases = (db: Database, now: () => number): Leases => ({
  acquire: async (name, owner, ttlMs) => {
    const at = now()
    const won = await db.run(
      `INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, ends_at = excluded.ends_at
       WHERE leases.owner = excluded.owner OR leases.ends_at <= $4`,
      [name, owner, at + ttlMs, at],
    )
    return won === 1
  },
  give: (name, owner, ttlMs) =>
    db.later(
      `INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, ends_at = excluded.ends_at`,
      [name, owner, now() + ttlMs],
    ),
  renew: async (name, owner, ttlMs) =>
    (await db.run(
      'UPDATE leases SET ends_at = $3 WHERE name = $1 AND owner = $2',
      [name, owner, now() + ttlMs],
      // A renewal that is lost in a power cut is lost with the process that asked for it.
      'buffered',
    )) === 1,
  end: async (name) => {
    await db.run('DELETE FROM leases WHERE name = $1 AND ends_at <= $2', [name, now()])
    const left = await db.all(ownerRow, 'SELECT owner FROM leases WHERE name = $1', [name])
    return left.length === 0
  },
  release: async (name, owner) => {
    await db.later('DELETE FROM leases WHERE name = $1 AND owner = $2', [name, owner])
  },
  holder: async (name) =>
    (await db.all(ownerRow, 'SELECT owner FROM leases WHERE name = $1 AND ends_at > $2', [name, now()]))[0]
      ?.owner ?? null,
  under: async (prefix) => {
    const like = `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`
    const found = await db.all(
      leaseRow,
      `SELECT name, owner, ends_at AS "endsAt" FROM leases WHERE name LIKE $1 ESCAPE '\\'`,
      [like],
    )
    return found.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  },
  prune: (before) => db.run('DELETE FROM leases WHERE ends_at < $1', [before]),
})
