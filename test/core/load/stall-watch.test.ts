import { expect, test } from 'vitest'
import { createStallWatch } from '../../../src/core/load/stall-watch.ts'

const watchAt = () => {
  const told: unknown[] = []
  const counted: unknown[] = []
  let now = 0
  const watch = createStallWatch(
    {
      log: { warn: (...words: unknown[]) => void told.push(words[0]) },
      count: (event) => counted.push(event),
    },
    () => now,
  )
  return { watch, told, counted, pass: (ms: number) => (now += ms) }
}

test('a process that stood still while something was under way says for how long, and what that was', () => {
  const { watch, told, counted, pass } = watchAt()
  const other = watch.begin('slack: campaign list')
  const slow = watch.begin('console: policy show')
  pass(1_000)
  slow.isOver()
  expect(told).toEqual([{ ms: 950, underWay: ['slack: campaign list', 'console: policy show'], requests: 2 }])
  expect(counted).toEqual([{ kind: 'stall', ms: 950 }])
  pass(100)
  other.isOver()
  expect(counted).toHaveLength(1)
})

test('time in which nothing was under way is no stall', () => {
  const { watch, counted, pass } = watchAt()
  watch.begin('slack: campaign list').isOver()
  pass(60_000)
  watch.begin('slack: campaign list').isOver()
  expect(counted).toEqual([])
})
