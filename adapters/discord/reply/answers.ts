import { isConfirmOnly } from '../../../src/kernel/law/clauses.ts'
import type { Bot, FormDraft } from '../../../src/kernel/messenger/bot.ts'
import { isCardCopy } from '../../../src/kernel/messenger/card-copy.ts'
import type { Form } from '../../../src/kernel/messenger/form.ts'
import type { Inbound, Reply } from '../../../src/kernel/messenger/inbound.ts'
import { routeReply } from '../../../src/kernel/messenger/route-reply.ts'
import type { Log } from '../../../src/lib/log.ts'
import { isInPlace } from '../../../src/lib/view/button-labels.ts'
import { type Refusal, unstoredCodes } from '../../../src/lib/view/refusals.ts'
import { facts, type View } from '../../../src/lib/view/view.ts'
import { formModalOf, reasonModalOf } from '../forms/modal.ts'
import {
  formView,
  notSharedView,
  openFormButton,
  reasonView,
  requestedView,
  withTypedValues,
} from '../forms/views.ts'
import { discordAddressOf, isJustIssued } from '../protocol/address.ts'
import { messageFlag } from '../protocol/codes.ts'
import type { Interaction } from '../protocol/payload.ts'
import { type DiscordMessage, messageOf } from '../render/message.ts'
import { actionButtonsOf } from '../render/render.ts'
import type { DiscordApi } from '../transport/api.ts'
import { fromDiscordError } from '../transport/errors.ts'
import type { InteractionResponder } from '../transport/interaction-responder.ts'

/** What every part of the adapter works with. */
export type DiscordContext = { bot: Bot; api: DiscordApi; apiUrl: string | undefined; log: Log }

/** The answer to a command. Reads and refusals are the actor's alone; a card is posted by the worker. */
export const answerCommand = (
  context: DiscordContext,
  responder: InteractionResponder,
  inbound: Inbound,
  reply: Reply,
  draft: FormDraft,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<void> => {
  const show = async (message: Promise<DiscordMessage>) => responder.show(await message)
  return routeReply(context.bot, inbound, reply, {
    answer: async (view, file) => {
      await show(messageOf(view, { file }))
      const address = { ...responder.webhook, message: '@original' }
      if (isCardCopy(view)) await context.bot.cards.keep('discord', view, discordAddressOf(address))
    },
    refused: (refused) => show(refusedMessage(context, inbound, refused, draft)),
    share: (view) => show(messageOf(view)),
    form: async (form) => {
      if (responder.isAnswered()) return show(formMessage(context, inbound, form))
      await responder.showModal(formModalOf(form, await context.bot.drafts.save(inbound.from, form), isNew))
    },
    reason: (asked) => show(messageOf(reasonView(asked))),
    change: async ({ change, view }, isHere) => {
      // A confirm card takes the place of our private answer.
      if (isHere && isConfirmOnly(change.clauses))
        return responder.isAnswered() ? undefined : responder.defer()
      await show(messageOf(requestedView(change, view)))
    },
    repeated: async () => (responder.isAnswered() ? undefined : responder.defer()),
  })
}

/** What opens a form where none can be shown at once. */
export const formMessage = async (
  { bot }: DiscordContext,
  { from }: Inbound,
  form: Form,
): Promise<DiscordMessage> => {
  const id = await bot.drafts.save(from, form)
  return messageOf(formView(form), { buttons: [openFormButton(id, 'Fill in')] })
}

/** The answer to a form that was filled in: a refusal keeps what was typed. */
export const answerForm = async (
  context: DiscordContext,
  responder: InteractionResponder,
  inbound: Inbound,
  reply: Reply,
  draft: FormDraft,
): Promise<void> => {
  if (reply.kind !== 'refused') return answerCommand(context, responder, inbound, reply, draft)
  const form = await context.bot.formOf(inbound.from, draft)
  const view = form === undefined ? reply.view : withTypedValues(reply.view, form)
  return responder.show(await refusedMessage(context, inbound, { ...reply, view }, draft, true))
}

/** The answer to a button or to the reason it asked for. The copies of a card are the worker's to edit. */
export const answerPress = (
  context: DiscordContext,
  responder: InteractionResponder,
  inbound: Inbound,
  reply: Reply,
  { message }: Pick<Interaction, 'message'>,
  reason?: string,
): Promise<void> => {
  const { intent, place, delivery } = inbound
  const isOnPrivate = message != null && isPrivate(message)
  const followUp = async (beside: Promise<DiscordMessage>) => responder.followUp(await beside)
  return routeReply(context.bot, inbound, reply, {
    answer: async (view, file) => {
      const replaces = intent.kind === 'press' && isInPlace(intent.verb)
      const answer = await messageOf(view, { file })
      await (replaces ? responder.show(answer) : responder.followUp(answer))
    },
    refused: async ({ view, refusal }) => {
      const typed = reason ? [facts({ 'You wrote': reason })] : []
      // A private card can be brought up to date only through an answer on it; what was not stored is said at once.
      if (isOnPrivate && !responder.isAnswered() && !unstoredCodes.has(refusal.code)) await responder.defer()
      return followUp(messageOf({ ...view, blocks: [...view.blocks, ...typed] }))
    },
    share: (view) => share(context, responder, place.channel, { view, delivery }),
    form: (form) => followUp(messageOf(formView(form))),
    reason: async (asked) =>
      // Discord opens no form in answer to a form.
      responder.isAnswered() || reason !== undefined
        ? followUp(messageOf(reasonView(asked)))
        : responder.showModal(reasonModalOf(asked)),
    change: async (reply) => {
      // A private card can only be reached through an interaction, and this one is the newest.
      if (isOnPrivate) await responder.show(await messageOf(reply.view))
      // A press that could have asked for a reason is not acknowledged before it is known that it did not.
      else if (!responder.isAnswered()) await responder.defer()
    },
    repeated: async () => (responder.isAnswered() ? undefined : responder.defer()),
  })
}

/** Whether only its reader sees a message. */
export const isPrivate = ({ flags }: { flags?: number | null | undefined }): boolean =>
  ((flags ?? 0) & messageFlag.ephemeral) !== 0

/** For everybody in the channel; where the bot itself may not write, through the interaction. */
const share = async (
  context: DiscordContext,
  responder: InteractionResponder,
  channel: string | null,
  { view, delivery }: { view: View; delivery: string },
): Promise<void> => {
  const message = await messageOf(view)
  try {
    if (channel !== null) {
      await context.api.send(channel, message, { idempotencyKey: `share ${delivery}` })
      return
    }
  } catch (error) {
    if (fromDiscordError(error).kind === 'later') return responder.followUp(await messageOf(notSharedView))
  }
  const { webhook } = responder
  await context.api.followUp(webhook.token, message, {
    isPrivate: false,
    isJustIssued: isJustIssued(webhook, context.bot.now()),
  })
}

const refusedMessage = async (
  context: DiscordContext,
  { from }: Inbound,
  reply: { refusal: Refusal; view: View },
  draft: FormDraft,
  isTyped = false,
) => {
  const canEdit = isTyped || reply.refusal.field !== undefined
  const params = context.bot.registry.get(draft.command)?.params
  if (!canEdit || params?.length === 0) return messageOf(reply.view)
  // Without its store the bot still says what was wrong and shows what was typed.
  const id = await context.bot.drafts.save(from, draft).catch(() => undefined)
  const more = id === undefined ? [] : [openFormButton(id, 'Edit')]
  return messageOf(reply.view, { buttons: [...actionButtonsOf(reply.view), ...more] })
}
