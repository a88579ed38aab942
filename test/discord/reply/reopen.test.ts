import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { labelsOf, textOf } from '../fake/person.ts'
import type { FakeMessage } from '../fake/state.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general, approvals } = channels

describe('what stands behind the details of a card in Discord', async () => {
  const { fake, sam, fay } = await openDiscordHarness()
  const seen = (person: typeof sam, channel: string, words: string): Promise<FakeMessage> =>
    until(() => {
      const found = fake.seen(person.id, channel).findLast((message) => textOf(message).includes(words))
      if (found === undefined) throw new Error(`no "${words}" in: ${person.reads(channel)}`)
      return found
    })
  /** The card itself, which has the buttons. */
  const cardWith = (words: string): Promise<FakeMessage> =>
    until(() => {
      const found = fake
        .seen(sam.id, general)
        .findLast((message) => labelsOf(message).includes('Approve') && textOf(message).includes(words))
      if (found === undefined) throw new Error(`no card with "${words}" in: ${sam.reads(general)}`)
      return found
    })
  /** The details of a card, which only whoever asked for them sees. */
  const detailsOf = async (person: typeof sam, card: FakeMessage, label: string): Promise<FakeMessage> => {
    const before = new Set(fake.state.messages.keys())
    await person.press(card, 'Details')
    return until(() => {
      const found = fake
        .seen(person.id, card.channel)
        .filter(({ id }) => !before.has(id))
        .find((message) => message.onlyFor === person.id && labelsOf(message).includes(label))
      if (found === undefined) throw new Error(`no ${label}: ${person.reads(card.channel)}`)
      return found
    })
  }

  it('reminds those whose turn it is, and says whom', async () => {
    await sam.slash(general, 'refund', { 'payment-id': 'pay_1003', amount: 100 })
    const card = await cardWith('Refund 100')
    await sam.press(await detailsOf(sam, card, 'Remind'), 'Remind')
    const told = await seen(sam, general, 'Reminded: ')
    expect(told.onlyFor).toBe(sam.id)
    expect(textOf(told)).toContain('Fay Finance')
    await seen(fay, approvals, 'Sam Support asks again')
  })

  it('changes what was asked in its own form, filled in, and the card shows old and new', async () => {
    const card = await cardWith('Refund 100')
    const opened = await sam.press(await detailsOf(sam, card, 'Change it'), 'Change it')
    expect(opened.answered).toBe(9)
    expect(JSON.stringify(opened.modal)).toContain('"value":"100"')
    await sam.submit(opened, { amount: '90' })
    const mirror = await seen(fay, approvals, 'Refund 90')
    await until(() => expect(textOf(mirror)).toContain('Sam Support changed what is asked'))
  })

  it('asks again for what was cancelled, with everything filled in', async () => {
    const card = await cardWith('Refund 90')
    await sam.press(await detailsOf(sam, card, 'Cancel'), 'Cancel')
    await until(() => expect(textOf(card)).toContain('Cancelled'))
    const opened = await sam.press(card, 'Ask again')
    expect(opened.answered).toBe(9)
    expect(JSON.stringify(opened.modal)).toContain('"value":"90"')
    await sam.submit(opened, {})
    await until(() => {
      const asked = fake.seen(fay.id, approvals).filter((message) => labelsOf(message).includes('Approve'))
      expect(asked.map(textOf).join()).toContain('Refund 90')
    })
    expect(fake.state.refused).toEqual([])
  })
})
