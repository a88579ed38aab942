import { expect, test } from 'vitest'
import { z } from 'zod'
import { tablesAt } from '../../../src/cli/backup/tables.ts'
import { verify } from '../../../src/kernel/log/verify.ts'
import { migrate, migrateBack, versionIn, wayBack } from '../../../src/kernel/store/database/migrate.ts'
import { allMigrations, newestVersion } from '../../../src/kernel/store/database/migrations.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import type { Database } from '../../../src/lib/sql/database.ts'
import { openDatabase } from '../../../src/lib/sql/open.ts'
import { eachEngine, openTestDatabase } from '../../harness/database.ts'
import { whenDone } from '../../harness/when-done.ts'
import { fillWithKept, keptDatabases, upToVersion } from './kept.ts'

const now = Date.now
const newest = newestVersion
const emptyDatabase = async (engine: Database['engine']) => {
  const opened = await openTestDatabase(engine, { empty: true })
  whenDone(opened.close)
  return opened
}

test('there is a database of every version but the first two and the newest', () => {
  expect(keptDatabases.map(({ version }) => version)).toEqual(
    expect.arrayContaining(
      upToVersion(Math.min(newest - 1, 13))
        .map(({ id }) => id)
        .slice(2),
    ),
  )
})

test('the newest migration can be taken back', () => {
  const last = allMigrations().at(-1)
  expect(last && wayBack(last).length).toBeGreaterThan(0)
})

eachEngine('a database', (engine) => {
  test.each(keptDatabases)(
    'of version $version goes on: its changes can be read, and its log is whole',
    async (one) => {
      const { db } = await emptyDatabase(engine)
      await fillWithKept(db, one)
      await migrate(db, { now })
      const store = createStore(db, { now })
      const changes = await store.changes.list({ states: ['pending'], limit: 10 })
      expect(changes.map(({ command }) => command)).toEqual(['refund', 'refund'])
      const entries = one.rows.filter(({ table }) => table === 'audit' || table === 'audit_log')
      expect((await store.audit.find({ limit: 100 })).length).toBeGreaterThanOrEqual(entries.length)
      expect(entries.length).toBeGreaterThan(1)
      expect(await verify(store, { now: 0 })).toMatchObject({ ok: true })
    },
  )

  test('goes back from the newest version to the one before, and forward again, with what was in it', async () => {
    const { db } = await emptyDatabase(engine)
    const last = keptDatabases.at(-1)
    if (last === undefined) throw new Error('nothing is kept')
    await fillWithKept(db, last)
    await migrate(db, { now })
    const columnsOf = (version: number) => tablesAt(version).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(await migrateBack(db, { now })).toBe(newest - 1)
    expect(await versionIn(db)).toBe(newest - 1)
    for (const { name, columns } of columnsOf(newest - 1)) {
      await db.all(z.unknown(), `SELECT ${columns.join(', ')} FROM ${name}`)
    }
    await expect(migrateBack(db, { now })).rejects.toThrow(`only version ${newest} can be taken back`)
    await migrate(db, { now })
    const store = createStore(db, { now })
    expect(await store.changes.list({ states: ['pending'], limit: 10 })).toHaveLength(2)
    await store.leases.acquire('process:some', 'some', 60_000)
    await expect(migrateBack(db, { now })).rejects.toThrow('Stop every bot first')
  })

  test('is used by two neighbouring versions at the same time, while the newer one brings it forward', async () => {
    const { db, url, dataDir } = await emptyDatabase(engine)
    const last = keptDatabases.at(-1)
    if (last === undefined) throw new Error('nothing is kept')
    await fillWithKept(db, last)
    await migrate(db, { now })
    const older = createStore(db, { now })
    const next = {
      id: newest + 1,
      name: 'a column and a table more',
      sql: [
        ...['changes', 'audit_log', 'tasks', 'cards', 'leases'].map(
          (table) => `ALTER TABLE ${table} ADD COLUMN later_${table} TEXT`,
        ),
        'CREATE TABLE later (id TEXT PRIMARY KEY)',
      ],
    }
    const [change] = await older.changes.list({ states: ['pending'], limit: 1 })
    if (change === undefined) throw new Error('no change')
    const other = await openDatabase({ url, dataDir })
    whenDone(() => other.close())
    await migrate(other, { now, migrations: [...allMigrations(), next] })
    const newer = createStore(other, { now })
    for (const [n, store] of [older, newer, older].entries()) {
      await store.tasks.put({ kind: 'cards', key: `task-${n}`, doc: {}, dueAt: 0 })
      await store.audit.append({
        kind: 'ran',
        who: 'p',
        name: 'P',
        platform: 'terminal',
        command: 'bellhop status',
        changeId: null,
        doc: { n },
      })
      const current = await store.changes.get(change.id)
      if (current === null) throw new Error('gone')
      expect(await store.changes.swap({ ...current, version: current.version + 1 })).toBe(true)
      expect(await store.leases.acquire(`lease-${n}`, 'me', 1_000)).toBe(true)
    }
    const taken = await older.tasks.take({ limit: 10, leaseMs: 1_000, owner: 'me' })
    expect(taken.filter(({ key }) => key.startsWith('task-'))).toHaveLength(3)
    expect(
      (await older.audit.find({ command: 'bellhop status', limit: 10 })).map(({ doc }) => doc.n),
    ).toEqual(expect.arrayContaining([0, 1, 2]))
    expect(await migrateBack(other, { now, migrations: [...allMigrations(), next] })).toBe(newest)
    expect(await older.changes.get(change.id)).toMatchObject({ version: change.version + 3 })
  })
})
