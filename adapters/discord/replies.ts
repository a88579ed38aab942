import { isRawFile } from '../../src/command/coerce.ts'
import type { Inbound, Reply } from '../../src/pipeline/inbound.ts'
import type { Refusal } from '../../src/view/refusals.ts'
import { facts, type Verb, type View } from '../../src/view/view.ts'
import { isNew } from './address.ts'
import type { Desk } from './desk.ts'
import type { Draft } from './drafts.ts'
import { toMessengerError } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { modalOf, reasonModalOf } from './form.ts'
import { messageOf } from './message.ts'
import type { Interaction } from './payload.ts'
import { buttonsOf } from './render.ts'
import { flag } from './wire.ts'
import {
  askedView,
  fileView,
  formView,
  lacksFile,
  notSharedView,
  openButton,
  reasonView,
  withTyped,
} from './words.ts'

/** The answer to a command. Reads and refusals are the asker's alone; a card is posted by the worker. */
export const answerTo = async (
  desk: Desk,
  exchange: Exchange,
  inbound: Inbound,
  reply: Reply,
  draft: Draft,
): Promise<void> => {
  switch (reply.kind) {
    case 'answer':
      return exchange.show(await messageOf(reply.view, { file: reply.file }))
    case 'change':
      if (isCardHere(inbound, reply)) return
      return exchange.show(await messageOf(askedView(reply.change, reply.view)))
    case 'form': {
      if (lacksFile(reply.form)) return exchange.show(await messageOf(fileView(reply.form)))
      const id = await desk.drafts.keep(inbound.from, {
        command: reply.form.command,
        values: reply.form.values,
      })
      if (!exchange.isAnswered()) return exchange.modal(modalOf(reply.form, id))
      return exchange.show(await messageOf(formView(reply.form), { buttons: [openButton(id, 'Fill in')] }))
    }
    case 'reason':
      return exchange.show(await messageOf(reasonView(reply)))
    case 'refused':
      return exchange.show(await refusedMessage(desk, inbound, reply, draft))
    case 'share':
      return exchange.show(await messageOf(reply.view))
    case 'repeated':
      return exchange.isAnswered() ? undefined : exchange.defer()
  }
}

/** The answer to a form that was filled in: a refusal keeps what was typed. */
export const answerForm = async (
  desk: Desk,
  exchange: Exchange,
  inbound: Inbound,
  reply: Reply,
  draft: Draft,
): Promise<void> => {
  if (reply.kind !== 'refused') return answerTo(desk, exchange, inbound, reply, draft)
  const form = desk.drafts.formOf(draft)
  const view = form === undefined ? reply.view : withTyped(reply.view, form)
  return exchange.show(await refusedMessage(desk, inbound, { ...reply, view }, draft, true))
}

/** The answer to a button or to the reason it asked for. The copies of a card are the worker's to edit. */
export const answerPress = async (
  desk: Desk,
  exchange: Exchange,
  { intent, place }: Inbound,
  reply: Reply,
  { message }: Pick<Interaction, 'message'>,
  reason?: string,
): Promise<void> => {
  switch (reply.kind) {
    case 'answer': {
      const isInPlace = intent.kind === 'press' && inPlace.has(intent.verb)
      const answer = await messageOf(reply.view, { file: reply.file })
      return isInPlace ? exchange.show(answer) : exchange.aside(answer)
    }
    case 'share':
      return share(desk, exchange, place.channel, reply.view)
    case 'change': {
      // A private card can only be reached through an interaction, and this one is the newest.
      const isPrivate = ((message?.flags ?? 0) & flag.ephemeral) !== 0
      return isPrivate ? exchange.show(await messageOf(reply.view)) : undefined
    }
    case 'reason':
      if (!exchange.isAnswered()) return exchange.modal(reasonModalOf(reply))
      return exchange.aside(await messageOf(reasonView(reply)))
    case 'refused': {
      const typed = reason ? [facts({ 'You wrote': reason })] : []
      return exchange.aside(await messageOf({ ...reply.view, blocks: [...reply.view.blocks, ...typed] }))
    }
    case 'form':
      return exchange.aside(await messageOf(formView(reply.form)))
    case 'repeated':
      return exchange.isAnswered() ? undefined : exchange.defer()
  }
}

/** Verbs whose answer replaces the message that they were pressed on. */
const inPlace: ReadonlySet<Verb> = new Set(['next', 'previous', 'pause', 'resume', 'stop'])

/** For everybody in the channel; where the bot itself may not write, through the interaction. */
const share = async (desk: Desk, exchange: Exchange, channel: string | null, view: View): Promise<void> => {
  const message = await messageOf({ ...view, actions: [] })
  try {
    if (channel !== null) {
      await desk.api.send(channel, message)
      return
    }
  } catch (error) {
    if (toMessengerError(error).kind === 'later') return exchange.aside(await messageOf(notSharedView))
  }
  const { way } = exchange
  await desk.api.followUp(way.token, message, { isPrivate: false, isNew: isNew(way, desk.now()) })
}

/** A confirm card takes the place of our private answer. */
const isCardHere = ({ place }: Inbound, { change }: Extract<Reply, { kind: 'change' }>): boolean =>
  change.requirement.kind === 'confirm' && change.origin.handle === place.handle

const refusedMessage = async (
  desk: Desk,
  { from }: Inbound,
  reply: { refusal: Refusal; view: View },
  draft: Draft,
  isTyped = false,
) => {
  // A form cannot hold a file, so whoever attached one attaches it again.
  const hasFile = Object.values(draft.values).some(isRawFile)
  const canEdit = !hasFile && (isTyped || reply.refusal.field !== undefined)
  if (!canEdit || desk.drafts.formOf(draft)?.fields.length === 0) return messageOf(reply.view)
  // Without its store the bot still says what was wrong and shows what was typed.
  const id = await desk.drafts.keep(from, draft).catch(() => undefined)
  const more = id === undefined ? [] : [openButton(id, 'Edit')]
  return messageOf(reply.view, { buttons: [...buttonsOf(reply.view), ...more] })
}
