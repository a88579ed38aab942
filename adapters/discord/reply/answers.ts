import { isRawFile } from '../../../src/command/line/coerce.ts'
import type { Log } from '../../../src/log.ts'
import type { Bot, FormDraft } from '../../../src/messenger/bot.ts'
import { type Inbound, type Reply, sharedView } from '../../../src/messenger/inbound.ts'
import { isConfirmOnly } from '../../../src/policy/clauses.ts'
import { verbsInPlace } from '../../../src/view/button-labels.ts'
import type { Refusal } from '../../../src/view/refusals.ts'
import { facts, type View } from '../../../src/view/view.ts'
import { formOf } from '../forms/draft-form.ts'
import { formModalOf, reasonModalOf } from '../forms/modal.ts'
import {
  formView,
  isMissingFile,
  missingFileView,
  notSharedView,
  openFormButton,
  reasonView,
  requestedView,
  withTypedValues,
} from '../forms/views.ts'
import { isJustIssued } from '../protocol/address.ts'
import { messageFlag } from '../protocol/codes.ts'
import type { Interaction } from '../protocol/payload.ts'
import { messageOf } from '../render/message.ts'
import { actionButtonsOf } from '../render/render.ts'
import type { DiscordApi } from '../transport/api.ts'
import { fromDiscordError } from '../transport/errors.ts'
import type { InteractionResponder } from '../transport/interaction-responder.ts'

/** What every part of the adapter works with. */
export type DiscordContext = { bot: Bot; api: DiscordApi; apiUrl: string | undefined; log: Log }

/** The answer to a command. Reads and refusals are the asker's alone; a card is posted by the worker. */
export const answerCommand = async (
  context: DiscordContext,
  responder: InteractionResponder,
  inbound: Inbound,
  reply: Reply,
  draft: FormDraft,
): Promise<void> => {
  switch (reply.kind) {
    case 'answer':
      return responder.show(await messageOf(reply.view, { file: reply.file }))
    case 'change':
      if (isCardHere(inbound, reply)) return
      return responder.show(await messageOf(requestedView(reply.change, reply.view)))
    case 'form': {
      if (isMissingFile(reply.form)) return responder.show(await messageOf(missingFileView(reply.form)))
      const id = await context.bot.drafts.save(inbound.from, {
        command: reply.form.command,
        values: reply.form.values,
      })
      if (!responder.isAnswered()) return responder.showModal(formModalOf(reply.form, id))
      return responder.show(
        await messageOf(formView(reply.form), { buttons: [openFormButton(id, 'Fill in')] }),
      )
    }
    case 'reason':
      return responder.show(await messageOf(reasonView(reply)))
    case 'refused':
      return responder.show(await refusedMessage(context, inbound, reply, draft))
    case 'share':
      return responder.show(await messageOf(reply.view))
    case 'repeated':
      return responder.isAnswered() ? undefined : responder.defer()
  }
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
  const form = formOf(context.bot.registry, draft)
  const view = form === undefined ? reply.view : withTypedValues(reply.view, form)
  return responder.show(await refusedMessage(context, inbound, { ...reply, view }, draft, true))
}

/** The answer to a button or to the reason it asked for. The copies of a card are the worker's to edit. */
export const answerPress = async (
  context: DiscordContext,
  responder: InteractionResponder,
  { intent, place, from, delivery }: Inbound,
  reply: Reply,
  { message }: Pick<Interaction, 'message'>,
  reason?: string,
): Promise<void> => {
  switch (reply.kind) {
    case 'answer': {
      const isInPlace = intent.kind === 'press' && verbsInPlace.has(intent.verb)
      const answer = await messageOf(reply.view, { file: reply.file })
      return isInPlace ? responder.show(answer) : responder.followUp(answer)
    }
    case 'share':
      return share(context, responder, place.channel, {
        view: sharedView(reply.view, context.bot.readsOf(from).asker.name),
        delivery,
      })
    case 'change': {
      // A private card can only be reached through an interaction, and this one is the newest.
      const isPrivate = ((message?.flags ?? 0) & messageFlag.ephemeral) !== 0
      return isPrivate ? responder.show(await messageOf(reply.view)) : undefined
    }
    case 'reason':
      if (!responder.isAnswered()) return responder.showModal(reasonModalOf(reply))
      return responder.followUp(await messageOf(reasonView(reply)))
    case 'refused': {
      const typed = reason ? [facts({ 'You wrote': reason })] : []
      return responder.followUp(await messageOf({ ...reply.view, blocks: [...reply.view.blocks, ...typed] }))
    }
    case 'form':
      return responder.followUp(await messageOf(formView(reply.form)))
    case 'repeated':
      return responder.isAnswered() ? undefined : responder.defer()
  }
}

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

/** A confirm card takes the place of our private answer. */
const isCardHere = ({ place }: Inbound, { change }: Extract<Reply, { kind: 'change' }>): boolean =>
  isConfirmOnly(change.clauses) && change.origin.handle === place.handle

const refusedMessage = async (
  context: DiscordContext,
  { from }: Inbound,
  reply: { refusal: Refusal; view: View },
  draft: FormDraft,
  isTyped = false,
) => {
  // A form cannot hold a file, so whoever attached one attaches it again.
  const hasFile = Object.values(draft.values).some(isRawFile)
  const canEdit = !hasFile && (isTyped || reply.refusal.field !== undefined)
  if (!canEdit || formOf(context.bot.registry, draft)?.fields.length === 0) return messageOf(reply.view)
  // Without its store the bot still says what was wrong and shows what was typed.
  const id = await context.bot.drafts.save(from, draft).catch(() => undefined)
  const more = id === undefined ? [] : [openFormButton(id, 'Edit')]
  return messageOf(reply.view, { buttons: [...actionButtonsOf(reply.view), ...more] })
}
