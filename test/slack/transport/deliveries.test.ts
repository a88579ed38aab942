import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { dmOf } from '../fake/state.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general, approvals } = channels

describe.each(['http', 'socket'] as const)('over %s', async (over) => {
  const { sam, fay, finn, fake, sandbox, counted, app } = await openSlackHarness({ over })
  const refunds = () => sandbox.wire.filter(({ method }) => method === 'POST').length
  const repeated = () => counted.filter(({ kind }) => kind === 'repeated').length
  /** So many deliveries were found to be repetitions, and everything that follows from the first is done. */
  const settled = async (repetitions: number) => {
    await until(() => expect(repeated()).toBe(repetitions))
    await app.drain()
  }

  test('a slash command delivered three times is one answer', async () => {
    const before = repeated()
    await sam.types('/subscriber get ada@example.com', general, { times: 3 })
    await until(() => sam.finds('Ada Lindqvist', general))
    await settled(before + 2)
    expect(sam.answers(general)).toHaveLength(1)
  })

  test('a refund delivered three times is one request', async () => {
    const before = repeated()
    await sam.types('/refund pay_1001 100', general, { times: 3 })
    await until(() => fay.finds('[Approve]', approvals))
    await settled(before + 2)
    expect(await app.core.store.changes.list({ limit: 10 })).toHaveLength(1)
    expect(fay.answers(approvals)).toHaveLength(1)
  })

  test('a click delivered five times, and two people at once, are one effect', async () => {
    const before = repeated()
    const card = fay.finds('[Approve]', approvals)
    await Promise.all([
      fay.clicks('Approve', { on: card, times: 5 }),
      finn.clicks('Approve', { on: card, times: 5 }),
    ])
    await until(() => expect(card.text).toMatch(/refunded/i))
    await until(() => sam.finds('payment pay_1001', dmOf(sam.id)))
    await settled(before + 8)
    expect(refunds()).toBe(1)
    expect(sam.sees(dmOf(sam.id))).toHaveLength(1)
  })

  test('a click is stored when it is acknowledged, and not yet done', async () => {
    await sam.types('/refund pay_1003 60', general)
    const card = await until(() => fay.finds('pay_1003', approvals))
    sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 60_000 })
    await fay.clicks('Approve', { on: card })
    const [change] = await app.core.store.changes.list({ limit: 1 })
    expect(change?.votes).toHaveLength(1)
    expect(['approved', 'applying']).toContain(change?.state)
    sandbox.clearFaults()
    await until(() => expect(card.text).toMatch(/refunded/i))
    await app.drain()
  })

  test('an event that Slack tries three times is one answer', async () => {
    const before = { seen: sam.answers(general).length, repeated: repeated() }
    await sam.mentions('subscriber stats', general, { times: 3 })
    await until(() => expect(sam.answers(general)).toHaveLength(before.seen + 1))
    await settled(before.repeated + 2)
    expect(sam.answers(general)).toHaveLength(before.seen + 1)
  })

  test('the acknowledgement comes while every service hangs', async () => {
    sandbox.fault({ kind: 'delay', ms: 60_000, times: 10 })
    await Promise.all([
      sam.types('/subscriber get ada@example.com', general),
      sam.types('/contact find', general),
      sam.mentions('subscriber stats', general),
      sam.writes('list find'),
    ])
    sandbox.clearFaults()
    expect(fake.state.calls.filter(({ ok }) => !ok)).toEqual([])
  })
})
