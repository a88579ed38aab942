import { describe, expect, test } from 'vitest'
import { createSlack } from '../../../adapters/slack/slack.ts'
import { defined } from '../../../src/lib/defined.ts'
import { createSignatureVerifier } from '../../../src/lib/http/body-signature.ts'
import { ticksOf } from '../../harness/ticks.ts'
import { until } from '../../harness/until.ts'
import { encodePayload, signRequest } from '../fake/wire.ts'
import { channels, openSlackHarness } from '../harness.ts'

const secret = 'test-signing-secret'
const form = 'application/x-www-form-urlencoded'

describe('requests to /slack/events', async () => {
  const { url, counted, fake, sam, sandbox, app } = await openSlackHarness()
  const slash = (trigger: string) =>
    encodePayload('slash_commands', {
      command: '/refund',
      text: 'pay_1001 20',
      user_id: sam.id,
      user_name: 'sam',
      team_id: fake.state.team,
      channel_id: channels.general,
      trigger_id: trigger,
      response_url: `${fake.state.origin}/response/none`,
    }).body
  const send = (body: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', headers: { 'content-type': form, ...headers }, body })
  const refusals = () => counted.flatMap((event) => (event.kind === 'refused_delivery' ? [event.reason] : []))
  const changes = () => app.core.store.changes.list({ limit: 10 })

  test.each([
    ['without a signature', 'unsigned', (body: string) => ({ body })],
    [
      'signed with another secret',
      'forged',
      (body: string) => ({ body, headers: signRequest('other', body, Date.now()) }),
    ],
    [
      'changed after it was signed',
      'forged',
      (body: string) => ({ body: `${body}0`, headers: signRequest(secret, body, Date.now()) }),
    ],
    [
      'with a time that is no time',
      'forged',
      (body: string) => ({
        body,
        headers: { ...signRequest(secret, body, Date.now()), 'x-slack-request-timestamp': 'NaN' },
      }),
    ],
    [
      'six minutes old',
      'stale',
      (body: string) => ({ body, headers: signRequest(secret, body, Date.now() - 360_000) }),
    ],
    [
      'from six minutes ahead',
      'future',
      (body: string) => ({ body, headers: signRequest(secret, body, Date.now() + 360_000) }),
    ],
  ])('%s are refused as %s, counted, and do nothing', async (_, reason, make) => {
    const before = refusals().length
    const { body, headers } = make(slash(`t-${reason}`)) as { body: string; headers?: Record<string, string> }
    const answer = await send(body, headers)
    expect(answer.status).toBe(401)
    expect(refusals().slice(before)).toEqual([reason])
    expect(await changes()).toEqual([])
  })

  test('that come twice at once are one request', async () => {
    const body = slash('t-replay')
    const headers = signRequest(secret, body, Date.now())
    const answers = await Promise.all([send(body, headers), send(body, headers)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await until(async () => expect(await changes()).toHaveLength(1))
    expect(sandbox.wire.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('played back later are refused', () => {
    let now = Date.now()
    const verify = createSignatureVerifier(secret, { now: () => now, ticks: ticksOf(() => now) })
    const body = slash('t-replay-later')
    const headers = signRequest(secret, body, now)
    const request = {
      timestamp: headers['x-slack-request-timestamp'],
      signature: headers['x-slack-signature'],
      body: Buffer.from(body),
    }
    expect([verify(request), verify(request)]).toEqual([undefined, undefined])
    now += 1_100
    expect(verify(request)).toBe('replayed')
  })

  test('over a megabyte are refused before they are read', async () => {
    const body = `text=${'x'.repeat(1_100_000)}`
    const answer = await send(body, signRequest(secret, body, Date.now()))
    expect(answer.status).toBe(413)
    expect(refusals().at(-1)).toBe('too_large')
  })

  test.each([
    ['application/json', '{"type":'],
    ['application/json', '[1]'],
    [form, 'payload=%7Bbroken'],
    ['text/plain', 'hello'],
  ])('of type %s that say %s are malformed', async (type, body) => {
    const answer = await send(body, { 'content-type': type, ...signRequest(secret, body, Date.now()) })
    expect(answer.status).toBe(400)
    expect(refusals().at(-1)).toBe('malformed')
  })

  test('with a charset beside the type are taken', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc', token: 'legacy' })
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...signRequest(secret, body, Date.now()),
    }
    const answer = await send(body, headers)
    expect(await answer.json()).toEqual({ challenge: 'abc' })
  })

  test('to verify the address are answered only when they are signed', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    expect((await send(body, { 'content-type': 'application/json' })).status).toBe(401)
  })

  test('that check the certificate get an empty answer, and nothing else does without a signature', async () => {
    expect((await send('token=legacy&ssl_check=1')).status).toBe(200)
    expect((await send(`ssl_check=1&${slash('t-ssl')}`)).status).toBe(401)
    expect(await changes()).toHaveLength(1)
  })

  test.each(['app_rate_limited', 'view_closed'])(
    'that only let us know of %s are acknowledged',
    async (type) => {
      const body = JSON.stringify({ type, team_id: 'T0', view: { callback_id: 'form' } })
      const answer = await send(body, {
        'content-type': 'application/json',
        ...signRequest(secret, body, Date.now()),
      })
      expect(answer.status).toBe(200)
    },
  )

  test('that nobody takes are answered after three seconds', async () => {
    const body = JSON.stringify({ type: 'something_new' })
    const started = performance.now()
    const answer = await send(body, {
      'content-type': 'application/json',
      ...signRequest(secret, body, Date.now()),
    })
    expect(answer.status).toBe(404)
    expect(performance.now() - started).toBeGreaterThan(2_900)
  })
})

describe('a start', async () => {
  const { app } = await openSlackHarness()

  test.each([undefined, '', '  '])('with the signing secret %j is refused', async (signingSecret) => {
    const config = { botToken: 'xoxb-1', ...defined({ signingSecret }) }
    await expect(
      createSlack({
        bot: app.bot,
        http: { get: () => undefined, post: () => undefined },
        config,
        log: app.core.log,
      }),
    ).rejects.toThrow('the signing secret is empty')
  })
})
