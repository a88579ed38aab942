import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { Database } from '../../../src/lib/sql/database.ts'
import { eachEngine, openTestDatabase, type TestDatabase } from '../../harness/database.ts'

eachEngine('a database', (engine) => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await openTestDatabase(engine)
  })
  afterAll(() => test.close())

  const names = async () =>
    (await test.db.all(z.object({ name: z.string() }), 'SELECT name FROM leases ORDER BY name')).map(
      ({ name }) => name,
    )
  const put = (name: string, db = test.db) =>
    db.run('INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3)', [name, 'o', 1])

  it('keeps what a transaction did', async () => {
    await test.db.tx(async (db) => {
      await put('kept', db)
    })
    expect(await names()).toContain('kept')
  })

  it('undoes a transaction whose work throws, and passes the error on as it is', async () => {
    const error = new Error('mine')
    await expect(
      test.db.tx(async (db) => {
        await put('undone', db)
        throw error
      }),
    ).rejects.toBe(error)
    expect(await names()).not.toContain('undone')
  })

  it('undoes a transaction in which a statement failed, though the error was caught', async () => {
    await expect(
      test.db.tx(async (db) => {
        await put('doomed', db)
        await db.run('INSERT INTO nowhere (a) VALUES (1)').catch(() => undefined)
        return 'fine'
      }),
    ).rejects.toMatchObject({ name: 'DatabaseError', kind: 'failed' })
    expect(await names()).not.toContain('doomed')
  })

  it('takes a transaction inside a transaction as part of it', async () => {
    await test.db
      .tx(async (outer) => {
        await outer.tx((inner) => put('nested', inner))
        throw new Error('after all')
      })
      .catch(() => undefined)
    expect(await names()).not.toContain('nested')
  })

  it('keeps other statements out of a running transaction', async () => {
    const [inside, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const running = test.db.tx(async (db) => {
      await put('halfway', db)
      inside.resolve()
      await asked.promise
      await db.run('DELETE FROM leases WHERE name = $1', ['halfway'])
    })
    await inside.promise
    const seen = names()
    asked.resolve()
    await running
    expect(await seen).not.toContain('halfway')
  })

  it('refuses a statement that goes around its own transaction, which would wait for ever', async () => {
    await expect(test.db.tx(() => put('around'))).rejects.toMatchObject({ kind: 'failed' })
    await expect(test.db.tx(() => test.db.tx(async () => 1))).rejects.toMatchObject({ kind: 'failed' })
    expect(await names()).not.toContain('around')
  })

  it('refuses a statement that comes after its transaction', async () => {
    const leaked = await test.db.tx(async (db) => db)
    await expect(put('late', leaked)).rejects.toMatchObject({ kind: 'failed' })
    expect(await names()).not.toContain('late')
  })

  it('runs statements of one transaction that overlap', async () => {
    await test.db.tx((db) => Promise.all(['a1', 'a2', 'a3'].map((name) => put(name, db))))
    expect(await names()).toEqual(expect.arrayContaining(['a1', 'a2', 'a3']))
  })

  it('gives back any text it can hold, the same on both engines, alone and together with others', async () => {
    const texts = [
      '',
      "it's",
      '"$1" ?1 $2',
      'naïve 🛎️',
      'line\nbreak',
      'nul\0here',
      'lone \ud800 half',
      "\\' --;",
    ]
    const read = async (db: Database, text: string) =>
      (await db.all(z.object({ text: z.string() }), 'SELECT CAST($1 AS TEXT) AS text', [text]))[0]?.text
    const expected = texts.map((text) => text.toWellFormed().replace('\0', '\ufffd'))
    expect(await Promise.all(texts.map((text) => read(test.db, text)))).toEqual(expected)
    expect(await test.db.tx((db) => Promise.all(texts.map((text) => read(db, text))))).toEqual(expected)
  })

  it('gives back numbers that leave together with others as they were', async () => {
    const numbers = [0, -5, 0.1, 1e21, 1_794_000_000_123, null]
    const row = z.object({ a: z.number().nullable() })
    const found = await test.db.tx((db) =>
      Promise.all(numbers.map((n) => db.all(row, 'SELECT CAST($1 AS DOUBLE PRECISION) AS a', [n]))),
    )
    expect(found.flat().map(({ a }) => a)).toEqual(numbers)
  })

  it('keeps what was written for later in its transaction, in its order', async () => {
    await test.db.tx(async (db) => {
      await db.later('INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3)', ['l1', 'o', 1])
      await db.later('UPDATE leases SET owner = $2 WHERE name = $1', ['l1', 'p'])
      expect(
        await db.all(z.object({ owner: z.string() }), "SELECT owner FROM leases WHERE name = 'l1'"),
      ).toEqual([{ owner: 'p' }])
      await db.later("DELETE FROM leases WHERE name = 'l1'")
    })
    expect(await names()).not.toContain('l1')
  })

  it('undoes a transaction when what was written for later fails', async () => {
    await expect(
      test.db.tx(async (db) => {
        await put('with it', db)
        await db.later('INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3)', ['with it', 'o', 1])
        await db.later('INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3)', ['behind it', 'o', 1])
      }),
    ).rejects.toMatchObject({ name: 'DatabaseError', kind: 'failed' })
    expect(await names()).not.toContain('with it')
    expect(await names()).not.toContain('behind it')
    await put('with it')
  })

  it('runs short statements that come together each with its own end', async () => {
    const insert = (name: string) =>
      test.db.together.run(
        'INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
        [name, "o'", 7],
      )
    const owner = z.object({ owner: z.string() })
    const read = (name: string) =>
      test.db.together.all(owner, 'SELECT owner FROM leases WHERE name = $1', [name])
    const ends = await Promise.allSettled([
      insert('s1'),
      insert('s1'),
      test.db.together.run('INSERT INTO nowhere (a) VALUES (1)'),
      insert('s2'),
    ])
    expect(ends).toMatchObject([{ value: 1 }, { value: 0 }, { reason: { kind: 'failed' } }, { value: 1 }])
    const found = await Promise.allSettled([
      read('s1'),
      read('none'),
      test.db.together.all(owner, 'SELECT nothing'),
      read('s2'),
    ])
    expect(found).toMatchObject([
      { value: [{ owner: "o'" }] },
      { value: [] },
      { reason: { kind: 'failed' } },
      { value: [{ owner: "o'" }] },
    ])
  })

  it('gives numbers as numbers, beyond 32 bits too', async () => {
    const [row] = await test.db.all(
      z.object({ n: z.number() }),
      'SELECT CAST($1 AS BIGINT) AS n',
      [1_794_000_000_123],
    )
    expect(row).toEqual({ n: 1_794_000_000_123 })
  })

  it('calls a row of the wrong shape a failure', async () => {
    await expect(test.db.all(z.object({ one: z.string() }), 'SELECT 1 AS one')).rejects.toMatchObject({
      name: 'DatabaseError',
      kind: 'failed',
    })
  })

  it('is down once it is closed', async () => {
    const other = await openTestDatabase(engine)
    await other.db.close()
    await other.db.close()
    await expect(other.db.run('DELETE FROM leases')).rejects.toMatchObject({ kind: 'down' })
    await other.close()
  })

  if (engine === 'postgres')
    it('goes on where a pooler keeps no statements between transactions', async () => {
      const both = (name: string) =>
        test.db.tx(async (db) => {
          await put(`${name}, first`, db)
          await put(`${name}, second`, db)
        })
      await both('before')
      await test.db.tx((db) => db.run('DEALLOCATE ALL'))
      const failures: unknown[] = []
      for (const name of ['one', 'two', 'three']) {
        await both(name).catch((error: unknown) => failures.push(error))
        await test.db.tx((db) => db.run('DEALLOCATE ALL'))
      }
      expect(failures.length).toBeLessThan(2)
      for (const error of failures) expect(error).toMatchObject({ name: 'DatabaseError', kind: 'down' })
      await both('afterwards')
      expect((await names()).filter((name) => /^(three|afterwards), /.test(name))).toHaveLength(4)
    })
})
