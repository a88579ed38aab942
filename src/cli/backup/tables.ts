import { DatabaseSync } from 'node:sqlite'
import { allMigrations, namedTables } from '../../kernel/store/database/migrations.ts'

/** A table with the names of its columns. */
export type Table = { name: string; columns: string[] }

/** The tables of a database at a version, with those of features, those that others refer to first: whatever else is in it is not Bellhop's. */
export const tablesAt = (version: number, named: readonly string[] = []): Table[] => {
  const model = new DatabaseSync(':memory:')
  try {
    const made = [
      ...allMigrations().filter(({ id }) => id <= version),
      ...namedTables().filter(({ id }) => named.includes(id)),
    ]
    for (const one of made.flatMap(({ sql }) => sql)) model.exec(one)
    const names = model
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
      )
      .all() as { name: string }[]
    return names.map(({ name }) => ({
      name,
      columns: model
        .prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid')
        .all(name)
        .map((column) => String(column.name)),
    }))
  } finally {
    model.close()
  }
}
