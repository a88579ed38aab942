import { beforeEach, describe, expect, it } from 'vitest'
import type { Fence } from '../../../src/lib/services/client/fence.ts'
import { isServiceError, ServiceError } from '../../../src/lib/services/errors.ts'
import { openRecorder } from '../recorder.ts'

const { recorder, services } = await openRecorder()
beforeEach(() => {
  recorder.requests.length = 0
})

const fenceOf = (more: Partial<Fence>): Fence => ({ renew: async () => true, isFresh: () => true, ...more })

const refund = (fence: Fence) =>
  services.under(fence).billing.refundPayment({ params: { payment_id: 'pay_1' }, body: {} })
const update = (fence: Fence) =>
  services.under(fence).email.updateSubscriber({ params: { email: 'a@b.example' }, body: { firstName: 'A' } })

/** One that is sent once, on a connection of its own, and one that may be repeated, on a kept one. */
describe.each([
  ['a request that is sent once', refund],
  ['a request that may be repeated', update],
])('%s', (_, send) => {
  it('leaves when the claim is still ours', async () => {
    await send(fenceOf({}))
    expect(recorder.requests).toHaveLength(1)
  })

  it.each([
    ['the store says that the claim was given up', { renew: async () => false }],
    ['the store cannot tell', { renew: () => Promise.reject(new Error('down')) }],
    ['the clock says that too much time has passed', { isFresh: () => false }],
  ])('does not leave when %s, and is not tried again', async (_words, fence) => {
    let asked = 0
    const given = fenceOf(fence)
    const counting = { ...given, renew: () => given.renew().finally(() => asked++) }
    const error = await send(counting).catch((thrown: unknown) => thrown)
    expect(isServiceError(error) && error).toMatchObject({ kind: 'given_up', outcome: 'not_done' })
    expect(recorder.requests).toHaveLength(0)
    expect(asked).toBe(1)
  })

  it('does not leave when the time ran out between the answer of the store and the writing', async () => {
    let looks = 0
    const error = await send(fenceOf({ isFresh: () => ++looks < 2 })).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'given_up', outcome: 'not_done' })
    expect(looks).toBe(2)
    expect(recorder.requests).toHaveLength(0)
  })

  it('says nothing about the service: its breaker stays closed', async () => {
    for (let n = 0; n < 8; n++) await send(fenceOf({ renew: async () => false })).catch(() => undefined)
    expect(services.breakers()).toMatchObject({ email: 'closed', billing: 'closed' })
  })
})

it('a request that is sent once asks for the right when its connection stands', async () => {
  const before = recorder.connections()
  let connections = 0
  await refund(
    fenceOf({
      renew: async () => {
        await expect.poll(() => recorder.connections()).toBe(before + 1)
        connections = recorder.connections() - before
        return true
      },
    }),
  )
  expect(connections).toBe(1)
  expect(recorder.requests).toHaveLength(1)
})

it('a connection that was made for nothing is closed', async () => {
  const openNow = () =>
    new Promise<number>((resolve) => recorder.server.getConnections((_, count) => resolve(count)))
  const before = await openNow()
  const made = recorder.connections()
  await refund(fenceOf({ renew: async () => false })).catch(() => undefined)
  await expect.poll(() => recorder.connections()).toBe(made + 1)
  await expect.poll(openNow).toBe(before)
})

it('a service to which there is no connection is told as that, and the right is not asked for', async () => {
  const away = await openRecorder()
  await away.recorder.stop()
  let asked = 0
  const fence = fenceOf({ renew: async () => ++asked > 0 })
  const send = () =>
    away.services.under(fence).billing.refundPayment({ params: { payment_id: 'pay_1' }, body: {} })
  await expect(send()).rejects.toMatchObject({ kind: 'unavailable', outcome: 'not_done' })
  expect(asked).toBe(0)
})

it('a look-up asks nobody', async () => {
  await services
    .under(fenceOf({ renew: async () => false }))
    .email.subscriberStats({})
    .catch(() => undefined)
  expect(recorder.requests).toHaveLength(1)
})

/** What has to be written down before a change is sent. */
describe('what comes before a change', () => {
  const under = (first: () => Promise<void>) => services.under(fenceOf({}), first)
  const change = (first: () => Promise<void>) =>
    under(first).billing.refundPayment({ params: { payment_id: 'pay_1' } })

  it('is done when the change is sent, and not done for a look-up', async () => {
    const sent: number[] = []
    const first = async () => void sent.push(recorder.requests.length)
    await under(first).email.subscriberStats()
    await change(first)
    expect(sent).toEqual([1])
    expect(recorder.requests).toHaveLength(2)
  })

  it.each([
    [
      'the service',
      { kind: 'not_found' },
      new ServiceError({ kind: 'not_found', outcome: 'not_done', service: 'email', row: 'getSubscriber' }),
    ],
    ['the store', { name: 'FenceError' }, new Error('down')],
  ])('keeps the change from leaving when %s fails in it', async (_, told, failure) => {
    await expect(change(() => Promise.reject(failure))).rejects.toMatchObject(told)
    expect(recorder.requests).toHaveLength(0)
  })
})
