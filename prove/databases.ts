import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Engine } from '../src/lib/sql/database.ts'
import { createFolder, findPostgres, startCluster, stopCluster } from '../test/harness/postgres.ts'

export type Place = { url?: string; dataDir?: string; remove(): Promise<void> }

/** Databases for one run: a folder each, or a database each in a cluster that the run starts and stops. */
export type Databases = {
  engines: readonly Engine[]
  fresh(engine: Engine): Promise<Place>
  close(): Promise<void>
}

export const openDatabases = async ({
  durable = false,
  server: running,
}: {
  durable?: boolean
  server?: string | null | undefined
} = {}): Promise<Databases> => {
  const source = running === undefined ? findPostgres() : running && { url: running }
  const own = source && 'folder' in source ? source : undefined
  const server = own
    ? await startCluster(own.bin, own.folder, { durable, grows: true })
    : source && 'url' in source
      ? source.url
      : null
  let made = 0
  const fresh = async (engine: Engine): Promise<Place> => {
    if (engine === 'sqlite') {
      const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-prove-'))
      return { dataDir, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
    }
    if (server === null) throw new Error('there is no PostgreSQL on this machine')
    const name = `bellhop_prove_${process.pid}_${++made}`
    await administer(server, `CREATE DATABASE ${name} TEMPLATE template0`)
    const url = new URL(server)
    url.pathname = `/${name}`
    return { url: url.href, remove: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
  }
  return {
    engines: server === null ? ['sqlite'] : ['sqlite', 'postgres'],
    fresh,
    close: async () => {
      if (own) await stopCluster(own.folder)
    },
  }
}

/** A server of the run's own, which may be stopped and started under what uses it. */
export const openOwnCluster = async (): Promise<{ bin: string; folder: string; url: string } | null> => {
  const source = findPostgres()
  if (source === null || source.bin === null) return null
  const folder = 'folder' in source ? source.folder : createFolder()
  const url = new URL(await startCluster(source.bin, folder))
  url.pathname = '/postgres'
  return { bin: source.bin, folder, url: url.href }
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
