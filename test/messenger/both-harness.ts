import { createDiscord } from '../../adapters/discord/discord.ts'
import { optionalScopes, scopes } from '../../adapters/slack/manifest.ts'
import { createSlack } from '../../adapters/slack/slack.ts'
import type { App } from '../../src/app.ts'
import { createHttpServer, type HttpServer } from '../../src/http/server.ts'
import type { Log } from '../../src/log.ts'
import type { RunningMessenger } from '../../src/messenger/definition.ts'
import { startFakeDiscord } from '../discord/fake/discord.ts'
import { channels as rooms } from '../discord/harness.ts'
import { openTestApp, type TestAppOptions } from '../harness/app.ts'
import { whenDone } from '../harness/when-done.ts'
import { startFakeSlack } from '../slack/fake/slack.ts'
import { channels } from '../slack/harness.ts'
import { messengerPolicy } from './messenger-harness.ts'

type BothOptions = Omit<TestAppOptions, 'started'> & {
  /** Further messengers, on the same server. */
  beside?: (deps: { app: App; http: HttpServer; log: Log }) => Promise<RunningMessenger[]>
}

/** Both messengers in one process, as they run in production. */
export const openBoth = async ({ policy = messengerPolicy, beside, ...options }: BothOptions = {}) => {
  const slackFake = await startFakeSlack({ scopes: Object.keys({ ...scopes, ...optionalScopes }) })
  const discordFake = await startFakeDiscord()
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
  whenDone(async () => {
    await Promise.all([slack, discord, ...others].map((one) => one.stop()))
    await http.close()
    await Promise.all([slackFake.close(), discordFake.close()])
  })
  return { ...opened, base, slackFake, discordFake, inSlack, inDiscord }
}
