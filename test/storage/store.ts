import { afterAll, beforeAll, beforeEach } from 'vitest'
import { newSigner } from '../../src/kernel/log/signer.ts'
import { createStore, type Store } from '../../src/kernel/store/store.ts'
import type { Engine } from '../../src/lib/sql/database.ts'
import { openTestDatabase, type TestDatabase } from '../harness/database.ts'

/** A store of the suite's own with a clock that the test sets, emptied before every test. */
export const useStore = (engine: Engine) => {
  const clock = { now: 0 }
  const signer = newSigner()
  let test: TestDatabase
  let store: Store
  beforeAll(async () => {
    test = await openTestDatabase(engine)
    store = createStore(test.db, { now: () => clock.now })
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    clock.now = 10_000
    for (const table of [
      'change_names',
      'changes',
      'audit_log',
      'audit_nodes',
      'audit_checkpoints',
      'deliveries',
      'tasks',
      'cards',
      'answers',
      'freezes',
      'leases',
      'links',
    ]) {
      await test.db.run(`DELETE FROM ${table}`)
    }
    await test.db.run(`UPDATE audit_tree SET origin = '', key = '', base = 0, size = 0, frontier = '[]'`)
  })
  return {
    clock,
    signer,
    /** Its public half, as this log has it on record. */
    key: async () => signer.key((await store.auditTree.state()).origin) ?? '',
    /** Gives the entries of the audit log their numbers. */
    sequence: () => store.auditTree.sequence(signer),
    get store() {
      return store
    },
    get test() {
      return test
    },
  }
}

export const gather = async <T>(from: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const each of from) all.push(each)
  return all
}
