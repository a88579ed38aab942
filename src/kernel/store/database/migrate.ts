import { z } from 'zod'
import { type Database, DatabaseError } from '../../../lib/sql/database.ts'
import { allMigrations, type Migration, namedTables } from './migrations.ts'

type Named = ReturnType<typeof namedTables>
type UpTo = { migrations: readonly Migration[]; tables: Named }

/**
 * Brings the database up to date and returns what ran: migrations by their numbers, then tables of features by their names.
 * Each runs in its own transaction, which takes a lock first, so replicas that start together run it once. A database from a
 * newer version is refused.
 */
export const migrate = async (
  db: Database,
  { now, ...upTo }: { now: () => number } & Partial<UpTo>,
): Promise<(number | string)[]> => {
  const all = {
    migrations: allMigrations(),
    tables: upTo.migrations === undefined ? namedTables() : [],
    ...upTo,
  }
  const ran: (number | string)[] = []
  for (let next = await step(db, all, now); next !== null; next = await step(db, all, now)) ran.push(next)
  return ran
}

/** Runs the first missing migration, if there is one. */
const step = (
  db: Database,
  { migrations, tables }: UpTo,
  now: () => number,
): Promise<number | string | null> =>
  db.tx(async (inner) => {
    await lock(inner)
    const applied = await appliedIn(inner)
    const newest = migrations.at(-1)?.id ?? 0
    const version = applied.at(-1) ?? 0
    if (version > newest) {
      throw new DatabaseError(
        'failed',
        `The database is at version ${version}, and this Bellhop knows versions up to ${newest}. Start a newer Bellhop.`,
      )
    }
    const migration = migrations.find(({ id }) => !applied.includes(id))
    if (!migration) return nextTables(inner, tables, now)
    for (const sql of migration.sql) await inner.run(sql)
    await migration.run?.(inner)
    await inner.run('INSERT INTO migrations (id, name, at) VALUES ($1, $2, $3)', [
      migration.id,
      migration.name,
      now(),
    ])
    return migration.id
  })

/** Those of features are counted apart, because each of them may come and go. */
const nextTables = async (db: Database, tables: Named, now: () => number): Promise<string | null> => {
  if (tables.length === 0) return null
  const made = await namedIn(db)
  const next = tables.find(({ id }) => !made.includes(id))
  if (next === undefined) return null
  for (const sql of next.sql) await db.run(sql)
  await db.run('INSERT INTO feature_tables (id, at) VALUES ($1, $2)', [next.id, now()])
  return next.id
}

/** The tables of features that a database has, by their names. */
const namedIn = async (db: Database): Promise<string[]> => {
  await db.run('CREATE TABLE IF NOT EXISTS feature_tables (id TEXT PRIMARY KEY, at BIGINT NOT NULL)')
  const rows = await db.all(z.object({ id: z.string() }), 'SELECT id FROM feature_tables ORDER BY id')
  return rows.map(({ id }) => id)
}

/**
 * Takes the newest migration back, so that the Bellhop before this one can start. Nothing that runs may use it then: the
 * processes of this version would not know the tables any more.
 */
export const migrateBack = (
  db: Database,
  { now, migrations = allMigrations() }: { now: () => number; migrations?: readonly Migration[] },
): Promise<number> =>
  db.tx(async (inner) => {
    await lock(inner)
    const newest = migrations.at(-1)
    const applied = await appliedIn(inner)
    if (newest === undefined || applied.at(-1) !== newest.id)
      throw new DatabaseError(
        'failed',
        `The database is at version ${applied.at(-1) ?? 0}, and only version ${newest?.id} can be taken back`,
      )
    const running = await inner.all(
      z.object({ name: z.string() }),
      "SELECT name FROM leases WHERE name LIKE 'process:%' AND ends_at > $1",
      [now()],
    )
    if (running.length > 0)
      throw new DatabaseError(
        'failed',
        `${running.length} ${running.length === 1 ? 'process runs' : 'processes run'} on this database. Stop every bot first`,
      )
    for (const sql of wayBack(newest)) await inner.run(sql)
    await inner.run('DELETE FROM migrations WHERE id = $1', [newest.id])
    return newest.id - 1
  })

/** What undoes a migration: as it says, or the opposite of each statement, the last first. */
export const wayBack = ({ id, sql, back }: Migration): readonly string[] => {
  if (back !== undefined) return back
  return sql.toReversed().map((one) => {
    const made = /^CREATE (?:UNIQUE )?(TABLE|INDEX) (\w+)/.exec(one)
    const added = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(one)
    if (made !== null) return `DROP ${made[1]} ${made[2]}`
    if (added !== null) return `ALTER TABLE ${added[1]} DROP COLUMN ${added[2]}`
    throw new DatabaseError('failed', `Migration ${id} does not say how it is taken back`)
  })
}

/** 0 for a database that no Bellhop has seen: it has no such table yet. */
export const versionIn = async (db: Database): Promise<number> => {
  const row = z.object({ newest: z.number().nullable() })
  try {
    return (await db.all(row, 'SELECT MAX(id) AS newest FROM migrations'))[0]?.newest ?? 0
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'failed') return 0
    throw error
  }
}

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
