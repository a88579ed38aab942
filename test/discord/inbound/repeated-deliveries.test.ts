import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { labelsOf, textOf } from '../fake/person.ts'
import type { FakeMessage } from '../fake/state.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general, approvals } = channels

for (const over of ['gateway', 'http'] as const) {
  describe(`deliveries over ${over}`, async () => {
    const harness = await openDiscordHarness({ over })
    const { fake, sam, fay, finn, sandbox } = harness
    const cards = (words: string, channel: string): FakeMessage[] =>
      fake.seen(fay.id, channel).filter((message) => textOf(message).includes(words))
    const repeated = () => harness.counted.filter(({ kind }) => kind === 'repeated').length
    const effects = (payment: string) =>
      sandbox.wire.filter(({ method, path }) => method === 'POST' && path.includes(payment)).length

    it('a command delivered three times is one request', async () => {
      const payload = sam.payload(general, 'refund', { 'payment-id': 'pay_1003', amount: 100 })
      await Promise.all([fake.deliver(payload), fake.deliver(payload), fake.deliver(payload)])
      await until(() => expect(repeated()).toBe(2))
      await until(() => expect(cards('pay\\_1003', approvals)).toHaveLength(1))
      await harness.app.drain()
      expect(await harness.store.changes.list({ limit: 10 })).toHaveLength(1)
      expect(cards('pay\\_1003', general)).toHaveLength(1)
    })

    it('a click is stored when it has its first answer, and not yet done', async () => {
      await sam.slash(general, 'refund', { 'payment-id': 'pay_1001', amount: 60 })
      await until(() => expect(cards('pay\\_1001', approvals)).toHaveLength(1))
      const [card] = cards('pay\\_1001', approvals) as [FakeMessage]
      sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 600 })
      await fay.press(card, 'Approve')
      const [change] = await harness.store.changes.list({ limit: 1 })
      expect(change?.votes).toHaveLength(1)
      await until(() => expect(textOf(card)).toMatch(/refunded/i))
    })

    it('one click delivered five times, while others click too, is one effect', async () => {
      const [card] = cards('pay\\_1003', approvals) as [FakeMessage]
      const before = repeated()
      const click = fay.pressPayload(card, 'Approve')
      await Promise.all([
        ...Array.from({ length: 5 }, () => fake.deliver(click)),
        fake.deliver(finn.pressPayload(card, 'Approve')),
        fake.deliver(fay.pressPayload(card, 'Approve')),
      ])
      await until(() => expect(textOf(card)).toMatch(/refunded/i))
      await until(() => expect(repeated()).toBe(before + 4))
      expect(effects('pay_1003')).toBe(1)
      expect(labelsOf(card)).toEqual(['Receipt'])
      expect(fake.state.refused).toEqual([])
    })
  })
}
