import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Engine } from '../../src/storage/database/database.ts'
import { createStore, type Store } from '../../src/storage/store.ts'
import { openTestDatabase, type TestDatabase } from '../harness/database.ts'

/** A store of the suite's own with a clock that the test sets, emptied before every test. */
export const useStore = (engine: Engine) => {
  const clock = { now: 0 }
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
      'audit',
      'deliveries',
      'tasks',
      'cards',
      'answers',
      'freezes',
      'leases',
    ]) {
      await test.db.run(`DELETE FROM ${table}`)
    }
    await test.db.run('UPDATE audit_head SET seq = 0, hash = $1', ['0'.repeat(64)])
  })
  return {
    clock,
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
