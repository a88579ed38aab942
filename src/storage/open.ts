import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, type StorageLog, toDatabase } from './database.ts'
import { DatabaseError } from './database-error.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

type DatabaseOptions = {
  /** A PostgreSQL address; without it the database is a file in `dataDir`. */
  url?: string | undefined
  dataDir?: string | undefined
  log?: StorageLog | undefined
}

/** The database, as it is: `migrate` brings it up to date. */
export const openDatabase = async ({ url, dataDir = './data', log }: DatabaseOptions): Promise<Database> => {
  if (url) return toDatabase('postgres', openPostgres(url, log))
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new DatabaseError('down', `The data folder ${dataDir} cannot be made`, error)
  }
  return toDatabase('sqlite', await openSqlite(join(dataDir, 'bellhop.sqlite')))
}
