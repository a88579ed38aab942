import { expect, it } from 'vitest'
import { createRateLimit } from '../../../src/lib/retry.ts'

it('turns come at most so many a second, in the order they were asked for', async () => {
  const turn = createRateLimit(100)
  const started = performance.now()
  const order: number[] = []
  await Promise.all([1, 2, 3, 4].map((n) => turn().then(() => order.push(n))))
  expect(order).toEqual([1, 2, 3, 4])
  // A timer may ring up to a millisecond early.
  expect(performance.now() - started).toBeGreaterThanOrEqual(24)
})
