import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import type { PlatformConnection } from '../../../src/kernel/messenger/connection.ts'
import type { Messenger } from '../../../src/kernel/messenger/messenger.ts'
import { defined } from '../../../src/lib/defined.ts'
import type { Log } from '../../../src/lib/log.ts'
import { newerBlocks } from '../api/block-kit.ts'
import { toBoltLog } from '../api/bolt-log.ts'
import { type BotIdentity, createBotIdentity } from '../api/bot-identity.ts'
import { createFileDownloader } from '../api/file-download.ts'
import { createResponseUrlClient } from '../api/response-url.ts'
import { createUserGroups } from '../api/user-groups.ts'
import { createUserZones, isGoneFrom } from '../api/user-zones.ts'
import { SlackWebClient } from '../api/web-client.ts'
import type { SlackConfig } from '../config.ts'
import { createHomeTab } from '../home/home-tab.ts'
import { createSlackMessenger } from '../reply/messenger.ts'
import type { SlackContext } from './slack-context.ts'

/** All that the adapter has of one workspace: its own token, client, limits and caches, and nothing of another's. */
export type OpenedContext = { context: SlackContext; messenger: Messenger }

type ContextDeps = {
  bot: Bot
  log: Log
  config: Pick<SlackConfig, 'apiUrl' | 'classicBlocks'>
  token: string
  connection: PlatformConnection
  /** Where it is known from the start. */
  identity?: BotIdentity
  /** Named in calls with the token of a whole organization. */
  team?: string | undefined
  onCardChange(): void
}

export const openContext = ({
  bot,
  log,
  config: { apiUrl, classicBlocks },
  token,
  connection,
  identity: known,
  team,
  onCardChange,
}: ContextDeps): OpenedContext => {
  // What must arrive is tried again by the core, which keeps it in the database meanwhile.
  const web = new SlackWebClient(token, connection, {
    logger: toBoltLog(log),
    ...defined({ slackApiUrl: apiUrl }),
  })
  const parts: Omit<SlackContext, 'home'> = {
    bot,
    web,
    log,
    identity: known ?? createBotIdentity(web, log),
    responseUrls: createResponseUrlClient(),
    refusedBlocks: new Set(classicBlocks ? newerBlocks : []),
    progressNotices: new Map(),
    newestResponseUrls: new Map(),
    givenUp: new Map(),
    userZones: createUserZones(web, bot.ticks),
    isGone: (account) => isGoneFrom(web, account),
    userGroups: createUserGroups(web, bot.groupsOf('slack'), log, { team, ticks: bot.ticks }),
    fileDownloader: createFileDownloader(token, apiUrl),
  }
  const context = { ...parts, home: createHomeTab(parts) }
  return { context, messenger: createSlackMessenger(parts, onCardChange) }
}
