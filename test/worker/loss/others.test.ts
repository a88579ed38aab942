import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { heartbeatOf } from '../../../src/kernel/claims/process-name.ts'
import { createOthersLooked, tellCompared } from '../../../src/kernel/loss/others.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { eachEngine, openTestDatabase } from '../../harness/database.ts'
import { ticksOf } from '../../harness/ticks.ts'

const lifeMs = 6_000
const site = 'cluster 0000000A'

/** What a claim waits for, so long after this process noticed the move, given when the lease of another ends and what that has told. */
const openWait = async (
  engine: 'sqlite' | 'postgres',
  waitedMs: number,
  other: { leaseEndsMs: number; compared?: string },
): Promise<{ looked: Promise<void>; end(): void }> => {
  const { db } = await openTestDatabase(engine)
  let now = 1_000_000
  const store = createStore(db, { now: () => now })
  await store.leases.give(heartbeatOf('own'), 'own', lifeMs)
  await store.leases.give(heartbeatOf('other'), 'other', other.leaseEndsMs)
  await tellCompared({ store, process: 'other' }, other.compared)
  const ticks = ticksOf(() => now)
  const at = ticks()
  now += waitedMs
  const othersLooked = createOthersLooked(
    { store, process: 'own', timings: { lifeMs } as never, ticks, now: () => now },
    () => ({ at, site }),
  )
  return {
    looked: othersLooked(),
    end: () => {
      now += 20 * lifeMs
    },
  }
}

eachEngine('after the database has moved, a claim', (engine) => {
  it.each([
    ['waits for another process that shows itself', 500, { leaseEndsMs: lifeMs }, false],
    ['waits for it however long it compares', 40_000, { leaseEndsMs: 46_000 }, false],
    ['waits for no other that has compared', 500, { leaseEndsMs: lifeMs, compared: site }, true],
    [
      'waits for one that compared with the server before',
      500,
      { leaseEndsMs: lifeMs, compared: 'cluster 00000009' },
      false,
    ],
    ['waits for one that died with that server', 9_000, { leaseEndsMs: 2_000 }, false],
    ['waits no longer once that may not come back', 13_000, { leaseEndsMs: 2_000 }, true],
    ['waits for none that was gone long before', 500, { leaseEndsMs: -60_000 }, true],
    ['waits for nobody for ever', 61_000, { leaseEndsMs: 70_000 }, true],
  ] as const)('%s', async (_, waitedMs, other, claims) => {
    const { looked, end } = await openWait(engine, waitedMs, other)
    if (!claims) expect(await Promise.race([looked, pause(300, 'waits')])).toBe('waits')
    if (!claims) end()
    await looked
  })
})
