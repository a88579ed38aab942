import { describe, expect, it } from 'vitest'
import { claimTimes, createFence } from '../../../src/kernel/claims/claim-lease.ts'
import { defaultTimings } from '../../../src/kernel/timings.ts'
import { longAgo, msBetween, ticksAsleep } from '../../../src/lib/clock.ts'
import { ticksOf } from '../../harness/ticks.ts'

describe('the arithmetic of a claim', () => {
  it('gives a claim up later than its holder may use it, with a margin between', () => {
    const { useMs, marginMs, giveUpMs } = claimTimes(defaultTimings)
    expect(useMs + marginMs).toBeLessThanOrEqual(giveUpMs)
    expect(marginMs).toBeGreaterThanOrEqual(2_000)
    expect(defaultTimings.heartbeatMs).toBeLessThan(useMs)
    expect(claimTimes({ lifeMs: 12 })).toEqual({ useMs: 6, marginMs: 6, giveUpMs: 12 })
  })

  it('counts from before the store was asked, so that a slow answer shortens the use and never lengthens it', async () => {
    let ms = 1_000
    const fence = createFence(
      { timings: defaultTimings, ticks: ticksOf(() => ms) },
      {
        renew: async (giveUpMs) => {
          expect(giveUpMs).toBe(defaultTimings.lifeMs)
          ms += claimTimes(defaultTimings).useMs
          return true
        },
        keep: async () => undefined,
      },
    )
    expect(await fence.renew()).toBe(true)
    expect(fence.isFresh()).toBe(false)
  })
})

describe('a fence', () => {
  const timings = { ...defaultTimings, lifeMs: 200 }
  const ms = { ticks: 1_000, asleep: 1_000 }
  const fenceBy = (renew: () => Promise<boolean>, keep = async () => undefined) =>
    createFence(
      { timings, ticks: ticksOf(() => ms.ticks) },
      { renew, keep },
      ticksOf(() => ms.asleep),
    )

  it('is shut until the store was asked', () => {
    expect(fenceBy(async () => true).isFresh()).toBe(false)
  })

  it.each(['ticks', 'asleep'] as const)(
    'is shut when one of its clocks (%s) has passed the use, though the other stood still with the machine',
    async (clock) => {
      const fence = fenceBy(async () => true)
      await fence.renew()
      expect(fence.isFresh()).toBe(true)
      ms[clock] += 99
      expect(fence.isFresh()).toBe(true)
      ms[clock] += 1
      expect(fence.isFresh()).toBe(false)
    },
  )

  it('stays as it was when the store says no', async () => {
    const fence = fenceBy(async () => false)
    expect(await fence.renew()).toBe(false)
    expect(fence.isFresh()).toBe(false)
  })

  it('counts the sleep of the machine where the system tells it', () => {
    const [one, other] = [ticksAsleep(), ticksAsleep()]
    expect(one <= other).toBe(true)
    expect(Math.abs(msBetween(longAgo, one))).toBe(Number.POSITIVE_INFINITY)
  })
})
