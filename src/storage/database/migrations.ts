import { z } from 'zod'
import { type Database, DatabaseError } from './database.ts'
import { type Migration, migrations as shipped } from './schema.ts'

/**
 * Brings the database up to date and returns which migrations ran. Each runs in its own transaction, which
 * takes a lock first, so replicas that start together run it once. A database from a newer version is
 * refused.
 */
export const migrate = async (
  db: Database,
  { now, migrations = shipped }: { now: () => number; migrations?: readonly Migration[] },
): Promise<number[]> => {
  const ran: number[] = []
  for (let next = await step(db, migrations, now); next !== null; next = await step(db, migrations, now)) {
    ran.push(next)
  }
  return ran
}

/** Runs the first missing migration, if there is one. */
const step = (db: Database, migrations: readonly Migration[], now: () => number): Promise<number | null> =>
  db.tx(async (inner) => {
    await lock(inner)
    const applied = await appliedIn(inner)
    const newest = migrations.at(-1)?.id ?? 0
    const beyond = applied.find((id) => id > newest)
    if (beyond !== undefined) {
      throw new DatabaseError(
        'failed',
        `The database is at version ${Math.max(...applied)}, and this Bellhop knows versions up to ${newest}. Start a newer Bellhop.`,
      )
    }
    const migration = migrations.find(({ id }) => !applied.includes(id))
    if (!migration) return null
    for (const sql of migration.sql) await inner.run(sql)
    await migration.run?.(inner)
    await inner.run('INSERT INTO migrations (id, name, at) VALUES ($1, $2, $3)', [
      migration.id,
      migration.name,
      now(),
    ])
    return migration.id
  })

/** Any number works, as long as nothing else on the server uses it. On SQLite the transaction is the lock. */
const lockNumber = 7_235_441_908

const lock = async (db: Database): Promise<void> => {
  if (db.engine === 'postgres') await db.all(z.unknown(), 'SELECT pg_advisory_xact_lock($1)', [lockNumber])
}

const appliedIn = async (db: Database): Promise<number[]> => {
  await db.run(
    'CREATE TABLE IF NOT EXISTS migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL, at BIGINT NOT NULL)',
  )
  const rows = await db.all(z.object({ id: z.number() }), 'SELECT id FROM migrations ORDER BY id')
  return rows.map(({ id }) => id)
}
