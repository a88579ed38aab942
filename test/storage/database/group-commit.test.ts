import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import { verify } from '../../../src/kernel/log/verify.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { createGroupCommit } from '../../../src/lib/sql/group-commit.ts'
import { eachEngine, openTestDatabase } from '../../harness/database.ts'
import { sampleChange, sampleEntry } from '../sample.ts'

const many = Array.from({ length: 300 }, (_, at) => at)

eachEngine('work that is asked for at the same moment', (engine) => {
  it('fails alone: what stands before and after it is stored', async () => {
    const test = await openTestDatabase(engine)
    const store = createStore(test.db, { now: Date.now })
    const settled = await Promise.allSettled(
      many.map((at) =>
        at % 3 === 0
          ? store.tx(async (inner) => {
              await inner.audit.append(sampleEntry({ changeId: `c${at}` }))
              if (at % 2 === 0) throw new Error('changed my mind')
            })
          : at % 3 === 1
            ? test.db.run('INSERT INTO deliveries (id, at) VALUES ($1, $2)', [`d${at % 100}`, at])
            : store.changes.insert(sampleChange({ id: `c${at}` })),
      ),
    )
    const [{ n: deliveries } = { n: 0 }] = await test.db.all(
      z.object({ n: z.number() }),
      'SELECT COUNT(*) AS n FROM deliveries',
    )
    const stored = (which: number) =>
      settled.filter(({ status }, at) => at % 3 === which && status === 'fulfilled').length
    expect(stored(0)).toBe(50)
    await store.auditTree.sequence(newSigner())
    expect(await verify(store)).toMatchObject({ ok: true, entries: 51 })
    expect(deliveries).toBe(stored(1))
    expect(stored(1)).toBe(100)
    expect(await store.changes.list({ limit: 1_000 })).toHaveLength(100)
    await test.close()
  })
})

describe('an SQLite file that is closed', () => {
  it('has done what came before, and does nothing that comes after', async () => {
    const test = await openTestDatabase('sqlite')
    const store = createStore(test.db, { now: Date.now })
    const before = Promise.all(many.map((at) => store.deliveries.first(`before${at}`)))
    const closed = test.db.close()
    const after = store.deliveries.first('after')
    expect(await before).toEqual(many.map(() => true))
    await closed
    await expect(after).rejects.toMatchObject({ kind: 'down' })
    await test.close()
  })
})

describe('who waits for the disk', () => {
  /** A disk that is done when the test says so. */
  const openGroups = () => {
    const sqlite = new DatabaseSync(':memory:')
    sqlite.exec('CREATE TABLE t (n)')
    const asked: PromiseWithResolvers<void>[] = []
    const groups = createGroupCommit({
      sqlite,
      patiently: async (attempt) => attempt(),
      translated: (attempt) => attempt(),
      sync: () => {
        const syncing = Promise.withResolvers<void>()
        asked.push(syncing)
        return syncing.promise
      },
    })
    const told: string[] = []
    const write = (name: string, when?: Parameters<typeof groups.enlist>[2]) =>
      groups
        .enlist('statement', () => Number(sqlite.prepare('INSERT INTO t VALUES (1)').run().changes), when)
        .then(
          () => void told.push(name),
          () => void told.push(`${name} failed`),
        )
    return { groups, asked, told, write }
  }
  const turns = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  it('is who wrote, and who goes behind others that are not on it yet', async () => {
    const { asked, told, write } = openGroups()
    void write('told at once', 'buffered')
    await turns()
    void write('told when stored')
    await turns()
    void write('told behind it', 'ordered')
    await turns()
    expect(told).toEqual(['told at once'])
    for (const { resolve } of asked) resolve()
    await turns()
    expect(told).toEqual(['told at once', 'told when stored', 'told behind it'])
    void write('told behind nobody', 'ordered')
    await turns()
    expect(told.at(-1)).toBe('told behind nobody')
  })

  it('is nobody where everything is on it: the disk is not asked again', async () => {
    const { groups, asked, write } = openGroups()
    void groups.synced()
    await turns()
    expect(asked).toHaveLength(0)
    void write('stored')
    await turns()
    for (const { resolve } of asked) resolve()
    await turns()
    void groups.synced()
    await turns()
    expect(asked).toHaveLength(1)
    void write('not yet', 'buffered')
    await turns()
    void groups.synced()
    await turns()
    expect(asked).toHaveLength(2)
  })

  it('is who goes with others in one group of which one is to be on it', async () => {
    const { asked, told, write } = openGroups()
    void write('first', 'ordered')
    void write('at once', 'buffered')
    await turns()
    expect([told, asked.length]).toEqual([['first', 'at once'], 0])
    void write('behind them', 'ordered')
    void write('at once again', 'buffered')
    await turns()
    expect(told.slice(2)).toEqual(['at once again'])
    for (const { resolve } of asked) resolve()
    await turns()
    expect(told.slice(3)).toEqual(['behind them'])
    void write('with it', 'ordered')
    void write('on it')
    void write('never waits', 'buffered')
    await turns()
    expect(told.slice(4)).toEqual(['never waits'])
    for (const { resolve } of asked) resolve()
    await turns()
    expect(told.slice(5)).toEqual(['with it', 'on it'])
  })

  it('is told when the file was closed under it, alone and in a group', async () => {
    for (const many of [1, 3]) {
      const sqlite = new DatabaseSync(':memory:')
      const groups = createGroupCommit({
        sqlite,
        patiently: async (attempt) => attempt(),
        translated: (attempt) => attempt(),
        sync: async () => undefined,
      })
      const all = Array.from({ length: many }, () =>
        groups.enlist('transaction', async () => {
          if (sqlite.isOpen) sqlite.close()
          throw new Error('the last words')
        }),
      )
      const settled = await Promise.allSettled(all)
      expect(settled.map(({ status }) => status)).toEqual(all.map(() => 'rejected'))
    }
  })

  it('is told when the disk fails', async () => {
    const { groups, asked, told, write } = openGroups()
    void write('lost')
    await turns()
    asked[0]?.reject(new Error('no space left'))
    await turns()
    expect(told).toEqual(['lost failed'])
    const synced = groups.synced()
    asked[1]?.resolve()
    await synced
  })
})

describe('what is sent to the file', () => {
  const openGroups = () => {
    const file = new DatabaseSync(':memory:')
    file.exec('CREATE TABLE t (n)')
    const sent: string[] = []
    const stored = { count: 0 }
    const groups = createGroupCommit({
      sqlite: {
        exec: (sql) => {
          sent.push(sql)
          file.exec(sql)
        },
        get isOpen() {
          return file.isOpen
        },
        get isTransaction() {
          return file.isTransaction
        },
      },
      patiently: async (attempt) => attempt(),
      translated: (attempt) => {
        try {
          return attempt()
        } catch (error) {
          throw new Error('translated', { cause: error })
        }
      },
      sync: async () => void stored.count++,
    })
    const insert = (n: number) => Number(file.prepare('INSERT INTO t VALUES (?)').run(n).changes)
    const rows = () =>
      file
        .prepare('SELECT n FROM t ORDER BY n')
        .all()
        .map(({ n }) => n)
    return { groups, file, sent, stored, insert, rows }
  }
  const all = (...jobs: Promise<unknown>[]) =>
    Promise.allSettled(jobs).then((ends) =>
      ends.map((end) => (end.status === 'fulfilled' ? end.value : (end.reason as Error).message)),
    )
  const fails = () => {
    throw new Error('mine')
  }

  it('is one transaction for what is asked in one turn, in which each can be undone alone', async () => {
    const { groups, sent, stored, insert, rows } = openGroups()
    const ends = await all(
      groups.enlist('statement', () => insert(1)),
      groups.enlist('statement', () => {
        insert(2)
        return fails()
      }),
      groups.enlist('transaction', async () => {
        insert(3)
        return fails()
      }),
      groups.enlist('read', () => 'read', 'buffered'),
      groups.enlist('transaction', async () => insert(4)),
    )
    expect(ends).toEqual([1, 'translated', 'mine', 'read', 1])
    expect(rows()).toEqual([1, 4])
    const [kept, undone] = [
      ['SAVEPOINT job', 'RELEASE job'],
      ['SAVEPOINT job', 'ROLLBACK TO job', 'RELEASE job'],
    ]
    expect(sent).toEqual(
      ['BEGIN IMMEDIATE', ...kept, ...undone, ...undone, ...kept, ...kept, 'COMMIT'].flat(),
    )
    expect(stored.count).toBeGreaterThan(0)
  })

  it('is no transaction for one statement or for reads, and no savepoint for one transaction', async () => {
    const { groups, sent, stored, insert } = openGroups()
    const read = () => groups.enlist('read', () => ['row'], 'buffered')
    expect(await all(read(), read(), read())).toEqual([['row'], ['row'], ['row']])
    expect(await all(groups.enlist('statement', () => insert(1)))).toEqual([1])
    expect([sent, stored.count]).toEqual([[], 1])
    expect(await all(groups.enlist('transaction', async () => insert(2)))).toEqual([1])
    expect(await all(groups.enlist('transaction', async () => fails()))).toEqual(['mine'])
    expect(sent).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'BEGIN IMMEDIATE', 'ROLLBACK'])
    await groups.synced()
    expect(stored.count).toBe(2)
  })

  it.each<[unknown, number]>([
    [0, 0],
    [1, 1],
    [2, 1],
    [[], 0],
    [[{ n: 1 }], 1],
  ])('asks the disk where a statement changed something: %o, %i times', async (result, times) => {
    const { groups, stored } = openGroups()
    expect(await groups.enlist('statement', () => result)).toBe(result)
    await groups.synced()
    expect(stored.count).toBe(times)
  })

  it('comes of one transaction after the other, and of what was asked meanwhile behind it', async () => {
    const { groups, sent, insert, rows } = openGroups()
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = groups.enlist('transaction', async () => {
      begun.resolve()
      await go.promise
      return insert(1)
    })
    await begun.promise
    const second = groups.enlist('transaction', async () => rows())
    const third = groups.enlist('statement', () => insert(2))
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toEqual(['BEGIN IMMEDIATE'])
    go.resolve()
    expect(await all(first, second, third)).toEqual([1, [1], 1])
    expect(sent.filter((sql) => sql === 'BEGIN IMMEDIATE')).toHaveLength(2)
  })

  it('fails for all of a group whose transaction the file has ended', async () => {
    const { groups, file, insert, rows } = openGroups()
    const ends = await all(
      groups.enlist('statement', () => insert(1)),
      groups.enlist('transaction', async () => {
        file.exec('ROLLBACK')
        return fails()
      }),
      groups.enlist('statement', () => insert(2)),
    )
    expect(ends).toEqual(['mine', 'mine', 'mine'])
    expect(rows()).toEqual([])
    expect(await all(groups.enlist('statement', () => insert(3)))).toEqual([1])
  })

  it('is nothing behind a close, which waits for what came before it, and at most 128 in one group', async () => {
    const { groups, sent, insert } = openGroups()
    const order: string[] = []
    const write = (name: string) =>
      groups.enlist('statement', () => {
        order.push(name)
        return insert(1)
      })
    const close = groups.enlist('close', async () => void order.push('close'), 'buffered')
    await all(close, write('a'), write('b'))
    expect(order).toEqual(['close', 'a', 'b'])
    order.length = 0
    sent.length = 0
    const before = Array.from({ length: 130 }, (_, n) => write(`${n}`))
    await all(
      ...before,
      groups.enlist('close', async () => void order.push('close'), 'buffered'),
      write('z'),
    )
    expect(order).toEqual([...Array.from({ length: 130 }, (_, n) => `${n}`), 'close', 'z'])
    expect(sent.filter((sql) => sql === 'BEGIN IMMEDIATE')).toHaveLength(2)
    expect(sent.slice(0, 257).filter((sql) => sql === 'SAVEPOINT job')).toHaveLength(128)
  })
})
