import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allPages } from '../../src/lib/services/pages.ts'

/** Whoever asks for another page does so when one under way comes in. */
const expectNoMore = async (asked: Promise<unknown>[]) => {
  const before = asked.length
  await Promise.allSettled(asked)
  await setImmediate()
  expect(asked).toHaveLength(before)
}

describe('all pages', () => {
  it('come in order, each asked for once, a few at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }),
        async (count, isCounted, delays) => {
          const asked: number[] = []
          let underWay = 0
          let most = 0
          const read = async (page: number) => {
            asked.push(page)
            most = Math.max(most, ++underWay)
            await sleep(delays[page - 1])
            underWay--
            return { value: page, pages: isCounted ? count : undefined, isLast: page === count }
          }
          const seen: number[] = []
          for await (const page of allPages(read, 4)) seen.push(page)
          const wanted = Array.from({ length: count }, (_, at) => at + 1)
          expect(seen).toEqual(wanted)
          expect(asked).toEqual(wanted)
          expect(most).toBeLessThanOrEqual(isCounted ? 4 : 1)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('end with the failure of the first page that fails, and nobody asks for more', async () => {
    const asked: Promise<unknown>[] = []
    const read = (page: number) => {
      const answer = { value: page, pages: 1_000, isLast: false }
      const reading = page === 3 ? Promise.reject(new Error('page 3')) : Promise.resolve(answer)
      asked.push(reading)
      return reading
    }
    const seen: number[] = []
    await expect(
      (async () => {
        for await (const page of allPages(read, 4)) seen.push(page)
      })(),
    ).rejects.toThrow('page 3')
    expect(seen).toEqual([1, 2])
    await expectNoMore(asked)
  })

  it('are not read on when the reader has enough', async () => {
    const asked: Promise<unknown>[] = []
    const read = (page: number) => {
      const reading = sleep(1).then(() => ({ value: page, pages: 1_000, isLast: false }))
      asked.push(reading)
      return reading
    }
    for await (const page of allPages(read, 4)) if (page === 5) break
    await expectNoMore(asked)
    expect(asked.length).toBeLessThanOrEqual(5 + 12)
  })
})
