import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createAckQueue } from '../../src/messenger/ack-queue.ts'

describe('the ackQueue of requests', () => {
  it('come in order, so many at a time', async () => {
    const ackQueue = createAckQueue({ atOnce: 2, burst: 1_000 })
    const order: number[] = []
    let running = 0
    let most = 0
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((number) =>
        ackQueue(async () => {
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
    const ackQueue = createAckQueue({ atOnce: 1, holdMs: 20, burst: 1_000 })
    let end = (_: string): void => undefined
    const slow = ackQueue(() => new Promise<string>((resolve) => (end = resolve)))
    expect(await ackQueue(async () => 'quick')).toBe('quick')
    end('slow')
    expect(await slow).toBe('slow')
  })

  it('begin when everything that has arrived is acknowledged', async () => {
    const ackQueue = createAckQueue({ burst: 1_000 })
    const order: string[] = []
    const work = ['one', 'two'].map((name) => {
      const done = ackQueue(async () => void order.push(`work on ${name}`))
      order.push(`acknowledge ${name}`)
      return done
    })
    await Promise.all(work)
    expect(order).toEqual(['acknowledge one', 'acknowledge two', 'work on one', 'work on two'])
  })

  it('wait for a crowd to pass', async () => {
    const ackQueue = createAckQueue({ burst: 5, burstMs: 200, maxWaitMs: 60_000 })
    const order: string[] = []
    const crowd = Array.from({ length: 30 }, () => ackQueue(async () => void order.push('work')))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    order.push('everything else')
    await Promise.all(crowd)
    expect(order.slice(0, 2)).toEqual(['everything else', 'work'])
  })

  it('do not wait for ever', async () => {
    const hurried = createAckQueue({ burst: 5, burstMs: 3_600_000, maxWaitMs: 30 })
    const asked = performance.now()
    const begun = await Promise.all(Array.from({ length: 30 }, () => hurried(async () => performance.now())))
    expect(Math.min(...begun) - asked).toBeGreaterThanOrEqual(29)
    expect(Math.max(...begun) - asked).toBeLessThan(10_000)
  })

  it('are free again after work that fails', async () => {
    const ackQueue = createAckQueue({ atOnce: 1, holdMs: 10_000 })
    await expect(ackQueue(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await ackQueue(async () => 'next')).toBe('next')
  })
})
