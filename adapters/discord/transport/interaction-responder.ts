import { isRequesting } from '../../../src/lib/view/button-labels.ts'
import { type InteractionWebhook, isJustIssued, webhookOf } from '../protocol/address.ts'
import { answerType, messageFlag } from '../protocol/codes.ts'
import { readCustomId } from '../protocol/custom-id.ts'
import type { Interaction } from '../protocol/payload.ts'
import type { DiscordMessage } from '../render/message.ts'
import type { DiscordApi } from './api.ts'
import { isInvalidRequest } from './errors.ts'
import { followUpPausesMs, retryCall } from './retry.ts'

/** The first answer: in the body of the HTTP response, or by a call when the interaction came over the gateway. */
export type Respond = (answer: object) => Promise<void>

/** One interaction, and where in its conversation we are. */
export type InteractionResponder = {
  webhook: InteractionWebhook
  isAnswered(): boolean
  /** Says that work goes on: as a private answer, or on the message whose button was pressed. */
  defer(): Promise<void>
  showModal(modal: object): Promise<void>
  showChoices(choices: object[]): Promise<void>
  /** Where the deferred answer stands, or in place of the pressed message. */
  show(message: DiscordMessage): Promise<void>
  /** A private message beside it. */
  followUp(message: DiscordMessage): Promise<void>
}

export const createInteractionResponder = (
  api: DiscordApi,
  interaction: Interaction,
  respond: Respond,
  now: () => number,
): InteractionResponder => {
  const webhook = webhookOf(interaction.token, now())
  const isOnMessage = Boolean(interaction.message) && !isBeside(interaction)
  let isAnswered = false
  const first = async (answer: object): Promise<void> => {
    isAnswered = true
    try {
      await respond(answer)
    } catch (error) {
      // What Discord found wrong with this answer need not be wrong with the next, which then is the first.
      isAnswered = !isInvalidRequest(error)
      throw error
    }
  }
  const responder: InteractionResponder = {
    webhook,
    isAnswered: () => isAnswered,
    defer: () =>
      first(
        isOnMessage
          ? { type: answerType.deferredUpdate }
          : { type: answerType.deferred, data: { flags: messageFlag.ephemeral } },
      ),
    showModal: (modal) => first({ type: answerType.modal, data: modal }),
    showChoices: (choices) => first({ type: answerType.choices, data: { choices } }),
    show: async (message) => {
      if (!isAnswered && (isOnMessage || message.files.length > 0)) await responder.defer()
      if (!isAnswered) return first(privateAnswer(message))
      await retryCall(followUpPausesMs, () =>
        api.editOriginal(webhook.token, message, isJustIssued(webhook, now())),
      )
    },
    followUp: async (message) => {
      if (!isAnswered && message.files.length > 0) await responder.defer()
      if (!isAnswered) return first(privateAnswer(message))
      await retryCall(followUpPausesMs, () =>
        api.followUp(webhook.token, message, { isJustIssued: isJustIssued(webhook, now()) }),
      )
    },
  }
  return responder
}

/** What asks for something, and the form that it opens, is answered beside the message, which keeps its menu and buttons. */
const isBeside = (interaction: Interaction): boolean => {
  const id = 'custom_id' in interaction.data ? readCustomId(interaction.data.custom_id) : undefined
  if (id?.kind === 'press') return isRequesting(id.verb)
  return id?.kind === 'menu' || (id?.kind === 'form' && id.isNew)
}

const privateAnswer = ({ body: { attachments: _, ...body } }: DiscordMessage): object => ({
  type: answerType.message,
  data: { ...body, flags: body.flags | messageFlag.ephemeral },
})
