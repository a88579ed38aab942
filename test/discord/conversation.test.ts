import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.ts'
import { labelsOf, textOf } from './fake/person.ts'
import type { FakeInteraction, FakeMessage } from './fake/state.ts'
import { channels, type DiscordHarness, openDiscordHarness } from './harness.ts'

const { general, approvals, closed } = channels

for (const over of ['gateway', 'http'] as const) {
  describe(`a conversation over ${over}`, async () => {
    const harness = await openDiscordHarness({ over })
    const { fake, sam, fay, wes, sandbox } = harness

    it('answers a read privately, at once deferred, with a button to share it', async () => {
      sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 60_000 })
      const asked = await sam.slash(general, 'subscriber get', { who: 'ada@example.com' })
      expect(asked.answered).toBe(5)
      sandbox.clearFaults()
      const answer = await shown(harness, asked)
      expect(answer.onlyFor).toBe(sam.id)
      expect(textOf(answer)).toContain('ada@example.com')
      expect(labelsOf(answer)).toEqual(['Share'])
      expect(fay.reads(general)).toBe('')

      await sam.press(answer, 'Share')
      const shared = await until(() => {
        const [message] = fake.seen(fay.id, general)
        expect(message && textOf(message)).toContain('ada@example.com')
        return message as FakeMessage
      })
      expect(labelsOf(shared)).toEqual([])
      expect(textOf(shared)).toContain('Shared by Sam Support')
    })

    it('turns pages in place', async () => {
      const answer = await shown(harness, await sam.slash(general, 'subscriber find', { limit: 5 }))
      expect(labelsOf(answer)).toEqual(['Next', 'All columns', 'Share'])
      const first = textOf(answer)
      await sam.press(answer, 'Next')
      await until(() => expect(textOf(answer)).not.toBe(first))
      expect(labelsOf(answer)).toEqual(['Previous', 'Next', 'All columns', 'Share'])
      await sam.press(answer, 'Previous')
      await until(() => expect(textOf(answer)).toBe(first))
    })

    it('draws charts as pictures', async () => {
      const answer = await shown(harness, await sam.slash(general, 'subscriber stats'))
      const pictures = Object.entries(answer.files)
      expect(pictures.length).toBeGreaterThan(0)
      for (const [name, bytes] of pictures) {
        expect(name).toMatch(/^chart-\d\.png$/)
        expect([...bytes.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
      }
    })

    it('hands over a file that can be seen', async () => {
      const answer = await shown(harness, await fay.slash(general, 'audit export'))
      expect(Object.keys(answer.files)).toHaveLength(1)
    })

    it('names every command in its help, none left out', async () => {
      const answer = await shown(harness, await fay.slash(general, 'bellhop help', { command: 'all' }))
      const words = textOf(answer)
      for (const { name } of harness.app.core.registry.all) expect(words).toContain(name)
      expect(words).not.toContain('left out')
    })

    it('says no to a stranger, privately', async () => {
      const answer = await shown(
        harness,
        await wes.slash(general, 'subscriber get', { who: 'ada@example.com' }),
      )
      expect(answer.onlyFor).toBe(wes.id)
      expect(textOf(answer)).toContain('not linked to anybody')
    })

    it('opens a form for what is missing, and keeps what was typed when it is refused', async () => {
      const asked = await sam.slash(general, 'list remove', { who: 'nobody-*here*@example.com' })
      expect(asked.answered).toBe(9)
      expect(fieldsOf(asked)).toEqual(['list-ids', 'who', 'at', 'also'])

      const refused = await shown(harness, await sam.submit(asked, { 'list-ids': 'lst_newsletter' }))
      expect(refused.onlyFor).toBe(sam.id)
      expect(textOf(refused)).toContain('**Lists**: Newsletter')
      expect(textOf(refused)).toContain('nobody-\\*here\\*')
      expect(labelsOf(refused)).toEqual(['Edit'])

      const again = await sam.press(refused, 'Edit')
      expect(again.answered).toBe(9)
      await sam.submit(again, { who: 'ada@example.com' })
      await until(() => expect(labelsOf(refused), textOf(refused)).toEqual(['Confirm', 'Cancel']))
      await sam.press(refused, 'Cancel')
      await until(() => expect(textOf(refused)).toContain('Cancelled'))
      expect(labelsOf(refused)).toEqual(['Ask again', 'Receipt'])
    })

    it('shows a confirm card to its requester alone, and what came of it to everybody', async () => {
      const values = { 'payment-id': 'pay_1001', amount: 20, customer: 'cus_1001' }
      const asked = await sam.slash(general, 'refund', values)
      const card = await shown(harness, asked, (message) => labelsOf(message).length > 0)
      expect(card.onlyFor).toBe(sam.id)
      expect(labelsOf(card)).toEqual(['Confirm', 'Cancel'])
      await sam.press(card, 'Confirm')
      await until(() => expect(textOf(card)).toContain('Refunded 20 USD'))
      expect(labelsOf(card)).toEqual(['Receipt'])
      await until(() => expect(fay.reads(general)).toContain('Refunded 20 USD to customer cus\\_1001'))
    })

    it('posts an approval card for everybody, mirrors it, and settles every copy', async () => {
      const asked = await sam.slash(general, 'refund', { 'payment-id': 'pay_1003', amount: 120 })
      const note = await shown(harness, asked)
      expect(note.onlyFor).toBe(sam.id)
      const card = await until(() => cardIn(harness, general, 'pay\\_1003'))
      const mirror = await until(() => cardIn(harness, approvals, 'pay\\_1003'))
      for (const copy of [card, mirror]) expect(labelsOf(copy)).toEqual(['Approve', 'Ask', 'Reject'])

      const own = await sam.press(card, 'Approve')
      const told = await until(() => followUp(harness, own))
      expect(told.onlyFor).toBe(sam.id)
      expect(textOf(told)).toContain('cannot approve it')
      expect(labelsOf(card)).toHaveLength(3)

      await fay.press(mirror, 'Approve')
      for (const copy of [card, mirror]) {
        await until(() => expect(textOf(copy)).toMatch(/refunded/i))
        expect(labelsOf(copy)).toEqual(['Receipt'])
      }
      await until(() => expect(sam.reads(sam.direct)).toContain('pay\\_1003'))
      expect(refundsOf(harness, 'pay_1003')).toBe(1)
    })

    it('asks for the reason of a rejection in a form, and shows it on the card', async () => {
      await sam.slash(general, 'refund', { 'payment-id': 'pay_1004', amount: 90 })
      const card = await until(() => cardIn(harness, general, 'pay\\_1004'))
      const asked = await fay.press(card, 'Reject')
      expect(asked.answered).toBe(9)
      await fay.submit(asked, { reason: 'Already refunded in March' })
      await until(() =>
        expect(textOf(card)).toContain('Rejected by Fay Finance: “Already refunded in March”'),
      )
      expect(labelsOf(card)).toEqual(['Ask again', 'Receipt'])
      expect(refundsOf(harness, 'pay_1004')).toBe(0)
    })

    it('answers where the bot may not write through the interaction', async () => {
      await sam.slash(closed, 'refund', { 'payment-id': 'pay_1007', amount: 60 })
      const card = await until(() => cardIn(harness, closed, 'pay\\_1007'))
      expect(card.onlyFor).toBeNull()
      await fay.press(await until(() => cardIn(harness, approvals, 'pay\\_1007')), 'Approve')
      await until(() => expect(textOf(card)).toMatch(/refunded 60/i))
      expect(labelsOf(card)).toEqual(['Receipt'])
    })

    it('tells the end in the channel when direct messages are closed', async () => {
      const person = fake.state.people.get(sam.id)
      if (person) person.takesDirect = false
      await sam.slash(general, 'refund', { 'payment-id': 'pay_1006', amount: 70 })
      const card = await until(() => cardIn(harness, approvals, 'pay\\_1006'))
      await fay.press(card, 'Approve')
      await until(() =>
        expect(fay.reads(general)).toContain('-# Asked by Sam Support, approved by Fay Finance'),
      )
      if (person) person.takesDirect = true
    })

    it('sends nothing that Discord would refuse', () => {
      expect(fake.state.refused).toEqual([])
    })
  })
}

const shown = (
  { fake }: DiscordHarness,
  { original, source }: FakeInteraction,
  isIt: (message: FakeMessage) => boolean = () => true,
): Promise<FakeMessage> =>
  until(() => {
    const message = fake.state.messages.get(original ?? source ?? '')
    if (message === undefined || message.isThinking || !isIt(message)) throw new Error('nothing is shown yet')
    return message
  })

/** What was said with the acknowledgement, or after it. */
const followUp = ({ fake }: DiscordHarness, { followUps, original }: FakeInteraction): FakeMessage => {
  const message = fake.state.messages.get(original ?? followUps[0] ?? '')
  if (message === undefined) throw new Error('nothing was said beside it')
  return message
}

const cardIn = ({ fake, fay }: DiscordHarness, channel: string, words: string): FakeMessage => {
  const message = fake.seen(fay.id, channel).find((one) => textOf(one).includes(words))
  if (message === undefined) throw new Error(`no card about ${words}`)
  return message
}

const fieldsOf = ({ modal }: FakeInteraction): string[] =>
  ((modal?.components ?? []) as { component: { custom_id: string } }[]).map(
    ({ component }) => component.custom_id,
  )

const refundsOf = ({ sandbox }: DiscordHarness, payment: string): number =>
  sandbox.wire.filter(({ method, path }) => method === 'POST' && path.includes(payment)).length
