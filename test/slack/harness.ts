import { scopes } from '../../adapters/slack/manifest.ts'
import { createSlack } from '../../adapters/slack/slack.ts'
import type { Log, MetricEvent } from '../../src/kernel/core.ts'
import type { RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import { defined } from '../../src/lib/defined.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../harness/app.ts'
import { teamPolicy } from '../harness/team-policy.ts'
import { whenDone } from '../harness/when-done.ts'
import { type FakeSlack, startFakeSlack } from './fake/slack.ts'

export const channels = { general: 'C0GENERAL', approvals: 'C0APPROVALS', elsewhere: 'C0ELSEWHERE' }

/** The whole bot with the real Bolt, against a Slack of its own. */
export type SlackHarness = Omit<TestApp, 'say' | 'press'> & {
  slack: RunningMessenger
  fake: FakeSlack
  /** Where the app takes requests. */
  url: string
  counted: MetricEvent[]
  sam: ReturnType<FakeSlack['person']>
  fay: ReturnType<FakeSlack['person']>
  finn: ReturnType<FakeSlack['person']>
  wes: ReturnType<FakeSlack['person']>
}

export type SlackHarnessOptions = {
  over?: 'http' | 'socket'
  policy?: string
  scopes?: readonly string[]
  publicUrl?: string
  /** Before the bot starts. */
  prepare?(fake: FakeSlack): void
  tasks?: boolean
  log?: Log
  /** The app can be installed elsewhere, with this key. */
  installKey?: Buffer
  /** A Slack that is there already. */
  fake?: FakeSlack
} & Pick<TestAppOptions, 'now' | 'engine' | 'database'>

export const openSlackHarness = async (options: SlackHarnessOptions = {}): Promise<SlackHarness> => {
  const fake = options.fake ?? (await startFakeSlack({ scopes: options.scopes ?? Object.keys(scopes) }))
  const people = {
    sam: fake.person('U0SAM', { name: 'sam' }),
    fay: fake.person('U0FAY', { name: 'fay' }),
    finn: fake.person('U0FINN', { name: 'finn' }),
    wes: fake.person('U0WES', { name: 'wes' }),
  }
  const everybody = Object.values(people).map(({ id }) => id)
  fake.channel(channels.general, everybody)
  fake.channel(channels.approvals, ['U0FAY', 'U0FINN'])
  fake.channel(channels.elsewhere, everybody, { isBotIn: false })
  options.prepare?.(fake)
  const counted: MetricEvent[] = []
  const opened = await openTestApp({
    policy: options.policy ?? teamPolicy,
    started: false,
    ...defined({ log: options.log }),
    count: (event) => counted.push(event),
    ...defined({
      tasks: options.tasks,
      now: options.now,
      engine: options.engine,
      database: options.database,
    }),
  })
  const http = createHttpServer()
  const { botToken, appToken, signingSecret } = fake.state
  const slack = await createSlack({
    bot: opened.app.bot,
    http,
    log: opened.app.core.log,
    config: {
      botToken,
      apiUrl: fake.apiUrl,
      ...defined({ publicUrl: options.publicUrl }),
      ...(options.installKey === undefined
        ? {}
        : {
            install: {
              clientId: fake.state.oauth.clientId,
              clientSecret: fake.state.oauth.clientSecret,
              key: options.installKey,
            },
          }),
      ...(options.over === 'socket' ? { appToken } : { signingSecret }),
    },
  })
  opened.app.join(slack.messenger)
  await opened.app.start()
  const url = `${await http.listen({ host: '127.0.0.1', port: 0 })}/slack/events`
  if (options.over !== 'socket') fake.useHttp(url)
  await slack.start()
  // vitest runs these last first: the app's own close comes after.
  whenDone(async () => {
    await slack.stop()
    await http.close()
    if (options.fake === undefined) await fake.close()
  })
  return { ...opened, slack, fake, url, counted, ...people }
}
