import { isRefusedForGood, MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { defined } from '../../../src/lib/defined.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { type NewerBlock, newerBlocksIn, type SlackMessage } from '../api/block-kit.ts'
import { isRefusedBlocks, slackErrorFields, toSlackMessengerError } from '../api/errors.ts'
import type { ResponseUrl } from '../api/response-url.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { renderSlack, renderSlackPlain } from '../render/message.ts'

type PostContext = Pick<SlackContext, 'web' | 'responseUrls' | 'log' | 'refusedBlocks'>
export type SlackMessageRef = { channel: string; ts: string }

/** A message that everybody in the channel sees; a user's id instead of a channel's is their conversation with the bot. */
export const postMessage = (
  context: PostContext,
  channel: string,
  view: View,
  thread?: string,
): Promise<SlackMessageRef> =>
  sendView(context, view, {}, async (message) => {
    const sent = await context.web.chat.postMessage({
      channel,
      ...message,
      unfurl_links: false,
      unfurl_media: false,
      ...inThread(thread),
    })
    return { channel: sent.channel ?? channel, ts: String(sent.ts) }
  })

export const updateMessage = async (
  context: PostContext,
  { channel, ts }: SlackMessageRef,
  view: View,
): Promise<void> => {
  await sendView(context, view, {}, (message) => context.web.chat.update({ channel, ts, ...message }))
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
  context: PostContext,
  { channel, user, thread }: { channel: string; user: string; thread?: string | undefined },
  view: View,
  blockId?: string,
): Promise<void> => {
  await sendView(context, view, { blockId }, (message) =>
    context.web.chat.postEphemeral({ channel, user, ...message, ...inThread(thread) }),
  )
}

/** Through a response_url, where the bot need not be a member. */
export const postToResponseUrl = (
  context: PostContext,
  responseUrl: ResponseUrl,
  view: View,
  { isPrivate, replaces, blockId }: { isPrivate: boolean; replaces: boolean; blockId?: string | undefined },
): Promise<void> =>
  sendView(context, view, { blockId }, (message) =>
    context.responseUrls.send(responseUrl, {
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

/**
 * Sends a view. A workspace that refuses its newer blocks gets the older ones in their place, from then on at once; one that
 * refuses those too gets it in text.
 */
const sendView = async <T>(
  { log, refusedBlocks }: PostContext,
  view: View,
  { blockId }: { blockId?: string | undefined },
  send: (message: SlackMessage) => Promise<T>,
): Promise<T> => {
  const options = defined({ blockId })
  const message = drawn(view, refusedBlocks, blockId)
  try {
    return await send(message)
  } catch (error) {
    if (!isRefusedBlocks(error)) throw toSlackMessengerError(error)
    const newer = newerBlocksIn(message)
    log.warn({ ...slackErrorFields(error), newer }, 'Slack refused the blocks of a view')
    if (newer.length > 0) {
      const older = new Set([...refusedBlocks, ...newer])
      const sent = await sendOr(() => send(renderSlack(view, { ...options, refused: older })))
      if (sent !== undefined) {
        for (const type of newer) refusedBlocks.add(type)
        return sent.value
      }
    }
  }
  try {
    return await send(renderSlackPlain(view, options))
  } catch (error) {
    throw toSlackMessengerError(error)
  }
}

/** Undefined where its blocks are refused again. */
const sendOr = async <T>(send: () => Promise<T>): Promise<{ value: T } | undefined> => {
  try {
    return { value: await send() }
  } catch (error) {
    if (!isRefusedBlocks(error)) throw toSlackMessengerError(error)
    return undefined
  }
}

/** The copies of a card are one view, drawn once. */
const drawn = (view: View, refused: ReadonlySet<NewerBlock>, blockId: string | undefined): SlackMessage => {
  if (blockId !== undefined) return renderSlack(view, { blockId, refused })
  const known = drawnOnce.get(view)
  if (known !== undefined && known.refused === refused.size) return known.message
  const message = renderSlack(view, { refused })
  drawnOnce.set(view, { message, refused: refused.size })
  return message
}
const drawnOnce = new WeakMap<View, { message: SlackMessage; refused: number }>()

const inThread = (thread: string | undefined) => defined({ thread_ts: thread })
