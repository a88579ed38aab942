import { expect, onTestFinished, test, vi } from 'vitest'
import { createEventLoopWatch } from '../../../src/kernel/load/event-loop-watch.ts'
import { ticksOf } from '../../harness/ticks.ts'

const watchAt = () => {
  const told: unknown[] = []
  const counted: unknown[] = []
  let now = 0
  let worked = 0
  const watch = createEventLoopWatch(
    {
      log: { warn: (...words: unknown[]) => void told.push(words[0]) },
      count: (event) => counted.push(event),
    },
    ticksOf(() => now),
    () => worked,
  )
  const pass = (ms: number, cpuMs = ms) => {
    now += ms
    worked += cpuMs
  }
  return { watch, told, counted, pass }
}

test('a process that stood still while something was under way says for how long, and what that was', () => {
  const { watch, told, counted, pass } = watchAt()
  const other = watch.begin('slack: campaign list')
  const slow = watch.begin('console: policy show')
  pass(1_000, 600)
  slow.isOver()
  expect(told).toEqual([
    { ms: 950, cpuMs: 600, underWay: ['slack: campaign list', 'console: policy show'], requests: 2 },
  ])
  expect(counted).toEqual([{ kind: 'stall', ms: 950 }])
  pass(100)
  other.isOver()
  expect(counted).toHaveLength(1)
})

test('a fifth of a second is no stall, and a little more is one; of what was under way five are named', () => {
  const { watch, told, counted, pass } = watchAt()
  pass(9_000, 700)
  const [first, ...others] = ['a', 'b', 'c', 'd', 'e', 'f', 'a'].map((name) => watch.begin(name))
  pass(250)
  first?.isOver()
  expect(counted).toEqual([])
  pass(251, 20)
  // Whatever begins meanwhile, the time is counted from the last look.
  watch.begin('g').isOver()
  expect(told).toEqual([{ ms: 201, cpuMs: 20, underWay: ['b', 'c', 'd', 'e', 'f'], requests: 7 }])
  for (const one of others) one.isOver()
  pass(9_000)
  first?.isOver()
  expect(counted).toHaveLength(1)
})

test('nothing looks where nothing is under way', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { watch, counted, pass } = watchAt()
  const [one, other] = [watch.begin('a'), watch.begin('b')]
  expect(vi.getTimerCount()).toBe(1)
  pass(500)
  vi.advanceTimersByTime(49)
  expect(counted).toEqual([])
  vi.advanceTimersByTime(1)
  expect(counted).toEqual([{ kind: 'stall', ms: 450 }])
  one.isOver()
  expect(vi.getTimerCount()).toBe(1)
  other.isOver()
  expect(vi.getTimerCount()).toBe(0)
})

test('time in which nothing was under way is no stall', () => {
  const { watch, counted, pass } = watchAt()
  watch.begin('slack: campaign list').isOver()
  pass(60_000)
  watch.begin('slack: campaign list').isOver()
  expect(counted).toEqual([])
})

test('what is done under a name is watched until its end, also when it fails', async () => {
  const { watch, told, pass } = watchAt()
  const stand = (what: string, end: () => Promise<void>) =>
    watch.during(what, async () => {
      pass(500)
      return end()
    })
  await stand('task: cards', async () => undefined)
  await expect(stand('job', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  pass(5_000)
  await watch.during('task: tell', async () => undefined)
  expect(told).toMatchObject([{ underWay: ['task: cards'] }, { underWay: ['job'] }])
})

test('what the process worked meanwhile is told in milliseconds, its own work and that of the system', () => {
  const used = vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 2_000_000, system: 1_000_000 })
  onTestFinished(() => used.mockRestore())
  const told: unknown[] = []
  let now = 0
  const watch = createEventLoopWatch(
    { log: { warn: (...words: unknown[]) => void told.push(words[0]) }, count: () => undefined },
    ticksOf(() => now),
  )
  const slow = watch.begin('console: policy show')
  now = 1_000
  used.mockReturnValue({ user: 2_500_000, system: 1_100_000 })
  slow.isOver()
  expect(told).toMatchObject([{ ms: 950, cpuMs: 600 }])
})
