import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allPages } from '../../src/bulk/pages.ts'

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
    let asked = 0
    const read = async (page: number) => {
      asked++
      if (page === 3) throw new Error('page 3')
      return { value: page, pages: 1_000, isLast: false }
    }
    const seen: number[] = []
    await expect(
      (async () => {
        for await (const page of allPages(read, 4)) seen.push(page)
      })(),
    ).rejects.toThrow('page 3')
    expect(seen).toEqual([1, 2])
    const before = asked
    await sleep(20)
    expect(asked).toBe(before)
  })

  it('are not read on when the reader has enough', async () => {
    let asked = 0
    const read = async (page: number) => {
      asked++
      await sleep(1)
      return { value: page, pages: 1_000, isLast: false }
    }
    for await (const page of allPages(read, 4)) if (page === 5) break
    const before = asked
    await sleep(30)
    expect(asked).toBe(before)
    expect(asked).toBeLessThanOrEqual(5 + 12)
  })
})
