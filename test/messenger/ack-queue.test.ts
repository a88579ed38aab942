import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createAckQueue } from '../../src/lib/limits/ack-queue.ts'

describe('the ackQueue of requests', () => {
  it('come in order, so many at a time', async () => {
    const ackQueue = createAckQueue({ atOnce: 2 })
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
    const ackQueue = createAckQueue({ atOnce: 1, holdMs: 20 })
    let end = (_: string): void => undefined
    const slow = ackQueue(() => new Promise<string>((resolve) => (end = resolve)))
    expect(await ackQueue(async () => 'quick')).toBe('quick')
    end('slow')
    expect(await slow).toBe('slow')
  })

  it('begin at once while there is room, and then when everything that has arrived is acknowledged', async () => {
    const ackQueue = createAckQueue({ atOnce: 1 })
    const order: string[] = []
    const work = ['one', 'two', 'three'].map((name) => {
      const done = ackQueue(async () => void order.push(`work on ${name}`))
      order.push(`acknowledge ${name}`)
      return done
    })
    await Promise.all(work)
    const acknowledged = ['acknowledge one', 'acknowledge two', 'acknowledge three']
    expect(order).toEqual(['work on one', ...acknowledged, 'work on two', 'work on three'])
  })

  it('let what arrives during a burst in between, and not behind all of it', async () => {
    const ackQueue = createAckQueue({ atOnce: 2 })
    const order: string[] = []
    const burst = Array.from({ length: 30 }, () =>
      ackQueue(async () => {
        order.push('work')
        await new Promise((resolve) => setImmediate(resolve))
      }),
    )
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    order.push('acknowledge another')
    await Promise.all(burst)
    expect(order.indexOf('acknowledge another')).toBeLessThan(10)
    expect(order).toHaveLength(31)
  })

  it('begin one at a time while a crowd waits for its acknowledgements, and more together afterwards', async () => {
    const ackQueue = createAckQueue({ atOnce: 2, holdMs: 60_000, crowd: { unstored: 1, waiting: 1 } })
    const stored = Promise.withResolvers<void>()
    const ends: (() => void)[] = []
    const work = Array.from({ length: 8 }, () =>
      ackQueue(() => new Promise<void>((resolve) => ends.push(resolve)), {
        account: 'a',
        storing: stored.promise,
      }),
    )
    const turns = async () => {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    await turns()
    expect(ends).toHaveLength(2)
    for (const end of ends.slice()) end()
    await turns()
    expect(ends).toHaveLength(3)
    stored.resolve()
    await turns()
    expect(ends).toHaveLength(4)
    for (const over = Promise.all(work).then(() => true); ; ) {
      for (const end of ends) end()
      if (await Promise.race([over, turns().then(() => false)])) break
    }
    expect(ends).toHaveLength(8)
  })

  it('are free again after work that fails', async () => {
    const ackQueue = createAckQueue({ atOnce: 1, holdMs: 10_000 })
    await expect(ackQueue(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await ackQueue(async () => 'next')).toBe('next')
  })

  it('take turns between senders, and keep the order of each', async () => {
    const ackQueue = createAckQueue({ atOnce: 1 })
    const order: string[] = []
    const work = [...['a1', 'a2', 'a3', 'a4'], ...['b1', 'b2']].map((name) =>
      ackQueue(async () => void order.push(name), { account: name.slice(0, 1) }),
    )
    await Promise.all(work)
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  })

  it('are not waited for by a line that is urgent', async () => {
    const ackQueue = createAckQueue({ atOnce: 1, isUrgent: (line) => line === 'freeze all' })
    const order: string[] = []
    const work = ['one', 'two', 'freeze all'].map((line) =>
      ackQueue(async () => void order.push(line), { account: 'a', line }),
    )
    await Promise.all(work)
    expect(order).toEqual(['one', 'freeze all', 'two'])
  })
})
