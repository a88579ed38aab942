import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newSigner } from '../../src/kernel/log/signer.ts'
import { createStore, type Store } from '../../src/kernel/store/store.ts'
import type { Database } from '../../src/lib/sql/database.ts'
import { openTestDatabase, type TestDatabase } from '../harness/database.ts'
import { nextOf, sampleChange, sampleEntry } from './sample.ts'

/** This walks an index from its end and stops when the page is full. */
const pages = ['SCAN changes USING INDEX changes_newest']
/** Those that grow; the audit head is one row, and a freeze is a row per area. */
const tables =
  /^SCAN (changes|change_names|audit_log|deliveries|tasks|cards|card_refusals|answers|leases|links|bulk_jobs|bulk_chunks)\b/

const everyStatement = async (store: Store): Promise<void> => {
  const change = sampleChange()
  await store.tx(async (inner) => {
    await inner.changes.insert(change)
    await inner.changes.swap(nextOf(change))
    await inner.audit.append(sampleEntry())
  })
  await store.changes.get('c1')
  const before = { updatedAt: 5, id: 'c1' }
  await store.changes.list({ limit: 5 })
  await store.changes.list({ before, limit: 5 })
  await store.changes.list({ states: ['pending', 'applied'], before, limit: 5 })
  await store.changes.list({ requester: 'p1', limit: 5 })
  await store.changes.list({ requester: 'p1', states: ['pending', 'applied'], limit: 5 })
  await store.changes.list({ ids: ['c1', 'c2'], limit: 5 })
  await store.changes.countByState()
  await store.changes.sameIntent('i', 5)
  await store.changes.spent({ names: ['refund'], since: 5, states: ['applied', 'pending'] })
  await store.changes.spent({ requester: 'p1', names: ['refund'], since: 5, states: ['applied'] })
  await store.changes.applying(5)
  await store.audit.find({ limit: 5 })
  for (const filter of [
    { who: 'p1' },
    { command: 'refund' },
    { command: 'list get' },
    { changeId: 'c1' },
    { since: 5 },
  ]) {
    await store.audit.find({ ...filter, before: 99, limit: 5 })
  }
  for (const changesOnly of [false, true]) {
    for await (const _ of store.audit.stream({ since: 5, changesOnly })) break
  }
  await store.auditTree.sequence(newSigner())
  await store.auditTree.rowsAfter(0, 5)
  await store.auditTree.checkpointsAfter(0, 5)
  await store.auditTree.checkpoint({ covering: 1 })
  await store.auditTree.nodesAfter(8, 0, 5)
  await store.auditTree.hashOfRange({ from: 0, to: 1 })
  await store.deliveries.first('d1')
  await store.deliveries.prune(5)
  await store.tasks.put({ kind: 'tell', key: 'k', doc: null, dueAt: 1 })
  await store.tasks.putHeld({ leaseMs: 5, owner: 'o' }, { kind: 'tell', key: 'held', doc: null, dueAt: 1 })
  const [task] = await store.tasks.take({ limit: 5, leaseMs: 5, owner: 'o' })
  if (!task) throw new Error('there is no task to take')
  await store.tasks.postpone(task, 5, 'later')
  await store.tasks.again(task, 5)
  await store.tasks.take({ limit: 5, leaseMs: 5, owner: 'o' })
  await store.tasks.done(task)
  await store.tasks.drop(['k', 'l'])
  await store.tasks.owners()
  await store.tasks.release('o')
  await store.cards.add({ changeId: 'c1', platform: 'slack', address: 'a', place: 'origin' })
  await store.cards.of('c1')
  await store.cards.shown('c1', 'slack', 'a', 2)
  await store.cards.remove('c1', 'slack', 'a')
  await store.cards.refuse('c1', 'slack', 'origin')
  await store.cards.refusedBy('c1')
  await store.answers.put({ id: 'a', at: 5, person: 'p1', doc: null })
  await store.answers.get('a')
  await store.answers.prune(5)
  await store.freezes.all()
  await store.leases.acquire('l', 'o', 5)
  await store.leases.holder('l')
  await store.leases.renew('l', 'o', 5)
  await store.leases.end('l')
  await store.leases.release('l', 'o')
  await store.leases.prune(5)
  const pair = [
    { kind: 'customer', id: 'c' },
    { kind: 'email', id: 'a@b.c' },
  ] as const
  await store.links.learn([{ pair, source: 'billing.changePlan' }])
  await store.links.say(pair, { by: 'P', isOff: true, approvedBy: null })
  await store.links.write([pair], 'P')
  await store.links.of(pair)
  await store.links.kindsOf('c')
  await store.links.forget(pair, true)
  await store.bulk.open('j')
  await store.bulk.addChunks('j', 0, [['a'], ['b']])
  await store.bulk.pin('j', { total: 2, chunks: 2, digest: 'd' })
  await store.bulk.attach('j', 'c1')
  await store.bulk.move('j', ['pinned'], 'running', { upto: 2, sinceDone: 0 })
  await store.bulk.get('j')
  await store.bulk.ofChange('c1')
  await store.bulk.list(['running', 'paused'], 5)
  await store.bulk.shown('j', 5)
  await store.bulk.setMessage('j', 'progress', 'a')
  const claimed = await store.bulk.claim('j', 'o')
  if (!claimed) throw new Error('there is no chunk to claim')
  const end = { done: 1, failed: 0, unknown: 0, error: null, troubles: [] }
  await store.bulk.finish(claimed, 'o', { ...end, state: 'pending', items: ['a'] })
  await store.bulk.finish(claimed, 'o', { ...end, state: 'sent' })
  await store.bulk.figures('j')
  await store.bulk.sending(5)
  await store.bulk.renew(claimed, 'o')
  await store.bulk.lose(claimed, 'lost', 5)
  await store.bulk.chunks('j', -1, 5)
  await store.bulk.prune({ unused: 5, ended: 5 })
}

describe('a statement on the way of a command', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await openTestDatabase('sqlite')
  })
  afterAll(() => test.close())

  it('never walks a whole table', async () => {
    const statements = new Set<string>()
    await everyStatement(createStore(recording(test.db, statements), { now: () => 10 }))
    expect(statements.size).toBeGreaterThan(40)
    for (const sql of statements) {
      const plan = await test.db.all(z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${sql}`)
      const walks = plan.map(({ detail }) => detail).filter((detail) => tables.test(detail))
      expect(
        walks.filter((detail) => !pages.includes(detail)),
        sql,
      ).toEqual([])
    }
  })

  it('is read by a schema that is made once: each new one is compiled anew', () => {
    const folder = join(import.meta.dirname, '../../src/kernel/store')
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'store.ts')
    const made = files.filter((name) => /\.all\(\s*\w+\.\w+\(/.test(readFileSync(join(folder, name), 'utf8')))
    expect(files.length).toBeGreaterThan(15)
    expect(made).toEqual([])
  })

  it('writes an audit entry into one index, until it has its number', async () => {
    const indices = await test.db.all(
      z.object({ name: z.string(), sql: z.string() }),
      `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'audit_log' AND sql IS NOT NULL`,
    )
    const withoutNumber = indices.filter(({ sql }) => !sql.includes('WHERE seq IS NOT NULL'))
    expect(withoutNumber.map(({ name }) => name)).toEqual(['audit_log_waiting'])
    expect(indices.length).toBeGreaterThan(5)
  })
})

const recording = (db: Database, statements: Set<string>): Database => {
  const recorded = ({ all, run }: Pick<Database, 'all' | 'run'>): Pick<Database, 'all' | 'run'> => ({
    all: (schema, sql, params) => {
      statements.add(sql)
      return all(schema, sql, params)
    },
    run: (sql, params) => {
      statements.add(sql)
      return run(sql, params)
    },
  })
  return {
    ...db,
    ...recorded(db),
    together: recorded(db.together),
    later: (sql, params) => {
      statements.add(sql)
      return db.later(sql, params)
    },
    tx: (work) => db.tx((inner) => work(recording(inner, statements))),
  }
}
