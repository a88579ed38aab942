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

  it('begin when everything that has arrived is acknowledged', async () => {
    const turns = createTurns({ crowd: 1_000 })
    const order: string[] = []
    const work = ['one', 'two'].map((name) => {
      const done = turns(async () => void order.push(`work on ${name}`))
      order.push(`acknowledge ${name}`)
      return done
    })
    await Promise.all(work)
    expect(order).toEqual(['acknowledge one', 'acknowledge two', 'work on one', 'work on two'])
  })

  it('wait for a crowd to pass', async () => {
    const turns = createTurns({ crowd: 5, crowdMs: 200, patienceMs: 60_000 })
    const order: string[] = []
    const crowd = Array.from({ length: 30 }, () => turns(async () => void order.push('work')))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    order.push('everything else')
    await Promise.all(crowd)
    expect(order.slice(0, 2)).toEqual(['everything else', 'work'])
  })

  it('do not wait for ever', async () => {
    const hurried = createTurns({ crowd: 5, crowdMs: 3_600_000, patienceMs: 30 })
    await Promise.all(Array.from({ length: 30 }, () => hurried(async () => undefined)))
  })

  it('are free again after work that fails', async () => {
    const turns = createTurns({ atOnce: 1, holdMs: 10_000 })
    await expect(turns(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turns(async () => 'next')).toBe('next')
  })
})
