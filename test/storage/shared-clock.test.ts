import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { createLeases } from '../../src/kernel/store/leases.ts'
import type { Tick } from '../../src/lib/clock.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { clockState, openSharedClock } from '../../src/lib/sql/shared-clock.ts'
import { openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const heartbeatMs = 1_500

/** A machine with a clock on its wall, which can be set, and one that counts. */
const openMachine = async () => {
  const { db, close } = await openTestDatabase('sqlite')
  whenDone(close)
  const at = { passed: 1_000_000, asleep: 0, wall: Date.UTC(2026, 10, 19) }
  const open = () =>
    openSharedClock(db, {
      wall: () => at.wall + at.passed + at.asleep,
      ticks: () => at.passed as unknown as Tick,
      asleep: () => (at.passed + at.asleep) as unknown as Tick,
    })
  return { db, at, open }
}

const openChange = (id: string) =>
  `INSERT INTO changes (id, version, state, requester, intent, amount, expires_at, updated_at, doc)
   VALUES ('${id}', 1, 'approved', 'sam', 'i', 1, 1, 1, '{}')`

type Happening = { kind: 'pass' | 'step' | 'restart' | 'sleep'; ms: number }

const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 10 * minute }) }),
    fc.record({
      kind: fc.constant('step' as const),
      ms: fc.constantFrom(-day, -hour, -minute, minute, hour, day),
    }),
    fc.record({
      kind: fc.constantFrom('restart' as const, 'sleep' as const),
      ms: fc.integer({ min: 1, max: hour }),
    }),
  ),
  { minLength: 1, maxLength: 12 },
)

describe('the clock of an embedded database', () => {
  it('counts what passes, however the clock of the machine is set and whoever starts anew, alike for all', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const { db, at, open } = await openMachine()
        await db.run(openChange('one'))
        const clocks = [await open(), await open()]
        const began = (clocks[0]?.now() ?? 0) - at.passed - at.asleep
        const from = at.passed
        let before = clocks.map(({ now }) => now())
        for (const { kind, ms } of all) {
          if (kind === 'step') at.wall += ms
          if (kind === 'sleep') at.asleep += ms
          for (let left = kind === 'pass' ? ms : heartbeatMs; left > 0; left -= heartbeatMs) {
            at.passed += Math.min(left, heartbeatMs)
            for (const clock of clocks) await clock.check()
          }
          if (kind === 'restart') clocks[1] = await open()
          const now = clocks.map((clock) => clock.now())
          for (const [n, one] of now.entries()) {
            expect(one).toBeGreaterThanOrEqual((before[n] ?? 0) - 1)
            // What is awake passes a little slower or faster while it comes back, and never more.
            const wrong = one - began - at.passed - at.asleep
            const most = (at.passed - from + 2 * heartbeatMs) * 0.25 + at.asleep * 0.25 + 4_000
            expect(Math.abs(wrong)).toBeLessThan(most)
          }
          expect(Math.abs((now[0] ?? 0) - (now[1] ?? 0))).toBeLessThan(3_000)
          before = now
        }
      }),
      { numRuns: 60 },
    )
  })

  it.each([-day, -hour, -minute, minute, hour, day])(
    'notices a step of %i ms once, while it runs or between two starts, and comes back little by little',
    async (step) => {
      for (const isRunning of [true, false]) {
        const { db, at, open } = await openMachine()
        await db.run(openChange('one'))
        const clock = await open()
        at.passed += heartbeatMs
        expect(await clock.check()).toBeUndefined()
        at.wall += step
        at.passed += heartbeatMs
        if (isRunning) expect(Math.abs(((await clock.check()) ?? 0) - step)).toBeLessThan(50)
        else await open()
        at.passed += heartbeatMs
        expect(await clock.check()).toBeUndefined()
        const state = () => clockState(db, () => at.wall + at.passed)
        expect(Math.abs(((await state()).step ?? 0) - step)).toBeLessThan(50)
        const first = (await state()).aheadMs
        expect(Math.sign(first)).toBe(-Math.sign(step))
        for (let n = 0; n < 40; n++) {
          at.passed += heartbeatMs
          await clock.check()
        }
        const left = (await state()).aheadMs
        expect(Math.abs(left)).toBeLessThan(Math.abs(first))
        expect(Math.abs(clock.now() - (at.wall + at.passed + left))).toBeLessThan(20)
      }
    },
  )

  it('follows a step forward at once where nothing is open that would be over too early', async () => {
    const { at, open } = await openMachine()
    const clock = await open()
    at.wall += day
    for (let n = 0; n < 45; n++) {
      at.passed += heartbeatMs
      await clock.check()
    }
    expect(clock.now()).toBe(at.wall + at.passed)
  })

  it('takes the new time after a step that no clock makes which anybody lived by', async () => {
    const { at, open } = await openMachine()
    at.wall = 0
    const clock = await open()
    at.wall = Date.UTC(2026, 10, 19)
    at.passed += heartbeatMs
    await clock.check()
    expect(clock.now()).toBe(at.wall + at.passed)
  })
})

describe.skipIf(inject('postgres') === null)('the clock of a PostgreSQL server', () => {
  /** A server whose clock can be set, in the only way that needs no machine of its own. */
  const openServer = async () => {
    const { db, url, close } = await openTestDatabase('postgres')
    whenDone(close)
    for (const sql of [
      'CREATE SCHEMA stepped',
      'CREATE TABLE stepped.step (ms BIGINT NOT NULL)',
      'INSERT INTO stepped.step (ms) VALUES (0)',
      `CREATE FUNCTION stepped.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        $$ SELECT pg_catalog.clock_timestamp() + (SELECT ms FROM stepped.step) * interval '1 ms' $$`,
      `ALTER DATABASE ${new URL(url ?? '').pathname.slice(1)} SET search_path = stepped, pg_catalog, public`,
    ])
      await db.run(sql)
    await db.run(openChange('one'))
    const open = async () => {
      const own = await openDatabase({ url: url ?? '' })
      whenDone(() => own.close())
      return own
    }
    return { open, step: (ms: number) => db.run('UPDATE stepped.step SET ms = ms + $1', [ms]) }
  }

  it('is the time of all, whatever their machines say', async () => {
    const { open } = await openServer()
    const db = await open()
    const clocks = await Promise.all(
      [0, minute, -hour, day].map((wrong) => openSharedClock(db, { wall: () => Date.now() + wrong })),
    )
    for (const { now } of clocks) expect(Math.abs(now() - Date.now())).toBeLessThan(2_000)
  })

  it.each([-day, -hour, -minute, minute, hour, day])(
    'may step by %i ms: all go on as before, also those that start then, and one of them tells of it',
    async (ms) => {
      const { open, step } = await openServer()
      const db = await open()
      const began = [await openSharedClock(db), await openSharedClock(db)]
      await step(ms)
      const noticed = []
      for (const clock of began) noticed.push(await clock.check())
      expect(noticed.filter((one) => one !== undefined)).toHaveLength(1)
      expect(Math.abs((noticed.find(Boolean) ?? 0) - ms)).toBeLessThan(2_000)
      const all = [...began, await openSharedClock(await open())]
      for (const { now, check } of all) {
        expect(await check()).toBeUndefined()
        expect(Math.abs(now() - Date.now())).toBeLessThan(3_000)
      }
    },
  )

  it('has not stepped for a process that stood still with its machine, while others went on', async () => {
    const { open } = await openServer()
    const db = await open()
    let still = 0
    const since = performance.now()
    const tick = () => (performance.now() - since - still) as unknown as Tick
    const clock = await openSharedClock(db, { ticks: tick, asleep: tick })
    still = hour
    await createLeases(db, () => Date.now() + hour).acquire('process:other', 'other', 6_000)
    await db.run('UPDATE stepped.step SET ms = ms + $1', [hour])
    expect(await clock.check()).toBeUndefined()
    expect(Math.abs(clock.now() - Date.now() - hour)).toBeLessThan(2_000)
  })
})
