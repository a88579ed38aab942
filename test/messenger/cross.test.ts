import { afterAll, describe, expect, it } from 'vitest'
import { createDiscord } from '../../adapters/discord/discord.ts'
import { scopes } from '../../adapters/slack/manifest.ts'
import { createSlack } from '../../adapters/slack/slack.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { startFakeDiscord } from '../discord/fake/discord.ts'
import { labelsOf, textOf } from '../discord/fake/person.ts'
import { channels as rooms } from '../discord/harness.ts'
import { openTestApp } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { startFakeSlack } from '../slack/fake/slack.ts'
import { dmOf } from '../slack/fake/state.ts'
import { channels } from '../slack/harness.ts'
import { messengerPolicy } from './messenger-harness.ts'

/** Both messengers in one process, as they run in production. */
const openBoth = async () => {
  const slackFake = await startFakeSlack({ scopes: Object.keys(scopes) })
  const discordFake = await startFakeDiscord()
  const inSlack = {
    sam: slackFake.person('U0SAM', { name: 'sam' }),
    fay: slackFake.person('U0FAY', { name: 'fay' }),
  }
  const inDiscord = {
    sam: discordFake.person('400000000000000001', 'Sam'),
    fay: discordFake.person('400000000000000002', 'Fay'),
  }
  slackFake.channel(channels.general, ['U0SAM', 'U0FAY'])
  slackFake.channel(channels.approvals, ['U0FAY'])
  for (const id of [rooms.general, rooms.approvals]) discordFake.channel(id)
  const opened = await openTestApp({ policy: messengerPolicy, started: false })
  const http = createHttpServer()
  const { app } = opened
  const { log } = app.core
  const { botToken, signingSecret } = slackFake.state
  const { token, applicationId, publicKey } = discordFake.state
  const slack = await createSlack({
    bot: app.bot,
    http,
    log,
    config: { botToken, signingSecret, apiUrl: slackFake.apiUrl },
  })
  const discord = await createDiscord({
    bot: app.bot,
    http,
    log,
    config: { token, applicationId, publicKey, gateway: false, apiUrl: discordFake.apiUrl },
  })
  app.join(slack.messenger)
  app.join(discord.messenger)
  await app.start()
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  slackFake.useHttp(`${base}/slack/events`)
  discordFake.useHttp(`${base}/discord/interactions`)
  await Promise.all([slack.start(), discord.start()])
  afterAll(async () => {
    await Promise.all([slack.stop(), discord.stop()])
    await http.close()
    await Promise.all([slackFake.close(), discordFake.close()])
  })
  return { ...opened, slackFake, discordFake, inSlack, inDiscord }
}

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
    expect(labelsOf(there)).toEqual(['Approve', 'Reject', 'Cancel'])

    await inDiscord.fay.press(there, 'Approve')
    await until(() => expect(textOf(there)).toContain('was refunded: 120'))
    expect(labelsOf(there)).toEqual([])
    for (const [copy, room] of [
      [card, channels.general],
      [mirror, channels.approvals],
    ] as const) {
      const settled = await until(() => inSlack.fay.finds('was refunded: 120', room))
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
    await until(() => expect(textOf(there)).toContain('Rejected by Fay Finance: Already paid back'))
    expect(labelsOf(there)).toEqual([])
    await until(() => inSlack.fay.finds('Already paid back', channels.approvals))
    await until(() => expect(inDiscord.sam.reads(inDiscord.sam.direct)).toContain('pay\\_1004'))
    expect(effects('pay_1004')).toBe(0)
  })

  it('nobody approves themselves from their other account', async () => {
    await inSlack.fay.types('/refund pay_1005 60', channels.general)
    const there = await until(() => discordCard('pay\\_1005'))
    const tried = await inDiscord.fay.press(there, 'Approve')
    await until(() => {
      const told = discordFake.state.messages.get(tried.followUps[0] ?? '')
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
    await until(() => expect(textOf(there)).toContain('was refunded: 70'))
    await until(() => inSlack.fay.finds('was refunded: 70', channels.approvals))
    expect(effects('pay_1006')).toBe(1)
    const [change] = await store.changes.list({ states: ['applied'], limit: 1 })
    expect(change?.votes).toHaveLength(1)
    expect(discordFake.state.refused).toEqual([])
  })
})
