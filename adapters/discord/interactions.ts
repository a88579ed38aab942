import { setTimeout as wait } from 'node:timers/promises'
import { type Parsed, readValues } from '../../src/command/parse.ts'
import type { Inbound, Reply } from '../../src/pipeline/inbound.ts'
import { decisions } from '../../src/pipeline/press.ts'
import { refusalOf } from '../../src/pipeline/refuse.ts'
import type { Result } from '../../src/result.ts'
import { DatabaseError } from '../../src/storage/database-error.ts'
import { refusalView } from '../../src/view/refusals.ts'
import { asksReason } from '../../src/view/words.ts'
import { fetchAll, unread } from './attachments.ts'
import { complete } from './complete.ts'
import { readCustomId } from './custom-id.ts'
import type { Desk } from './desk.ts'
import { faultOf } from './errors.ts'
import { createExchange, type Exchange, type Respond } from './exchange.ts'
import { modalOf } from './form.ts'
import { commandIn, fieldsIn, fromOf, placeOf } from './inbound.ts'
import { limits } from './limits.ts'
import { messageOf } from './message.ts'
import type { CommandInteraction, Interaction, ModalInteraction, PressInteraction } from './payload.ts'
import { answerForm, answerPress, answerTo } from './replies.ts'
import { deadButtonView, draftGoneView, formView, openButton } from './words.ts'

/** An interaction of either transport, from the first answer to the last. Nothing is thrown: it is told or logged. */
export const handleInteraction = async (
  desk: Desk,
  interaction: Interaction,
  respond: Respond,
): Promise<void> => {
  const exchange = createExchange(desk.api, interaction, respond, desk.now)
  try {
    await follow(desk, interaction, exchange)
  } catch (error) {
    desk.log.warn(
      { ...faultOf(error), interaction: interaction.type },
      'an interaction could not be answered',
    )
    await tellBroken(desk, exchange, error)
  }
}

const follow = async (desk: Desk, interaction: Interaction, exchange: Exchange): Promise<void> => {
  if (interaction.type === 4) return exchange.choices(await complete(desk.app.world, interaction))
  const from = fromOf(interaction)
  if (from === undefined) throw new Error('an interaction without a user')
  const inbound = {
    delivery: interaction.id,
    from,
    place: placeOf(interaction, exchange.way),
    forms: true,
  }
  switch (interaction.type) {
    case 2:
      return run(desk, interaction, exchange, inbound)
    case 3:
      return press(desk, interaction, exchange, inbound)
    case 5:
      return submit(desk, interaction, exchange, inbound)
  }
}

type Start = Omit<Inbound, 'intent'>

const run = async (
  desk: Desk,
  interaction: CommandInteraction,
  exchange: Exchange,
  start: Start,
): Promise<void> => {
  const { command, values: typed, attached } = commandIn(interaction)
  const definition = desk.app.world.registry.get(command)
  const read =
    definition === undefined ? undefined : readValues(definition, { ...typed, ...unread(attached) })
  if (!isForm(read)) await exchange.defer()
  const fetched = await fetchAll(attached)
  if (!fetched.ok) return exchange.show(await messageOf(refusalView(fetched.refusal)))
  const values = { ...typed, ...fetched.value }
  const inbound: Inbound = { ...start, intent: { kind: 'options', command, values } }
  const reply = await (isForm(read) ? atOnce(desk, exchange, inbound) : inTurn(desk, inbound))
  return answerTo(desk, exchange, inbound, reply, { command, values })
}

const press = async (
  desk: Desk,
  interaction: PressInteraction,
  exchange: Exchange,
  start: Start,
): Promise<void> => {
  const pressed = readCustomId(interaction.data.custom_id)
  if (pressed?.kind === 'open') {
    const draft = await inTime(exchange, desk.drafts.find(start.from, pressed.draft))
    const form = draft === undefined ? undefined : desk.drafts.formOf(draft)
    if (form === undefined) return exchange.aside(await messageOf(draftGoneView))
    if (!exchange.isAnswered()) return exchange.modal(modalOf(form, pressed.draft))
    const buttons = [openButton(pressed.draft, 'Fill in')]
    return exchange.aside(await messageOf(formView(form), { buttons }))
  }
  if (pressed?.kind !== 'press') return exchange.aside(await messageOf(deadButtonView))
  const { verb, id } = pressed
  const inbound: Inbound = { ...start, intent: { kind: 'press', verb, id } }
  const answering = asksReason.has(verb) ? atOnce : decisions.has(verb) ? onceStored : afterDeferring
  return answerPress(desk, exchange, inbound, await answering(desk, exchange, inbound), interaction)
}

const submit = async (
  desk: Desk,
  interaction: ModalInteraction,
  exchange: Exchange,
  start: Start,
): Promise<void> => {
  const pressed = readCustomId(interaction.data.custom_id)
  const fields = fieldsIn(interaction)
  if (pressed?.kind === 'reason') {
    const reason = String(fields.reason ?? '')
    const { verb, id } = pressed
    const inbound: Inbound = { ...start, intent: { kind: 'press', verb, id, reason } }
    const reply = await onceStored(desk, exchange, inbound)
    return answerPress(desk, exchange, inbound, reply, interaction, reason)
  }
  await exchange.defer()
  const draft = pressed?.kind === 'form' ? await desk.drafts.find(start.from, pressed.draft) : undefined
  if (draft === undefined) return exchange.show(await messageOf(draftGoneView))
  const { command } = draft
  const kept = Object.entries({
    ...desk.drafts.named(command, draft.values),
    ...desk.drafts.named(command, fields),
  })
  const values = Object.fromEntries(
    kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const inbound: Inbound = { ...start, intent: { kind: 'form', command, values } }
  return answerForm(desk, exchange, inbound, await inTurn(desk, inbound), { command, values })
}

/** A form must be the first answer, so a command that lacks something is looked at before anything is said. */
const isForm = (read: Result<Parsed> | undefined): boolean =>
  read?.ok === true && read.value.missing.length > 0

/** Nothing is done unseen: if Discord does not take the first answer, the request is left alone. */
const afterDeferring = async (desk: Desk, exchange: Exchange, inbound: Inbound): Promise<Reply> => {
  await exchange.defer()
  return inTurn(desk, inbound)
}

/** Discord hears that a decision came once it is stored: what was acknowledged is never forgotten. */
const onceStored = async (desk: Desk, exchange: Exchange, inbound: Inbound): Promise<Reply> => {
  const stored = Promise.withResolvers<void>()
  const reply = desk.app.handle({ ...inbound, stored: stored.resolve })
  await Promise.race([stored.promise, reply, wait(limits.firstAnswerMs, undefined, { ref: false })])
  await exchange.defer()
  return reply
}

/** Behind everything else that has arrived: this one has its first answer. */
const inTurn = ({ app }: Desk, inbound: Inbound): Promise<Reply> => app.turns(() => app.handle(inbound))

/** Only reads what is stored, so it is quick; if the store is slow, the form is offered by a button. */
const atOnce = (desk: Desk, exchange: Exchange, inbound: Inbound): Promise<Reply> =>
  inTime(exchange, desk.app.handle(inbound))

/** Says that work goes on when it is not over by then. */
const inTime = async <T>(exchange: Exchange, work: Promise<T>): Promise<T> => {
  const late = wait(limits.firstAnswerMs, true, { ref: false })
  const isLate = await Promise.race([work.then(() => false), late])
  if (isLate) await exchange.defer()
  return work
}

const tellBroken = async (desk: Desk, exchange: Exchange, error: unknown): Promise<void> => {
  // An error of Discord's carries the request, so what is told and logged is made anew.
  const fault =
    error instanceof DatabaseError ? error : new Error('an interaction failed', { cause: faultOf(error) })
  const view = refusalView(refusalOf(desk.app.world, fault))
  try {
    await exchange.aside(await messageOf(view))
  } catch (again) {
    desk.log.warn(faultOf(again), 'nor could it be told')
  }
}
