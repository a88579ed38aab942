import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { claimTimes, createFence } from '../../../src/core/claims/claim-lease.ts'
import { defaultTimings } from '../../../src/core/timings.ts'

describe('the arithmetic of a claim', () => {
  it('gives a claim up later than its holder may use it, with a margin between', () => {
    const { useMs, marginMs, giveUpMs } = claimTimes(defaultTimings)
    expect(useMs + marginMs).toBeLessThanOrEqual(giveUpMs)
    expect(marginMs).toBeGreaterThanOrEqual(2_000)
    expect(defaultTimings.heartbeatMs).toBeLessThan(useMs)
    expect(claimTimes({ lifeMs: 12 })).toEqual({ useMs: 6, marginMs: 6, giveUpMs: 12 })
  })

  it('counts from before the store was asked, so that a slow answer shortens the use and never lengthens it', async () => {
    let wall = 1_000
    const fence = createFence({ timings: defaultTimings, now: () => wall }, async (giveUpMs) => {
      expect(giveUpMs).toBe(defaultTimings.lifeMs)
      wall += claimTimes(defaultTimings).useMs
      return true
    })
    expect(await fence.renew()).toBe(true)
    expect(fence.isFresh()).toBe(false)
  })
})

describe('a fence', () => {
  const timings = { ...defaultTimings, lifeMs: 200 }
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('is shut until the store was asked', () => {
    expect(createFence({ timings, now: Date.now }, async () => true).isFresh()).toBe(false)
  })

  it('is open after a renewal, and shut when the wall clock has passed the use', async () => {
    let wall = 1_000
    const fence = createFence({ timings, now: () => wall }, async () => true)
    await fence.renew()
    expect(fence.isFresh()).toBe(true)
    wall += 99
    expect(fence.isFresh()).toBe(true)
    wall += 1
    expect(fence.isFresh()).toBe(false)
  })

  it('is shut when the steady clock has passed the use, though the wall clock was set back', async () => {
    const fence = createFence({ timings, now: () => 1_000 }, async () => true)
    await fence.renew()
    vi.advanceTimersByTime(99)
    expect(fence.isFresh()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(fence.isFresh()).toBe(false)
  })

  it('stays as it was when the store says no', async () => {
    const fence = createFence({ timings, now: Date.now }, async () => false)
    expect(await fence.renew()).toBe(false)
    expect(fence.isFresh()).toBe(false)
  })
})
