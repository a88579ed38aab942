import type { Messenger, Place } from '../../../src/kernel/messenger/messenger.ts'
import { textsIn } from '../../../src/kernel/messenger/texts-in.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { isMember } from '../api/channel-members.ts'
import { toSlackMessengerError } from '../api/errors.ts'
import type { ResponseUrl } from '../api/response-url.ts'
import {
  isDirectChannel,
  isSameSlackAddress,
  newCardKey,
  readReplyHandle,
  readSlackAddress,
  type SlackAddress,
  slackPostedAt,
  toSlackAddress,
} from '../context/address.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { isWholeInSlack } from '../render/message.ts'
import { completeStep } from '../workflow/complete-step.ts'
import { sendFileDirectly, uploadFile } from './file-upload.ts'
import {
  deleteMessage,
  firstAccepted,
  postEphemeral,
  postMessage,
  postToResponseUrl,
  updateMessage,
} from './post-view.ts'
import { claimProgressNotice } from './progress-notice.ts'

type MessengerContext = Omit<SlackContext, 'home'>

/** How the core's cards reach Slack and are edited there, and how people are told directly. `onCardChange` hears of every card. */
export const createSlackMessenger = (slack: MessengerContext, onCardChange: () => void): Messenger => ({
  platform: 'slack',
  post: async (place, view, file) => {
    const address = await postCard(slack, place, view, file !== undefined)
    onCardChange()
    if (file !== undefined && address.at === 'message') await uploadFile(slack, address, file)
    else if (file !== undefined && place.onlyFor !== null) {
      const { channel, onlyFor: user } = place
      await sendFileDirectly(slack, user, file, async (sorry) =>
        channel === null ? undefined : postEphemeral(slack, { channel, user }, sorry),
      )
    }
    return toSlackAddress(address)
  },
  edit: async (address, view) => {
    await editCard(slack, address, view)
    onCardChange()
  },
  isSame: isSameSlackAddress,
  postedAt: slackPostedAt,
  isWhole: (view) => isWholeInSlack(view, slack.refusedBlocks),
  posted: (channel) => wordsPosted(slack, channel),
  remove: async (text) => {
    const address = readSlackAddress(text)
    if (address.at === 'message') await deleteMessage(slack, address)
  },
  complete: (handle, end) => completeStep(slack, handle, end),
  mayRead: (account, channel) => isMember(slack, account, channel),
  zone: (account) => slack.userZones(account),
  isGone: slack.isGone,
  membership: (account) => slack.userGroups.now(account),
  direct: async (account, view, file) => {
    const posted = await postMessage(slack, account, view)
    if (file !== undefined) await uploadFile(slack, posted, file)
    return toSlackAddress({ at: 'message', ...posted })
  },
})

const historyPage = 200
const maxHistoryPages = 10

/** Needs the scope that reads the channel's history, which nothing else does. */
const wordsPosted = async function* (
  { web, identity }: MessengerContext,
  channel: string,
): AsyncGenerator<string> {
  const { botUserId } = identity.known() ?? {}
  let cursor: string | undefined
  for (let pages = 0; pages < maxHistoryPages; pages++) {
    const page = await web.conversations
      .history({ channel, limit: historyPage, ...(cursor === undefined ? {} : { cursor }) })
      .catch((error: unknown) => {
        throw toSlackMessengerError(error)
      })
    for (const message of page.messages ?? []) {
      if (botUserId === undefined || message.user === botUserId) yield* textsIn(message.blocks)
    }
    cursor = page.response_metadata?.next_cursor
    if (!cursor) return
  }
}

/** A message if everybody may see it, or if nobody else is there; else, and where the bot is no member, a response_url. */
const postCard = (
  slack: MessengerContext,
  { channel, handle, onlyFor }: Place,
  view: View,
  hasFile: boolean,
): Promise<SlackAddress> => {
  const { responseUrl, thread } = readReplyHandle(handle)
  const asMessage = async (where: string): Promise<SlackAddress> => ({
    at: 'message',
    ...(await postMessage(slack, where, view, thread)),
  })
  const asResponse = async (through: ResponseUrl): Promise<SlackAddress> => {
    const key = newCardKey()
    const isPrivate = onlyFor !== null
    const replaces = isPrivate && (await claimProgressNotice(slack, through))
    await postToResponseUrl(slack, through, view, { isPrivate, replaces, blockId: key })
    return { at: 'line', key, isPrivate, ...through }
  }
  const asPrivate = async (where: string, user: string): Promise<SlackAddress> => {
    const key = newCardKey()
    await postEphemeral(slack, { channel: where, user, thread }, view, key)
    return { at: 'line', key, isPrivate: true }
  }
  const isDirect = channel !== null && isDirectChannel(channel)
  // A file for everybody needs a message to stand under; without one, the core sends both directly.
  const canRespond = !hasFile || onlyFor !== null
  return firstAccepted([
    ...(channel !== null && (onlyFor === null || isDirect) ? [() => asMessage(channel)] : []),
    ...(canRespond && responseUrl !== undefined && slack.responseUrls.isUsable(responseUrl)
      ? [() => asResponse(responseUrl)]
      : []),
    ...(channel !== null && onlyFor !== null && !isDirect ? [() => asPrivate(channel, onlyFor)] : []),
  ])
}

const editCard = async (slack: MessengerContext, text: string, view: View): Promise<void> => {
  const address = readSlackAddress(text)
  if (address.at === 'message') return updateMessage(slack, address, view)
  const { key, isPrivate, url, until } = address
  const candidates = [
    slack.newestResponseUrls.get(key),
    url !== undefined && until !== undefined ? { url, until } : undefined,
  ]
  await firstAccepted(
    candidates
      .filter((responseUrl) => responseUrl !== undefined && slack.responseUrls.isUsable(responseUrl))
      .map(
        (responseUrl) => () =>
          postToResponseUrl(slack, responseUrl as ResponseUrl, view, {
            isPrivate,
            replaces: true,
            blockId: key,
          }),
      ),
  )
}
