import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import { sharedFilesIn } from '../api/file-download.ts'
import { toSlackAddress } from '../context/address.ts'
import { dispatchRequest, isHomeKnown, type SlackRequest } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { unescapeMarkup } from '../render/text.ts'
import { deliverReply } from '../reply/deliver-reply.ts'
import { fileOf, handleRequest } from './handle-request.ts'

type Event<T extends string> = SlackEventMiddlewareArgs<T> & AllMiddlewareArgs

/** What the three kinds of event have that matters here. */
const eventSchema = z.object({
  user: z.string(),
  channel: z.string().nullable().default(null),
  text: z.string().default(''),
  thread_ts: z.string().optional(),
  channel_type: z.string().optional(),
  subtype: z.string().optional(),
  bot_id: z.string().optional(),
  user_team: z.string().optional(),
  team: z.string().optional(),
  tab: z.string().optional(),
  files: z.unknown().optional(),
})

/** `@bellhop subscriber get ada@example.com` in a channel: answered there, for the actor's eyes. */
export const onMention =
  (slack: SlackContext) =>
  ({ event, body, context }: Event<'app_mention'>): Promise<void> =>
    handleLine(slack, event, deliveryOf(body, context), (text) =>
      afterMention(text, slack.identity.known()?.botUserId),
    )

/** A plain line in the conversation with the bot. What bots say, and edits of what was said, are no lines. */
export const onMessage =
  (slack: SlackContext) =>
  async ({ event, body, context }: Event<'message'>): Promise<void> => {
    if (event.channel_type !== 'im') return handleThread(slack, event, deliveryOf(body, context))
    await handleLine(slack, event, deliveryOf(body, context), (text) =>
      afterMention(text, slack.identity.known()?.botUserId, true),
    )
  }

export const onHomeOpened =
  (slack: SlackContext) =>
  async ({ event, body }: Event<'app_home_opened'>): Promise<void> => {
    const read = eventSchema.safeParse(event)
    if (!read.success || (read.data.tab ?? 'home') !== 'home') return
    await slack.home.opened({ account: read.data.user, name: '', team: body.team_id })
  }

type EventDelivery = Pick<SlackRequest, 'delivery' | 'isTaken' | 'team'>

/** Where it happened: whoever wrote it may be of another workspace, and then the event says so. */
const deliveryOf = (
  { event_id, team_id }: { event_id: string; team_id: string },
  { isTaken }: Record<string, unknown>,
): EventDelivery => ({
  delivery: `event:${event_id}`,
  isTaken: isTaken === true,
  team: team_id,
})

const handleLine = async (
  slack: SlackContext,
  event: unknown,
  delivery: EventDelivery,
  toLine: (text: string) => string,
): Promise<void> => {
  const read = eventSchema.safeParse(event)
  if (!read.success || read.data.bot_id !== undefined) return
  const { user, channel, text, thread_ts, user_team, team, subtype } = read.data
  if (subtype !== undefined && !spokenSubtypes.has(subtype)) return
  // Which of the mentions is the bot's own, and which of the messages, must be known first.
  await isHomeKnown(slack)
  if (user === slack.identity.known()?.botUserId) return
  const line = unescapeMarkup(withoutFormatting(toLine(text)))
  const request: SlackRequest = {
    ...delivery,
    account: user,
    name: '',
    team: user_team ?? team ?? delivery.team,
    channel,
    thread: thread_ts,
  }
  const [shared] = sharedFilesIn(read.data.files)
  await handleRequest(
    slack,
    request,
    { kind: 'line', line: line === '' ? 'bellhop help' : line },
    shared === undefined ? {} : { attached: { file: fileOf(slack, shared) } },
  )
}

/** What somebody wrote below a card. Everything else in a channel is none of the bot's business. */
const handleThread = async (slack: SlackContext, event: unknown, delivery: EventDelivery): Promise<void> => {
  const reply = threadReplyIn(event)
  if (reply === undefined || !(await isHomeKnown(slack))) return
  const { user, team, text, channel, thread } = reply
  if (user === slack.identity.known()?.botUserId) return
  const request: SlackRequest = {
    ...delivery,
    account: user,
    name: '',
    team: team ?? delivery.team,
    channel,
    thread,
  }
  const intent = { kind: 'reply', to: cardAddressOf(reply), text: unescapeMarkup(text) } as const
  const answer = await dispatchRequest(slack, request, intent, { forms: false })
  await deliverReply(slack, request, answer)
}

/** A message of a person in a thread of a channel. */
export const threadReplyIn = (event: unknown) => {
  const read = eventSchema.safeParse(event)
  if (!read.success || read.data.bot_id !== undefined) return undefined
  const { user, channel, text, thread_ts: thread, user_team, team, subtype, channel_type } = read.data
  const isSaid = subtype === undefined || spokenSubtypes.has(subtype)
  if (!isSaid || channel === null || thread === undefined || channel_type === 'im') return undefined
  return { user, channel, text, thread, team: user_team ?? team }
}

/** Where the message is that a thread hangs on. */
export const cardAddressOf = ({ channel, thread }: { channel: string; thread: string }): string =>
  toSlackAddress({ at: 'message', channel, ts: thread })

/** Kinds of message that are still somebody saying something: with a file, or from a thread to all. */
const spokenSubtypes: ReadonlySet<string> = new Set(['file_share', 'thread_broadcast'])

/** What follows the mention of the bot, or stands before it when nothing does. */
const afterMention = (text: string, bot: string | undefined, isOptional = false): string => {
  const mention = new RegExp(`<@${bot ?? '[A-Z0-9]+'}(?:\\|[^<>]*)?>\\s*[:,]?`)
  const found = mention.exec(text)
  if (found === null) return text
  if (isOptional && text.slice(0, found.index).trim() !== '') return text
  const after = text.slice(found.index + found[0].length)
  return after.trim() === '' ? text.slice(0, found.index) : after
}

/** A line that was copied from a manual comes as code, or bold. */
const withoutFormatting = (text: string): string => {
  const [, , marked] = /^(`{1,3}|\*)([^`*]*)\1$/.exec(text.trim()) ?? []
  return (marked ?? text).trim()
}
