import { expect, it } from 'vitest'
import type { Missing } from '../../../src/kernel/loss/compare.ts'
import { holdStore } from '../../../src/kernel/loss/hold.ts'
import { bellhop, entryBy } from '../../../src/kernel/model/audit-entry.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { openTestDatabase } from '../../harness/database.ts'

const nothing: Missing = { changes: [], batches: [], steps: [], checkpoint: undefined, cards: [] }

it('since when something is lost is told no later than any transaction began that may be lost', async () => {
  const { db } = await openTestDatabase('sqlite')
  let now = 1_000_000
  const store = createStore(db, { now: () => now })
  // Another wrote its entry before this one, had not ended its transaction when the server died, and is lost.
  const begun = now
  now += 4_000
  await store.audit.append(entryBy(bellhop, 'ran', { command: 'status' }, {}))
  now += 10
  const steps = [{ id: 'lost', at: now }]
  now += 60_000
  const { since, until } = await holdStore({ store, now: () => now }, { ...nothing, steps })
  expect(since).toBeLessThanOrEqual(begun)
  expect(until).toBe(now)
  // Others who notice it later, and know of less, tell no later time.
  const other = await holdStore({ store, now: () => now }, { ...nothing, steps: [{ id: 'late', at: now }] })
  expect(other.since).toBe(since)
})
