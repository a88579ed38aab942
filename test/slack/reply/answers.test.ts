import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { markupIn } from '../fake/blocks.ts'
import { dmOf } from '../fake/state.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general, elsewhere } = channels

describe('a look-up', async () => {
  const harness = await openSlackHarness()
  const { sam, fay, wes, fake, sandbox } = harness

  test('by slash command is acknowledged with nothing and answered for the actor alone', async () => {
    const acked = await sam.types('/subscriber get ada@example.com', general)
    expect(acked).toMatchObject({ status: 200, body: '' })
    const answer = await until(() => sam.finds('ada@example.com', general))
    expect(answer.onlyFor).toBe(sam.id)
    expect(fay.sees(general)).toEqual([])
  })

  test('is shared with everybody by a button, without its buttons', async () => {
    await sam.clicks('Share')
    const shared = await until(() => fay.finds('ada@example.com', general))
    expect(shared.onlyFor).toBeUndefined()
    expect(fay.sees(general).join()).toContain('Shared by Sam Support')
    expect(fay.sees(general).join()).not.toContain('[Share]')
  })

  test('is shared through the response_url where the bot is no member', async () => {
    await sam.types('/subscriber get ada@example.com', elsewhere)
    const answer = await until(() => sam.finds('[Share]', elsewhere))
    await sam.clicks('Share', { on: answer })
    const shared = await until(() => fay.finds('ada@example.com', elsewhere))
    expect(shared).toMatchObject({ isResponse: true, onlyFor: undefined })
    expect(sam.finds('[Share]', elsewhere).ts).toBe(answer.ts)
  })

  test('with links and entities in its text reads as it was meant', async () => {
    const before = sam.answers(general).length
    await sam.types('/subscriber x', general, { text: 'get <mailto:ada@example.com|ada@example.com>' })
    await until(() => expect(sam.answers(general)).toHaveLength(before + 1))
    expect(sam.sees(general).at(-1)).toContain('Ada Lindqvist')
    await sam.types('/subscriber x', general, { text: 'find &lt;nobody&gt; &amp; co' })
    await until(() => sam.finds('"&" is one word too many', general))
  })

  test('pages in place', async () => {
    await sam.types('/subscriber find --limit 5', general)
    const first = await until(() => sam.finds('[Next]', general))
    const seen = sam.answers(general).length
    await sam.clicks('Next', { on: first })
    await until(() => expect(sam.finds('[Previous]', general).ts).toBe(first.ts))
    expect(sam.answers(general)).toHaveLength(seen)
  })

  test('that is slow is acknowledged at once, shows that it works, and is then replaced', async () => {
    sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 60_000 })
    await sam.types('/subscriber get ada@example.com', general)
    const sign = await until(() => sam.finds('Working on it', general))
    sandbox.clearFaults()
    await until(() => expect(sam.finds('ada@example.com', general).ts).toBe(sign.ts))
    expect(sam.sees(general).join()).not.toContain('Working on it')
  })

  test('in the conversation with the bot is a plain message there, edited if a sign stood first', async () => {
    await sam.writes('subscriber get ada@example.com')
    const quick = await until(() => sam.finds('ada@example.com', dmOf(sam.id)))
    expect(quick.onlyFor).toBeUndefined()
    sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 60_000 })
    await sam.writes('subscriber get ada@example.com')
    const sign = await until(() => sam.finds('Working on it', dmOf(sam.id)))
    sandbox.clearFaults()
    await until(() => expect(sam.finds('ada@example.com', dmOf(sam.id)).ts).toBe(sign.ts))
  })

  test.each([
    [{ bot_id: 'B0OTHER' }],
    [{ subtype: 'message_changed' }],
    [{ user: 'U0BELLHOP' }],
    [{ channel_type: 'channel' }],
  ])('is not made of %j', async (more) => {
    const before = fake.state.messages.length
    await sam.writes('subscriber get ada@example.com', more)
    await sam.writes('bellhop whoami')
    await until(() => expect(fake.state.messages.length).toBeGreaterThan(before))
    expect(fake.state.messages.slice(before).map(({ text }) => text)).toEqual([
      expect.stringContaining('Sam Support'),
    ])
  })

  test('is made of a line in a thread that was also sent to the conversation', async () => {
    const before = fake.state.messages.length
    await sam.writes('subscriber get ada@example.com', {
      subtype: 'thread_broadcast',
      thread_ts: '1700000000.000001',
    })
    await until(() => expect(fake.state.messages).toHaveLength(before + 1))
  })

  test.each(['`subscriber stats`', '```\nsubscriber stats\n```', '*subscriber stats*', ' subscriber stats '])(
    'may be written as %j',
    async (line) => {
      const before = fake.state.messages.length
      await sam.writes(line)
      await until(() => expect(fake.state.messages[before]?.text).toContain('Subscriber statistics'))
    },
  )

  test('by mention with a comma behind it is the line after the comma', async () => {
    const before = fake.state.messages.length
    await sam.mentions(', subscriber stats', general)
    const since = () => fake.state.messages.slice(before).map(({ text }) => text)
    await until(() => expect(since().at(-1)).toContain('Subscriber statistics'))
  })

  test('by mention is answered in the channel and its thread, for the actor alone', async () => {
    await sam.mentions('subscriber get ada@example.com', general, { thread: '1700000000.000001' })
    const answer = await until(() => {
      const found = sam.finds('ada@example.com', general)
      expect(found.thread).toBe('1700000000.000001')
      return found
    })
    expect(answer.onlyFor).toBe(sam.id)
  })

  test('by mention where the bot is no member comes by direct message', async () => {
    await sam.mentions('subscriber stats', elsewhere)
    await until(() => sam.finds('ubscribers', dmOf(sam.id)))
  })

  test('by a mention with nothing behind it is the help', async () => {
    await wes.mentions('', general)
    await until(() => wes.finds('bellhop help', general))
  })

  test('of an unknown subcommand is read as what it may mean, and says how it was read', async () => {
    await sam.types('/subscriber frobnicate', general)
    await until(() => sam.finds('Understood as: subscriber find frobnicate', general))
    await sam.types('/subscriber', general)
    await until(() => sam.finds('Page 1 of 25, 250 subscribers · Understood as: subscriber find\n', general))
  })

  test('by somebody who may not is refused for them alone', async () => {
    await wes.types('/subscriber get ada@example.com', general)
    const refused = await until(() => wes.finds('not linked to anybody', general))
    expect(refused.onlyFor).toBe(wes.id)
  })

  test('that ends in a file hands it over in the conversation with the bot', async () => {
    await fay.types('/audit export', general)
    const file = await until(() => {
      const found = fake.state.files.find(({ channel }) => channel === dmOf(fay.id))
      expect(found?.content).toContain('"kind":"ran"')
      return found
    })
    expect(file?.name).toMatch(/jsonl?$/)
  })

  test('comes with the older blocks where the workspace does not have the newer ones, and from then on at once', async () => {
    fake.state.refusedBlocks.add('data_table')
    const typesOf = (words: string) => sam.finds(words, general).blocks.map(({ type }) => type)
    const triesOfLast = () => [...fake.state.responseUrls.values()].at(-1)?.uses
    await sam.types('/subscriber find', general)
    await until(() => expect(typesOf('subscribed')).toContain('table'))
    expect(triesOfLast()).toBe(2)
    await sam.types('/campaign find', general)
    await until(() => expect(typesOf('14 campaigns')).toContain('table'))
    expect(triesOfLast()).toBe(1)
    fake.state.refusedBlocks.clear()
  })

  test('comes as text when the workspace refuses its blocks', async () => {
    fake.state.refusedBlocks.add('header')
    await sam.types('/subscriber stats', general)
    await until(() => expect(sam.finds('[Share]', general).blocks[0]?.type).toBe('section'))
    fake.state.refusedBlocks.clear()
  })

  test('asks for nothing that Slack refuses, and pings nobody', () => {
    expect(fake.state.calls.filter(({ ok, method }) => !ok && method !== 'response')).toEqual([
      expect.objectContaining({ method: 'chat.postMessage' }),
      expect.objectContaining({ method: 'chat.postEphemeral' }),
    ])
    for (const { text } of fake.state.messages)
      for (const markup of markupIn(text, [])) expect(markup).not.toMatch(/<[!@#]/)
  })
})
