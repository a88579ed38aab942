import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { verify } from '../../src/audit/verify.ts'
import { createStore } from '../../src/storage/store.ts'
import { eachEngine, openTestDatabase } from '../database.ts'
import { sampleChange, sampleEntry } from './sample.ts'

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
    expect(await verify(store)).toMatchObject({ ok: true, entries: 50 })
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
