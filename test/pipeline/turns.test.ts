import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurns } from '../../src/pipeline/turns.ts'

describe('the turns of requests', () => {
  it('come in order, so many at a time', async () => {
    const turns = createTurns({ atOnce: 2, crowd: 1_000 })
    const order: number[] = []
    let running = 0
    let most = 0
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((number) =>
        turns(async () => {
          order.push(number)
          most = Math.max(most, ++running)
          await sleep(5)
          running--
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3, 4, 5, 6])
    expect(most).toBe(2)
  })

  it('are given away by what takes long, which goes on', async () => {
    const turns = createTurns({ atOnce: 1, holdMs: 20, crowd: 1_000 })
    let end = (_: string): void => undefined
    const slow = turns(() => new Promise<string>((resolve) => (end = resolve)))
    expect(await turns(async () => 'quick')).toBe('quick')
    end('slow')
    expect(await slow).toBe('slow')
  })

  it('wait for a crowd to pass, and not for ever', async () => {
    const turns = createTurns({ crowd: 5, crowdMs: 60, patienceMs: 10_000 })
    const startedAt = performance.now()
    const spent = await Promise.all(
      Array.from({ length: 30 }, () => turns(async () => performance.now() - startedAt)),
    )
    expect(spent.slice(0, 5).every((ms) => ms < 50)).toBe(true)
    expect(spent.at(-1)).toBeGreaterThan(50)

    const hurried = createTurns({ crowd: 5, crowdMs: 10_000, patienceMs: 80 })
    await Promise.all(Array.from({ length: 30 }, () => hurried(async () => undefined)))
  })

  it('are free again after work that fails', async () => {
    const turns = createTurns({ atOnce: 1, holdMs: 10_000 })
    await expect(turns(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turns(async () => 'next')).toBe('next')
  })
})
