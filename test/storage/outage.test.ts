import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import { newSigner } from '../../src/kernel/log/signer.ts'
import { verify } from '../../src/kernel/log/verify.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { openTestDatabase } from '../harness/database.ts'
import { crashCluster, createFolder, startCluster, stopCluster } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { sampleEntry } from './sample.ts'

const source = inject('postgres')
const bin = source?.bin ?? null
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

describe.skipIf(bin === null)('a PostgreSQL that crashes', () => {
  const openOwn = async () => {
    const folder = createFolder()
    cleanups.push(() => stopCluster(folder))
    const url = new URL(await startCluster(bin ?? '', folder))
    url.pathname = '/postgres'
    const warn = vi.fn()
    const db = await openDatabase({ url: url.href, log: { warn } })
    cleanups.push(() => db.close())
    await migrate(db, { now: Date.now })
    return { folder, db, warn }
  }

  it('fails what is under way as down, ends no process, and is used again when it is back', async () => {
    const { folder, db, warn } = await openOwn()
    const store = createStore(db, { now: Date.now })
    await Promise.all(Array.from({ length: 20 }, () => store.audit.append(sampleEntry())))

    const crashed = Promise.withResolvers<void>()
    const underWay = [
      db.all(z.unknown(), 'SELECT pg_sleep(90)'),
      store.tx((inner) => inner.deliveries.first('d0').then(() => crashed.promise)),
    ].map((each) =>
      each.then(
        () => 'fine',
        (error) => error,
      ),
    )
    await until(async () => {
      const active = `SELECT pid FROM pg_stat_activity
        WHERE query = 'SELECT pg_sleep(90)' AND state = 'active'
          OR state = 'idle in transaction'`
      expect(await db.all(z.unknown(), active)).toHaveLength(2)
    })
    crashCluster(bin ?? '', folder)
    crashed.resolve()
    const kinds = (await Promise.all(underWay)).map(({ name, kind }) => [name, kind])
    // What was to be committed with the next word may or may not have been.
    expect(kinds).toEqual([
      ['DatabaseError', 'down'],
      ['DatabaseError', expect.stringMatching(/^(down|unsure)$/)],
    ])
    await until(() => store.audit.append(sampleEntry()))
    await store.auditTree.sequence(newSigner())
    expect(await verify(store)).toMatchObject({ ok: true, entries: 22 })
    expect(warn).toHaveBeenCalledWith({ reason: expect.any(String) }, 'a database connection was lost')
  })

  it('is down while it is away', async () => {
    const { folder, db } = await openOwn()
    await stopCluster(folder)
    const store = createStore(db, { now: Date.now })
    await expect(store.ping()).rejects.toMatchObject({ kind: 'down' })
    await expect(store.deliveries.first('d1')).rejects.toMatchObject({ kind: 'down' })
    await expect(store.tx(async () => 1)).rejects.toMatchObject({ kind: 'down' })
  })
})

describe.skipIf(source === null)('a PostgreSQL that drops connections', () => {
  it('is reached again by the next transaction', async () => {
    const [test, other] = [await openTestDatabase('postgres'), await openTestDatabase('postgres')]
    cleanups.push(test.close, other.close)
    const store = createStore(test.db, { now: Date.now })
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 10 }, () => store.audit.append(sampleEntry())))
      await other.db.all(
        z.unknown(),
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [new URL(test.url ?? '').pathname.slice(1)],
      )
      await until(() => store.ping())
    }
    await store.auditTree.sequence(newSigner())
    expect(await verify(store)).toMatchObject({ ok: true, entries: 51 })
  })
})

describe.skipIf(source === null)('a transaction on PostgreSQL', () => {
  it('makes one trip for what waits for no answer, with its begin and its end', async () => {
    const test = await openTestDatabase('postgres')
    cleanups.push(test.close)
    // A connection that was not used for a while is tried first.
    await test.db.tx((db) => db.run('DELETE FROM leases'))
    const query = vi.spyOn(pg.Client.prototype, 'query')
    cleanups.push(async () => query.mockRestore())
    await test.db.tx(async (db) => {
      await db.later("INSERT INTO leases (name, owner, ends_at) VALUES ('a', 'o', 1)")
      await Promise.all([db.run('DELETE FROM leases'), db.all(z.unknown(), 'SELECT 1 AS one')])
      await db.later("INSERT INTO leases (name, owner, ends_at) VALUES ('b', 'o', 1)")
    })
    expect(query).toHaveBeenCalledTimes(2)
    await test.db.tx(async (db) => db.later('DELETE FROM leases'))
    expect(query).toHaveBeenCalledTimes(3)
    await test.db.tx(async () => undefined)
    expect(query).toHaveBeenCalledTimes(3)
  })

  it('makes one trip for the short statements of one moment', async () => {
    const test = await openTestDatabase('postgres')
    cleanups.push(test.close)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    cleanups.push(async () => query.mockRestore())
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        test.db.together.all(z.unknown(), 'SELECT owner FROM leases WHERE name = $1', [name]),
      ),
    )
    expect(query).toHaveBeenCalledTimes(1)
  })

  it('sends nothing again that may have run when its connection is lost', async () => {
    const test = await openTestDatabase('postgres')
    cleanups.push(test.close)
    await test.db.run('CREATE SEQUENCE runs')
    for (let at = 0; at < 2; at++) await test.db.tx((db) => db.run('DELETE FROM leases'))
    const lost = test.db.tx((db) =>
      Promise.all([
        db.all(z.unknown(), "SELECT nextval('runs')"),
        db.all(z.unknown(), 'SELECT pg_terminate_backend(pg_backend_pid())'),
      ]),
    )
    await expect(lost).rejects.toMatchObject({ kind: 'down' })
    expect(await test.db.all(z.object({ n: z.number() }), 'SELECT last_value AS n FROM runs')).toEqual([
      { n: 1 },
    ])
  })
})

describe('a database that cannot be opened', () => {
  it('is down when its folder is a file', async () => {
    const file = join(tmpdir(), `bellhop-file-${process.pid}`)
    writeFileSync(file, '')
    cleanups.push(async () => rmSync(file))
    await expect(openDatabase({ dataDir: file })).rejects.toMatchObject({ kind: 'down' })
  })

  it('is down when its file holds something else', async () => {
    const test = await openTestDatabase('sqlite')
    cleanups.push(test.close)
    await test.db.close()
    writeFileSync(join(test.dataDir ?? '', 'bellhop.sqlite'), 'these are not pages of a database'.repeat(500))
    await expect(openDatabase({ dataDir: test.dataDir })).rejects.toMatchObject({ kind: 'down' })
  })

  it('is down when nobody listens at its address', async () => {
    const db = await openDatabase({ url: 'postgres://bellhop@127.0.0.1:1/bellhop' })
    cleanups.push(() => db.close())
    await expect(migrate(db, { now: Date.now })).rejects.toMatchObject({ kind: 'down' })
  })

  it('does not repeat a password in the error about its address', async () => {
    const error = await openDatabase({ url: 'postgres://ada:hunter2@:x y' }).catch((each: Error) => each)
    expect(error).toMatchObject({ name: 'DatabaseError', kind: 'failed' })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter2')
  })
})
