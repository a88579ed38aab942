import { expect, test } from 'vitest'
import { backoffMs, pause, retry } from '../src/lib/retry.ts'

const schedule = { firstMs: 100, longestMs: 1_000 }

test('pauses double from the first one and stop growing at the longest', () => {
  const pauses = [1, 2, 3, 4, 5, 2_000].map((failures) => backoffMs(schedule, failures))
  expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000])
})

test('chance takes away half of a pause at most', () => {
  expect([0, 0.5, 1].map((random) => backoffMs(schedule, 2, random))).toEqual([100, 150, 200])
})

test('work is tried until it goes well, and every failure is counted', async () => {
  const seen: [string, number][] = []
  let attempts = 0
  const result = await retry(
    () => {
      attempts++
      if (attempts < 3) throw new Error(`no ${attempts}`)
      return 'done'
    },
    (error, failures) => {
      seen.push([(error as Error).message, failures])
      return 0
    },
  )
  expect(result).toBe('done')
  expect(seen).toEqual([
    ['no 1', 1],
    ['no 2', 2],
  ])
})

test('the last error is thrown when there is to be no further attempt', async () => {
  let attempts = 0
  const failing = retry(
    async () => Promise.reject(new Error(`no ${++attempts}`)),
    (_, failures) => (failures < 3 ? 0 : undefined),
  )
  await expect(failing).rejects.toThrow('no 3')
})

test('a signal ends the wait, and nothing is tried after it', async () => {
  const stopping = new AbortController()
  let attempts = 0
  const failing = retry(
    async () => Promise.reject(new Error(`no ${++attempts}`)),
    () => {
      setImmediate(() => stopping.abort())
      return 3_600_000
    },
    stopping.signal,
  )
  await expect(failing).rejects.toThrow('no 1')
  expect(attempts).toBe(1)
  await pause(3_600_000, stopping.signal)
})
