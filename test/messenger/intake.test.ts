import { expect, test, vi } from 'vitest'
import { ackOnceStored, isTakenIn, storedWithin } from '../../src/kernel/messenger/intake.ts'
import { until } from '../harness/until.ts'

test('a delivery that is stored in time is a first or a repeated one, and never late', async () => {
  const [onLate, onFailure] = [vi.fn(), vi.fn()]
  expect(await storedWithin(5_000, Promise.resolve(true), { onLate, onFailure })).toBe('first')
  expect(await storedWithin(5_000, Promise.resolve(false), { onLate, onFailure })).toBe('repeated')
  expect(onLate).not.toHaveBeenCalled()
  expect(onFailure).not.toHaveBeenCalled()
})

test('of the deliveries that are stored too late only a first copy is told', async () => {
  const onLate = vi.fn()
  const [first, repeated] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
  expect(
    await storedWithin(1, repeated.promise, { onLate: () => onLate('repeated'), onFailure: vi.fn() }),
  ).toBe('slow')
  expect(await storedWithin(1, first.promise, { onLate: () => onLate('first'), onFailure: vi.fn() })).toBe(
    'slow',
  )
  repeated.resolve(false)
  first.resolve(true)
  await until(() => expect(onLate).toHaveBeenCalled())
  expect(onLate.mock.calls).toEqual([['first']])
})

test('a delivery that cannot be stored is worked on without, and its failure is told', async () => {
  const [onLate, onFailure] = [vi.fn(), vi.fn()]
  const failure = new Error('no disk')
  expect(await storedWithin(5_000, Promise.reject(failure), { onLate, onFailure })).toBe('not stored')
  expect(onFailure.mock.calls).toEqual([[failure]])
})

test('nothing is done for a copy, nor for what its sender was told was not taken', () => {
  expect((['first', 'not stored', 'repeated', 'slow'] as const).map(isTakenIn)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a decision is acknowledged once it is stored, before its work is done', async () => {
  const work = Promise.withResolvers<string>()
  const ack = vi.fn(async () => work.resolve('done'))
  const tooLate = vi.fn()
  const result = await ackOnceStored(
    (stored) => {
      stored()
      return work.promise
    },
    { withinMs: 5_000, ack, tooLate },
  )
  expect(result).toBe('done')
  expect(tooLate).not.toHaveBeenCalled()
})

test('a decision that is not stored in time is not acknowledged as if it were', async () => {
  const work = Promise.withResolvers<string>()
  const ack = vi.fn()
  const tooLate = vi.fn(async () => work.resolve('done'))
  expect(await ackOnceStored(() => work.promise, { withinMs: 1, ack, tooLate })).toBe('done')
  expect(tooLate).toHaveBeenCalledTimes(1)
  expect(ack).not.toHaveBeenCalled()
})
