import type { App as Bolt } from '@slack/bolt'
import { defined } from '../../src/defined.ts'
import { createTurns } from '../../src/messenger/call-rate.ts'
import {
  createPlatformConnection,
  type PlatformConnection,
  servedConnection,
} from '../../src/messenger/connection.ts'
import type { MessengerDeps, RunningMessenger } from '../../src/messenger/definition.ts'
import { MessengerError } from '../../src/messenger/messenger.ts'
import { newerBlocks } from './api/block-kit.ts'
import { toBoltLog } from './api/bolt-log.ts'
import { createBotIdentity } from './api/bot-identity.ts'
import { slackErrorFields } from './api/errors.ts'
import { createFileDownloader } from './api/file-download.ts'
import { createResponseUrlClient } from './api/response-url.ts'
import { createUserGroups } from './api/user-groups.ts'
import { createUserZones } from './api/user-zones.ts'
import { SlackWebClient } from './api/web-client.ts'
import type { SlackConfig } from './config.ts'
import type { SlackContext } from './context/slack-context.ts'
import { createHomeTab } from './home/home-tab.ts'
import { onAutocomplete } from './inbound/autocomplete.ts'
import { onButtonClick } from './inbound/button-clicks.ts'
import { cardAddressOf, onHomeOpened, onMention, onMessage, threadReplyIn } from './inbound/events.ts'
import { onModalSubmission } from './inbound/modal-submissions.ts'
import { onShortcut } from './inbound/shortcuts.ts'
import { onSlashCommand } from './inbound/slash-commands.ts'
import { createSlackMessenger } from './reply/messenger.ts'
import { createDeliveryQueue } from './transport/delivery-queue.ts'
import { createHttpReceiver } from './transport/http-receiver.ts'
import { onDetailsRequested, onLinkShared } from './work-objects/links.ts'
import { onStepRun } from './workflow/run-step.ts'

type SlackDeps = Pick<MessengerDeps<SlackConfig>, 'bot' | 'config' | 'log'> & {
  http: Pick<MessengerDeps['http'], 'post'>
}

/** Slack: over our own HTTP server, or over Socket Mode when there is a token for it. */
export const createSlack = async ({ bot, http, config, log }: SlackDeps): Promise<RunningMessenger> => {
  const boltLog = toBoltLog(log)
  const { botToken, appToken, apiUrl, classicBlocks } = config
  const deps = { platform: 'slack', log, now: bot.now }
  const api = createPlatformConnection({ ...deps, name: 'api', brings: 'answers' })
  const requests =
    appToken === undefined
      ? servedConnection(deps)
      : createPlatformConnection({ ...deps, name: 'socket', brings: 'requests' })
  const socketMode =
    appToken === undefined
      ? undefined
      : (await import('./transport/socket-mode.ts')).createSocketMode({
          appToken,
          apiUrl,
          log,
          boltLog,
          connection: requests,
        })
  const deliveryQueue = createDeliveryQueue(
    bot,
    log,
    () => requests.heldBack(heldBackMs),
    async (event) => {
      const reply = threadReplyIn(event)
      return reply !== undefined && bot.cards.isAt('slack', cardAddressOf(reply))
    },
  )
  const receiver =
    socketMode?.receiver ??
    createHttpReceiver({
      http,
      deliveryQueue,
      signingSecret: config.signingSecret ?? '',
      log,
      onSigned: requests.heard,
      onRefused: (reason) => bot.countRefused('slack', reason),
    })
  // What must arrive is tried again by the core, which keeps it in the database meanwhile.
  const clientOptions = { logger: boltLog, ...defined({ slackApiUrl: apiUrl }) }
  const web = new SlackWebClient(botToken, api, clientOptions)
  const identity = createBotIdentity(web, log)
  const parts: Omit<SlackContext, 'home'> = {
    bot,
    web,
    log,
    identity,
    responseUrls: createResponseUrlClient(),
    refusedBlocks: new Set(classicBlocks ? newerBlocks : []),
    progressNotices: new Map(),
    newestResponseUrls: new Map(),
    givenUp: new Map(),
    userZones: createUserZones(web),
    userGroups: createUserGroups(web, bot.groupsOf('slack'), log),
    fileDownloader: createFileDownloader(botToken, apiUrl),
  }
  const home = createHomeTab(parts)
  const slack: SlackContext = { ...parts, home }
  deliveryQueue.connect(receiver, {
    command: onSlashCommand(slack),
    press: onButtonClick(slack),
    bolt: async (event) => (await startBolt()).processEvent(event),
  })
  let bolt: Promise<Bolt> | undefined
  /** When the first form, event or suggestion comes: Bolt and what comes with it take a sixth of the time of a start. */
  const startBolt = (): Promise<Bolt> => {
    bolt ??= import('@slack/bolt').then(({ App }) => {
      const started = new App({
        receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
        logger: boltLog,
        clientOptions,
        convoStore: false,
        ignoreSelf: false,
        // At once and whatever Slack's own health: nothing may stand between a delivery and its acknowledgement.
        authorize: async () => ({
          botToken,
          ...defined({ botId: identity.known()?.botId, botUserId: identity.known()?.botUserId }),
        }),
      })
      registerListeners(started, slack, api, config.publicUrl)
      return started
    })
    return bolt
  }
  return {
    messenger: {
      ...createSlackMessenger(parts, home.redrawSoon),
      redeliver: async (payload) => {
        // It was acknowledged: whoever it is from is waited for, and not sent away.
        if ((await identity.soon(redeliverWaitMs)) === undefined)
          throw new MessengerError('later', 'Slack does not say which workspace this is')
        await deliveryQueue.again(payload as Record<string, unknown>)
      },
    },
    connections: [api, requests],
    start: async () => {
      void parts.userGroups.of('')
      await Promise.all([api.keepAsking(identity.ask), socketMode?.start()])
    },
    stop: async () => {
      await socketMode?.stop()
      for (const connection of [api, requests]) connection.stop()
      home.stop()
      await deliveryQueue.idle()
    },
  }
}

/** Slack says once a minute that it withholds events. */
const heldBackMs = 90_000
const redeliverWaitMs = 5_000

/** One listener per kind of delivery; which command or button it is, is looked up in a map. */
const registerListeners = (
  bolt: Bolt,
  slack: SlackContext,
  api: PlatformConnection,
  publicUrl: string | undefined,
): void => {
  bolt.view(/.*/, onModalSubmission(slack))
  bolt.shortcut(/.*/, onShortcut(slack))
  bolt.options({ type: 'block_suggestion' }, onAutocomplete(slack))
  bolt.event('app_mention', onMention(slack))
  bolt.event('message', onMessage(slack))
  bolt.event('app_home_opened', onHomeOpened(slack))
  bolt.event('link_shared', onLinkShared(slack, publicUrl))
  bolt.event('entity_details_requested', onDetailsRequested(slack, publicUrl))
  bolt.event('function_executed', onStepRun(slack, createTurns(slack.bot.now)))
  bolt.event('app_uninstalled', async () => api.refused('app_uninstalled'))
  bolt.event('tokens_revoked', async ({ event }) => {
    const own = slack.identity.known()?.botUserId
    const revoked = event.tokens.bot ?? []
    if (own === undefined ? revoked.length > 0 : revoked.includes(own)) api.refused('tokens_revoked')
  })
  bolt.error(async (error) => slack.log.error(slackErrorFields(error), 'Bolt could not take a delivery'))
}
