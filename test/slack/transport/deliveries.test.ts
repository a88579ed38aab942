import { describe, expect, test } from 'vitest'
import { dmOf } from '../fake/state.ts'
import { channels, openSlackHarness, until } from '../harness.ts'

const { general, approvals } = channels

describe.each(['http', 'socket'] as const)('over %s', async (over) => {
  const { sam, fay, finn, fake, sandbox, counted, app } = await openSlackHarness({ over })
  const refunds = () => sandbox.wire.filter(({ method }) => method === 'POST').length
  const settled = () => new Promise((resolve) => setTimeout(resolve, 250))

  test('a slash command delivered three times is one answer', async () => {
    const before = counted.filter(({ kind }) => kind === 'repeated').length
    await sam.types('/subscriber get ada@example.com', general, { times: 3 })
    await until(() => sam.finds('Ada Lindqvist', general))
    await settled()
    expect(sam.sees(general)).toHaveLength(1)
    expect(counted.filter(({ kind }) => kind === 'repeated')).toHaveLength(before + 2)
  })

  test('a refund delivered three times is one request', async () => {
    await sam.types('/refund pay_1001 100', general, { times: 3 })
    await until(() => fay.finds('[Approve]', approvals))
    await settled()
    expect(await app.core.store.changes.list({ limit: 10 })).toHaveLength(1)
    expect(fay.sees(approvals)).toHaveLength(1)
  })

  test('a click delivered five times, and two people at once, are one effect', async () => {
    const card = fay.finds('[Approve]', approvals)
    await Promise.all([
      fay.clicks('Approve', { on: card, times: 5 }),
      finn.clicks('Approve', { on: card, times: 5 }),
    ])
    await until(() => expect(card.text).toContain('refunded'))
    await until(() => sam.finds('Refund payment pay_1001', dmOf(sam.id)))
    await settled()
    expect(refunds()).toBe(1)
    expect(sam.sees(dmOf(sam.id))).toHaveLength(1)
  })

  test('a click is stored when it is acknowledged, and not yet done', async () => {
    await sam.types('/refund pay_1003 60', general)
    const card = await until(() => fay.finds('pay_1003', approvals))
    sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 600 })
    await fay.clicks('Approve', { on: card })
    const [change] = await app.core.store.changes.list({ limit: 1 })
    expect(change?.votes).toHaveLength(1)
    expect(['approved', 'applying']).toContain(change?.state)
    await until(() => expect(card.text).toContain('refunded'))
  })

  test('an event that Slack tries three times is one answer', async () => {
    const before = sam.sees(general).length
    await sam.mentions('subscriber stats', general, { times: 3 })
    await until(() => expect(sam.sees(general)).toHaveLength(before + 1))
    await settled()
    expect(sam.sees(general)).toHaveLength(before + 1)
  })

  test('the acknowledgement comes in milliseconds while every service hangs', async () => {
    sandbox.fault({ kind: 'delay', ms: 2_000, times: 10 })
    const acked = await Promise.all([
      sam.types('/subscriber get ada@example.com', general),
      sam.types('/contact find', general),
      sam.mentions('subscriber stats', general),
      sam.writes('list find'),
    ])
    expect(Math.max(...acked.map(({ ms }) => ms))).toBeLessThan(1_000)
    sandbox.clearFaults()
    expect(fake.state.calls.filter(({ ok }) => !ok)).toEqual([])
  })
})
