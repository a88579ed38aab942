import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Change } from '../../../src/kernel/model/change.ts'
import { fieldsWritten } from '../../../src/kernel/store/database/fields-written.ts'
import { migrate, migrateBack, versionIn, wayBack } from '../../../src/kernel/store/database/migrate.ts'
import { allMigrations, namedTables, newestVersion } from '../../../src/kernel/store/database/migrations.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { serviceNamed } from '../../../src/lib/services/endpoints/tables.ts'
import { openDatabase } from '../../../src/lib/sql/open.ts'
import { linksFrom } from '../../../src/lib/things/link-rows.ts'
import { eachEngine, openTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { sampleChange } from '../sample.ts'

const addition = {
  id: newestVersion + 1,
  name: 'nicknames',
  sql: ['CREATE TABLE nicknames (name TEXT PRIMARY KEY)'],
}
const now = () => 5_000
const everything = () => [...allMigrations(), ...namedTables()].map(({ id }) => id)

it('is undone by the opposite of each statement, the last first, or as it says itself', () => {
  const about = { id: 7, name: 'pets' }
  const sql = ['CREATE TABLE a (b TEXT)', 'CREATE UNIQUE INDEX c ON a (b)', 'ALTER TABLE a ADD COLUMN d TEXT']
  expect(wayBack({ ...about, sql })).toEqual(['ALTER TABLE a DROP COLUMN d', 'DROP INDEX c', 'DROP TABLE a'])
  expect(wayBack({ ...about, sql, back: ['as said'] })).toEqual(['as said'])
  expect(() => wayBack({ ...about, sql: ["UPDATE a SET b = ''"] })).toThrow('Migration 7 does not say how')
})

it('is numbered one after the other', () => {
  const ids = allMigrations().map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other))
  expect(ids.at(-1)).toBe(newestVersion)
})

eachEngine('migration', (engine) => {
  const withEmpty = async (work: (test: TestDatabase) => Promise<void>) => {
    const test = await openTestDatabase(engine, { empty: true })
    try {
      await work(test)
    } finally {
      await test.close()
    }
  }
  const recorded = ({ db }: TestDatabase) =>
    db.all(
      z.object({ id: z.number(), name: z.string(), at: z.number() }),
      'SELECT * FROM migrations ORDER BY id',
    )

  it('makes an empty database usable, and says what it did', () =>
    withEmpty(async (test) => {
      expect(await migrate(test.db, { now })).toEqual(everything())
      expect(await recorded(test)).toEqual(allMigrations().map(({ id, name }) => ({ id, name, at: 5_000 })))
      await createStore(test.db, { now }).changes.insert(sampleChange())
    }))

  it('does nothing a second time', () =>
    withEmpty(async ({ db }) => {
      await migrate(db, { now })
      expect(await migrate(db, { now })).toEqual([])
    }))

  it('goes on from the previous version and keeps what is there', () =>
    withEmpty(async (test) => {
      await migrate(test.db, { now })
      const store = createStore(test.db, { now })
      await store.changes.insert(sampleChange())
      expect(await migrate(test.db, { now, migrations: [...allMigrations(), addition] })).toEqual([
        addition.id,
      ])
      await test.db.run("INSERT INTO nicknames (name) VALUES ('ada')")
      expect(await store.changes.get('c1')).toEqual(sampleChange())
    }))

  it('keeps old links: by hand is said and approved by nobody, and what stored plans wrote into fields is said too', () =>
    withEmpty(async ({ db }) => {
      await migrate(db, { now, migrations: allMigrations().filter(({ id }) => id < 13) })
      const old = (source: string, address: string, person: string | null) =>
        db.run(`INSERT INTO links VALUES ('customer', 'cus_1', 'email', $1, $2, 7, $3, 0)`, [
          address,
          source,
          person,
        ])
      await old('hand', 'hand@x.se', 'p1')
      await old('email.getSubscriber', 'seen@x.se', null)
      await old('email.getSubscriber', 'written@x.se', null)
      await old('email.findSubscribers', 'imported@x.se', null)
      await old('email.findSubscribers', 'called@x.se', null)
      await old('billing.findLicenses', 'license@x.se', null)
      await old('billing.changePlan', 'paid@x.se', null)
      const field = { customFields: { anything: 'cus_1' } }
      const { bulk } = createStore(db, { now })
      const applied = (
        id: string,
        more: { plan: unknown; state?: 'rejected'; pinned?: Change['pinned'] },
      ) => {
        const doc = { ...sampleChange(), id, area: 'email', state: 'applied', ...more }
        return db.run(
          `INSERT INTO changes (id, version, state, requester, intent, amount, expires_at, updated_at, doc)
           VALUES ($1, 1, $2, 'p', 'i', 20, 1, 1, $3)`,
          [id, doc.state, JSON.stringify(doc)],
        )
      }
      await applied('c1', { plan: { email: 'Written@x.se', body: field } })
      await applied('c2', { plan: { params: { email: 'called@x.se' }, body: field } })
      await bulk.open('set1')
      await bulk.addChunks('set1', 0, [[{ email: 'imported@x.se', body: field }]])
      await applied('c3', { plan: {}, pinned: { set: 'set1', digest: '', total: 1, report: null } })
      await applied('c4', { state: 'rejected', plan: { email: 'seen@x.se', body: field } })
      await migrate(db, { now })
      const rows = await createStore(db, { now }).links.of([{ kind: 'customer', id: 'cus_1' }])
      const steering = linksFrom(
        rows,
        'money',
        (service) => serviceNamed(service).links?.trust ?? 'view',
      ).map(({ ends }) => ends[1].id)
      expect(steering.toSorted()).toEqual(['paid@x.se', 'seen@x.se'])
      expect(rows.filter(({ via }) => via === 'hand')).toMatchObject([{ by: 'p1', approvedBy: null }])
      expect(rows.filter(({ via }) => via === 'field').map(({ by }) => by)).toEqual(
        Array(3).fill(sampleChange().requester.name),
      )
    }))

  it('knows the currency of what was asked before', () =>
    withEmpty(async ({ db }) => {
      await migrate(db, { now, migrations: allMigrations().filter(({ id }) => id < 19) })
      for (const [id, currency, amount] of [
        ['c1', 'USD', 5],
        ['c2', null, 7],
        ['c3', 'EUR', null],
      ] as const) {
        const doc = { ...sampleChange(), id, amount, currency, state: 'applied' }
        await db.run(
          `INSERT INTO changes (id, version, state, requester, intent, amount, expires_at, updated_at, doc)
           VALUES ($1, 1, 'applied', 'p', 'i', $2, 1, 1, $3)`,
          [id, amount, JSON.stringify(doc)],
        )
        await db.run(`INSERT INTO change_names (name, change_id) VALUES ('refund', $1)`, [id])
      }
      await migrate(db, { now })
      const sums = await createStore(db, { now }).changes.spent({
        ...{ names: ['refund'], since: 0, states: ['applied'] },
      })
      expect(sums.toSorted((one, other) => one.sum - other.sum)).toEqual([
        { currency: 'USD', sum: 5 },
        { currency: null, sum: 7 },
      ])
    }))

  it('reads every stored plan and every item once, and passes over what is no plan of the email service', () =>
    withEmpty(async ({ db }) => {
      await migrate(db, { now })
      const { bulk } = createStore(db, { now })
      const store = (id: string, doc: object, state = 'applied') =>
        db.run(
          `INSERT INTO changes (id, version, state, requester, intent, expires_at, updated_at, doc)
           VALUES ($1, 1, $2, 'p', 'i', 1, 1, $3)`,
          [id, state, JSON.stringify(doc)],
        )
      const said = (n: string) => ({ email: `${n}@x.se`, body: { customFields: { one: `cus_${n}` } } })
      const of = (name: string, plan: unknown, more = {}) => ({
        area: 'email',
        requester: { name, person: 'p' },
        updatedAt: 77,
        plan,
        ...more,
      })
      for (let n = 0; n < 201; n++) await store(`a${1000 + n}`, of('Ada', said(`many${n}`)))
      for (const state of ['applying', 'unknown', 'not_applied', 'failed', 'pending', 'rejected'])
        await store(`b-${state}`, of('Bo', said(state)), state)
      await store('c1', of('Cy', said('billing'), { area: 'billing' }))
      await store('c2', of('Cy', said('nobody'), { requester: null }))
      await store('d1', of('', said('nameless'), { requester: { person: 'Di' } }))
      await store('c3', of('Cy', null, { pinned: null }))
      await store('c4', of('Cy', 'words', { pinned: { set: 'set1' } }))
      await bulk.open('set1')
      await bulk.addChunks('set1', 0, [
        ...Array.from({ length: 201 }, (_, n) => [said(`item${n}`)]),
        ['words', said('last1'), said('last2')],
      ])
      await bulk.open('set2')
      await bulk.addChunks('set2', 0, [[said('elsewhere')]])
      await fieldsWritten(db)
      const rows = await db.all(
        z.object({ by: z.string(), at: z.number(), id: z.string() }),
        `SELECT person AS by, at, CASE WHEN one_kind = 'email' THEN one_id ELSE other_id END AS id FROM links`,
      )
      const names = (by: string) => rows.filter((row) => row.by === by).map(({ id }) => id.split('@')[0])
      const numbered = (word: string) => Array.from({ length: 201 }, (_, n) => `${word}${n}`)
      expect(new Set(names('Ada'))).toEqual(new Set(numbered('many')))
      expect(new Set(names('Bo'))).toEqual(new Set(['applying', 'unknown', 'not_applied', 'failed']))
      expect(names('Di')).toEqual(['nameless'])
      expect(new Set(names('Cy'))).toEqual(new Set([...numbered('item'), 'last1', 'last2']))
      expect(new Set(rows.map(({ at }) => at))).toEqual(new Set([77]))
    }))

  it('gives the messages of jobs and the places that refuse cards their own columns', () =>
    withEmpty(async ({ db }) => {
      await migrate(db, { now, migrations: allMigrations().filter(({ id }) => id < 6) })
      await db.run(
        `INSERT INTO bulk_jobs (id, state, total, chunks, digest, upto, since, since_done, shown_at, created_at, updated_at)
         VALUES ('j1', 'done', 0, 0, '', 0, 0, 0, 0, 0, 0), ('j2', 'done', 0, 0, '', 0, 0, 0, 0, 0, 0)`,
      )
      await db.run(
        `INSERT INTO cards (change_id, platform, address, place, version, at) VALUES
           ('j1', 'slack', 'C1:1', 'progress', 0, 0), ('j1', 'slack', 'C1:2', 'summary', 0, 0),
           ('c1', 'slack', '', 'origin', 1, 0), ('c1', 'slack', 'D1:1', 'aside', 1, 0)`,
      )
      await migrate(db, { now })
      const { bulk, cards } = createStore(db, { now })
      expect(await bulk.get('j1')).toMatchObject({ progressMessage: 'C1:1', summaryMessage: 'C1:2' })
      expect(await bulk.get('j2')).toMatchObject({ progressMessage: null, summaryMessage: null })
      expect((await cards.of('c1')).map(({ address }) => address)).toEqual(['D1:1'])
      expect(await cards.refusedBy('c1')).toEqual([{ platform: 'slack', place: 'origin' }])
      expect(await cards.of('j1')).toEqual([])
    }))

  it('leaves nothing of a migration that fails', () =>
    withEmpty(async (test) => {
      await migrate(test.db, { now })
      const broken = { ...addition, sql: [...addition.sql, 'CREATE NONSENSE'] }
      await expect(migrate(test.db, { now, migrations: [...allMigrations(), broken] })).rejects.toMatchObject(
        {
          kind: 'failed',
        },
      )
      expect((await recorded(test)).map(({ id }) => id)).not.toContain(addition.id)
      expect(await migrate(test.db, { now, migrations: [...allMigrations(), addition] })).toEqual([
        addition.id,
      ])
    }))

  it('refuses a database from a newer version', () =>
    withEmpty(async ({ db }) => {
      await migrate(db, { now, migrations: [...allMigrations(), addition] })
      await expect(migrate(db, { now })).rejects.toThrow(
        `The database is at version ${addition.id}, and this Bellhop knows versions up to ${newestVersion}.`,
      )
    }))

  it('is taken back from the newest to the one before it, and from nothing else, while no process runs', () =>
    withEmpty(async ({ db }) => {
      const first = {
        id: 1,
        name: 'first',
        sql: ['CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, ends_at BIGINT NOT NULL)'],
      }
      const second = {
        id: 2,
        name: 'second',
        sql: [
          'CREATE TABLE pets (name TEXT PRIMARY KEY)',
          'ALTER TABLE leases ADD COLUMN pet TEXT',
          'CREATE UNIQUE INDEX pets_by_name ON pets (name)',
        ],
      }
      const both = { now, migrations: [first, second] }
      await expect(migrateBack(db, both)).rejects.toThrow(
        'The database is at version 0, and only version 2 can be taken back',
      )
      await migrate(db, { now, migrations: [first] })
      await expect(migrateBack(db, both)).rejects.toThrow(
        'The database is at version 1, and only version 2 can be taken back',
      )
      await expect(migrateBack(db, { now, migrations: [] })).rejects.toThrow('The database is at version 1')
      await migrate(db, both)
      await expect(migrateBack(db, { now, migrations: [first] })).rejects.toThrow(
        'at version 2, and only version 1',
      )
      const lease = (name: string, endsAt: number) =>
        db.run('INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3)', [name, 'o', endsAt])
      await lease('process:over', 5_000)
      await lease('another process:', 9_000)
      await lease('process:one', 5_001)
      await expect(migrateBack(db, both)).rejects.toThrow('1 process runs on this database. Stop every bot')
      await lease('process:two', 9_000)
      await expect(migrateBack(db, both)).rejects.toThrow('2 processes run on this database.')
      await db.run("DELETE FROM leases WHERE name IN ('process:one', 'process:two')")
      expect([await migrateBack(db, both), await versionIn(db)]).toEqual([1, 1])
      await expect(db.run("INSERT INTO pets (name) VALUES ('rex')")).rejects.toMatchObject({ kind: 'failed' })
      await expect(db.run('UPDATE leases SET pet = NULL')).rejects.toMatchObject({ kind: 'failed' })
      expect(await migrate(db, both)).toEqual([2])
      await db.run("INSERT INTO pets (name) VALUES ('rex')")
    }))

  it('has a version: none where there is no table or nothing in it, and none to tell where the database is away', () =>
    withEmpty(async ({ db }) => {
      expect(await versionIn(db)).toBe(0)
      await migrate(db, { now, migrations: [] })
      expect(await versionIn(db)).toBe(0)
      await migrate(db, { now, migrations: [addition] })
      expect(await versionIn(db)).toBe(addition.id)
      await db.close()
      await expect(versionIn(db)).rejects.toMatchObject({ kind: 'down' })
    }))

  it('happens once when several start together', () =>
    withEmpty(async ({ url, dataDir }) => {
      const others = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url, dataDir })))
      const ran = await Promise.all(others.map((db) => migrate(db, { now })))
      expect(new Set(ran.flat())).toEqual(new Set(everything()))
      expect(ran.flat()).toHaveLength(everything().length)
      await Promise.all(others.map((db) => db.close()))
    }))
})
