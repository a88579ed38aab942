import { createDiscord } from '../../adapters/discord/discord.ts'
import type { Log, MetricEvent } from '../../src/kernel/core.ts'
import type { RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import { defined } from '../../src/lib/defined.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { createLog } from '../../src/lib/log.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../harness/app.ts'
import { stateOf } from '../harness/connection-state.ts'
import { teamPolicy } from '../harness/team-policy.ts'
import { until } from '../harness/until.ts'
import { whenDone } from '../harness/when-done.ts'
import { type FakeDiscord, startFakeDiscord } from './fake/discord.ts'
import type { Person } from './fake/person.ts'

export const channels = {
  general: '300000000000000001',
  approvals: '300000000000000009',
  closed: '300000000000000005',
}

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
    policy: options.policy ?? teamPolicy,
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
  if (over === 'gateway') await until(() => expectThat(stateOf(discord) === 'connected', 'not connected'))
  // vitest runs these last first: the app's own close comes after.
  whenDone(async () => {
    await discord.stop()
    await http.close()
    await fake.close()
  })
  return { ...opened, discord, fake, counted, ...people }
}

const expectThat = (holds: boolean, words: string): void => {
  if (!holds) throw new Error(words)
}
