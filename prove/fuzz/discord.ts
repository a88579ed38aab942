import { createDiscord } from '../../adapters/discord/discord.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { signatureHeaders } from '../../test/discord/fake/discord.ts'
import { createState } from '../../test/discord/fake/state.ts'
import { createRandom, pick } from '../random.ts'
import {
  canaries,
  createFindings,
  createLeakDetectingLog,
  type Fuzzed,
  type FuzzOptions,
} from './findings.ts'
import { openInProcessBot, startStub } from './in-process-bot.ts'
import { mutateText, mutateValue } from './mutate.ts'
import { type Post, postAll } from './post.ts'

/** Signed interactions whose payloads are almost right, to the real endpoint. */
export const fuzzDiscord = async ({ cases, seed }: FuzzOptions): Promise<Fuzzed> => {
  const random = createRandom(seed)
  const findings = createFindings('Discord payloads')
  const { log, leaks } = createLeakDetectingLog()
  const rest = await startStub((path) => ({
    body: path.endsWith('/commands') ? [] : { id: '1', channel_id: '300000000000000001' },
  }))
  const sandbox = await startSandbox()
  const { email, chat, billing } = sandbox
  const bot = await openInProcessBot(log, {
    email: email.baseUrl,
    chat: chat.baseUrl,
    billing: billing.baseUrl,
  })
  const http = createHttpServer()
  const state = createState()
  const stranger = createState()
  const discord = await createDiscord({
    bot: bot.app.bot,
    http,
    log,
    config: {
      token: canaries.discordToken,
      applicationId: state.applicationId,
      publicKey: state.publicKey,
      gateway: false,
      apiUrl: `${rest.url}/api`,
    },
  })
  bot.app.join(discord.messenger)
  await bot.app.start()
  const url = `${await http.listen({ host: '127.0.0.1', port: 0 })}/discord/interactions`
  await discord.start()
  const next = (): Post => {
    const payload = { ...base(), id: state.newId(), ...pick(random, variants) }
    const whole = JSON.stringify(mutateValue(random, payload)) ?? 'null'
    const body = random() < 0.1 ? mutateText(random, whole) : whole
    const isForged = random() < 0.05
    const signature = signatureHeaders(isForged ? stranger : state, body)
    return { headers: { 'content-type': 'application/json', ...signature }, body, isForged }
  }
  try {
    await postAll(url, cases, next, findings)
  } finally {
    await discord.stop()
    await http.close()
    await bot.close()
    await sandbox.close()
    await rest.close()
  }
  return findings.done(cases, leaks())
}

const base = () => ({
  application_id: '700000000000000001',
  token: canaries.interactionToken,
  version: 1,
  channel_id: '300000000000000001',
  channel: { id: '300000000000000001', type: 0 },
  guild_id: '600000000000000001',
  member: {
    user: { id: '400000000000000001', username: 'sam', global_name: 'Sam' },
    roles: [],
    nick: null,
    permissions: '0',
  },
  locale: 'en-US',
  entitlements: [],
  authorizing_integration_owners: {},
})

const command = (name: string, options: object[]) => ({ id: '1', name, type: 1, options })
const message = { id: '2', flags: 0, channel_id: '300000000000000001' }

const variants: readonly object[] = [
  { type: 1 },
  {
    type: 2,
    data: command('refund', [
      { name: 'payment-id', type: 3, value: 'pay_1001' },
      { name: 'amount', type: 4, value: 20 },
    ]),
  },
  { type: 2, data: command('refund', []) },
  { type: 2, data: command('bellhop', [{ type: 1, name: 'whoami', options: [] }]) },
  {
    type: 2,
    data: command('subscriber', [
      { type: 1, name: 'get', options: [{ name: 'who', type: 3, value: 'ada@example.com' }] },
    ]),
  },
  {
    type: 4,
    data: command('campaign', [
      { type: 1, name: 'get', options: [{ name: 'campaign-id', type: 3, value: 'w', focused: true }] },
    ]),
  },
  ...['approve', 'reject', 'confirm', 'cancel', 'share', 'next', 'happened'].map((verb) => ({
    type: 3,
    data: { custom_id: `bh:${verb}:abc.def`, component_type: 2 },
    message,
  })),
  {
    type: 5,
    data: {
      custom_id: 'bh:form:abc',
      components: [{ type: 18, component: { type: 4, custom_id: 'reason', value: 'x' } }],
    },
    message,
  },
]
