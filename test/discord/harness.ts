import { afterAll } from 'vitest'
import { createDiscord } from '../../adapters/discord/discord.ts'
import type { Log, MetricEvent } from '../../src/core/core.ts'
import { defined } from '../../src/defined.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createLog } from '../../src/log.ts'
import type { RunningMessenger } from '../../src/messenger/definition.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { type FakeDiscord, startFakeDiscord } from './fake/discord.ts'
import type { Person } from './fake/person.ts'

export const channels = {
  general: '300000000000000001',
  approvals: '300000000000000009',
  closed: '300000000000000005',
}

/** Sam asks, Fay and Finn decide, Rae has a role by her Discord role, Wes is a stranger. */
const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, discord: "400000000000000001", roles: [support] }
  - { id: fay, name: Fay Finance, discord: "400000000000000002", roles: [finance] }
  - { id: finn, name: Finn Finance, discord: "400000000000000003", roles: [finance] }
groups:
  discord: { "500000000000000001": [finance] }
roles:
  support:
    run: ["subscriber *", "list *", "campaign *", "contact *", "message *", refund, "transaction find", "transaction refunds", "approval *"]
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
approvals: { discord: "300000000000000009" }
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], amount: { upTo: 500 }, require: { approvals: 1, from: [finance] }, expiresIn: 30m }
  - { name: large refund, commands: [refund], require: { approvals: 2, from: [finance] } }
duplicates: { window: 30m }
`

/** The whole bot with the real Discord libraries, against a Discord of its own. */
export type DiscordHarness = Omit<TestApp, 'say' | 'press'> & {
  discord: RunningMessenger
  fake: FakeDiscord
  counted: MetricEvent[]
  sam: Person
  fay: Person
  finn: Person
  rae: Person
  wes: Person
}

export type DiscordHarnessOptions = {
  over?: 'http' | 'gateway'
  policy?: string
  prepare?(fake: FakeDiscord): void
  log?: Log
} & Pick<TestAppOptions, 'now' | 'settings'>

export const openDiscordHarness = async (options: DiscordHarnessOptions = {}): Promise<DiscordHarness> => {
  const { over = 'gateway', now, settings, log } = options
  const fake = await startFakeDiscord()
  if (now !== undefined) fake.state.now = now
  const people = {
    sam: fake.person('400000000000000001', 'Sam'),
    fay: fake.person('400000000000000002', 'Fay'),
    finn: fake.person('400000000000000003', 'Finn'),
    rae: fake.person('400000000000000004', 'Rae', ['500000000000000001']),
    wes: fake.person('400000000000000005', 'Wes'),
  }
  fake.channel(channels.general)
  fake.channel(channels.approvals)
  fake.channel(channels.closed, { canPost: false })
  options.prepare?.(fake)
  const counted: MetricEvent[] = []
  const opened = await openTestApp({
    policy: options.policy ?? policy,
    started: false,
    log: log ?? createLog('fatal'),
    count: (event) => counted.push(event),
    ...defined({ now, settings }),
  })
  const http = createHttpServer()
  const { token, applicationId, publicKey } = fake.state
  const discord = await createDiscord({
    bot: opened.app.bot,
    http,
    log: opened.app.core.log,
    config: {
      token,
      applicationId,
      apiUrl: fake.apiUrl,
      gateway: over === 'gateway',
      ...(over === 'http' ? { publicKey } : {}),
    },
  })
  opened.app.join(discord.messenger)
  await opened.app.start()
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  if (over === 'http') fake.useHttp(`${base}/discord/interactions`)
  await discord.start()
  if (over === 'gateway') await until(() => expectThat(discord.state() === 'connected', 'not connected'))
  // vitest runs these last first: the app's own close comes after.
  afterAll(async () => {
    await discord.stop()
    await http.close()
    await fake.close()
  })
  return { ...opened, discord, fake, counted, ...people }
}

const expectThat = (holds: boolean, words: string): void => {
  if (!holds) throw new Error(words)
}
