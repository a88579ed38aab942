import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSequencer } from '../../src/kernel/log/sequencer.ts'
import { LogKeyError, type LogSigner } from '../../src/kernel/model/checkpoint.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A log with so many entries in each batch, and a lease that this process gets or does not. */
const open = (over: { batches?: number[]; isFree?: boolean; waitingSince?: number | undefined } = {}) => {
  const state = {
    batches: [] as number[],
    isFree: true,
    waitingSince: undefined as number | undefined,
    ...over,
  }
  const done: string[] = []
  let failure: unknown
  const sequencer = createSequencer({
    store: {
      auditTree: {
        sequence: async () => {
          done.push('numbered')
          if (failure !== undefined) throw failure
          return state.batches.shift() ?? 0
        },
        waitingSince: async () => state.waitingSince,
      },
      leases: {
        acquire: async (...given: unknown[]) => {
          done.push(`asked ${given.join(' ')}`)
          return state.isFree
        },
        release: async (...given: unknown[]) => void done.push(`released ${given.join(' ')}`),
      },
    } as never,
    signer: {} as LogSigner,
    process: 'p1',
    warn: (error) => void done.push(`warned ${(error as Error).message}`),
  })
  /** What was done since the last look, until so much later. */
  const during = async (ms: number): Promise<string[]> => {
    await vi.advanceTimersByTimeAsync(ms)
    return done.splice(0)
  }
  const fail = (error: unknown) => {
    failure = error
  }
  return { sequencer, state, during, fail }
}
const asked = 'asked audit sequencer p1 5000'
const released = 'released audit sequencer p1'

it('whoever has the lease numbers ten times a second while entries come, less often while none do, and renews it before a third of it is over', async () => {
  const { sequencer, during } = open({ batches: [0, 3, 2, 0] })
  sequencer.start()
  expect(await during(0)).toEqual([asked, 'numbered'])
  expect(await during(399)).toEqual([])
  expect(await during(1)).toEqual(['numbered'])
  expect(await during(99)).toEqual([])
  expect(await during(101)).toEqual(['numbered', 'numbered'])
  const rest = await during(1_600)
  expect(rest.filter((one) => one === 'numbered')).toHaveLength(4)
  expect(rest.filter((one) => one === asked)).toHaveLength(1)
})

it('a flush goes on while batches are full', async () => {
  const { sequencer, state, during } = open({ batches: [1_000, 1_000, 999, 1_000] })
  await sequencer.flush()
  expect(state.batches).toEqual([1_000])
  expect(await during(1_000)).toHaveLength(3)
})

it('without the lease it numbers what has waited too long for the holder, and nothing else', async () => {
  const { sequencer, state, during } = open({ isFree: false })
  sequencer.start()
  expect(await during(0)).toEqual([asked])
  expect(await during(399)).toEqual([])
  expect(await during(1)).toEqual([asked])
  state.waitingSince = Date.now()
  // Its age by the wall clock says nothing: it is counted from the look that finds it.
  expect(await during(400)).toEqual([asked])
  expect(await during(399)).toEqual([])
  expect(await during(1)).toEqual([asked, 'numbered'])
  // In the holder's place, for as long as its lease may last.
  const rest = await during(4_900)
  expect([rest.filter((one) => one === 'numbered').length, rest.includes(asked)]).toEqual([12, false])
  state.waitingSince = undefined
  expect(await during(400)).toEqual([asked])
})

it('a process that lacks the key says so once, lets go, and looks again when a lease is over', async () => {
  const { sequencer, during, fail } = open()
  fail(new LogKeyError('k2'))
  sequencer.start()
  const first = await during(0)
  expect(first.filter((one) => one.startsWith('warned'))).toHaveLength(1)
  expect(first.at(-1)).toBe(released)
  expect(await during(4_999)).toEqual([])
  expect(await during(1)).toEqual([asked, 'numbered', released])
  fail(undefined)
  await during(5_000)
  fail(new LogKeyError('k2'))
  expect((await during(400)).filter((one) => one.startsWith('warned'))).toHaveLength(1)
})

it('after another failure it asks for the lease again, a little later', async () => {
  const { sequencer, during, fail } = open()
  fail(new Error('the store is down'))
  sequencer.start()
  expect(await during(0)).toEqual([asked, 'numbered', 'warned the store is down'])
  expect(await during(399)).toEqual([])
  fail(undefined)
  expect(await during(1)).toEqual([asked, 'numbered'])
})

it('when it stops it numbers what is left, lets go, and never begins again', async () => {
  const { sequencer, state, during, fail } = open({ batches: [0, 1_000, 1] })
  sequencer.start()
  await during(0)
  await sequencer.stop()
  expect(state.batches).toEqual([])
  expect(await during(10_000)).toEqual(['numbered', 'numbered', released])
  fail(new Error('the store is down'))
  await expect(open().sequencer.stop()).resolves.toBeUndefined()
  await expect(sequencer.stop()).resolves.toBeUndefined()
  expect(await during(0)).toEqual(['numbered', 'warned the store is down'])
})
