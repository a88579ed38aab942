import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wrongHost } from '../../adapters/console/request-guard.ts'
import { discordCommandsOf } from '../../adapters/discord/registration/definitions.ts'
import { messengers } from '../../adapters/index.ts'
import { scopes } from '../../adapters/slack/manifest.ts'
import { closingWords, runChecks } from '../../src/cli/doctor/doctor.ts'
import { policyTextOf } from '../../src/cli/init/policy-text.ts'
import { readConfig } from '../../src/cli/start/config.ts'
import { bellhop, entryBy } from '../../src/kernel/model/audit-entry.ts'
import { entryKinds } from '../../src/kernel/model/checkpoint.ts'
import { ownCommand } from '../../src/kernel/store/audit-tree.ts'
import type { ReplicaFacts } from '../../src/kernel/store/replicas.ts'
import { createStore, type Store } from '../../src/kernel/store/store.ts'
import { newFolder } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'
import { type Answer, nowhere, serve } from './server.ts'

const registry = commandsWith()
const dayMs = 24 * 3_600_000

const policy = `version: 1
people: [{ id: ann, name: Ann, slack: U1, discord: "400000000000000001", roles: [all] }]
groups: { slack: { S0FIN: [all] }, discord: { "500000000000000001": [all] } }
roles: { all: { run: ["*"], approve: ["*"] } }
approvals: { slack: C0A, discord: "300000000000000009" }
`

/** What is not as it should be; everything else is. */
type World = {
  env?: Record<string, string>
  policy?: string
  /** Nothing is set but where files are. */
  bare?: boolean
  channel?: object
  groups?: object
  roles?: object
  /** What answers at PUBLIC_URL. */
  front?: Answer | 'nothing'
  collector?: Answer
  past?: (store: Store, storeAt: (ms: number) => Store) => Promise<unknown>
}

const slackAnswers = ({ channel, groups }: World, path: string): Answer => {
  if (path.startsWith('/api/conversations.info')) {
    return { body: { ok: true, channel: channel ?? { is_member: true } } }
  }
  if (path.startsWith('/api/usergroups.list'))
    return { body: groups ?? { ok: true, usergroups: [{ id: 'S0FIN' }] } }
  return {
    headers: { 'x-oauth-scopes': Object.keys(scopes).join(',') },
    body: { ok: true, team: 'Acme', user: 'bellhop', url: 'wss://example.com' },
  }
}

const everything = '1099511627775'
const discordAnswers = ({ roles }: World, path: string): Answer => {
  const bodies: Record<string, unknown> = {
    '/users/@me': { id: '7', username: 'bellhop' },
    '/applications/@me': { id: '42', interactions_endpoint_url: null },
    '/applications/42/commands': discordCommandsOf(registry),
    '/channels/300000000000000009': { guild_id: '9' },
    '/guilds/9': { id: '9', owner_id: '1', roles: [{ id: '9', permissions: everything }] },
    '/guilds/9/members/7': { roles: [] },
    '/users/@me/guilds': [{ id: '9' }],
    '/guilds/9/roles': roles ?? [{ id: '500000000000000001' }],
  }
  const body = bodies[path.replace('/api/v10', '')]
  return body === undefined ? { status: 404, body: {} } : { body }
}

const look = async (world: World) => {
  const database = await openTestDatabase('sqlite')
  whenDone(database.close)
  const storeAt = (ms: number) => createStore(database.db, { now: () => Date.now() - ms })
  await world.past?.(storeAt(0), storeAt)
  const file = join(newFolder(), 'bellhop.yml')
  writeFileSync(file, world.policy ?? policy)
  const places = { DATA_DIR: database.dataDir ?? '', BELLHOP_CONFIG: file }
  const at = async (answer: (path: string) => Answer) => (await serve(({ url = '' }) => answer(url))).url
  const on = world.bare
    ? {}
    : {
        SANDBOX: 'on',
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_APP_TOKEN: 'xapp-2',
        SLACK_API_URL: `${await at((path) => slackAnswers(world, path))}/api/`,
        DISCORD_TOKEN: 'd.t.k',
        DISCORD_APPLICATION_ID: '42',
        DISCORD_API_URL: `${await at((path) => discordAnswers(world, path))}/api`,
      }
  const { front, collector } = world
  const env = {
    ...places,
    ...on,
    ...(front && { CONSOLE: 'on', PUBLIC_URL: front === 'nothing' ? nowhere : await at(() => front) }),
    ...(collector && { OTEL_EXPORTER_OTLP_ENDPOINT: await at(() => collector) }),
    ...world.env,
  }
  const config = readConfig(env, registry.all, messengers)
  const findings = await runChecks(config, messengers, registry)
  return { findings, closing: closingWords(findings, config.demo) }
}

/** Bots that run now, each with what it works with. */
const running =
  (...all: Partial<ReplicaFacts>[]) =>
  async (store: Store) => {
    await store.policies.keep('p1', policy, 1)
    await store.policies.add({ n: 1, digest: 'p1', at: 1, who: 'bellhop', name: 'Bellhop', source: 'a file' })
    for (const [n, facts] of all.entries()) {
      await store.leases.acquire(`process:r${n}`, `r${n}`, 60_000)
      await store.replicas.tell(`r${n}`, { version: '1.0.0', policy: 'p1', key: 'k1', ...facts })
    }
  }

const drilled = (daysAgo: number) => async (_: Store, storeAt: (ms: number) => Store) =>
  storeAt(daysAgo * dayMs).audit.append(entryBy(bellhop, entryKinds.drilled, { command: ownCommand }, {}))

const page: Answer = { headers: { 'content-type': 'text/html' }, body: '<title>Bellhop</title>' }

test.for<[string, World, boolean, string, RegExp]>([
  ['the bot is in the channel', {}, true, 'slack', /has the bot in approvals\.slack, channel C0A/],
  ['the bot is not', { channel: { is_member: false } }, false, 'slack', /does not have the bot in .*Invite/],
  ['Slack does not say', { channel: {} }, false, 'slack', /does not have the bot in/],
  ['the groups exist', {}, true, 'slack', /has every user group of bellhop\.yml/],
  ['a group is gone', { groups: { ok: true, usergroups: [] } }, false, 'slack', /has no user group S0FIN/],
  [
    'a group is disabled',
    { groups: { ok: true, usergroups: [{ id: 'S0FIN', date_delete: 1 }] } },
    false,
    'slack',
    /S0FIN .*disabled/,
  ],
  ['groups are not told', { groups: { ok: false, error: 'missing_scope' } }, false, 'slack', /missing_scope/],
  ['the bot may post', {}, true, 'discord', /lets the bot post in approvals\.discord/],
  ['the roles exist', {}, true, 'discord', /has every role of bellhop\.yml/],
  ['a role is gone', { roles: [{ id: '1' }] }, false, 'discord', /has no role 500000000000000001/],
  ['roles are not told', { roles: { message: 'no' } }, false, 'discord', /does not list its roles/],
  ['PUBLIC_URL leads here', { front: page }, true, 'console', /leads to the console/],
  ['PUBLIC_URL does not answer', { front: 'nothing' }, false, 'console', /does not answer .*start it/],
  ['nothing behind the proxy', { front: { status: 502, body: '' } }, false, 'console', /reaches no Bellhop/],
  ['another page', { front: { body: 'hello' } }, false, 'console', /not as the console does/],
  ['no Host', { front: { status: 403, body: wrongHost } }, false, 'console', /does not pass the name/],
  ['a drill of late', { past: drilled(3) }, true, 'backup', /last drilled on/],
  ['an old drill', { past: drilled(91) }, false, 'backup', /more than 90 days ago\. .*--drill/],
  ['no drill yet', {}, true, 'backup', /no restore was drilled yet/],
  ['replicas agree', { past: running({}, {}) }, true, 'replicas', /2 replicas run, of version 1\.0\.0/],
  [
    'two versions',
    { past: running({}, { version: '0.9.0' }) },
    false,
    'replicas',
    /versions 0\.9\.0 and 1\.0\.0\. Bring/,
  ],
  [
    'two policies',
    { past: running({}, { policy: 'p0' }) },
    false,
    'replicas',
    /1 of them has another policy/,
  ],
  ['two keys', { past: running({}, { key: 'k2' }) }, false, 'replicas', /different keys/],
  ['a collector', { collector: { body: {} } }, true, 'traces', /takes them/],
  ['a collector that refuses', { collector: { status: 401 } }, false, 'traces', /OTLP_HEADERS/],
  ['no collector', { env: { OTEL_EXPORTER_OTLP_ENDPOINT: nowhere } }, false, 'traces', /cannot be reached/],
])('%s', async ([, world, ok, about, words]) => {
  const { findings, closing } = await look(world)
  const own = findings.filter((one) => one.about === about)
  expect(own).toContainEqual({ ok, about, words: expect.stringMatching(words) })
  expect(findings.filter((one) => !one.ok && one.about !== about)).toEqual([])
  expect(closing).toEqual(ok ? 'Everything is working.' : expect.stringMatching(/^\d+ of \d+ need attention/))
})

test('a replica that is gone is not counted', async () => {
  const { findings } = await look({
    past: async (store) => {
      await running({})(store)
      await store.replicas.tell('gone', { version: '0.1.0', policy: 'other', key: 'k9' })
    },
  })
  expect(findings).toContainEqual(
    expect.objectContaining({ ok: true, words: expect.stringMatching(/^one bot runs, of version 1\.0\.0/) }),
  )
})

test('after init alone only the demo is on, and that is what it says', async () => {
  const personOf = (name: string) => ({ name, accounts: {} })
  const [requester, approver, secondApprover] = [personOf('Sam'), personOf('Fay'), personOf('Finn')]
  const sums = { small: 50, daily: 200, large: 500 }
  const links = { customerField: 'billing_id', isCustomersWrite: true }
  const answers = { requester, approver, secondApprover, channels: {}, ...sums, ...links }
  const written = policyTextOf(answers)
  const { findings, closing } = await look({ bare: true, policy: written })
  expect(findings.filter(({ ok }) => !ok)).toEqual([])
  expect(closing).toMatch(/^Nothing is wrong, and only the demo is on/)
})
