import { z } from 'zod'
import { migrate } from '../../kernel/store/database/migrate.ts'
import { allMigrations, namedTables, newestVersion } from '../../kernel/store/database/migrations.ts'
import { createStore, type Store } from '../../kernel/store/store.ts'
import type { Database } from '../../lib/sql/database.ts'
import { BackupError, type BackupHead, type BackupTexts, readBackup } from './backup-file.ts'
import { type Table, tablesAt } from './tables.ts'

/** What a backup holds, beside its rows. */
export type BackupSummary = { head: BackupHead; texts: BackupTexts; counts: Map<string, number> }

/** Reads all of it once and believes nothing before the end. */
export const readSummary = async (file: string): Promise<BackupSummary> => {
  let head: BackupHead | undefined
  let table = ''
  const texts: BackupTexts = {}
  const counts = new Map<string, number>()
  for await (const item of readBackup(file)) {
    if (item.kind === 'head') head = item.head
    else if (item.kind === 'text') texts[item.name] = item.content
    else if (item.kind === 'table') {
      table = item.table.name
      counts.set(table, 0)
    } else counts.set(table, (counts.get(table) ?? 0) + 1)
  }
  if (head === undefined || head.schema > newestVersion)
    throw new BackupError(
      `${file} is of a database of version ${head?.schema}, and this Bellhop knows versions up to ${newestVersion}. Restore it with a newer Bellhop.`,
    )
  const unknown = head.features.filter((id) => namedTables().every((one) => one.id !== id))
  if (unknown.length > 0)
    throw new BackupError(
      `${file} has tables of features that this Bellhop does not have: ${unknown.join(', ')}. Put their folders in place, with the bellhop.yml that names them and packs.lock, and restore it again; or use a newer Bellhop.`,
    )
  return { head, texts, counts }
}

/** Puts the database back into an empty one, brings it up to date, and settles what was open: all of it or nothing. */
export const restoreDatabase = (
  db: Database,
  file: string,
  { head }: BackupSummary,
  { now, settle }: { now: () => number; settle: (store: Store) => Promise<void> },
): Promise<void> =>
  db.tx(async (inner) => {
    await refuseUnlessEmpty(inner)
    await migrate(inner, {
      now,
      migrations: allMigrations().filter(({ id }) => id <= head.schema),
      tables: namedTables().filter(({ id }) => head.features.includes(id)),
    })
    const tables = tablesAt(head.schema, head.features)
    for (const { name } of tables.toReversed()) await inner.run(`DELETE FROM "${name}"`)
    let fill: ReturnType<typeof filler> | undefined
    for await (const item of readBackup(file)) {
      if (item.kind === 'table') {
        await fill?.flush()
        fill = filler(inner, knownTable(tables, item.table))
      } else if (item.kind === 'row') await fill?.add(item.values)
    }
    await fill?.flush()
    await migrate(inner, { now })
    await settle(createStore(inner, { now }))
  })

export const refuseUnlessEmpty = async (db: Database): Promise<void> => {
  const asked =
    db.engine === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE name = 'migrations'"
      : "SELECT 1 AS name WHERE to_regclass('migrations') IS NOT NULL"
  if ((await db.all(z.unknown(), asked)).length > 0)
    throw new BackupError(
      db.engine === 'sqlite'
        ? 'There is a database in DATA_DIR already, and nothing is restored over it. Stop the bot and move the folder away, or name an empty one.'
        : 'Bellhop has used the database of DATABASE_URL already, and nothing is restored over it. Make an empty one, and name that.',
    )
}

/** Names from the file reach the database only when they are ours. */
const knownTable = (tables: readonly Table[], { name, columns }: Table): Table => {
  const known = tables.find((table) => table.name === name)
  if (known === undefined || columns.join() !== known.columns.join())
    throw new BackupError(`The table "${name}" of this backup is none that this Bellhop knows.`)
  return known
}

/** So many values at once, which both engines take. */
const maxValues = 5_000

const filler = (db: Database, { name, columns }: Table) => {
  const most = Math.max(1, Math.floor(maxValues / columns.length))
  let waiting: (string | number | null)[][] = []
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return
    const rows = waiting
    waiting = []
    const places = rows.map(
      (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
    )
    const into = columns.map((column) => `"${column}"`).join(', ')
    await db.run(`INSERT INTO "${name}" (${into}) VALUES ${places.join(', ')}`, rows.flat())
  }
  return {
    flush,
    add: async (values: (string | number | null)[]): Promise<void> => {
      if (values.length !== columns.length)
        throw new BackupError(`A row of "${name}" in this backup is incomplete.`)
      waiting.push(values)
      if (waiting.length >= most) await flush()
    },
  }
}
