import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../harness/until.ts'
import { signatureHeaders } from '../fake/discord.ts'
import { channels, openDiscordHarness } from '../harness.ts'

describe('the signed endpoint', async () => {
  let aheadMs = 0
  const harness = await openDiscordHarness({ over: 'http', now: () => Date.now() + aheadMs })
  const { fake, sam, counted } = harness
  const ping = JSON.stringify({ type: 1, id: '1', token: 'x', application_id: '1' })
  const refused = () => counted.flatMap((event) => (event.kind === 'refused_delivery' ? [event.reason] : []))

  it('answers PING', async () => {
    const response = await fake.post(ping)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ type: 1 })
  })

  const other = generateKeyPairSync('ed25519')
  it.each([
    ['no signature', () => ({}), 'unsigned'],
    ['a signature by somebody else', () => signatureHeaders(other, ping), 'forged'],
    ['a signature of another body', () => signatureHeaders(fake.state, `${ping} `), 'forged'],
    [
      'a signature of six minutes ago',
      () => signatureHeaders(fake.state, ping, Date.now() - 360_000),
      'stale',
    ],
    [
      'a signature of six minutes ahead',
      () => signatureHeaders(fake.state, ping, Date.now() + 360_000),
      'future',
    ],
    [
      'a signature that is none',
      () => ({ ...signatureHeaders(fake.state, ping), 'x-signature-ed25519': 'zz' }),
      'malformed',
    ],
    [
      'a time that is none',
      () => ({ ...signatureHeaders(fake.state, ping), 'x-signature-timestamp': '1e9' }),
      'malformed',
    ],
  ])('refuses %s with 401 and counts it', async (_, headers, reason) => {
    const before = refused().length
    const response = await fake.post(ping, headers() as Record<string, string>)
    expect(response.status).toBe(401)
    expect(refused().slice(before)).toEqual([reason])
  })

  it('refuses what is played back later', async () => {
    const headers = signatureHeaders(fake.state, ping)
    expect((await fake.post(ping, headers)).status).toBe(200)
    expect((await fake.post(ping, headers)).status).toBe(200)
    aheadMs = 1_100
    onTestFinished(() => {
      aheadMs = 0
    })
    expect((await fake.post(ping, headers)).status).toBe(401)
    expect(refused().at(-1)).toBe('replayed')
  })

  it('refuses what is too large before it looks at it', async () => {
    const response = await fake.post('x'.repeat(1_500_000))
    expect(response.status).toBe(413)
    expect(refused().at(-1)).toBe('too_large')
  })

  it.each([
    'not json',
    '[]',
    'null',
    '{"type":99}',
    '{"type":2}',
    '{"type":3,"id":"1","token":"x","data":{}}',
    `{"type":3,"id":"${'1'.repeat(26)}","token":"x","data":{"custom_id":"x"}}`,
  ])('refuses %j that is signed and makes no sense, and lives on', async (body) => {
    expect((await fake.post(body)).status).toBe(400)
    expect((await fake.post(ping)).status).toBe(200)
  })

  it('answers a person without a name or a channel', async () => {
    const payload = sam.payload(channels.general, 'bellhop whoami')
    const response = await fake.post({
      ...payload,
      member: undefined,
      user: { id: sam.id },
      channel_id: undefined,
    })
    expect(await response.json()).toMatchObject({ type: 5 })
  })

  it('waits with what follows until Discord has read its first answer', async () => {
    fake.state.readsAfterMs = 250
    const share = await sam.slash(channels.closed, 'subscriber get', { who: 'ada@example.com' })
    const answer = await until(() => {
      const message = fake.state.messages.get(share.original ?? '')
      if (message === undefined || message.isThinking) throw new Error('nothing is shown yet')
      return message
    })
    const pressed = await sam.press(answer, 'Share')
    await until(() => expect(pressed.followUps).toHaveLength(1))
    const gone = await fake.person('400000000000000005', 'Wes').press(answer, 'Share')
    await until(() => expect(gone.followUps).toHaveLength(1))
    fake.state.readsAfterMs = 0
  })

  it('is not there for GET', async () => {
    const url = new URL((await fake.post(ping)).url)
    expect((await fetch(url)).status).toBe(404)
  })
})
