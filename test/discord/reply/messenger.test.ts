import { describe, expect, it } from 'vitest'
import { webhookHandleOf, webhookOf } from '../../../adapters/discord/protocol/address.ts'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { createLog } from '../../../src/lib/log.ts'
import { facts, type View } from '../../../src/lib/view/view.ts'
import { until } from '../../harness/until.ts'
import { textOf } from '../fake/person.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general, approvals, closed } = channels
const view: View = { title: 'A card', tone: 'warn', blocks: [facts({ Secret: 'ada@example.com' })] }
const edited: View = { ...view, title: 'A settled card' }

describe('cards and ends', async () => {
  let ahead = 0
  const now = () => Date.now() + ahead
  const lines: string[] = []
  const harness = await openDiscordHarness({
    now,
    log: createLog('debug', { write: (line) => lines.push(line) }),
  })
  const { fake, sam, discord } = harness
  const { messenger } = discord
  const kindOf = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      await work
      return 'done'
    } catch (error) {
      expect(error).toBeInstanceOf(MessengerError)
      const { kind, retryAfterMs } = error as MessengerError
      return retryAfterMs === undefined ? kind : [kind, retryAfterMs]
    }
  }
  const place = (channel: string | null, handle: string | null = null, onlyFor: string | null = null) => ({
    channel,
    handle,
    onlyFor,
  })
  const interactionIn = async (channel: string) => {
    const asked = await sam.slash(channel, 'bellhop whoami')
    await until(() => expect(fake.state.messages.get(asked.original ?? '')?.isThinking).toBe(false))
    return { asked, handle: webhookHandleOf(webhookOf(asked.token, now())) }
  }

  it('say which roles somebody has now, and that it is not known while Discord is away', async () => {
    expect(await messenger.membership?.(harness.rae.id)).toEqual(['500000000000000001'])
    expect(await messenger.membership?.('400000000000000999')).toEqual([])
    fake.state.faults.push({ on: /\/members\//, times: 9, status: 500 })
    expect(await kindOf(messenger.membership?.(harness.rae.id) as Promise<unknown>)).toBe('later')
    fake.state.faults.length = 0
  })

  it('are posted and edited by their address, hours later too', async () => {
    const address = await messenger.post(place(general), view)
    ahead += 5 * 3_600_000
    await messenger.edit(address, edited)
    expect(sam.reads(general)).toContain('A settled card')
  })

  it('are posted once, however often the same is posted', async () => {
    const first = await messenger.post(place(approvals), { ...view, title: 'Once' })
    expect(await messenger.post(place(approvals), { ...view, title: 'Once' })).toBe(first)
  })

  it('for one person go through the interaction, and later directly', async () => {
    const { asked, handle } = await interactionIn(general)
    const address = await messenger.post(place(general, handle, sam.id), view)
    const message = fake.state.messages.get(asked.original ?? '')
    expect(message && textOf(message)).toContain('A card')
    await messenger.edit(address, edited)
    expect(message && textOf(message)).toContain('A settled card')
    ahead += 16 * 60_000
    expect(await kindOf(messenger.edit(address, view))).toBe('gone')
    await messenger.post(place(general, handle, sam.id), { ...view, title: 'Directly' })
    expect(sam.reads(sam.direct)).toContain('Directly')
  })

  it('are gone where they will never be taken', async () => {
    expect(await kindOf(messenger.post(place('399999999999999999'), view))).toBe('gone')
    expect(await kindOf(messenger.post(place(closed), view))).toBe('gone')
    expect(await kindOf(messenger.post(place(null), view))).toBe('gone')
    expect(await kindOf(messenger.edit('nonsense', view))).toBe('gone')
    expect(await kindOf(messenger.edit(JSON.stringify({ channel: general, message: '1' }), view))).toBe(
      'gone',
    )
    expect(await kindOf(messenger.direct('499999999999999999', view))).toBe('gone')
    const person = fake.state.people.get(sam.id)
    if (person) person.takesDirect = false
    expect(await kindOf(messenger.direct(sam.id, view))).toBe('gone')
    if (person) person.takesDirect = true
  })

  it('are broken where Discord does not take what is in them', async () => {
    const body = { code: 50_035, message: 'Invalid Form Body' }
    fake.state.faults.push({ on: /POST .*messages$/, times: 1, status: 400, body })
    expect(await kindOf(messenger.post(place(general), { ...view, title: 'Broken' }))).toBe('broken')
  })

  it('are for later while Discord is in trouble', async () => {
    fake.state.faults.push({ on: /POST .*messages$/, times: 2, status: 502 })
    expect(await kindOf(messenger.post(place(general), { ...view, title: 'Trouble' }))).toBe('later')
    fake.state.faults.push({ on: /POST .*messages$/, times: 1, status: 401 })
    expect(await kindOf(messenger.post(place(general), { ...view, title: 'Trouble' }))).toBe('later')
    // A page of something that stands before Discord has no code.
    for (const status of [400, 403, 404]) {
      fake.state.faults.push({ on: /POST .*messages$/, times: 1, status, body: {} })
      expect(await kindOf(messenger.post(place(general), { ...view, title: 'Trouble' }))).toBe('later')
    }
    expect(await kindOf(messenger.post(place(general), { ...view, title: 'Trouble' }))).toBe('done')
  })

  it('wait for a short limit by themselves, and hand a long one to the worker', async () => {
    fake.state.postsAllowed = 2
    fake.channel('300000000000000077')
    const posts = [1, 2, 3].map((at) =>
      messenger.post(place('300000000000000077'), { ...view, title: `Post ${at}` }),
    )
    expect(new Set(await Promise.all(posts)).size).toBe(3)
    fake.state.postsAllowed = 1_000
    fake.state.faults.push({
      on: /POST .*77\/messages$/,
      times: 1,
      status: 429,
      body: { message: 'slow', retry_after: 30, global: false },
      headers: { 'retry-after': '30' },
    })
    const [kind, ms] = (await kindOf(
      messenger.post(place('300000000000000077'), { ...view, title: 'Long' }),
    )) as [string, number]
    expect(kind).toBe('later')
    // Longer than the messenger waits by itself.
    expect(ms).toBeGreaterThan(4_000)
  })

  it('leave no token, body or address in the log', async () => {
    const { asked } = await interactionIn(general)
    const wrong = { code: 50_035, message: 'Invalid Form Body' }
    fake.state.faults.push({ on: /PATCH .*original$/, times: 1, status: 400, body: wrong })
    await sam.slash(general, 'subscriber get', { who: 'ada@example.com' })
    await until(() => expect(lines.join('')).toContain('could not be answered'))
    const logged = lines.join('')
    const tokens = [...fake.state.interactions.keys()]
    expect(tokens).toContain(asked.token)
    for (const secret of [fake.state.token, 'ada@example.com', ...tokens])
      expect(logged).not.toContain(secret)
  })
})
