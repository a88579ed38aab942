import { connect, createServer, type Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../../../src/lib/sql/open.ts'
import { openPostgres } from '../../../src/lib/sql/postgres.ts'
import { eachEngine, openTestDatabase } from '../../harness/database.ts'
import { listen } from '../../harness/listen.ts'
import { whenDone } from '../../harness/when-done.ts'

const pidRow = z.object({ pid: z.number() })
const ownPid = 'SELECT pg_backend_pid() AS pid'
/** What the server answers with a cancellation: nobody knows then how the connection is. */
const cancelled = 'SELECT pg_cancel_backend(pg_backend_pid())'

eachEngine('connections', (engine) => {
  if (engine === 'sqlite') {
    it('a statement that changes no rows says so', async () => {
      const { db, close } = await openTestDatabase(engine)
      whenDone(close)
      expect(await db.run('CREATE TABLE one (a BIGINT)')).toBe(0)
      expect(await db.together.run('CREATE TABLE two (a BIGINT)')).toBe(0)
    })
    return
  }

  const open = async () => {
    const test = await openTestDatabase(engine)
    whenDone(test.close)
    const { db } = test
    const pidOf = {
      tx: () => db.tx(async (inner) => (await inner.all(pidRow, ownPid))[0]?.pid),
      together: async () => (await db.together.all(pidRow, ownPid))[0]?.pid,
    }
    return { ...test, pidOf, any: z.unknown() }
  }

  it('are kept where the work was given up or a statement refused, and not where nobody knows', async () => {
    const { db, pidOf, any } = await open()
    const first = await pidOf.tx()
    await expect(
      db.tx(async (inner) => {
        await inner.run('DELETE FROM leases')
        throw new Error('mine')
      }),
    ).rejects.toThrow('mine')
    await expect(db.tx((inner) => inner.run('DELETE FROM nowhere'))).rejects.toMatchObject({ kind: 'failed' })
    await expect(db.together.run('DELETE FROM nowhere')).rejects.toMatchObject({ kind: 'failed' })
    expect([await pidOf.tx(), await pidOf.together()]).toEqual([first, first])

    await expect(db.together.all(any, cancelled)).rejects.toMatchObject({ kind: 'down' })
    const second = await pidOf.tx()
    expect(second).not.toBe(first)
    await expect(db.tx((inner) => inner.all(any, cancelled))).rejects.toMatchObject({ kind: 'down' })
    expect(await pidOf.tx()).not.toBe(second)
  })

  it('of statements that leave together none is sent again when the server cancelled one', async () => {
    const { db } = await open()
    const insert = (id: string) => db.together.run('INSERT INTO deliveries (id, at) VALUES ($1, 1)', [id])
    const settled = await Promise.allSettled([
      insert('a'),
      db.together.run(
        "INSERT INTO deliveries (id, at) SELECT 'c', 1 WHERE pg_cancel_backend(pg_backend_pid())",
      ),
      insert('b'),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await db.all(z.object({ id: z.string() }), 'SELECT id FROM deliveries')).toEqual([])
    expect(await insert('b')).toBe(1)
  })

  it('a statement that changes no rows says so, and values that leave together are what they were', async () => {
    const { db, any } = await open()
    expect(await db.run('CREATE TABLE one (a BIGINT)')).toBe(0)
    expect(await db.together.run('CREATE TABLE two (a BIGINT)')).toBe(0)
    const row = z.object({ a: z.boolean().nullable() })
    const both = await db.tx((inner) =>
      Promise.all(
        [true, false, null].map((value) => inner.all(row, 'SELECT CAST($1 AS BOOLEAN) AS a', [value])),
      ),
    )
    expect(both).toEqual([[{ a: true }], [{ a: false }], [{ a: null }]])
    for (const bad of [{}, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(
        db.tx((inner) =>
          Promise.all([inner.run('DELETE FROM one'), inner.all(any, 'SELECT $1::text', [bad])]),
        ),
      ).rejects.toMatchObject({ kind: 'failed' })
  })

  it('are shared by as many statements as come at once, each with its own answer', async () => {
    const { db } = await open()
    const row = z.object({ n: z.number() })
    const asked = Array.from({ length: 150 }, (_, n) => n)
    const answers = asked.map((n) => db.together.all(row, 'SELECT CAST($1 AS INT) AS n', [n]))
    expect((await Promise.all(answers)).flat().map(({ n }) => n)).toEqual(asked)
    const written = asked.map((n) =>
      db.together.run('INSERT INTO deliveries (id, at) VALUES ($1, $2)', [`${n % 149}`, n]),
    )
    const ends = await Promise.allSettled(written)
    // The last of them has an id that is taken: it fails alone.
    expect(ends.map(({ status }) => status)).toEqual(asked.map((n) => (n === 149 ? 'rejected' : 'fulfilled')))
    expect(await db.all(row, 'SELECT COUNT(*) AS n FROM deliveries')).toEqual([{ n: 149 }])
  })

  it('remember some plans each, and statements beyond them run all the same', async () => {
    const { db } = await open()
    const row = z.object({ n: z.number() })
    await db.tx(async (inner) => {
      for (let n = 0; n < 300; n++)
        expect(await inner.all(row, `SELECT CAST($1 AS INT) + ${n} AS n`, [1])).toEqual([{ n: n + 1 }])
      const [{ n } = { n: 0 }] = await inner.all(row, 'SELECT COUNT(*) AS n FROM pg_prepared_statements')
      expect(n).toBeLessThanOrEqual(250)
    })
  })

  it('a transaction that the server undid is not reported as done', async () => {
    const { url = '' } = await open()
    const driver = openPostgres(url)
    whenDone(() => driver.close())
    const undone = driver.tx(async (connection) => {
      await connection.run('DELETE FROM leases', [])
      await connection.run('DELETE FROM nowhere', []).catch(() => undefined)
    })
    await expect(undone).rejects.toMatchObject({
      kind: 'failed',
      message: 'The database undid a transaction',
    })
    await driver.tx((connection) => connection.run('DELETE FROM leases', []))
  })

  /** A way to the server that cuts a connection when the next words come along it, or brings no answers. */
  const openThroughWire = async (settings: Record<string, string> = {}) => {
    const { url = '' } = await open()
    const server = new URL(url)
    const folder = server.searchParams.get('host')
    const port = Number(server.port || 5432)
    const there = folder === null ? { host: server.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` }
    const wire = { isCut: false, cuts: 0, isSilent: false }
    const sockets = new Set<Socket>()
    const proxy = createServer((client) => {
      const to = connect(there)
      for (const [one, other] of [
        [client, to],
        [to, client],
      ] as const) {
        sockets.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
      }
      to.on('data', (bytes) => {
        if (!wire.isSilent) client.write(bytes)
      })
      client.on('data', (bytes) => {
        if (!wire.isCut) return void to.write(bytes)
        wire.isCut = false
        wire.cuts++
        client.destroy()
      })
    })
    const listening = await listen(proxy)
    whenDone(() => {
      for (const socket of sockets) socket.destroy()
      return listening.close()
    })
    server.searchParams.delete('host')
    for (const [name, value] of Object.entries(settings)) server.searchParams.set(name, value)
    server.host = `127.0.0.1:${listening.port}`
    const db = await openDatabase({ url: server.href })
    whenDone(() => db.close())
    return { wire, db }
  }

  /** Each holds its connection until all have one, so that three are open and none is being opened. */
  const threeAtOnce = async (db: Awaited<ReturnType<typeof openDatabase>>) => {
    const all = Promise.withResolvers<void>()
    let begun = 0
    const one = () =>
      db.tx(async (inner) => {
        await inner.all(pidRow, ownPid)
        if (++begun === 3) all.resolve()
        await all.promise
      })
    await Promise.all([one(), one(), one()])
  }

  it('one that was idle for a while is tried before anything is sent along it, and one that was just used is not', async () => {
    const { wire, db } = await openThroughWire()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000)
    whenDone(() => clock.mockRestore())
    const write = (id: string) =>
      db.tx((inner) => inner.run('INSERT INTO deliveries (id, at) VALUES ($1, 1)', [id]))
    await write('first')
    clock.mockReturnValue(11_000)
    wire.isCut = true
    expect(await write('replaced')).toBe(1)
    clock.mockReturnValue(11_999)
    wire.isCut = true
    await expect(write('lost')).rejects.toMatchObject({ kind: 'down' })
    expect([await write('afterwards'), wire.cuts]).toEqual([1, 2])
  })

  it('those that were idle while another was lost are tried before anything is sent along them, however lately they worked', async () => {
    const { wire, db } = await openThroughWire()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000)
    whenDone(() => clock.mockRestore())
    const write = (id: string) =>
      db.tx((inner) => inner.run('INSERT INTO deliveries (id, at) VALUES ($1, 1)', [id]))
    await threeAtOnce(db)
    wire.isCut = true
    await expect(write('lost')).rejects.toMatchObject({ kind: 'down' })
    wire.isCut = true
    expect([await write('next'), wire.cuts]).toEqual([1, 2])
  })

  it('one on which work that was given up could not be undone does not come back', async () => {
    const { wire, db } = await openThroughWire({ query_timeout: '300' })
    const pid = async () => (await db.all(pidRow, ownPid))[0]?.pid
    const first = await pid()
    const givenUp = db.tx(async (inner) => {
      expect(await inner.all(pidRow, ownPid)).toEqual([{ pid: first }])
      wire.isSilent = true
      throw new Error('mine')
    })
    await expect(givenUp).rejects.toThrow('mine')
    wire.isSilent = false
    expect(await pid()).not.toBe(first)
  })

  it('one that is lost under a statement does not come back', async () => {
    const { wire, db } = await openThroughWire()
    const count = () =>
      db.together.all(z.object({ n: z.number() }), 'SELECT COUNT(*) AS n FROM deliveries WHERE at > 0')
    expect(await count()).toEqual([{ n: 0 }])
    wire.isCut = true
    await expect(count()).rejects.toMatchObject({ kind: 'down' })
    expect([await count(), wire.cuts]).toEqual([[{ n: 0 }], 1])
  })
})
