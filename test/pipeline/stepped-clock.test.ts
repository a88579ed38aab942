import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { isAlive, isGone, processName } from '../../src/kernel/claims/process-name.ts'
import { findLost } from '../../src/kernel/tasks/find-lost.ts'
import type { Tick } from '../../src/lib/clock.ts'
import { openSharedClock } from '../../src/lib/sql/shared-clock.ts'
import { openTestDatabase } from '../harness/database.ts'
import { openHarness } from './harness.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: held, commands: [refund], require: { approvals: 1, from: [finance] }, hold: 10m, expiresIn: 30m }
`

/** A bot whose machine has a clock that the test sets. */
const openStepped = async () => {
  const database = await openTestDatabase('sqlite')
  const at = { passed: 5_000_000, wall: Date.UTC(2026, 10, 19) }
  const ticks = () => at.passed as unknown as Tick
  const clock = await openSharedClock(database.db, { wall: () => at.wall + at.passed, ticks, asleep: ticks })
  const harness = await openHarness({ database, policy, clock, ticks })
  const wait = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_500) {
      at.passed += Math.min(left, 1_500)
      await harness.app.core.checkClock()
    }
  }
  const pass = async (ms: number) => {
    await wait(ms)
    await harness.app.drain()
  }
  const step = async (ms: number) => {
    at.wall += ms
    await wait(1_500)
  }
  return { ...harness, wait, pass, step }
}

describe.each([-day, -hour, -minute, minute, hour, day])('a clock that steps by %i ms', (ms) => {
  it('ends no hold and keeps none', async () => {
    const { ask, click, stored, pass, step, payment, effects } = await openStepped()
    const change = await click('approve', await ask(`refund ${payment()} 60`), 'fay')
    await step(ms)
    await pass(8.5 * minute)
    expect(await stored(change)).toMatchObject({ state: 'approved' })
    expect(effects()).toHaveLength(0)
    await pass(5 * minute)
    expect(await stored(change)).toMatchObject({ state: 'applied' })
    expect(effects('refundPayment')).toHaveLength(1)
  })

  it('lets no request expire early, and none live on', async () => {
    const { ask, stored, pass, step, payment } = await openStepped()
    const change = await ask(`refund ${payment()} 60`)
    await step(ms)
    await pass(26 * minute)
    expect(await stored(change)).toMatchObject({ state: 'pending' })
    await pass(13 * minute)
    expect(await stored(change)).toMatchObject({ state: 'expired' })
  })

  it('calls nothing lost that another process has on the wire', async () => {
    const { ask, click, app, stored, wait, step, payment, sandbox } = await openStepped()
    const change = await click('approve', await ask(`refund ${payment()} 60`), 'fay')
    sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 100_000 })
    await wait(9 * minute)
    // Time goes on until the change is carried out, and no further: a process that lives renews its claim meanwhile.
    const work: Promise<void>[] = []
    await expect
      .poll(async () => {
        const { state } = await stored(change)
        if (state === 'approved') {
          await wait(1_500)
          work.push(app.drain())
        }
        return state
      })
      .toBe('applying')
    await step(ms)
    const beside = { ...app.core, process: 'beside', applying: new Set<string>() }
    await findLost(beside)
    expect(await stored(change)).toMatchObject({ state: 'applying' })
    sandbox.clearFaults()
    const done = Promise.all(work)
    await done
    expect(await stored(change)).toMatchObject({ state: 'applied' })
  })
})

describe('a process that is gone', () => {
  const named = (script: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim()
  const other = () =>
    named(
      `const { processName } = await import(${JSON.stringify(new URL('../../src/kernel/claims/process-name.ts', import.meta.url).href)})
       console.log(processName())`,
    )

  it('is known by its name on its own machine alone', () => {
    expect(isGone(processName())).toBe(false)
    expect(isGone(other())).toBe(true)
    // On another machine, in another container, of an older version: nobody here knows.
    expect(isGone(other().replace(/\.[\da-f]{12}-/, '.000000000000-'))).toBe(false)
    expect(isGone('00000000-0000-4000-8000-000000000000')).toBe(false)
    expect(isGone(null)).toBe(false)
  })

  it('holds nothing from then on, however long its lease is', async () => {
    const { ask, click, app, store, stored, pass, payment } = await openStepped()
    const change = await click('approve', await ask(`refund ${payment()} 60`), 'fay')
    const gone = other()
    for (const name of [`process:${gone}`, `claim:${change.id}`]) await store.leases.give(name, gone, day)
    expect(await isAlive(store, gone)).toBe(false)
    const held = await stored(change)
    await store.changes.swap({ ...held, version: held.version + 1, state: 'applying', claimedBy: gone })
    await findLost(app.core)
    expect(await stored(change)).toMatchObject({ state: 'unknown' })
    await pass(1_500)
  })
})
