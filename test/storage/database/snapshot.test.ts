import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openSnapshot, type Snapshot } from '../../../src/cli/backup/snapshot.ts'
import { newestVersion } from '../../../src/kernel/store/database/migrations.ts'
import type { Database } from '../../../src/lib/sql/database.ts'
import { databaseFileIn } from '../../../src/lib/sql/open.ts'
import { eachEngine, openTestDatabase } from '../../harness/database.ts'
import { dataFolder } from '../../harness/run-folders.ts'
import { until } from '../../harness/until.ts'
import { whenDone } from '../../harness/when-done.ts'
import { gather } from '../store.ts'

const deliveries = { name: 'deliveries', columns: ['at', 'id'] }
const leases = { name: 'leases', columns: ['name', 'ends_at'] }
const deliver = async (db: Database, from: number, to: number) => {
  const rows = Array.from({ length: to - from }, (_, at) => `('d${from + at}', ${from + at})`)
  await db.run(`INSERT INTO deliveries (id, at) VALUES ${rows.join(', ')}`)
}
const sizesOf = async (snapshot: Snapshot) =>
  (await gather(snapshot.pages(deliveries))).map((page) => page.length)

eachEngine('a snapshot', (engine) => {
  const open = async (options: { empty?: boolean } = {}) => {
    const test = await openTestDatabase(engine, options)
    whenDone(test.close)
    const opened = async () => {
      const snapshot = await openSnapshot(test)
      whenDone(snapshot.close)
      return snapshot
    }
    return { ...test, opened }
  }

  it('says what it is of, and its version: none where no Bellhop has been, or has only begun', async () => {
    const { db, opened } = await open({ empty: true })
    expect(await opened()).toMatchObject({ engine, version: 0 })
    await db.run('CREATE TABLE of_another_program (id BIGINT PRIMARY KEY)')
    expect(await opened()).toMatchObject({ version: 0 })
    await db.run('CREATE TABLE migrations (id BIGINT PRIMARY KEY)')
    expect(await opened()).toMatchObject({ version: 0 })
    await db.run('INSERT INTO migrations (id) VALUES (3), (12), (7)')
    expect(await opened()).toMatchObject({ version: 12 })
    const full = await open()
    expect(await full.opened()).toMatchObject({ engine, version: newestVersion })
  })

  it('holds every row of every table in pages, as values in the order of the columns', async () => {
    const { db, opened } = await open()
    expect(await sizesOf(await opened())).toEqual([])
    await deliver(db, 0, 1_000)
    expect(await sizesOf(await opened())).toEqual([500, 500])
    await deliver(db, 1_000, 1_001)
    await db.run("INSERT INTO leases (name, owner, ends_at) VALUES ('one', 'o', 9007199254740991)")
    const snapshot = await opened()
    const pages = await gather(snapshot.pages(deliveries))
    expect(pages.map((page) => page.length)).toEqual([500, 500, 1])
    expect(pages.flat().toSorted(([one], [other]) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 1_001 }, (_, at) => [at, `d${at}`]),
    )
    expect(await gather(snapshot.pages(leases))).toEqual([[['one', 9007199254740991]]])
  })

  it('is of one moment, whatever is written afterwards', async () => {
    const { db, opened } = await open()
    await deliver(db, 0, 2)
    const snapshot = await opened()
    await deliver(db, 2, 5)
    expect(await sizesOf(snapshot)).toEqual([2])
    expect(await sizesOf(await opened())).toEqual([5])
  })

  it('fails for a table that is not there, and is gone once it is closed', async () => {
    const { url, dataDir, opened } = await open()
    const snapshot = await opened()
    await expect(gather(snapshot.pages({ name: 'nowhere', columns: ['a'] }))).rejects.toThrow()
    const other = await openSnapshot({ url, dataDir })
    await other.close()
    await expect(gather(other.pages(deliveries))).rejects.toThrow()
  })

  if (engine === 'postgres') {
    it('leaves no connection behind where it cannot begin', async () => {
      const { db, opened } = await open({ empty: true })
      await db.run('CREATE TABLE migrations (name TEXT)')
      await expect(opened()).rejects.toMatchObject({ kind: 'down' })
      await until(async () =>
        expect(
          await db.all(
            z.unknown(),
            `SELECT pid FROM pg_stat_activity
             WHERE application_name = 'bellhop backup' AND datname = current_database()`,
          ),
        ).toEqual([]),
      )
    })

    it('says so when its connection is lost, and nothing else ends with it', async () => {
      const { db, opened } = await open()
      const snapshot = await opened()
      const ended = await db.all(
        z.object({ ended: z.boolean() }),
        `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
         WHERE application_name = 'bellhop backup' AND datname = current_database()`,
      )
      expect(ended).toEqual([{ ended: true }])
      await expect(gather(snapshot.pages(deliveries))).rejects.toMatchObject({ kind: 'down' })
    })
  }
})

it('a database that is not there or is none is said to be so, with its place', async () => {
  const dataDir = mkdtempSync(join(dataFolder(), 'bellhop-none-'))
  await expect(openSnapshot({ dataDir })).rejects.toMatchObject({
    kind: 'down',
    message: `There is no database in ${dataDir}`,
  })
  writeFileSync(databaseFileIn(dataDir), 'these are words, and no database at all. '.repeat(20))
  await expect(openSnapshot({ dataDir })).rejects.toMatchObject({
    kind: 'down',
    message: expect.stringContaining('cannot be read'),
  })
  await expect(openSnapshot({ url: 'words' })).rejects.toMatchObject({ kind: 'failed' })
  await expect(openSnapshot({ url: 'postgres://nobody@127.0.0.1:9/none' })).rejects.toMatchObject({
    kind: 'down',
  })
})
