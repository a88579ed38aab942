import { expect, test } from 'vitest'
import type { Bench, BenchOptions } from '../../bench/bench.ts'
import { benchParse } from '../../bench/parse.ts'
import { benchReplay } from '../../bench/replay.ts'
import { benchStorage } from '../../bench/storage.ts'

const benches: [string, (options: BenchOptions) => Promise<Bench>][] = [
  ['storage', benchStorage],
  ['parse', benchParse],
  ['replay', benchReplay],
]

test.each(benches)('%s measures something, on as little as it can', async (_, bench) => {
  const { tables, goals } = await bench({ scale: 0.001, say: () => undefined })
  expect(goals.length).toBeGreaterThan(0)
  const cells = tables.flatMap(({ rows }) => rows.flat())
  expect(cells.filter((cell) => /NaN|Infinity|undefined/.test(cell))).toEqual([])
  expect(cells.some((cell) => Number.parseFloat(cell) > 0)).toBe(true)
})
