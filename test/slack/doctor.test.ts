import { expect, test } from 'vitest'
import { checkSlack } from '../../adapters/slack/doctor.ts'
import { type Answer, nowhere, serve } from '../doctor/server.ts'

const wanted = ['chat:write', 'commands']
const signedIn: Answer = {
  headers: { 'x-oauth-scopes': 'commands,chat:write,users:read' },
  body: { ok: true, team: 'Acme', user: 'bellhop' },
}

const serveSlack = (answers: { auth?: Answer; socket?: Answer }) =>
  serve(({ url }) =>
    url === '/api/auth.test'
      ? (answers.auth ?? signedIn)
      : url === '/api/apps.connections.open'
        ? (answers.socket ?? { body: { ok: true, url: 'wss://example.com' } })
        : { status: 404, body: {} },
  )

test('a token that works is named by its workspace, and its scopes are complete', async () => {
  const slack = await serveSlack({})
  const found = await checkSlack(
    { botToken: 'xoxb-1', signingSecret: 's', apiUrl: `${slack.url}/api/` },
    wanted,
  )
  expect(found.map(({ ok }) => ok)).toEqual([true, true, true])
  expect(found[0]?.words).toBe('signed in to Acme as bellhop.')
  expect(found[1]?.words).toBe('has all 2 scopes it needs.')
  expect(found[2]?.words).toContain('/slack/events')
  expect(slack.asked).toEqual(['POST /api/auth.test Bearer xoxb-1'])
})

test('the override of the address needs no slash at its end', async () => {
  const slack = await serveSlack({})
  const [first] = await checkSlack(
    { botToken: 'xoxb-1', signingSecret: 's', apiUrl: `${slack.url}/api` },
    wanted,
  )
  expect(first?.ok).toBe(true)
})

test('a refused token is told with the reason and where to find the right one', async () => {
  const { url } = await serveSlack({ auth: { body: { ok: false, error: 'invalid_auth' } } })
  const found = await checkSlack(
    { botToken: 'xoxb-secret', signingSecret: 's', apiUrl: `${url}/api` },
    wanted,
  )
  expect(found[0]).toMatchObject({
    ok: false,
    words: expect.stringMatching(/SLACK_BOT_TOKEN \(invalid_auth\).*OAuth/),
  })
  expect(JSON.stringify(found)).not.toContain('xoxb-secret')
})

test('missing scopes are told by name', async () => {
  const auth = { ...signedIn, headers: { 'x-oauth-scopes': 'commands' } }
  const { url } = await serveSlack({ auth })
  const found = await checkSlack({ botToken: 'xoxb-1', signingSecret: 's', apiUrl: `${url}/api` }, wanted)
  expect(found[1]).toMatchObject({
    ok: false,
    words: expect.stringMatching(/lacks chat:write\..*install it/),
  })
})

test('scopes that are not told are not called complete', async () => {
  const { url } = await serveSlack({ auth: { body: signedIn.body } })
  const found = await checkSlack({ botToken: 'xoxb-1', signingSecret: 's', apiUrl: `${url}/api` }, wanted)
  expect(found[1]?.words).toContain('not compared')
})

test('Socket Mode is tried with the app token', async () => {
  const slack = await serveSlack({})
  const found = await checkSlack(
    { botToken: 'xoxb-1', appToken: 'xapp-1', apiUrl: `${slack.url}/api` },
    wanted,
  )
  expect(found.at(-1)).toMatchObject({ ok: true, words: 'opens a Socket Mode connection.' })
  expect(slack.asked).toContain('POST /api/apps.connections.open Bearer xapp-1')
})

test('an app token that may not connect is told apart from the bot token', async () => {
  const { url } = await serveSlack({ socket: { body: { ok: false, error: 'missing_scope' } } })
  const found = await checkSlack({ botToken: 'xoxb-1', appToken: 'xapp-1', apiUrl: `${url}/api` }, wanted)
  expect(found.map(({ ok }) => ok)).toEqual([true, true, false])
  expect(found[2]?.words).toMatch(/SLACK_APP_TOKEN \(missing_scope\).*connections:write/)
})

test('a Slack that is out of reach, or is not Slack, is told so', async () => {
  const [away] = await checkSlack({ botToken: 'xoxb-1', signingSecret: 's', apiUrl: nowhere }, wanted)
  expect(away).toMatchObject({ ok: false, words: expect.stringMatching(/cannot be reached \(/) })
  const { url } = await serve(() => ({ status: 503, body: '<html>sorry</html>' }))
  const [other] = await checkSlack({ botToken: 'xoxb-1', signingSecret: 's', apiUrl: url }, wanted)
  expect(other).toMatchObject({ ok: false, words: expect.stringMatching(/status 503.*SLACK_API_URL/) })
})

test.for([
  [
    { botToken: 'xapp-hidden' },
    /^SLACK_BOT_TOKEN does not look like one: it starts with xoxb-.* starts with xapp-\./,
  ],
  [{ botToken: '"xoxb-hidden"' }, /^SLACK_BOT_TOKEN does not look like one/],
  [{ botToken: 'xoxb-1', appToken: 'xoxb-hidden' }, /^SLACK_APP_TOKEN .*starts with xapp-/],
] as const)('what does not look like a token of its kind is sent nowhere: %j', async ([config, says]) => {
  const slack = await serveSlack({})
  const found = await checkSlack({ ...config, apiUrl: `${slack.url}/api` }, wanted)
  expect(found).toEqual([{ ok: false, about: 'slack', words: expect.stringMatching(says) }])
  expect(JSON.stringify(found)).not.toContain('hidden')
  expect(slack.asked).toEqual([])
})

test.each([
  [
    { ok: true, channel: { is_member: true, is_archived: false } },
    true,
    /bot in approvals\.slack, channel C0A/,
  ],
  [{ ok: true, channel: { is_member: false, is_archived: false } }, false, /no card arrives.*Invite/],
  [{ ok: true, channel: { is_member: true, is_archived: true } }, false, /archived.*Unarchive/],
  [{ ok: true, channel: { is_member: true, is_read_only: true } }, false, /only some people/],
  [{ ok: false, error: 'channel_not_found' }, false, /deleted, or is private/],
  [{ ok: false, error: 'missing_scope' }, false, /missing_scope/],
  ['<html>', false, /Try again later/],
])('a channel that the bot posts in is looked at: %j', async (body, ok, words) => {
  const { url } = await serve((request) =>
    request.url === '/api/conversations.info?channel=C0A' ? { body } : signedIn,
  )
  const config = { botToken: 'xoxb-1', signingSecret: 's', apiUrl: `${url}/api` }
  const found = await checkSlack(config, wanted, { channels: [{ id: 'C0A', key: 'approvals' }], groups: [] })
  expect(found.at(-1)).toMatchObject({ ok, words: expect.stringMatching(words) })
})
