import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Database, DatabaseError, type StorageLog, toDatabase } from './database.ts'

export type DatabaseOptions = {
  /** A PostgreSQL address; without it the database is a file in `dataDir`. */
  url?: string | undefined
  dataDir?: string | undefined
  log?: StorageLog | undefined
}

/** The embedded database. */
export const databaseFileIn = (dataDir: string): string => join(dataDir, 'bellhop.sqlite')

/** Opens the database without migrating it. Only the engine that is used is loaded. */
export const openDatabase = async ({ url, dataDir = './data', log }: DatabaseOptions): Promise<Database> => {
  if (url) {
    const { openPostgres } = await import('./postgres.ts')
    return toDatabase('postgres', openPostgres(url, log))
  }
  try {
    makeFolder(resolve(dataDir))
  } catch (error) {
    throw new DatabaseError('down', `The data folder ${dataDir} cannot be made`, error)
  }
  const { openSqlite } = await import('./sqlite.ts')
  return toDatabase('sqlite', await openSqlite(databaseFileIn(dataDir)))
}

/**
 * Does not use mkdir's `recursive` option, which loops forever where no folder can be created, such as in
 * /proc.
 */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another replica may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
