import { join, resolve } from 'node:path'
import { makeOwnFolder } from '../private-files.ts'
import type { OnConnect } from './connect.ts'
import { type Database, DatabaseError, isOutOfDisk, type StorageLog, toDatabase } from './database.ts'

export type DatabaseOptions = {
  /** A PostgreSQL address; without it the database is a file in `dataDir`. */
  url?: string | undefined
  dataDir?: string | undefined
  log?: StorageLog | undefined
  /** Looks at each new connection to a server. */
  onConnect?: OnConnect | undefined
}

/** The embedded database. */
export const databaseFileIn = (dataDir: string): string => join(dataDir, 'bellhop.sqlite')

/** Opens the database without migrating it. Only the engine that is used is loaded. */
export const openDatabase = async ({
  url,
  dataDir = './data',
  log,
  onConnect,
}: DatabaseOptions): Promise<Database> => {
  if (url) {
    const { openPostgres } = await import('./postgres.ts')
    return toDatabase('postgres', openPostgres(url, { log, onConnect }))
  }
  try {
    makeOwnFolder(resolve(dataDir))
  } catch (error) {
    throw new DatabaseError(
      isOutOfDisk(error) ? 'full' : 'down',
      `The data folder ${dataDir} cannot be made`,
      error,
    )
  }
  const { openSqlite } = await import('./sqlite.ts')
  return toDatabase('sqlite', await openSqlite(databaseFileIn(dataDir)))
}
