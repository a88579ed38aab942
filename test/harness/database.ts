import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject } from 'vitest'
import type { Database, Engine } from '../../src/storage/database/database.ts'
import { migrate } from '../../src/storage/database/migrations.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { serverOf } from './postgres.ts'

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
  const fresh = engine === 'postgres' ? await freshPostgres() : freshSqlite()
  const db = await openDatabase(fresh)
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

const freshSqlite = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-data-'))
  return { dataDir, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

const freshPostgres = async () => {
  const source = inject('postgres')
  if (source === null) throw new Error('there is no PostgreSQL in this run')
  const server = await serverOf(source)
  const name = `bellhop_test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `CREATE DATABASE ${name} TEMPLATE template0`)
  const url = urlOf(server, name)
  return { url, remove: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

const urlOf = (server: string, database: string): string => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

const administer = async (server: string, sql: string): Promise<void> => {
  const url = new URL(server)
  if (url.pathname.length <= 1) url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
