import { expect, test, vi } from 'vitest'
import { ackOnceStored, storedWithin } from '../../src/messenger/intake.ts'
import { until } from '../harness/until.ts'

test('a delivery that is stored in time is a first or a repeated one, and never late', async () => {
  const onLate = vi.fn()
  expect(await storedWithin(5_000, Promise.resolve(true), onLate)).toBe('first')
  expect(await storedWithin(5_000, Promise.resolve(false), onLate)).toBe('repeated')
  expect(onLate).not.toHaveBeenCalled()
})

test('of the deliveries that are stored too late only a first copy is told', async () => {
  const onLate = vi.fn()
  const [first, repeated] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
  expect(await storedWithin(1, repeated.promise, () => onLate('repeated'))).toBe('slow')
  expect(await storedWithin(1, first.promise, () => onLate('first'))).toBe('slow')
  repeated.resolve(false)
  first.resolve(true)
  await until(() => expect(onLate).toHaveBeenCalled())
  expect(onLate.mock.calls).toEqual([['first']])
})

test('a delivery that cannot be stored is the caller’s to tell', async () => {
  await expect(storedWithin(5_000, Promise.reject(new Error('no disk')), vi.fn())).rejects.toThrow('no disk')
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
