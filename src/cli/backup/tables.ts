import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../../kernel/store/database/migrations.ts'

/** A table with the names of its columns. */
export type Table = { name: string; columns: string[] }

/** The tables of a database at a version, those that others refer to first: whatever else is in it is not Bellhop's. */
export const tablesAt = (version: number): Table[] => {
  const model = new DatabaseSync(':memory:')
  try {
    for (const { id, sql } of migrations) if (id <= version) for (const one of sql) model.exec(one)
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
