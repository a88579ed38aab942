import { type Parsed, readValues } from '../../../src/kernel/command/line/parse.ts'
import { byParamName } from '../../../src/kernel/command/params.ts'
import type { Inbound, Reply } from '../../../src/kernel/messenger/inbound.ts'
import {
  ackOnceStored,
  isTakenIn,
  notCounted,
  notTaken,
  type Stored,
  workingView,
} from '../../../src/kernel/messenger/intake.ts'
import { isRefusedForGood } from '../../../src/kernel/messenger/messenger.ts'
import type { Result } from '../../../src/lib/result.ts'
import { orAfter } from '../../../src/lib/retry.ts'
import { isActing, isRequesting, verbs } from '../../../src/lib/view/button-labels.ts'
import { refusalView } from '../../../src/lib/view/refusals.ts'
import type { Action } from '../../../src/lib/view/view.ts'
import { formModalOf } from '../forms/modal.ts'
import { draftGoneView, formView, openFormButton, unknownButtonView } from '../forms/views.ts'
import { discordAddressOf } from '../protocol/address.ts'
import { interactionType } from '../protocol/codes.ts'
import { readCustomId } from '../protocol/custom-id.ts'
import { discordLimits } from '../protocol/limits.ts'
import type {
  ButtonInteraction,
  CommandInteraction,
  Interaction,
  ModalInteraction,
} from '../protocol/payload.ts'
import { messageOf } from '../render/message.ts'
import { answerCommand, answerForm, answerPress, type DiscordContext, isPrivate } from '../reply/answers.ts'
import { discordErrorFields, fromDiscordError, isAlreadyAnswered } from '../transport/errors.ts'
import {
  createInteractionResponder,
  type InteractionResponder,
  type Respond,
} from '../transport/interaction-responder.ts'
import { filesOf, unreadFiles } from './attachments.ts'
import { autocompleteOption } from './autocomplete.ts'
import { commandIn, discordUserIn, fieldsIn, filesIn, interactionPlaceOf } from './from-payload.ts'
import { workOnStored } from './work-on-stored.ts'

/**
 * An interaction of either transport, from the first answer to the last. Nothing is thrown: failures are answered or logged.
 * Where each delivery is awaited, each is answered.
 */
export const handleInteraction = async (
  context: DiscordContext,
  interaction: Interaction,
  respond: Respond,
  { isTaken = false, isAwaited = false }: { isTaken?: boolean; isAwaited?: boolean } = {},
): Promise<void> => {
  const responder = createInteractionResponder(context.api, interaction, respond, context.bot.now)
  try {
    await routeInteraction(context, interaction, responder, isTaken)
    // A copy of what is worked on: the answer to the first may have been lost with its connection.
    if (isAwaited && !responder.isAnswered()) await responder.defer()
  } catch (error) {
    context.log.warn(
      { ...discordErrorFields(error), interaction: interaction.type },
      'an interaction could not be answered',
    )
    await reportFailure(context, interaction, responder, error)
  }
}

const routeInteraction = async (
  context: DiscordContext,
  interaction: Interaction,
  responder: InteractionResponder,
  isTaken: boolean,
): Promise<void> => {
  if (interaction.type === 4) return responder.showChoices(await autocompleteOption(context.bot, interaction))
  const from = discordUserIn(interaction)
  if (from === undefined) throw new Error('an interaction without a user')
  const inbound = {
    delivery: interaction.id,
    from,
    place: interactionPlaceOf(interaction, responder.webhook),
    forms: true,
    canBeAsked: true,
  }
  switch (interaction.type) {
    case 2:
      return runCommand(context, interaction, responder, { ...inbound, taken: isTaken })
    case 3:
      return pressButton(context, interaction, responder, inbound)
    case 5:
      return submitModal(context, interaction, responder, { ...inbound, taken: isTaken })
  }
}

type InboundBase = Omit<Inbound, 'intent'>

const runCommand = async (
  context: DiscordContext,
  interaction: CommandInteraction,
  responder: InteractionResponder,
  base: InboundBase,
): Promise<void> => {
  const { command, values, attached } = commandIn(interaction)
  const definition = context.bot.registry.get(command)
  const mayRun = definition !== undefined && context.bot.readsOf(base.from).records.mayRun(command)
  const read = mayRun ? readValues(definition, { ...values, ...unreadFiles(attached) }) : undefined
  const answer = async (handle: typeof handleQueued, storing?: Promise<Stored>) => {
    const inbound: Inbound = {
      ...base,
      storing,
      intent: { kind: 'options', command, values },
      attached: filesOf(attached, context.apiUrl),
    }
    const reply = await handle(context, responder, inbound)
    await answerCommand(context, responder, inbound, reply, { command, values })
  }
  if (needsForm(read)) return answer(handleAtOnce)
  return takeInteraction(context, interaction, responder, base, (storing) => answer(handleQueued, storing))
}

/** Stored before it is acknowledged: what was acknowledged is answered, whatever becomes of this process. */
const takeInteraction = (
  context: DiscordContext,
  payload: CommandInteraction | ModalInteraction,
  responder: InteractionResponder,
  { from, taken: isTaken }: InboundBase,
  work: (storing: Promise<Stored>) => Promise<void>,
): Promise<void> =>
  workOnStored(
    context,
    { delivery: payload.id, account: from.account, payload, isTaken },
    {
      acknowledge: responder.defer,
      work,
      tooSlow: async () => responder.followUp(await messageOf(refusalView(notTaken))),
    },
  )

const pressButton = async (
  context: DiscordContext,
  interaction: ButtonInteraction,
  responder: InteractionResponder,
  base: InboundBase,
): Promise<void> => {
  const read = readCustomId(interaction.data.custom_id)
  const pressed =
    read?.kind === 'marks'
      ? ({ kind: 'press', verb: 'review', id: (interaction.data.values ?? []).join(',') } as const)
      : read
  if (pressed?.kind === 'open') {
    const { drafts, formOf } = context.bot
    const opening = async () => {
      const draft = await drafts.find(base.from, pressed.draft)
      return draft && formOf(base.from, draft)
    }
    const form = await deferIfLate(responder, opening())
    if (form === undefined) return responder.followUp(await messageOf(draftGoneView))
    if (!responder.isAnswered()) return responder.showModal(formModalOf(form, pressed.draft))
    const buttons = [openFormButton(pressed.draft, 'Fill in')]
    return responder.followUp(await messageOf(formView(form), { buttons }))
  }
  if (pressed?.kind === 'menu') {
    return askByPress(context, responder, base, { verb: 'act', id: interaction.data.values?.[0] ?? '' })
  }
  if (pressed?.kind !== 'press') return responder.followUp(await messageOf(unknownButtonView))
  if (isRequesting(pressed.verb)) return askByPress(context, responder, base, pressed)
  const { verb, id } = pressed
  const { message, channel_id } = interaction
  // What only its reader sees is reached through the interaction alone.
  const address =
    message && isPrivate(message)
      ? { ...responder.webhook, message: '@original', id: message.id }
      : message && channel_id && { channel: channel_id, message: message.id }
  const pressedOn = address ? discordAddressOf(address) : undefined
  const inbound: Inbound = { ...base, pressedOn, intent: { kind: 'press', verb, id } }
  const acknowledge = verbs[verb].asks ? handleAtOnce : isActing(verb) ? deferOnceStored : deferThenHandle
  return answerPress(context, responder, inbound, await acknowledge(context, responder, inbound), interaction)
}

/** Like a command: it may open a form, which must be the first answer. */
const askByPress = async (
  context: DiscordContext,
  responder: InteractionResponder,
  base: InboundBase,
  { verb, id }: Action,
): Promise<void> => {
  const inbound: Inbound = { ...base, intent: { kind: 'press', verb, id } }
  const reply = await handleAtOnce(context, responder, inbound)
  if (reply.kind === 'refused') return responder.show(await messageOf(reply.view))
  return answerCommand(context, responder, inbound, reply, { command: '', values: {} }, { isNew: true })
}

const submitModal = async (
  context: DiscordContext,
  interaction: ModalInteraction,
  responder: InteractionResponder,
  base: InboundBase,
): Promise<void> => {
  const pressed = readCustomId(interaction.data.custom_id)
  if (pressed?.kind === 'reason') {
    const reason = String(fieldsIn(interaction).reason ?? '')
    const { verb, id } = pressed
    const inbound: Inbound = { ...base, intent: { kind: 'press', verb, id, reason } }
    const reply = await deferOnceStored(context, responder, inbound)
    return answerPress(context, responder, inbound, reply, interaction, reason)
  }
  return takeInteraction(context, interaction, responder, base, async (storing) => {
    const stored = await storing
    if (isTakenIn(stored))
      await submitForm(context, interaction, responder, { ...base, taken: stored === 'first' })
  })
}

const submitForm = async (
  context: DiscordContext,
  interaction: ModalInteraction,
  responder: InteractionResponder,
  base: InboundBase,
): Promise<void> => {
  const pressed = readCustomId(interaction.data.custom_id)
  const fields = fieldsIn(interaction)
  const draft = pressed?.kind === 'form' ? await context.bot.drafts.find(base.from, pressed.draft) : undefined
  if (draft === undefined) return responder.show(await messageOf(draftGoneView))
  const { command } = draft
  const { params = [] } = context.bot.registry.get(command) ?? {}
  const kept = Object.entries({
    ...byParamName({ params }, draft.values),
    ...byParamName({ params }, fields),
  })
  const values = Object.fromEntries(
    kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const inbound: Inbound = {
    ...base,
    intent: { kind: 'form', command, values },
    attached: filesOf(byParamName({ params }, filesIn(interaction)), context.apiUrl),
  }
  const reply = await handleQueued(context, responder, inbound)
  return answerForm(context, responder, inbound, reply, { command, values })
}

/** A form must be the first answer, so a command that lacks something is looked at before anything is said. */
const needsForm = (read: Result<Parsed> | undefined): boolean =>
  read?.ok === true && read.value.missing.length > 0

/** Nothing is done unseen: if Discord does not take the first answer, the request is left alone. */
const deferThenHandle = async (
  context: DiscordContext,
  responder: InteractionResponder,
  inbound: Inbound,
): Promise<Reply> => {
  await responder.defer()
  return handleQueued(context, responder, inbound)
}

/**
 * Discord hears that a decision came once it is stored: what was acknowledged is never forgotten. Of one that was not
 * stored the answer is the acknowledgement.
 */
const deferOnceStored = (
  context: DiscordContext,
  responder: InteractionResponder,
  inbound: Inbound,
): Promise<Reply> =>
  ackOnceStored((stored) => context.bot.handle({ ...inbound, stored }), {
    withinMs: discordLimits.firstAnswerMs,
    ack: () => responder.defer(),
    tooLate: async () => responder.followUp(await messageOf(refusalView(notCounted))),
  })

/** Behind everything else that has arrived. In words, if it takes a while after the first answer. */
const handleQueued = async (
  { bot, log }: DiscordContext,
  responder: InteractionResponder,
  inbound: Inbound,
): Promise<Reply> => {
  const handled = bot.ackQueue(() => bot.handle(inbound), {
    account: inbound.from.account,
    line: saidIn(inbound.intent),
    storing: inbound.storing,
  })
  await inbound.storing
  const isOver = handled.then(() => false)
  if (await orAfter(discordLimits.firstAnswerMs, true, isOver)) {
    const say = inbound.intent.kind === 'press' ? responder.followUp : responder.show
    await say(await messageOf(workingView)).catch((error: unknown) =>
      log.debug(discordErrorFields(error), 'a notice of work could not be shown'),
    )
  }
  return handled
}

/** The line, or the command that the options are of. */
const saidIn = (intent: Inbound['intent']): string =>
  intent.kind === 'line' ? intent.line : 'command' in intent ? intent.command : ''

/** Only reads what is stored, so it is quick; if the store is slow, the form is offered by a button. */
const handleAtOnce = (
  context: DiscordContext,
  responder: InteractionResponder,
  inbound: Inbound,
): Promise<Reply> => deferIfLate(responder, context.bot.handle(inbound))

/** Says that work goes on when it is not over by then. */
const deferIfLate = async <T>(responder: InteractionResponder, work: Promise<T>): Promise<T> => {
  const isOver = work.then(() => false)
  if (await orAfter(discordLimits.firstAnswerMs, true, isOver)) await responder.defer()
  return work
}

const reportFailure = async (
  context: DiscordContext,
  interaction: Interaction,
  responder: InteractionResponder,
  error: unknown,
): Promise<void> => {
  const view = context.bot.failureView(error, discordErrorFields(error))
  try {
    await responder.followUp(await messageOf(view))
  } catch (secondError) {
    context.log.warn(discordErrorFields(secondError), 'nor could it be told')
    const from = discordUserIn(interaction)
    const refused = fromDiscordError(secondError)
    // A copy of what was answered is no loss, and nobody misses what was offered while they typed.
    const isMissed = interaction.type !== interactionType.complete && !isAlreadyAnswered(secondError)
    if (from !== undefined && isMissed && isRefusedForGood(refused))
      await context.bot.undelivered(from, refused)
  }
}
