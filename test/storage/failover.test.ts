import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import type { Database } from '../../src/lib/sql/database.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { replicationOf } from '../../src/lib/sql/replication.ts'
import { type Node, openHaProxy, openPair, openPgBouncer } from '../harness/standby.ts'
import { until } from '../harness/until.ts'
import { whenDone } from '../harness/when-done.ts'

const bin = inject('postgres')?.bin ?? null
const one = z.object({ one: z.number() })

type Way = { url: string; moved?(to: Node): void }
const ways: Record<string, (pair: Awaited<ReturnType<typeof openPair>>) => Promise<Way>> = {
  'an address of both': async ({ url }) => ({ url }),
  'PgBouncer in session mode': async ({ primary }) => {
    const { url, pointTo } = await openPgBouncer(primary, 'session')
    return { url, moved: pointTo }
  },
  'PgBouncer in transaction mode': async ({ primary }) => {
    const { url, pointTo } = await openPgBouncer(primary, 'transaction')
    return { url, moved: pointTo }
  },
  'HAProxy with a health check': async ({ primary, standby }) => openHaProxy([primary, standby]),
}

const open = async (url: string): Promise<Database> => {
  const db = await openDatabase({ url })
  whenDone(() => db.close())
  await until(() => db.all(one, 'SELECT 1 AS one'))
  return db
}

it('is no storm: while no server lets it in, a process asks one at a time, with pauses that are left to chance', async () => {
  const attempts: number[] = []
  const server = createServer((socket) => {
    attempts.push(performance.now())
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `postgres://bellhop@127.0.0.1:${(server.address() as AddressInfo).port}/bellhop`
  const processes = 5
  const dbs = await Promise.all(Array.from({ length: processes }, () => openDatabase({ url })))
  const end = performance.now() + 2_000
  const asking = dbs.flatMap((db) =>
    Array.from({ length: 20 }, async () => {
      while (performance.now() < end) {
        await db.all(one, 'SELECT 1 AS one').catch(() => undefined)
        await sleep(5)
      }
    }),
  )
  await Promise.all(asking)
  await Promise.all(dbs.map((db) => db.close()))
  server.close()
  // Of each process about one in 0.3 s on average, and never two within the shortest pause.
  expect(attempts.length).toBeGreaterThan(processes)
  expect(attempts.length).toBeLessThan(processes * 20)
})

describe.skipIf(bin === null)('a failover', () => {
  it.each(Object.entries(ways))(
    'through %s: the first command is answered within two seconds',
    async (_, way) => {
      const pair = await openPair(bin ?? '')
      const { primary, standby } = pair
      const { url, moved } = await way(pair)
      const db = await open(url)
      await migrate(db, { now: Date.now })
      const store = createStore(db, { now: Date.now })
      // Connections that are used, and some that are idle.
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => store.tx((inner) => inner.deliveries.first(`before ${n}`))),
      )
      await until(async () => {
        const [row] = await standby.ask<{ n: string }>('SELECT count(*) AS n FROM deliveries')
        expect(Number(row?.n)).toBe(8)
      })

      primary.stop('immediate')
      const early = performance.now()
      const kind = await store
        .tx((inner) => inner.deliveries.first('during'))
        .then(
          () => 'stored',
          ({ kind: told }) => told as string,
        )
      expect(kind).toMatch(/^(down|unsure)$/)
      expect(performance.now() - early).toBeLessThan(6_000)
      standby.promote()
      moved?.(standby)
      await until(() => standby.ask('CREATE TABLE takes_writes (id INT)'))
      const from = performance.now()
      let tries = 0
      for (;;) {
        const done = await store
          .tx((inner) => inner.deliveries.first(`after ${tries++}`))
          .catch(() => undefined)
        if (done !== undefined) break
        await sleep(50)
      }
      const ms = performance.now() - from
      expect(ms).toBeLessThan(2_000)
      // All of its connections, and not the first alone.
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => store.tx((inner) => inner.deliveries.first(`all ${n}`))),
      )
    },
  )

  it('of a server that vanishes without a word: nobody waits for the connections to it', async () => {
    const { primary, standby, url } = await openPair(bin ?? '')
    const db = await open(url)
    await db.run('CREATE TABLE written (id INT)')
    await until(async () => expect(await standby.ask('SELECT * FROM written')).toEqual([]))
    const write = (id: number) => db.tx((inner) => inner.run('INSERT INTO written (id) VALUES ($1)', [id]))
    await Promise.all([1, 2, 3].map(write))
    primary.freeze()
    const underWay = write(4).catch(({ kind }) => kind)
    standby.promote()
    const from = performance.now()
    // The first looks along a connection that was used just now: it says within seconds that nobody knows.
    expect(await underWay).toMatch(/^(down|unsure)$/)
    await until(() => write(5))
    expect(performance.now() - from).toBeLessThan(8_000)
    primary.thaw()
  })

  it('leaves a server that only reads from now on, under its connections, for the one that can be written to', async () => {
    const { primary, standby, url } = await openPair(bin ?? '')
    const db = await open(url)
    await db.run('CREATE TABLE written (id INT)')
    await until(async () => expect(await standby.ask('SELECT * FROM written')).toEqual([]))
    standby.promote()
    await primary.ask('ALTER SYSTEM SET default_transaction_read_only = on')
    await primary.ask('SELECT pg_reload_conf()')
    await until(async () => {
      const [row] = await primary.ask<{ default_transaction_read_only: string }>(
        'SHOW default_transaction_read_only',
      )
      expect(row?.default_transaction_read_only).toBe('on')
    })
    // At most the first is told that nothing was done.
    const outcomes = []
    for (let n = 0; n < 5; n++)
      outcomes.push(
        await db
          .tx((inner) => inner.run('INSERT INTO written (id) VALUES ($1)', [n]))
          .catch(({ kind }) => kind),
      )
    expect(outcomes.filter((told) => told !== 1)).toEqual(outcomes[0] === 1 ? [] : ['down'])
    expect(await standby.ask('SELECT * FROM written')).toHaveLength(
      outcomes.filter((told) => told === 1).length,
    )
  })

  it('is told beforehand where a standby does not confirm, and nothing unconfirmed is taken for stored', async () => {
    const { primary, standby, url } = await openPair(bin ?? '')
    const db = await open(`${url}&options=-c%20statement_timeout%3D0`)
    expect(await replicationOf(db)).toMatchObject({
      isConfirmed: false,
      words: expect.stringContaining('waits for none'),
    })
    await primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await primary.ask("ALTER SYSTEM SET synchronous_commit = 'local'")
    await primary.ask('SELECT pg_reload_conf()')
    const other = await until(async () => {
      const fresh = await open(url)
      expect(await replicationOf(fresh)).toMatchObject({ isConfirmed: true })
      return fresh
    })
    await other.run('CREATE TABLE votes (id INT)')
    // What the server asks for by itself would not wait: what Bellhop asks for does.
    const level = z.object({ level: z.string() })
    const asked = await other.tx((inner) =>
      inner.all(level, "SELECT current_setting('synchronous_commit') AS level"),
    )
    expect(asked).toEqual([{ level: 'on' }])
    standby.stop('immediate')
    const vote = other.tx((inner) => inner.run('INSERT INTO votes (id) VALUES (1)'))
    const told = vote.then(
      () => 'stored',
      ({ kind }) => kind as string,
    )
    await sleep(500)
    // It waits, until somebody ends the wait: as the limit of a statement does.
    await until(async () => {
      const rows = await primary.ask(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      )
      expect(rows.length).toBeGreaterThan(0)
    })
    expect(await told).toBe('unsure')
  })
})
