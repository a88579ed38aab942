import { App as Bolt, webApi } from '@slack/bolt'
import type { App } from '../../src/app.ts'
import type { Messenger } from '../../src/approvals/messenger.ts'
import type { HttpServer } from '../../src/http/server.ts'
import type { Log } from '../../src/pipeline/world.ts'
import { onAction } from './actions.ts'
import { toBoltLog } from './bolt-log.ts'
import { onCommand } from './commands.ts'
import type { Desk } from './desk.ts'
import { createDoor } from './door.ts'
import { faultOf } from './errors.ts'
import { onHomeOpened, onMention, onMessage } from './events.ts'
import { createGroups } from './groups.ts'
import { createHome } from './home.ts'
import { createIdentity } from './identity.ts'
import { createIntake } from './intake.ts'
import { manifestOf } from './manifest.ts'
import { createMessenger } from './messenger.ts'
import { createPace } from './pace.ts'
import { createReceiver } from './receiver.ts'
import { createResponder } from './respond.ts'
import { onShortcut } from './shortcuts.ts'
import { createSocket } from './socket.ts'
import { onSubmission } from './submissions.ts'
import { onSuggestion } from './suggestions.ts'

export type SlackConfig = { botToken: string; signingSecret?: string; appToken?: string; apiUrl?: string }
export type SlackDeps = { app: App; http: Pick<HttpServer, 'post'>; config: SlackConfig; log: Log }

export type Slack = {
  messenger: Messenger
  start(): Promise<void>
  stop(): Promise<void>
  /** In a word or two, for people. */
  state(): string
}

/** Slack: over our own HTTP server, or over Socket Mode when there is a token for it. */
export const createSlack = async ({ app, http, config, log }: SlackDeps): Promise<Slack> => {
  // A definition that Slack would not take dies here, at the start.
  manifestOf(app.world.registry)
  const boltLog = toBoltLog(log)
  const { botToken, appToken, apiUrl } = config
  const socket = appToken === undefined ? undefined : createSocket({ appToken, apiUrl, log, boltLog })
  const door = createDoor(app.turns, log)
  const receiver =
    socket?.receiver ??
    createReceiver({
      http,
      door,
      signingSecret: config.signingSecret ?? '',
      log,
      refused: (reason) => app.world.count({ kind: 'refused_delivery', platform: 'slack', reason }),
    })
  const clientOptions: webApi.WebClientOptions = {
    // What must arrive is tried again by the core, which keeps it in the database meanwhile.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: createPace(),
    timeout: 10_000,
    logger: boltLog,
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
  }
  const web = new webApi.WebClient(botToken, { ...clientOptions })
  const identity = createIdentity(web, log)
  const parts: Omit<Desk, 'home'> = {
    app,
    web,
    log,
    identity,
    responder: createResponder(),
    signs: new Map(),
    fresh: new Map(),
    groups: createGroups(web, app.world.policy, log),
    intake: createIntake(botToken, apiUrl),
  }
  const home = createHome(parts)
  const desk: Desk = { ...parts, home }
  const bolt = new Bolt({
    receiver: door.before(receiver),
    logger: boltLog,
    clientOptions,
    convoStore: false,
    ignoreSelf: false,
    // At once and whatever Slack's own health: nothing may stand between a delivery and its acknowledgement.
    authorize: async () => ({ botToken, ...known(identity.known()) }),
  })
  listen(bolt, desk)
  return {
    messenger: createMessenger(parts, home.touch),
    start: async () => {
      void parts.groups.of('')
      await Promise.all([identity.start(), socket?.start()])
    },
    stop: async () => {
      await socket?.stop()
      identity.stop()
      home.stop()
      const enough = new Promise((resolve) => setTimeout(resolve, 4_000).unref())
      await Promise.race([door.settled(), enough])
    },
    state: () => {
      if (socket !== undefined && !socket.isConnected()) return 'connecting'
      if (identity.known() !== undefined) return 'ready'
      return `connecting${identity.trouble() === undefined ? '' : ` (${identity.trouble()})`}`
    },
  }
}

/** One listener per kind of delivery; which command or button it is, is looked up in a map. */
const listen = (bolt: Bolt, desk: Desk): void => {
  bolt.command(/^\//, onCommand(desk))
  bolt.action({ type: 'block_actions', action_id: /.*/ }, onAction(desk))
  bolt.view(/.*/, onSubmission(desk))
  bolt.shortcut(/.*/, onShortcut(desk))
  bolt.options({ type: 'block_suggestion' }, onSuggestion(desk))
  bolt.event('app_mention', onMention(desk))
  bolt.event('message', onMessage(desk))
  bolt.event('app_home_opened', onHomeOpened(desk))
  bolt.error(async (error) => desk.log.error(faultOf(error), 'Bolt could not take a delivery'))
}

const known = (who: { botId: string | undefined; botUserId: string | undefined } | undefined) => ({
  ...(who?.botId === undefined ? {} : { botId: who.botId }),
  ...(who?.botUserId === undefined ? {} : { botUserId: who.botUserId }),
})
