import type { App as Bolt } from '@slack/bolt'
import {
  createPlatformConnection,
  type PlatformConnection,
  servedConnection,
} from '../../src/kernel/messenger/connection.ts'
import type { MessengerDeps, RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import { MessengerError } from '../../src/kernel/messenger/messenger.ts'
import { messengerOverAll } from '../../src/kernel/messenger/workspaces.ts'
import { defined } from '../../src/lib/defined.ts'
import { createTurns } from '../../src/lib/limits/call-rate.ts'
import { toBoltLog } from './api/bolt-log.ts'
import { slackErrorFields } from './api/errors.ts'
import type { SlackConfig } from './config.ts'
import { openContext } from './context/open-context.ts'
import type { SlackContext } from './context/slack-context.ts'
import { onAutocomplete } from './inbound/autocomplete.ts'
import { onButtonClick } from './inbound/button-clicks.ts'
import { cardAddressOf, onHomeOpened, onMention, onMessage, threadReplyIn } from './inbound/events.ts'
import { onModalSubmission } from './inbound/modal-submissions.ts'
import { onShortcut } from './inbound/shortcuts.ts'
import { onSlashCommand } from './inbound/slash-commands.ts'
import { openInstalledTokens } from './install/installations.ts'
import { createWorkspaces, type SlackWorkspaces } from './install/workspaces.ts'
import { createDeliveryQueue } from './transport/delivery-queue.ts'
import { createHttpReceiver } from './transport/http-receiver.ts'
import { onDetailsRequested, onLinkShared } from './work-objects/links.ts'
import { onStepRun } from './workflow/run-step.ts'

type SlackDeps = Pick<MessengerDeps<SlackConfig>, 'bot' | 'config' | 'log'> & {
  http: Pick<MessengerDeps['http'], 'get' | 'post'>
}

/** Slack: over our own HTTP server, or over Socket Mode when there is a token for it. */
export const createSlack = async ({ bot, http, config, log }: SlackDeps): Promise<RunningMessenger> => {
  const boltLog = toBoltLog(log)
  const { botToken, appToken, apiUrl } = config
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
    async (body) => {
      const reply = threadReplyIn(body.event)
      if (reply === undefined) return false
      return (await workspaces.of(body)).bot.cards.isAt('slack', cardAddressOf(reply))
    },
    (body, account) => workspaces.named(body, account),
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
  const { context: home, messenger } = openContext({
    bot,
    log,
    config,
    token: botToken,
    connection: api,
    onCardChange: () => redrawSoon(),
  })
  const { identity } = home
  const tokens = config.install && (await openInstalledTokens(bot, config.install))
  const workspaces = createWorkspaces({ bot, log, config, home, tokens, onCardChange: () => redrawSoon() })
  const redrawSoon = () => {
    for (const context of workspaces.contexts()) context.home.redrawSoon()
  }
  if (config.install !== undefined && config.publicUrl !== undefined && tokens !== undefined) {
    const [{ serveInstall }, { scopes }] = await Promise.all([
      import('./install/oauth.ts'),
      import('./manifest.ts'),
    ])
    const { publicUrl, install } = config
    const asked = { publicUrl, apiUrl, scopes: Object.keys(scopes) }
    serveInstall({
      bot,
      http,
      log,
      config: install,
      ...asked,
      tokens,
      homeTeam: () => identity.known()?.teamId,
    })
  }
  deliveryQueue.connect(receiver, {
    command: async (command, storing) => onSlashCommand(await workspaces.of(command))(command, storing),
    press: async (press, ...rest) =>
      onButtonClick(await workspaces.of(press as unknown as Record<string, unknown>))(press, ...rest),
    bolt: async (event) => (await startBolt()).processEvent(event),
  })
  let bolt: Promise<Bolt> | undefined
  /** When the first form, event or suggestion comes: Bolt and what comes with it take a sixth of the time of a start. */
  const startBolt = (): Promise<Bolt> => {
    bolt ??= import('@slack/bolt').then(({ App }) => {
      const started = new App({
        receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
        logger: boltLog,
        clientOptions: { logger: boltLog, ...defined({ slackApiUrl: apiUrl }) },
        convoStore: false,
        ignoreSelf: false,
        // At once and whatever Slack's own health: nothing may stand between a delivery and its acknowledgement.
        authorize: async () => ({
          botToken,
          ...defined({ botId: identity.known()?.botId, botUserId: identity.known()?.botUserId }),
        }),
      })
      registerListeners(started, { workspaces, home, api, publicUrl: config.publicUrl })
      return started
    })
    return bolt
  }
  return {
    messenger: {
      ...messengerOverAll(messenger, workspaces.messengerIn),
      redeliver: async (payload) => {
        // It was acknowledged: whoever it is from is waited for, and not sent away.
        const { identity: where } = await workspaces.of(payload as Record<string, unknown>)
        if ((await where.soon(redeliverWaitMs)) === undefined)
          throw new MessengerError('later', 'Slack does not say which workspace this is')
        await deliveryQueue.again(payload as Record<string, unknown>)
      },
    },
    connections: [api, requests],
    start: async () => {
      void home.userGroups.of('')
      await Promise.all([api.keepAsking(identity.ask), socketMode?.start()])
    },
    stop: async () => {
      await socketMode?.stop()
      for (const connection of [api, requests]) connection.stop()
      home.home.stop()
      workspaces.stop()
      await deliveryQueue.idle()
    },
  }
}

/** Slack says once a minute that it withholds events. */
const heldBackMs = 90_000
const redeliverWaitMs = 5_000

/** One listener per kind of delivery; which command or button it is, is looked up in a map, and whose it is, by its workspace. */
const registerListeners = (
  bolt: Bolt,
  {
    workspaces,
    home,
    api,
    publicUrl,
  }: {
    workspaces: SlackWorkspaces
    home: SlackContext
    api: PlatformConnection
    publicUrl: string | undefined
  },
): void => {
  /** A listener of the workspace that a delivery is of. */
  const there =
    <A extends { body: object }>(listener: (slack: SlackContext) => (args: A) => Promise<void>) =>
    async (args: A): Promise<void> =>
      listener(await workspaces.of(args.body as Record<string, unknown>))(args)
  const takeTurn = createTurns(home.bot.ticks)
  bolt.view(/.*/, there(onModalSubmission))
  bolt.shortcut(/.*/, there(onShortcut))
  bolt.options({ type: 'block_suggestion' }, there(onAutocomplete))
  bolt.event('app_mention', there(onMention))
  bolt.event('message', there(onMessage))
  bolt.event('app_home_opened', there(onHomeOpened))
  bolt.event(
    'link_shared',
    there((slack) => onLinkShared(slack, publicUrl)),
  )
  bolt.event(
    'entity_details_requested',
    there((slack) => onDetailsRequested(slack, publicUrl)),
  )
  bolt.event(
    'function_executed',
    there((slack) => onStepRun(slack, takeTurn)),
  )
  bolt.event('app_uninstalled', async ({ body }) => {
    if (!(await workspaces.uninstalled(body as unknown as Record<string, unknown>)))
      api.refused('app_uninstalled')
  })
  bolt.event('tokens_revoked', async ({ event, body }) => {
    const slack = await workspaces.of(body as unknown as Record<string, unknown>)
    const own = slack.identity.known()?.botUserId
    const revoked = event.tokens.bot ?? []
    const isOurs = own === undefined ? revoked.length > 0 : revoked.includes(own)
    if (isOurs && !(await workspaces.uninstalled(body as unknown as Record<string, unknown>)))
      api.refused('tokens_revoked')
  })
  bolt.error(async (error) => home.log.error(slackErrorFields(error), 'Bolt could not take a delivery'))
}
