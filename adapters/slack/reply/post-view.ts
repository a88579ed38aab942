import { defined } from '../../../src/defined.ts'
import type { Log } from '../../../src/log.ts'
import { isRefusedForGood, MessengerError } from '../../../src/messenger/messenger.ts'
import type { View } from '../../../src/view/view.ts'
import type { SlackMessage } from '../api/block-kit.ts'
import { isRefusedBlocks, slackErrorFields, toSlackMessengerError } from '../api/errors.ts'
import type { ResponseUrl } from '../api/response-url.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { renderSlack, renderSlackPlain } from '../render/message.ts'

type PostContext = Pick<SlackContext, 'web' | 'responseUrls' | 'log'>
export type SlackMessageRef = { channel: string; ts: string }

/** A message that everybody in the channel sees; a user's id instead of a channel's is their conversation with the bot. */
export const postMessage = (
  { web, log }: PostContext,
  channel: string,
  view: View,
  thread?: string,
): Promise<SlackMessageRef> =>
  sendView(log, view, {}, async (message) => {
    const sent = await web.chat.postMessage({
      channel,
      ...message,
      unfurl_links: false,
      unfurl_media: false,
      ...inThread(thread),
    })
    return { channel: sent.channel ?? channel, ts: String(sent.ts) }
  })

export const updateMessage = async (
  { web, log }: PostContext,
  { channel, ts }: SlackMessageRef,
  view: View,
): Promise<void> => {
  await sendView(log, view, {}, (message) => web.chat.update({ channel, ts, ...message }))
}

export const deleteMessage = async (
  { web }: Pick<PostContext, 'web'>,
  { channel, ts }: SlackMessageRef,
): Promise<void> => {
  try {
    await web.chat.delete({ channel, ts })
  } catch (error) {
    throw toSlackMessengerError(error)
  }
}

/** A message that one person sees. */
export const postEphemeral = async (
  { web, log }: PostContext,
  { channel, user, thread }: { channel: string; user: string; thread?: string | undefined },
  view: View,
  blockId?: string,
): Promise<void> => {
  await sendView(log, view, { blockId }, (message) =>
    web.chat.postEphemeral({ channel, user, ...message, ...inThread(thread) }),
  )
}

/** Through a response_url, where the bot need not be a member. */
export const postToResponseUrl = (
  { responseUrls, log }: PostContext,
  responseUrl: ResponseUrl,
  view: View,
  { isPrivate, replaces, blockId }: { isPrivate: boolean; replaces: boolean; blockId?: string | undefined },
): Promise<void> =>
  sendView(log, view, { blockId }, (message) =>
    responseUrls.send(responseUrl, {
      ...message,
      response_type: isPrivate ? 'ephemeral' : 'in_channel',
      replace_original: replaces,
    }),
  )

/** Tries one way after the other, as long as each says that it will never do. */
export const firstAccepted = async <T>(ways: readonly (() => Promise<T>)[]): Promise<T> => {
  let last: unknown
  for (const way of ways) {
    try {
      return await way()
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
      last = error
    }
  }
  throw last ?? new MessengerError('gone', 'there is no way left to this place')
}

/** Sends a view; a workspace that refuses one of its blocks gets it in text. */
const sendView = async <T>(
  log: Log,
  view: View,
  { blockId }: { blockId?: string | undefined },
  send: (message: SlackMessage) => Promise<T>,
): Promise<T> => {
  const options = defined({ blockId })
  try {
    return await send(blockId === undefined ? drawnOnce(view) : renderSlack(view, options))
  } catch (error) {
    if (!isRefusedBlocks(error)) throw toSlackMessengerError(error)
    log.warn(slackErrorFields(error), 'Slack refused the blocks of a view; it is sent as text')
  }
  try {
    return await send(renderSlackPlain(view, options))
  } catch (error) {
    throw toSlackMessengerError(error)
  }
}

/** The copies of a card are one view, drawn once. */
const drawnOnce = (view: View): SlackMessage => {
  const message = drawn.get(view) ?? renderSlack(view)
  drawn.set(view, message)
  return message
}
const drawn = new WeakMap<View, SlackMessage>()

const inThread = (thread: string | undefined) => defined({ thread_ts: thread })
