import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { labelsOf, textOf } from '../fake/person.ts'
import type { FakeMessage } from '../fake/state.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general } = channels

describe('lines as text', async () => {
  const harness = await openDiscordHarness()
  const { fake, sam, fay, wes } = harness
  const bot = `<@${fake.state.applicationId}>`
  const last = (account: string, channel: string): FakeMessage => {
    const message = fake.seen(account, channel).at(-1)
    if (message === undefined) throw new Error('nothing was said')
    return message
  }

  it('are answered in a direct message', async () => {
    sam.say(sam.direct, 'subscriber get ada@example.com')
    await until(() => expect(sam.reads(sam.direct)).toContain('ada@example.com'))
    expect(labelsOf(last(sam.id, sam.direct))).toEqual(['Share'])
  })

  it('after a mention are answered directly, so that the channel does not read along', async () => {
    const id = sam.say(general, `${bot} subscriber find Lindqvist`)
    await until(() => expect(fay.reads(general)).toContain('Answered in a direct message'))
    expect(last(fay.id, general).replyTo).toBe(id)
    expect(fay.reads(general)).not.toContain('Lindqvist')
    expect(textOf(last(sam.id, sam.direct))).toContain('Lindqvist')
  })

  it('after a mention by somebody whose messages are closed say how to ask instead', async () => {
    const person = fake.state.people.get(wes.id)
    if (person) person.takesDirect = false
    wes.say(general, `${bot} bellhop whoami`)
    await until(() => expect(wes.reads(general)).toContain('Your direct messages are closed to me'))
  })

  it('that lack something offer a form', async () => {
    sam.say(sam.direct, 'list remove ada@example.com')
    const offer = await until(() => {
      const message = last(sam.id, sam.direct)
      expect(labelsOf(message)).toEqual(['Fill in'])
      return message
    })
    const opened = await sam.press(offer, 'Fill in')
    expect(opened.answered).toBe(9)
    await sam.submit(opened, { 'list-ids': 'lst_newsletter' })
    await until(() => expect(labelsOf(offer), textOf(offer)).toEqual(['Confirm', 'Cancel']))
  })

  it('ask for approval in the channel, and for a confirmation directly', async () => {
    sam.say(general, `${bot} refund pay_1003 120`)
    await until(() => expect(labelsOf(last(fay.id, general))).toEqual(['Approve', 'Ask', 'Reject']))
    sam.say(general, `${bot} refund pay_1001 12 --customer cus_1001`)
    await until(() => expect(textOf(last(sam.id, sam.direct))).toContain('pay\\_1001'))
    expect(labelsOf(last(sam.id, sam.direct))).toEqual(['Confirm', 'Cancel'])
  })

  it('that nobody says to the bot are left alone', async () => {
    await harness.app.drain()
    const before = fake.state.messages.size
    sam.say(general, 'refund pay_1003 120')
    sam.say(general, `hello ${bot}`)
    fake.gateway.dispatch('MESSAGE_CREATE', {
      id: fake.state.newId(),
      channel_id: general,
      guild_id: '600000000000000001',
      content: `${bot} bellhop help`,
      author: { id: '400000000000000099', username: 'robot', bot: true },
    })
    sam.say(sam.direct, 'bellhop whoami')
    await until(() => expect(fake.state.messages.size).toBeGreaterThan(before))
    expect([...fake.state.messages.values()].slice(before).map(textOf)).toEqual([
      expect.stringContaining('Sam Support'),
    ])
  })

  it('sends nothing that Discord would refuse', () => {
    expect(fake.state.refused).toEqual([])
  })
})
