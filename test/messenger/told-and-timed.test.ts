import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { openEventStream } from '../console/api-client.ts'
import { openConsoleHarness } from '../console/harness.ts'
import { textOf } from '../discord/fake/person.ts'
import { channels as discordChannels, openDiscordHarness } from '../discord/harness.ts'
import { approvalsPlaces, peopleOf } from '../harness/team-policy.ts'
import { until } from '../harness/until.ts'
import { textOfMessage } from '../slack/fake/reading.ts'
import { openSlackHarness, channels as slackChannels } from '../slack/harness.ts'
import { textsIn } from '../storage/rows.ts'

const policy = `
version: 1
unseen: pass
people:
${peopleOf({ sam: 'support', fay: 'finance', finn: 'finance', wes: 'other' })}
groups:
  slack: { S0FIN: [finance], S0OPS: [support] }
  discord: { "500000000000000001": [finance], "500000000000000002": [support] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: [refund], delegate: true }
  other: { approve: ["list *"] }
${approvalsPlaces}
policies:
  - { name: reminded, commands: [refund], amount: { upTo: 60 }, require: { approvals: 1, from: [finance] }, remind: [1s, 2s] }
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] }, expiresIn: 7d }
  - { name: own, commands: ["schedule *", "away *"], require: none }
`
/** Every object anywhere in what was sent. */
const elementsIn = (value: unknown): Record<string, unknown>[] =>
  typeof value !== 'object' || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [] : [value as Record<string, unknown>]),
        ...Object.values(value).flatMap(elementsIn),
      ]
const notifying = new Set(['user', 'usergroup', 'broadcast', 'channel'])
const trap = 'for <!channel> <@U0WES> @everyone <@400000000000000005> <@&500000000000000002>'

/** The next two turns of the schedule that is there: its time comes when the clock is put forward. */
const expectTwoPosts = async (store: Store, posted: () => unknown[]) => {
  await until(async () => expect(await textsIn(store, 'schedules', 'id')).toHaveLength(1))
  for (const turn of [1, 2]) {
    ahead += 10_000
    await until(() => expect(posted()).toHaveLength(turn))
  }
}
let ahead = 0
const now = () => Date.now() + ahead

describe('in Slack', async () => {
  const { sam, fay, fake, slack, store } = await openSlackHarness({
    policy,
    now,
    prepare: ({ state }) => state.zones.set('U0SAM', 'America/New_York'),
  })
  const cardWith = (words: string) =>
    until(() => {
      const found = fake.state.messages.find(
        (message) => message.channel === slackChannels.approvals && textOfMessage(message).includes(words),
      )
      if (found === undefined) throw new Error(`no card with ${words}`)
      return found
    })

  test('the card mentions the people and groups whom its clause names, and nobody whom some text names', async () => {
    await sam.types(`/refund pay_1001 100 --description "${trap}"`, slackChannels.general)
    const { blocks, text } = await cardWith('pay_1001')
    expect(elementsIn(blocks).filter(({ type }) => notifying.has(String(type)))).toEqual([
      { type: 'user', user_id: 'U0FAY' },
      { type: 'user', user_id: 'U0FINN' },
      { type: 'usergroup', usergroup_id: 'S0FIN' },
    ])
    const markdown = elementsIn(blocks).filter(({ type }) => type === 'mrkdwn')
    expect(JSON.stringify([text, markdown])).not.toMatch(/<(?:@|!(?!date\^\d))/)
  })

  test('a time is read in the zone of the profile, and the card shows UTC beside it', async () => {
    await sam.types('/refund pay_1003 100 --at "tomorrow 9:00"', slackChannels.general)
    const words = textOfMessage(await cardWith('pay_1003'))
    expect(words).toMatch(/09:00 America\/New_York \(1[34]:00 UTC\)/)
    expect(words).not.toContain('time zone')
  })

  test('a channel is read by those who are in it', async () => {
    const mayRead = (account: string, channel: string) => slack.messenger.mayRead?.(account, channel)
    expect(await mayRead('U0FAY', slackChannels.approvals)).toBe(true)
    expect(await mayRead('U0SAM', slackChannels.approvals)).toBe(false)
    expect(await mayRead('U0FAY', 'C0NOWHERE')).toBe(false)
  })

  test('a schedule is posted in its channel, which is picked from a list', async () => {
    const line = `/schedule create "away list" --every 10s --in <#${slackChannels.approvals}|approvals>`
    await fay.types(line, slackChannels.general)
    await expectTwoPosts(store, () =>
      fake.state.messages.filter(
        (message) =>
          message.channel === slackChannels.approvals && textOfMessage(message).includes('Nobody is away'),
      ),
    )
  })
})

describe('in Discord', async () => {
  const everybody = '600000000000000001'
  const { sam, fay, fake, discord, store } = await openDiscordHarness({ policy, now })
  const messagesWith = (words: string, channel?: string) =>
    [...fake.state.messages.values()].filter(
      (message) => (channel === undefined || message.channel === channel) && textOf(message).includes(words),
    )
  const cardWith = (words: string) =>
    until(() => {
      const [found] = messagesWith(words, discordChannels.approvals)
      if (found === undefined) throw new Error(`no card with ${words}`)
      return found
    })

  test('the card notifies the people and roles whom its clause names, and nobody whom some text names', async () => {
    await sam.slash(discordChannels.general, 'refund', {
      'payment-id': 'pay_1001',
      amount: '100',
      description: trap,
    })
    const card = await cardWith('pay\\_1001')
    expect(card.body.allowed_mentions).toEqual({
      parse: [],
      users: ['400000000000000002', '400000000000000003'],
      roles: ['500000000000000001'],
    })
    expect(textOf(card)).toContain('<@400000000000000002>')
  })

  test('a time is read in the zone of the bot, and the card says that nobody knew theirs', async () => {
    await sam.slash(discordChannels.general, 'refund', {
      'payment-id': 'pay_1003',
      amount: '100',
      at: 'tomorrow 9:00',
    })
    const words = textOf(await cardWith('pay\\_1003'))
    expect(words).toContain('Nobody here knows your time zone')
    expect(words).toMatch(/Runs at <t:\d+:f> if it is approved by then/)
  })

  test('nobody is in doubt about a time with its zone', async () => {
    const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
    await sam.slash(discordChannels.general, 'refund', {
      'payment-id': 'pay_1004',
      amount: '100',
      at: `${at}+02:00`,
    })
    expect(textOf(await cardWith('pay\\_1004'))).not.toContain('Nobody here knows')
  })

  test('one reminder takes the place of the other, although they say the same', async () => {
    await sam.slash(discordChannels.general, 'refund', { 'payment-id': 'pay_1002', amount: '60' })
    await until(() => {
      expect(messagesWith('Reminder 2', discordChannels.approvals)).toHaveLength(1)
      expect(messagesWith('Reminder', discordChannels.approvals)).toHaveLength(1)
    })
  })

  test('a channel is read by whom its overwrites let in, a thread by whom its channel does', async () => {
    const view = String(1 << 10)
    const put = (id: string, more: Record<string, unknown>) =>
      fake.state.channels.set(id, { id, canPost: true, isServer: true, more })
    put('310', { permission_overwrites: [{ id: everybody, type: 0, allow: '0', deny: view }] })
    put('311', {
      permission_overwrites: [
        { id: everybody, type: 0, allow: '0', deny: view },
        { id: fay.id, type: 1, allow: view, deny: '0' },
      ],
    })
    put('312', { type: 11, parent_id: '310' })
    put('313', { type: 11, parent_id: '311' })
    put('314', { type: 12, parent_id: '311' })
    const reads = await Promise.all(
      [discordChannels.general, '310', '311', '312', '313', '314', '399'].map((channel) =>
        discord.messenger.mayRead?.(fay.id, channel),
      ),
    )
    expect(reads).toEqual([true, false, true, false, true, false, false])
  })

  test('each answer of a schedule is posted, although it says the same', async () => {
    await fay.slash(discordChannels.general, 'schedule create', { line: 'away list', every: '10s' })
    await expectTwoPosts(store, () => messagesWith('Nobody is away'))
  })
})

describe('in the console', async () => {
  const opened = await openConsoleHarness({ policy })
  const page = await openEventStream(opened, 'sam')
  const say = (line: string) =>
    fetch(`${opened.base}/console/api/say`, {
      method: 'POST',
      headers: { origin: opened.base, 'content-type': 'application/json', 'x-time-zone': 'Asia/Tokyo' },
      body: JSON.stringify({ delivery: randomUUID(), as: 'sam', line }),
    })

  test('the card names whose turn it is, and reads a time in the zone of the browser', async () => {
    await say('refund pay_1001 100 --at "tomorrow 9:00"')
    const card = await until(() => {
      const found = page.messages().find(({ body }) => body.kind === 'view' && body.view.actions.length > 0)
      if (found?.body.kind !== 'view') throw new Error('no card')
      return found.body.view
    })
    expect(textOfView(card)).toMatch(/Waits for Fay Finance (?:and|or) Finn Finance/)
    expect(textOfView(card)).toMatch(/09:00 Asia\/Tokyo \(00:00 UTC\)/)
    await page.close()
  })
})
