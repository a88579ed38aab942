import { isNew, type Way, wayOf } from './address.ts'
import { again, patient } from './again.ts'
import type { Api } from './api.ts'
import { isRefused } from './errors.ts'
import type { Message } from './message.ts'
import type { Interaction } from './payload.ts'
import { answerType, flag } from './wire.ts'

/** The first answer: in the body of the HTTP response, or by a call when the interaction came over the gateway. */
export type Respond = (answer: object) => Promise<void>

/** One interaction, and where in its conversation we are. */
export type Exchange = {
  way: Way
  isAnswered(): boolean
  /** Says that work goes on: as a private answer, or on the message whose button was pressed. */
  defer(): Promise<void>
  modal(modal: object): Promise<void>
  choices(choices: object[]): Promise<void>
  /** Where the deferred answer stands, or in place of the pressed message. */
  show(message: Message): Promise<void>
  /** A private message beside it. */
  aside(message: Message): Promise<void>
}

export const createExchange = (
  api: Api,
  interaction: Interaction,
  respond: Respond,
  now: () => number,
): Exchange => {
  const way = wayOf(interaction.token, now())
  const isOnMessage = Boolean(interaction.message)
  let isAnswered = false
  const first = async (answer: object): Promise<void> => {
    isAnswered = true
    try {
      await respond(answer)
    } catch (error) {
      // What Discord found wrong with this answer need not be wrong with the next, which then is the first.
      isAnswered = !isRefused(error)
      throw error
    }
  }
  const exchange: Exchange = {
    way,
    isAnswered: () => isAnswered,
    defer: () =>
      first(
        isOnMessage
          ? { type: answerType.deferredUpdate }
          : { type: answerType.deferred, data: { flags: flag.ephemeral } },
      ),
    modal: (modal) => first({ type: answerType.modal, data: modal }),
    choices: (choices) => first({ type: answerType.choices, data: { choices } }),
    show: async (message) => {
      if (!isAnswered && (isOnMessage || message.files.length > 0)) await exchange.defer()
      if (!isAnswered) return first(privateAnswer(message))
      await again(patient, () => api.editOriginal(way.token, message, isNew(way, now())))
    },
    aside: async (message) => {
      if (!isAnswered && message.files.length > 0) await exchange.defer()
      if (!isAnswered) return first(privateAnswer(message))
      await again(patient, () => api.followUp(way.token, message, { isNew: isNew(way, now()) }))
    },
  }
  return exchange
}

const privateAnswer = ({ body: { attachments: _, ...body } }: Message): object => ({
  type: answerType.message,
  data: { ...body, flags: body.flags | flag.ephemeral },
})
