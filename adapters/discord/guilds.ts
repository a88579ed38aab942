import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { type Messenger, MessengerError } from '../../src/kernel/messenger/messenger.ts'
import { botWithin } from '../../src/kernel/messenger/workspaces.ts'
import { qualified } from '../../src/kernel/model/workspace.ts'
import type { DiscordContext } from './reply/answers.ts'
import { createDiscordMessenger } from './reply/messenger.ts'

/** Where something happened: in a server, or in a conversation of somebody with the bot alone. */
type Where = { guild: string | null | undefined; account: string | undefined }

/**
 * The servers of the bot. All that bellhop.yml does not list are the first workspace together; each one that it lists is a
 * workspace of its own. The bot has one token everywhere, so only ids are told apart.
 */
export type DiscordGuilds = {
  of(where: Where): DiscordContext
  /** That of the first workspace. */
  messenger: Messenger
  /** Throws for a server that is not listed. */
  messengerIn(guild: string): Promise<Messenger>
}

export const createGuilds = (first: DiscordContext): DiscordGuilds => {
  const { bot, api } = first
  const contexts = new Map<string, DiscordContext>()
  const isListed = (guild: string): boolean => bot.workspacesOf('discord').includes(guild)
  const contextIn = (guild: string): DiscordContext => {
    const known = contexts.get(guild) ?? { ...first, bot: botWithin(bot, 'discord', guild) }
    contexts.set(guild, known)
    return known
  }
  return {
    of: ({ guild, account }) => {
      const within = guild ?? (account === undefined ? undefined : onlyGuildOf(bot, account))
      return within !== undefined && isListed(within) ? contextIn(within) : first
    },
    messenger: createDiscordMessenger(api, bot.now, (guild) => !isListed(guild)),
    messengerIn: async (guild) => {
      if (isListed(guild)) return createDiscordMessenger(api, bot.now, (one) => one === guild)
      throw new MessengerError('gone', `bellhop.yml does not list the Discord server ${guild}`, {
        reason: 'not_installed',
        remedy: 'add it to workspaces.discord, and invite the bot there',
      })
    },
  }
}

/** A direct message is of the first workspace, unless its sender is listed in one server and nowhere else. */
const onlyGuildOf = (bot: Bot, account: string): string | undefined => {
  const isKnown = (id: string): boolean =>
    bot.readsOf({ platform: 'discord', account: id, name: '', groups: [] }).actor.known
  const listed = bot.workspacesOf('discord')
  if (listed.length === 0 || isKnown(account)) return undefined
  const theirs = listed.filter((guild) => isKnown(qualified(guild, account)))
  return theirs.length === 1 ? theirs[0] : undefined
}
