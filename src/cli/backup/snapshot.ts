import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createConnector } from '../../lib/sql/connect.ts'
import { DatabaseError, type Engine } from '../../lib/sql/database.ts'
import { type DatabaseOptions, databaseFileIn } from '../../lib/sql/open.ts'
import type { Table } from './tables.ts'

/** All of a database as it was in one moment, read while others write. */
export type Snapshot = {
  engine: Engine
  /** The number of its newest migration; 0 where no Bellhop has been. */
  version: number
  /** The tables of features that it has. */
  features: string[]
  /** The rows of a table, a page at a time, as values in the order of the columns. */
  pages(table: Table): AsyncGenerator<unknown[][]>
  close(): Promise<void>
}

const pageSize = 500

export const openSnapshot = ({ url, dataDir = './data' }: DatabaseOptions): Promise<Snapshot> =>
  url ? snapshotOfServer(url) : snapshotOfFile(databaseFileIn(dataDir))

const selectOf = ({ name, columns }: Table): string =>
  `SELECT ${columns.map((column) => `"${column}"`).join(', ')} FROM "${name}"`

const newest = 'SELECT MAX(id) AS newest FROM migrations'
const named = 'SELECT id FROM feature_tables ORDER BY id'

const snapshotOfFile = async (file: string): Promise<Snapshot> => {
  if (!existsSync(file)) throw new DatabaseError('down', `There is no database in ${join(file, '..')}`)
  const sqlite = new DatabaseSync(file, { timeout: 5_000 })
  try {
    // Its first read fixes what it sees. Writers go on: they append to the log beside the file.
    sqlite.exec('BEGIN')
    const has = (table: string): boolean =>
      sqlite.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined
    const version = has('migrations') ? Number(sqlite.prepare(newest).get()?.newest ?? 0) : 0
    const features = has('feature_tables')
      ? sqlite
          .prepare(named)
          .all()
          .map(({ id }) => String(id))
      : []
    return {
      engine: 'sqlite',
      version,
      features,
      pages: async function* (table) {
        const statement = sqlite.prepare(selectOf(table))
        statement.setReturnArrays(true)
        let page: unknown[][] = []
        for (const row of statement.iterate() as Iterable<unknown>) {
          page.push(row as unknown[])
          if (page.length < pageSize) continue
          yield page
          page = []
        }
        if (page.length > 0) yield page
      },
      close: async () => sqlite.close(),
    }
  } catch (error) {
    sqlite.close()
    throw new DatabaseError('down', `The database file ${file} cannot be read`, error)
  }
}

const snapshotOfServer = async (url: string): Promise<Snapshot> => {
  const { client } = await createConnector(url, { application: 'bellhop backup' }).connect()
  const ask = async (text: string): Promise<unknown[][]> => {
    try {
      return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
    } catch (error) {
      throw new DatabaseError('down', 'The database does not answer', error)
    }
  }
  try {
    await ask('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const readIf = async (table: string, text: string): Promise<unknown[][]> => {
      const [[isThere] = []] = await ask(`SELECT to_regclass('${table}') IS NOT NULL`)
      return isThere === true ? ask(text) : []
    }
    const [[version] = []] = await readIf('migrations', newest)
    const features = (await readIf('feature_tables', named)).map(([id]) => String(id))
    return {
      engine: 'postgres',
      version: Number(version ?? 0),
      features,
      pages: async function* (table) {
        await ask(`DECLARE backup NO SCROLL CURSOR FOR ${selectOf(table)}`)
        for (;;) {
          const page = await ask(`FETCH ${pageSize} FROM backup`)
          if (page.length === 0) break
          yield page
        }
        await ask('CLOSE backup')
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}
