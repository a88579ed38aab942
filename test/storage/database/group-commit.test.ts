import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newSigner } from '../../../src/audit/signer.ts'
import { verify } from '../../../src/audit/verify.ts'
import { createGroupCommit } from '../../../src/storage/database/group-commit.ts'
import { createStore } from '../../../src/storage/store.ts'
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
