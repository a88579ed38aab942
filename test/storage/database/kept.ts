import { globSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { tablesAt } from '../../../src/cli/backup/tables.ts'
import { migrate } from '../../../src/kernel/store/database/migrate.ts'
import { allMigrations } from '../../../src/kernel/store/database/migrations.ts'
import type { Database } from '../../../src/lib/sql/database.ts'

export type KeptDatabase = (typeof keptDatabases)[number]

/**
 * What Bellhop itself wrote at each version of its database, from 3 on: the demo of the last commit at that version was asked
 * for a subscriber and two refunds in the terminal, and its rows were kept. Versions 1 and 2 were not tried.
 */
export const keptDatabases = globSync('test/storage/database/kept/*.jsonl')
  .toSorted()
  .map((file) => {
    const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
    return {
      ...z.object({ version: z.int(), commit: z.string() }).parse(JSON.parse(head ?? '')),
      rows: lines.map((line) =>
        z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) }).parse(JSON.parse(line)),
      ),
    }
  })

export const upToVersion = (version: number) => allMigrations().filter(({ id }) => id <= version)

/** An empty database as it was at that version, with what was in it. */
export const fillWithKept = async (db: Database, { version, rows }: KeptDatabase) => {
  await migrate(db, { now: Date.now, migrations: upToVersion(version) })
  for (const { name } of tablesAt(version).toReversed()) await db.run(`DELETE FROM ${name}`)
  for (const { table, row } of rows) {
    const names = Object.keys(row)
    const places = names.map((_, at) => `$${at + 1}`)
    await db.run(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(row),
    )
  }
}
