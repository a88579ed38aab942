import { afterAll, describe, expect, it } from 'vitest'
import { allRows } from '../../../src/lib/services/endpoints/tables.ts'
import { openRecorder, servicesAt } from '../recorder.ts'

const services = servicesAt('http://127.0.0.1:9')
afterAll(() => services.close())

describe('a reader', () => {
  it.each(['email', 'chat', 'billing'] as const)(
    'of %s has every read and no write, at run time',
    (service) => {
      const rows = allRows().filter((named) => named.service === service)
      const reads = rows.filter(({ row }) => row.effect === 'read').map(({ name }) => name)
      expect(Object.keys(services.readers[service]).sort()).toEqual(reads.sort())
      expect(Object.keys(services[service]).sort()).toEqual(rows.map(({ name }) => name).sort())
    },
  )

  it('has no write by type', () => {
    // @ts-expect-error a write is not on a reader
    expect(services.readers.email.updateSubscriber).toBeUndefined()
    // @ts-expect-error a write is not on a reader
    expect(services.readers.billing.refundPayment).toBeUndefined()
  })

  it('asks by type for what a row needs, and takes nothing else', async () => {
    // @ts-expect-error the email is missing
    await expect(services.email.getSubscriber()).rejects.toMatchObject({ kind: 'rejected' })
    await expect(
      // @ts-expect-error a read has no body
      services.email.getSubscriber({ params: { email: 'a@example.com' }, body: { a: 1 } }),
    ).rejects.toMatchObject({ kind: 'rejected' })
    await expect(
      // @ts-expect-error the amount is a number
      services.billing.refundPayment({ params: { payment_id: 'p' }, body: { amount: true } }),
    ).rejects.toMatchObject({ kind: 'rejected' })
  })
})

describe('a shared reader', async () => {
  const { recorder, services } = await openRecorder()
  it.each([
    ['share an answer', {}, 1],
    ['with a signal have their own', { signal: new AbortController().signal }, 2],
    ['with a deadline have their own', { deadlineMs: 9_000 }, 2],
  ])('answers two who ask alike; they %s', async (_, options, sent) => {
    const before = recorder.requests.length
    const ask = () => services.sharedReaders.email.findSubscribers({}, options).catch(() => undefined)
    await Promise.all([ask(), ask()])
    expect(recorder.requests.length - before).toBe(sent)
  })
})
