import type { webApi } from '@slack/bolt'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import type { Log } from '../../../src/lib/log.ts'
import type { NewerBlock } from '../api/block-kit.ts'
import type { BotIdentity } from '../api/bot-identity.ts'
import type { FileDownloader } from '../api/file-download.ts'
import type { ResponseUrl, ResponseUrlClient } from '../api/response-url.ts'
import type { UserGroups } from '../api/user-groups.ts'
import type { UserZones } from '../api/user-zones.ts'

/** What every part of the adapter works with. */
export type SlackContext = {
  bot: Bot
  web: webApi.WebClient
  log: Log
  responseUrls: ResponseUrlClient
  /** Notices of work going on, by response_url: the next message there replaces one, once it stands. */
  progressNotices: Map<string, Promise<boolean>>
  /** The newest way to a card that only a response_url reaches, by the card's key. */
  newestResponseUrls: Map<string, ResponseUrl>
  /** What was not stored in time and is about to be forgotten, by delivery. */
  givenUp: Map<string, Promise<unknown>>
  /** Newer blocks that this workspace was seen to refuse. */
  refusedBlocks: Set<NewerBlock>
  identity: BotIdentity
  userGroups: UserGroups
  userZones: UserZones
  /** Whether an account was deactivated, or is none. */
  isGone(account: string): Promise<boolean>
  fileDownloader: FileDownloader
  home: HomeTab
}

/** Home tabs: drawn when they are opened, and again when changes move, for those who looked lately. */
export type HomeTab = {
  opened(viewer: HomeViewer): Promise<void>
  redrawSoon(): void
  stop(): void
}

export type HomeViewer = { account: string; name: string; team: string | undefined }
