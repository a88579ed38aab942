import { describe, expect, it } from 'vitest'
import { labelsOf, textOf } from '../discord/fake/person.ts'
import { channels as rooms } from '../discord/harness.ts'
import { until } from '../harness/until.ts'
import { dmOf } from '../slack/fake/state.ts'
import { channels } from '../slack/harness.ts'
import { openBoth } from './both-harness.ts'

describe('a request in one messenger, decided in the other', async () => {
  const { inSlack, inDiscord, discordFake, sandbox, store } = await openBoth()
  const discordCard = (words: string, room = rooms.approvals) => {
    const found = discordFake
      .seen(inDiscord.fay.id, room)
      .findLast((message) => textOf(message).includes(words))
    if (found === undefined) throw new Error(`no card about ${words} in Discord`)
    return found
  }
  const effects = (payment: string) =>
    sandbox.wire.filter(({ method, path }) => method === 'POST' && path.includes(payment)).length

  it('asked in Slack, approved in Discord: one effect, and both cards are settled', async () => {
    await inSlack.sam.types('/refund pay_1003 120', channels.general)
    const card = await until(() => inSlack.fay.finds('[Approve]', channels.general))
    const mirror = await until(() => inSlack.fay.finds('[Approve]', channels.approvals))
    const there = await until(() => discordCard('pay\\_1003'))
    expect(labelsOf(there)).toEqual(['Approve', 'Ask', 'Reject'])

    await inDiscord.fay.press(there, 'Approve')
    await until(() => expect(textOf(there)).toContain('Refunded 120'))
    expect(labelsOf(there)).toEqual(['Receipt'])
    for (const [copy, room] of [
      [card, channels.general],
      [mirror, channels.approvals],
    ] as const) {
      const settled = await until(() => inSlack.fay.finds('Refunded 120', room))
      expect(settled.ts).toBe(copy.ts)
    }
    expect([...inSlack.fay.sees()].join()).not.toContain('[Approve]')
    await until(() => inSlack.sam.finds('pay_1003', dmOf('U0SAM')))
    expect(effects('pay_1003')).toBe(1)
  })

  it('asked in Discord, rejected in Slack: nothing happens, and both cards say why', async () => {
    await inDiscord.sam.slash(rooms.general, 'refund', { 'payment-id': 'pay_1004', amount: 90 })
    const there = await until(() => discordCard('pay\\_1004', rooms.general))
    await until(() => inSlack.fay.finds('pay_1004', channels.approvals))
    await inSlack.fay.clicks('Reject', { on: inSlack.fay.finds('pay_1004', channels.approvals) })
    await until(() => inSlack.fay.modal())
    await inSlack.fay.submits({ Reason: 'Already paid back' })
    await until(() => expect(textOf(there)).toContain('Rejected by Fay Finance: “Already paid back”'))
    expect(labelsOf(there)).toEqual(['Ask again', 'Receipt'])
    await until(() => inSlack.fay.finds('Already paid back', channels.approvals))
    await until(() => expect(inDiscord.sam.reads(inDiscord.sam.direct)).toContain('pay\\_1004'))
    expect(effects('pay_1004')).toBe(0)
  })

  it('nobody approves themselves from their other account', async () => {
    await inSlack.fay.types('/refund pay_1005 60', channels.general)
    const there = await until(() => discordCard('pay\\_1005'))
    const tried = await inDiscord.fay.press(there, 'Approve')
    await until(() => {
      const told = discordFake.state.messages.get(tried.original ?? '')
      expect(told && textOf(told)).toContain('You asked for this yourself')
    })
    expect(labelsOf(there)).toHaveLength(3)
    expect(effects('pay_1005')).toBe(0)
  })

  it('clicks from both messengers at once are one effect', async () => {
    await inSlack.sam.types('/refund pay_1006 70', channels.general)
    const there = await until(() => discordCard('pay\\_1006'))
    const here = await until(() => inSlack.fay.finds('pay_1006', channels.approvals))
    await Promise.all([
      inDiscord.fay.press(there, 'Approve'),
      inSlack.fay.clicks('Approve', { on: here, times: 3 }),
      inDiscord.fay.press(there, 'Approve'),
    ])
    await until(() => expect(textOf(there)).toContain('Refunded 70'))
    await until(() => inSlack.fay.finds('Refunded 70', channels.approvals))
    expect(effects('pay_1006')).toBe(1)
    const [change] = await store.changes.list({ states: ['applied'], limit: 1 })
    expect(change?.votes).toHaveLength(1)
    expect(discordFake.state.refused).toEqual([])
  })
})
