import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject } from 'vitest'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import type { Database, Engine } from '../../src/lib/sql/database.ts'
import { type DatabaseOptions, openDatabase } from '../../src/lib/sql/open.ts'
import { serverOf } from './postgres.ts'
import { dataFolder, runFolder } from './run-folders.ts'

export type TestDatabase = {
  db: Database
  /** Of a PostgreSQL database: what DATABASE_URL would hold. */
  url?: string
  /** Of an SQLite database: what DATA_DIR would hold. */
  dataDir?: string
  close(): Promise<void>
}

/** One suite for both engines. Without a PostgreSQL its half is skipped, and the run says so. */
export const eachEngine = (name: string, body: (engine: Engine) => void): void => {
  describe(`${name} on sqlite`, () => body('sqlite'))
  describe.skipIf(inject('postgres') === null)(`${name} on postgres`, () => body('postgres'))
}

/** A database of the test's own, up to date unless asked for empty. */
export const openTestDatabase = async (
  engine: Engine,
  { empty = false }: { empty?: boolean } = {},
): Promise<TestDatabase> => {
  const fresh = engine === 'postgres' ? await freshPostgres(empty) : await freshSqlite(empty)
  const db = await openDatabase(fresh)
  // Does nothing in a copy of what was up to date.
  if (!empty) await migrate(db, { now: Date.now })
  return {
    db,
    ...fresh,
    close: async () => {
      await db.close()
      await fresh.remove()
    },
  }
}

const freshSqlite = async (empty: boolean) => {
  const dataDir = mkdtempSync(join(dataFolder(), 'bellhop-data-'))
  const run = runFolder()
  if (!empty && run !== undefined) copyFileSync(await sqliteTemplate(run), fileIn(dataDir))
  return { dataDir, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

const fileIn = (dataDir: string): string => join(dataDir, 'bellhop.sqlite')

/** A file that is up to date, made by the first of this run that asks; two that ask at once make the same. */
const sqliteTemplate = async (folder: string): Promise<string> => {
  const template = fileIn(folder)
  if (existsSync(template)) return template
  const dataDir = mkdtempSync(join(folder, 'new-'))
  await migrateAt({ dataDir })
  renameSync(fileIn(dataDir), template)
  return template
}

const template = 'bellhop_template'
let hasTemplate: Promise<unknown> | undefined

/** The same on the cluster of this run. Nobody may be connected to what is copied, so it has its name only when it is done. */
const postgresTemplate = async (server: string): Promise<string> => {
  hasTemplate ??= administer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)')
    try {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template])
      if (rowCount !== 0) return
      await client.query('DROP DATABASE IF EXISTS bellhop_template_new')
      await client.query('CREATE DATABASE bellhop_template_new TEMPLATE template0')
      await migrateAt({ url: urlOf(server, 'bellhop_template_new') })
      await client.query(`ALTER DATABASE bellhop_template_new RENAME TO ${template}`)
    } finally {
      await client.query('SELECT pg_advisory_unlock(1)')
    }
  })
  await hasTemplate
  return template
}

const migrateAt = async (at: DatabaseOptions): Promise<void> => {
  const db = await openDatabase(at)
  await migrate(db, { now: Date.now })
  await db.close()
}

const freshPostgres = async (empty: boolean) => {
  const source = inject('postgres')
  if (source === null) throw new Error('there is no PostgreSQL in this run')
  const server = await serverOf(source)
  const name = `bellhop_test_${randomUUID().replaceAll('-', '')}`
  // On a server that was there before this run nothing is left behind.
  const isShared = 'url' in source && !source.isDisposable
  const template = empty || isShared ? 'template0' : await postgresTemplate(server)
  await administer(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`))
  const url = urlOf(server, name)
  const remove = () => administer(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  return { url, remove }
}

const urlOf = (server: string, database: string): string => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Kept for all files that share this process: to connect takes longer than to copy a database. */
let administrators: pg.Pool | undefined

const administer = async (
  server: string,
  work: (client: pg.ClientBase) => Promise<unknown>,
): Promise<void> => {
  const url = new URL(server)
  if (url.pathname.length <= 1) url.pathname = '/postgres'
  administrators ??= new pg.Pool({ connectionString: url.href, allowExitOnIdle: true })
  const client = await administrators.connect()
  try {
    await work(client)
  } finally {
    client.release()
  }
}
