import { type Messenger, MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { textsIn } from '../../../src/kernel/messenger/texts-in.ts'
import { note, type View } from '../../../src/lib/view/view.ts'
import {
  discordAddressOf,
  discordPostedAt,
  type InteractionWebhook,
  isJustIssued,
  isSameDiscordAddress,
  readDiscordAddress,
  readWebhookHandle,
} from '../protocol/address.ts'
import { type DiscordMessage, messageOf } from '../render/message.ts'
import { renderMessage } from '../render/render.ts'
import type { DiscordApi } from '../transport/api.ts'
import { fromDiscordError } from '../transport/errors.ts'

/** Posts and edits cards and outcomes for the core. Every failure is reported as "gone" or "later". */
export const createDiscordMessenger = (
  api: DiscordApi,
  now: () => number,
  /** Whether the roles in a server count. */
  isCounted: (guild: string) => boolean = () => true,
): Messenger => {
  const direct = async (account: string, message: DiscordMessage): Promise<string> => {
    const channel = await api.openDirectChannel(account)
    return inChannel(channel, message)
  }
  const inChannel = async (channel: string, message: DiscordMessage): Promise<string> => {
    const posted = await api.send(channel, message, {
      idempotencyKey: channel + JSON.stringify(message.body),
    })
    return discordAddressOf({ channel, message: posted.id })
  }
  const privately = async (webhook: InteractionWebhook, message: DiscordMessage): Promise<string> => {
    const { id } = await api.editOriginal(webhook.token, message, isJustIssued(webhook, now()))
    return discordAddressOf({ ...webhook, message: '@original', id })
  }
  /** Where the bot itself may not write. The first message after a deferred answer takes its place, so that is filled first. */
  const throughInteraction = async (
    webhook: InteractionWebhook,
    message: DiscordMessage,
  ): Promise<string> => {
    await api.editOriginal(webhook.token, await messageOf(cardFollowsView), isJustIssued(webhook, now()))
    const posted = await api.followUp(webhook.token, message, { isPrivate: false })
    return discordAddressOf({ ...webhook, message: posted.id })
  }

  return {
    platform: 'discord',
    post: withMessengerErrors(async ({ channel, handle, onlyFor }, view, file) => {
      const message = await messageOf(view, { file })
      const webhook = readWebhookHandle(handle, now())
      if (onlyFor !== null) {
        return webhook === undefined
          ? direct(onlyFor, message)
          : unlessGone(privately(webhook, message), () => direct(onlyFor, message))
      }
      if (channel === null) {
        if (webhook === undefined) throw new MessengerError('gone', 'there is no channel to post in')
        return throughInteraction(webhook, message)
      }
      const posted = inChannel(channel, message)
      return webhook === undefined ? posted : unlessGone(posted, () => throughInteraction(webhook, message))
    }),
    edit: withMessengerErrors(async (text, view) => {
      const address = readDiscordAddress(text)
      if (address === undefined) throw new MessengerError('gone', 'the address is not one of ours')
      const message = await messageOf(view)
      if ('channel' in address) return api.edit(address.channel, address.message, message)
      if (now() >= address.until) throw new MessengerError('gone', 'the interaction has ended')
      await api.editFollowUp(address.token, address.message, message, isJustIssued(address, now()))
    }),
    isSame: isSameDiscordAddress,
    postedAt: discordPostedAt,
    isWhole: (view) => renderMessage(view).isWhole,
    posted: async function* (channel) {
      try {
        for await (const message of api.ownMessages(channel)) yield* textsIn(message)
      } catch (error) {
        throw fromDiscordError(error)
      }
    },
    remove: withMessengerErrors(async (text) => {
      const address = readDiscordAddress(text)
      if (address !== undefined && 'channel' in address) await api.remove(address.channel, address.message)
    }),
    mayRead: withMessengerErrors((account, channel) => api.mayRead(account, channel)),
    membership: withMessengerErrors((account) => api.rolesOf(account, isCounted)),
    isGone: withMessengerErrors(async (account) => !(await api.isMember(account, isCounted))),
    direct: withMessengerErrors(async (account, view, file) =>
      direct(account, await messageOf(view, { file })),
    ),
  }
}

const withMessengerErrors =
  <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    try {
      return await work(...args)
    } catch (error) {
      throw fromDiscordError(error)
    }
  }

/** The other way, if this one is closed for good. */
const unlessGone = async <T>(first: Promise<T>, other: () => Promise<T>): Promise<T> => {
  try {
    return await first
  } catch (error) {
    if (fromDiscordError(error).kind === 'later') throw error
    return other()
  }
}

const cardFollowsView: View = {
  title: 'Asked',
  tone: 'plain',
  blocks: [note('plain', 'The card follows below.')],
}
