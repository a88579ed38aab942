import { createDiscord } from '../../adapters/discord/discord.ts'
import { optionalScopes, scopes } from '../../adapters/slack/manifest.ts'
import { createSlack } from '../../adapters/slack/slack.ts'
import type { App } from '../../src/cli/start/app.ts'
import type { RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import { createHttpServer, type HttpServer } from '../../src/lib/http/server.ts'
import type { Log } from '../../src/lib/log.ts'
import { type FakeDiscord, startFakeDiscord } from '../discord/fake/discord.ts'
import { channels as rooms } from '../discord/harness.ts'
import { openTestApp, type TestAppOptions } from '../harness/app.ts'
import { whenDone } from '../harness/when-done.ts'
import { type FakeSlack, startFakeSlack } from '../slack/fake/slack.ts'
import { channels } from '../slack/harness.ts'
import { messengerPolicy } from './messenger-harness.ts'

type BothOptions = Omit<TestAppOptions, 'started'> & {
  /** Further messengers, on the same server. */
  beside?: (deps: { app: App; http: HttpServer; log: Log }) => Promise<RunningMessenger[]>
  /** The platforms of an earlier one, with all that was posted there. */
  like?: { slackFake: FakeSlack; discordFake: FakeDiscord } | undefined
}

/** Both messengers in one process, as they run in production. */
export const openBoth = async ({ policy = messengerPolicy, beside, like, ...options }: BothOptions = {}) => {
  const slackFake =
    like?.slackFake ?? (await startFakeSlack({ scopes: Object.keys({ ...scopes, ...optionalScopes }) }))
  const discordFake = like?.discordFake ?? (await startFakeDiscord())
  const inSlack = {
    sam: slackFake.person('U0SAM', { name: 'sam' }),
    fay: slackFake.person('U0FAY', { name: 'fay' }),
  }
  const inDiscord = {
    sam: discordFake.person('400000000000000001', 'Sam'),
    fay: discordFake.person('400000000000000002', 'Fay'),
  }
  slackFake.channel(channels.general, ['U0SAM', 'U0FAY'])
  slackFake.channel(channels.approvals, ['U0FAY'])
  for (const id of [rooms.general, rooms.approvals]) discordFake.channel(id)
  const opened = await openTestApp({ ...options, policy, started: false })
  const http = createHttpServer()
  const { app } = opened
  const { log } = app.core
  const { botToken, signingSecret } = slackFake.state
  const { token, applicationId, publicKey } = discordFake.state
  const slack = await createSlack({
    bot: app.bot,
    http,
    log,
    config: { botToken, signingSecret, apiUrl: slackFake.apiUrl },
  })
  const discord = await createDiscord({
    bot: app.bot,
    http,
    log,
    config: { token, applicationId, publicKey, gateway: false, apiUrl: discordFake.apiUrl },
  })
  app.join(slack.messenger)
  app.join(discord.messenger)
  const others = (await beside?.({ app, http, log })) ?? []
  for (const { messenger } of others) app.join(messenger)
  await app.start()
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  slackFake.useHttp(`${base}/slack/events`)
  discordFake.useHttp(`${base}/discord/interactions`)
  await Promise.all([slack.start(), discord.start()])
  let stopped: Promise<void> | undefined
  const leave = (): Promise<void> => {
    stopped ??= Promise.all([slack, discord, ...others].map((one) => one.stop())).then(() => http.close())
    return stopped
  }
  whenDone(async () => {
    await leave()
    if (like === undefined) await Promise.all([slackFake.close(), discordFake.close()])
  })
  return { ...opened, base, leave, slackFake, discordFake, inSlack, inDiscord }
}
