import { expect, test } from 'vitest'
import { checkDiscord } from '../../adapters/discord/doctor.ts'
import { type Answer, nowhere, serve } from '../doctor/server.ts'

const key = 'ab'.repeat(32)
const ours = { token: 'token.of.secret', applicationId: '42', gateway: true }
const inSync = () => []

const serveDiscord = (answers: { me?: Answer; application?: object; commands?: Answer } = {}) =>
  serve(({ url }) => {
    if (url === '/api/v10/users/@me') return answers.me ?? { body: { id: '1', username: 'bellhop' } }
    if (url === '/api/v10/applications/@me') {
      return { body: { id: '42', verify_key: key, interactions_endpoint_url: null, ...answers.application } }
    }
    return url?.startsWith('/api/v10/applications/42/commands')
      ? (answers.commands ?? { body: [{ name: 'refund' }, { name: 'upgrade' }] })
      : { status: 404, body: {} }
  })

const check = async (
  answers: Parameters<typeof serveDiscord>[0],
  config: Partial<Parameters<typeof checkDiscord>[0]> = {},
  differing: Parameters<typeof checkDiscord>[1] = inSync,
) => {
  const { url } = await serveDiscord(answers)
  const found = await checkDiscord({ ...ours, ...config, apiUrl: `${url}/api` }, differing)
  expect(JSON.stringify(found)).not.toContain(ours.token)
  return found
}

test('a token, its application and its commands that are right are each told so', async () => {
  const discord = await serveDiscord()
  const found = await checkDiscord({ ...ours, apiUrl: `${discord.url}/api` }, inSync)
  expect(found.map(({ ok }) => ok)).toEqual([true, true, true])
  expect(found.map(({ words }) => words)).toEqual([
    'signed in as bellhop.',
    'knows application 42; interactions come over the gateway.',
    'has all 2 commands as they are defined.',
  ])
  expect(discord.asked.every((line) => line.endsWith(' Bot token.of.secret'))).toBe(true)
})

test('a refused token is the one thing told', async () => {
  const found = await check({ me: { status: 401, body: { message: '401: Unauthorized' } } })
  expect(found).toEqual([
    { ok: false, about: 'discord', words: expect.stringMatching(/DISCORD_TOKEN.*Bot page/) },
  ])
})

test('a token of another application is told with the right id', async () => {
  const found = await check({ application: { id: '43' } })
  expect(found[1]).toMatchObject({ ok: false, words: expect.stringContaining('application 43') })
})

test('a public key of another application is told', async () => {
  const found = await check({}, { publicKey: 'cd'.repeat(32) })
  expect(found[1]).toMatchObject({ ok: false, words: expect.stringContaining('DISCORD_PUBLIC_KEY') })
  expect((await check({}, { publicKey: key.toUpperCase() }))[1]?.ok).toBe(true)
})

test('interactions that go where nobody listens are told', async () => {
  const [, toGateway] = await check({}, { gateway: false, publicKey: key })
  expect(toGateway).toMatchObject({
    ok: false,
    words: expect.stringContaining('/discord/interactions'),
  })
  const application = { interactions_endpoint_url: 'https://bot.example.com/discord/interactions' }
  const [, toEndpoint] = await check({ application })
  expect(toEndpoint).toMatchObject({ ok: false, words: expect.stringContaining('bot.example.com') })
  const [, both] = await check({ application }, { gateway: false, publicKey: key })
  expect(both).toMatchObject({ ok: true, words: expect.stringContaining('come to bot.example.com') })
})

test('commands that differ are told by name', async () => {
  const [, , some] = await check({}, {}, (listed) => [`${listed.length} listed`, 'refund'])
  expect(some).toMatchObject({ ok: false, words: expect.stringContaining('(2 listed, refund)') })
  const [, , many] = await check({}, {}, () => [...'abcdefg'])
  expect(many?.words).toContain('(a, b, c, d, e and 2 more)')
})

test('commands that may not be listed are told', async () => {
  const found = await check({ commands: { status: 403, body: {} } })
  expect(found[2]).toMatchObject({ ok: false, words: expect.stringContaining('DISCORD_APPLICATION_ID') })
})

test('a Discord that is out of reach is told so', async () => {
  const found = await checkDiscord({ ...ours, apiUrl: nowhere }, inSync)
  expect(found).toEqual([
    { ok: false, about: 'discord', words: expect.stringMatching(/cannot be reached \(/) },
  ])
})

test.for([
  [{ token: 'hidden-secret' }, /^DISCORD_TOKEN does not look like .*three parts/],
  [{ token: 'Bot aa.bb.hidden-secret' }, /without the word Bot/],
  [{ applicationId: 'hidden-secret' }, /^DISCORD_APPLICATION_ID does not look like/],
] as const)('what does not look like it should is sent nowhere: %j', async ([config, says]) => {
  const discord = await serveDiscord()
  const found = await checkDiscord({ ...ours, ...config, apiUrl: `${discord.url}/api` }, inSync)
  expect(found).toEqual([{ ok: false, about: 'discord', words: expect.stringMatching(says) }])
  expect(JSON.stringify(found)).not.toContain('hidden-secret')
  expect(discord.asked).toEqual([])
})

const guild = {
  id: '9',
  owner_id: '7',
  roles: [
    { id: '9', permissions: '1024' },
    { id: '5', permissions: '2048' },
  ],
}
const overwrite = { id: '1', type: 1, allow: '0', deny: '2048' }

test.each([
  ['may post', { roles: ['5'] }, {}, true, /lets the bot post in approvals\.discord, channel 3/],
  ['has no right to write', { roles: [] }, {}, false, /Send Messages.*no card arrives/],
  ['is kept from writing', { roles: ['5'] }, { permission_overwrites: [overwrite] }, false, /Send Messages/],
  ['does not see it', { roles: ['5'] }, { status: 403 }, false, /does not show/],
  ['is told of no such channel', { roles: ['5'] }, { status: 404 }, false, /deleted/],
  ['is told nothing of its roles', {}, {}, false, /Try again later/],
])('a channel that the bot posts in is looked at, where it %s', async (_, member, channel, ok, words) => {
  const { status = 200, ...more } = channel as { status?: number }
  const { url } = await serve(({ url: path }) => {
    if (path === '/api/v10/users/@me') return { body: { id: '1', username: 'bellhop' } }
    if (path === '/api/v10/channels/3') return { status, body: { guild_id: '9', ...more } }
    if (path === '/api/v10/guilds/9') return { body: guild }
    return path === '/api/v10/guilds/9/members/1' ? { body: member } : { body: [] }
  })
  const found = await checkDiscord({ ...ours, apiUrl: `${url}/api` }, inSync, {
    channels: [{ id: '3', key: 'approvals' }],
    groups: [],
  })
  expect(found.at(-1)).toMatchObject({ ok, words: expect.stringMatching(words) })
})
