import { z } from 'zod'
import { isCardCopy } from '../../../src/kernel/messenger/card-copy.ts'
import type { Inbound, Reply } from '../../../src/kernel/messenger/inbound.ts'
import { notTaken, workingView } from '../../../src/kernel/messenger/intake.ts'
import { isRefusedForGood } from '../../../src/kernel/messenger/messenger.ts'
import { routeReply } from '../../../src/kernel/messenger/route-reply.ts'
import { orAfter } from '../../../src/lib/retry.ts'
import { refusalView } from '../../../src/lib/view/refusals.ts'
import { note, type View } from '../../../src/lib/view/view.ts'
import { reasonView } from '../forms/views.ts'
import { discordAddressOf } from '../protocol/address.ts'
import { discordLimits } from '../protocol/limits.ts'
import { type MessagePayload, messagePayloadSchema } from '../protocol/payload.ts'
import { type DiscordMessage, messageOf } from '../render/message.ts'
import { type DiscordContext, formMessage } from '../reply/answers.ts'
import { discordErrorFields, fromDiscordError } from '../transport/errors.ts'
import { followUpPausesMs, retryCall } from '../transport/retry.ts'
import { filesOf } from './attachments.ts'
import { discordUserIn, lineIn, messagePlaceOf } from './from-payload.ts'
import { workOnStored } from './work-on-stored.ts'

/** A line in a direct message, or after a mention of the bot. Nothing is thrown. */
export const handleMessage = async (
  context: DiscordContext,
  message: MessagePayload,
  botId: string,
  { isTaken = false }: { isTaken?: boolean } = {},
): Promise<void> => {
  const isPerson = message.author.bot !== true && !message.webhook_id
  const line = isPerson && messageTypes.has(message.type) ? lineIn(message, botId) : undefined
  const from = discordUserIn({ member: message.member, user: message.author })
  if (line === undefined || from === undefined || message.author.id === botId) return
  try {
    const [attachment] = message.attachments ?? []
    const inbound: Inbound = {
      delivery: message.id,
      from,
      place: messagePlaceOf(message),
      forms: true,
      canBeAsked: true,
      intent: { kind: 'line', line: line || 'bellhop help' },
      attached: filesOf(attachment === undefined ? {} : { file: attachment }, context.apiUrl),
    }
    const payload: TakenMessage = { message, botId }
    await workOnStored(
      context,
      { delivery: message.id, account: from.account, payload, isTaken },
      {
        work: async (storing) => {
          const handled = context.bot.ackQueue(() => context.bot.handle({ ...inbound, storing }), {
            account: from.account,
            line,
            storing,
          })
          void storing.then(() => showWork(context, message, handled))
          const reply = await handled
          const answer = await answerOf(context, inbound, reply)
          const sent = answer && (await sendAnswer(context, message, answer))
          if (sent && reply.kind === 'answer' && isCardCopy(reply.view))
            await context.bot.cards.keep('discord', reply.view, discordAddressOf(sent))
        },
        tooSlow: async () => {
          await sendAnswer(context, message, await messageOf(refusalView(notTaken)))
        },
      },
    )
  } catch (error) {
    context.log.warn(discordErrorFields(error), 'a line could not be answered')
    const refused = fromDiscordError(error)
    if (isRefusedForGood(refused)) await context.bot.undelivered(from, refused)
  }
}

/** What is stored of a line, to be handled again. */
export const takenMessage = z.object({ message: messagePayloadSchema, botId: z.string() })
type TakenMessage = z.infer<typeof takenMessage>

/** In words, when there is no answer while people still wait for one; they go when it is there. */
const showWork = async (
  { api, log }: DiscordContext,
  { channel_id, id }: MessagePayload,
  answered: Promise<unknown>,
): Promise<void> => {
  const isOver = answered.then(
    () => false,
    () => false,
  )
  if (!(await orAfter(discordLimits.firstAnswerMs, true, isOver))) return
  try {
    const notice = await messageOf(workingView)
    const shown = await api.send(channel_id, notice, { idempotencyKey: `work ${id}`, replyTo: id })
    await isOver
    await api.remove(channel_id, shown.id)
  } catch (error) {
    log.debug(discordErrorFields(error), 'a notice of work could not be shown')
  }
}

/** A plain message, and a reply to one. */
const messageTypes: ReadonlySet<number> = new Set([0, 19])

/** Undefined where the worker posts a card, or where a copy of the delivery was answered. */
const answerOf = (
  context: DiscordContext,
  inbound: Inbound,
  reply: Reply,
): Promise<DiscordMessage | undefined> =>
  routeReply<DiscordMessage | undefined>(context.bot, inbound, reply, {
    answer: (view, file) => messageOf(view, { file }),
    refused: ({ view }) => messageOf(view),
    share: (view) => messageOf(view),
    form: (form) => formMessage(context, inbound, form),
    reason: (asked) => messageOf(reasonView(asked)),
    change: async ({ change, view, isDecided }) =>
      !isDecided && change.origin.channel === inbound.place.channel
        ? undefined
        : messageOf({ ...view, actions: [] }),
    repeated: async () => undefined,
  })

/** What a person asked in a channel is for that person: there is no private message in a channel, so it is sent directly. */
const sendAnswer = async (
  context: DiscordContext,
  { author, channel_id, guild_id, id }: MessagePayload,
  answer: DiscordMessage,
): Promise<{ channel: string; message: string } | undefined> => {
  if (!guild_id) {
    const sent = await retryCall(followUpPausesMs, () =>
      context.api.send(channel_id, answer, { idempotencyKey: id }),
    )
    return { channel: channel_id, message: sent.id }
  }
  const isSent = await sendDirectly(context, author.id, answer, id)
  const pointer = await messageOf(isSent ? sentDirectlyView : directClosedView)
  await retryCall(followUpPausesMs, () =>
    context.api.send(channel_id, pointer, { idempotencyKey: `where ${id}`, replyTo: id }),
  )
  return undefined
}

const sendDirectly = async (
  { api }: DiscordContext,
  account: string,
  answer: DiscordMessage,
  idempotencyKey: string,
): Promise<boolean> => {
  try {
    await retryCall(followUpPausesMs, async () =>
      api.send(await api.openDirectChannel(account), answer, { idempotencyKey }),
    )
    return true
  } catch (error) {
    if (fromDiscordError(error).kind === 'later') throw error
    return false
  }
}

const sentDirectlyView: View = {
  title: 'Answered in a direct message',
  tone: 'plain',
  blocks: [note('plain', 'A slash command answers right here, for your eyes only.')],
}

const directClosedView: View = {
  title: 'Your direct messages are closed to me',
  tone: 'warn',
  blocks: [note('plain', 'Use the slash command: it answers right here, for your eyes only.')],
}
