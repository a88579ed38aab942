import { isLately } from '../../lib/clock.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { isBatch, isDecision, verbs } from '../../lib/view/button-labels.ts'
import { noSuchChange, refusal } from '../../lib/view/refusals.ts'
import type { Verb } from '../../lib/view/view.ts'
import { changeFor, sightOf } from '../actors/delegates.ts'
import { adoptCard } from '../cards/adopt-card.ts'
import { cardReply } from '../cards/card.ts'
import { listPlaceOf } from '../cards/list-mark.ts'
import { askService } from '../change/applying/ask-service.ts'
import { canCheck, checkOutcome } from '../change/applying/check-outcome.ts'
import type { Press } from '../change/deciding/decide.ts'
import { orLost } from '../change/deciding/lost-card.ts'
import { isSeveral } from '../change/deciding/several.ts'
import type { Actor } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import { type Parsed, valuesOfLine } from '../command/line/parse.ts'
import { commandLineOf } from '../command/line/print.ts'
import { besideParams } from '../command/params.ts'
import type { Core } from '../core.ts'
import { type OwnPress, ownPress } from '../feature.ts'
import { isConfirmOnly } from '../law/clauses.ts'
import { type Asks, askingFor, type Form } from '../messenger/form.ts'
import type { Inbound, Reply } from '../messenger/inbound.ts'
import { canAskService } from '../model/at-service.ts'
import { entryBy } from '../model/audit-entry.ts'
import { buttonIdOf, readButton } from '../model/shown.ts'
import { isYes } from '../things/menu.ts'
import type { Admitted, Intended, IntendedOrEnd } from './admitted.ts'
import { carriedOut } from './carry-out.ts'
import { decideOrControl } from './decide-or-control.ts'
import { columnsFile } from './look-ups/columns-file.ts'
import { whyThisRule } from './look-ups/explain.ts'
import { answerBehind, runQuery, type StoredAnswer, turned } from './look-ups/query.ts'
import { detailsReply, showAll } from './look-ups/show-all.ts'
import { chosenBy } from './reading/act.ts'
import { draftsOf } from './reading/drafts.ts'
import { filledForm } from './reading/filled-form.ts'
import { noFormHere } from './reading/offers.ts'
import { offered, refusedReply, sayReply } from './reading/understand.ts'
import { rerun } from './rerun.ts'
import { tellRecipient } from './tell.ts'

/** Whatever a press on a card comes to, the message that was pressed shows the truth afterwards. */
export const pressed = async (request: Admitted, press: Press): Promise<Result<Reply>> => {
  const { core, actor, inbound } = request
  let reply: Result<Reply> | undefined
  try {
    const countsItself = isDecision(press.verb) || isBatch(press.verb)
    if (!countsItself && !(await request.claim())) return ok({ kind: 'repeated' })
    const row = rows[press.verb] ?? rowOfFeature(press.verb) ?? decideOrControl
    const done = await carriedOut(request, await row(request, press))
    reply = verbs[press.verb].isOnCard ? await orLost(core, press.id, inbound, done) : done
    return reply
  } finally {
    const isBeingShown = reply?.ok === true && reply.value.kind === 'change' && reply.value.isDecided === true
    const [first = ''] = press.id.split(',')
    const own = ownPress(press.verb)
    const show: Show | undefined = own
      ? own.show
      : !verbs[press.verb].isOnCard
        ? undefined
        : listPlaceOf(first) !== undefined
          ? drawListAgain
          : // Several were marked in no list that could be drawn again.
            isSeveral(press)
            ? undefined
            : (...given: Parameters<Show>) => adoptCard(...given, isBeingShown)
    await show?.(core, actor, first, inbound).catch((error: unknown) =>
      core.log.warn({ err: error }, 'what was pressed could not be brought up to date'),
    )
  }
}

type Show = NonNullable<OwnPress['show']>
type Row = (request: Admitted, press: Press) => IntendedOrEnd | Promise<IntendedOrEnd>

/** What the buttons of answers, offers and cards lead to; every other button decides about a change, or does what its feature says. */
const rows: Partial<Record<Verb, Row>> = {
  share: async ({ core, actor, inbound }, { id }) => {
    const behind = await answerBehind(core, actor, id)
    if (!behind.ok) return behind
    await recordShare(core, actor, id, behind.value, inbound)
    return ok({ kind: 'share', view: behind.value.view, command: behind.value.command })
  },
  next: (request, press) => turn(request, press, 'next'),
  previous: (request, press) => turn(request, press, 'previous'),
  details: async ({ core, actor }, { id }) => {
    const behind = await answerBehind(core, actor, id)
    if (!behind.ok) return behind
    const { command, view } = behind.value
    const { details = [], ...shown } = view
    return ok(detailsReply(command, { ...shown, blocks: [...view.blocks, ...details] }))
  },
  file: ({ core, actor }, { id }) => columnsFile(core, actor, id),
  run_it: (request, press) =>
    draft(request, press, (_, { isUnseen, shown }) => ({
      hasNames: true,
      as: asRun(request, isUnseen),
      ...(shown !== undefined && { after: (reply) => confirmed(request, reply, shown) }),
    })),
  edit: (request, press) =>
    draft(request, press, (_, { asks }) => ({
      instead: async (parsed) =>
        request.inbound.forms
          ? ok({ kind: 'form', form: asked(await filledForm(request.core, request.actor, parsed), asks) })
          : no(noFormHere(parsed)),
    })),
  choose: (request, press) =>
    draft(request, press, (command, { isUnseen }) =>
      command.kind === 'query'
        ? { hasNames: true, as: asRun(request, isUnseen) }
        : {
            // What is still missing is asked for at once, where it can be.
            instead: async (parsed) =>
              parsed.missing.length > 0 && request.inbound.forms
                ? ok({ kind: 'form', form: await filledForm(request.core, request.actor, parsed) })
                : offeredAgain(request, parsed),
          },
    ),
  act: async (request, { id }) => {
    const { core, actor, inbound } = request
    const chosen = await chosenBy(core, actor, id)
    if (!chosen.ok) return chosen
    if (chosen.value.kind === 'more') return ok(chosen.value.reply)
    const { command, values } = chosen.value.action
    // A yes that was chosen from a list shows the card first: it is said there.
    if (isYes(command)) return requestReading(request, 'approval get', String(values.id))
    // Every change can be asked for at a time; that alone is no reason to ask.
    const canSayMore =
      inbound.forms &&
      command.kind !== 'query' &&
      command.params.some((one) => !besideParams.includes(one) && !(one.name in values))
    // What was typed is complete; which thing was meant is all that was asked.
    const isTyped = chosen.value.kind === 'typed'
    return {
      command,
      values: () => ok(values),
      hasNames: isTyped,
      // The press is taken; a decision that it leads to has a delivery of its own.
      as: { delivery: `${inbound.delivery}:act` },
      instead: async (parsed) =>
        canSayMore && !isTyped
          ? ok({ kind: 'form', form: await filledForm(core, actor, parsed) })
          : undefined,
    }
  },
  mine: ({ core, actor, inbound }) => listed(core, actor, { mine: true }, inbound.place),
  show_all: ({ core, actor }, { id }) => showAll(core, actor, id),
  why: ({ core, actor }, { id }) => whyThisRule(core, actor, id),
  receipt: (request, { id }) => requestReading(request, 'approval receipt', readButton(id).id),
  tell: ({ core, actor, inbound }, { id }) => tellRecipient(core, actor, id, inbound),
  look_up: async ({ core, actor }, { id }) => {
    const change = await changeFor(core, actor, readButton(id).id)
    const isSeen = change !== null && (await sightOf(core, actor))(change)
    if (isSeen && change.state === 'unknown' && canCheck(core, change)) {
      const isFresh = isLately(change.checked?.at ?? 0, freshMs, core.now())
      const after = isFresh ? change : await checkOutcome(core, change)
      return ok(cardReply(after, core.now()))
    }
    if (isSeen && canAskService(change)) return ok(cardReply(await askService(core, change), core.now()))
    const line = change?.lookUps[0]
    if (line === undefined) return no(refusal('no_such_change', 'There is nothing to look up here.'))
    const typed = valuesOfLine(core.registry, line)
    if (!typed.ok) return typed
    const { command, values } = typed.value
    // Who may know of the change may look up what became of it.
    return { command, values: () => ok(values), isAllowed: isSeen, as: { forms: false } }
  },
}

const turn = async (
  { core, actor, inbound }: Admitted,
  { id }: Press,
  verb: 'next' | 'previous',
): Promise<IntendedOrEnd> => {
  const behind = await answerBehind(core, actor, id)
  return behind.ok
    ? rerun(core, actor, behind.value.command, turned(behind.value, verb), inbound.place)
    : behind
}

/** One request, to whoever may see it; from others it takes the right to the command. */
const requestReading = async (
  { core, actor }: Admitted,
  name: 'approval get' | 'approval receipt',
  id: string,
): Promise<IntendedOrEnd> => {
  const change = await changeFor(core, actor, id)
  const command = core.registry.get(name)
  if (change === null || command?.kind !== 'query') return no(noSuchChange(id))
  return { command, values: () => ok({ id }), isAllowed: (await sightOf(core, actor))(change) }
}

/** What a button of a feature leads to, unless it changes something: then it is told apart as decisions are. */
const rowOfFeature = (verb: Verb): Row | undefined => {
  if (verbs[verb].runs !== undefined) return runNamed
  const own = verbs[verb].does === 'answer' ? ownPress(verb) : undefined
  return own && (({ core, actor }, press) => own.act(core, actor, press))
}

/** What a button with a command of its own asks for. */
const runNamed: Row = ({ core, inbound }, { verb, id }) => {
  const { command: name = '', param = '' } = verbs[verb].runs ?? {}
  const command = core.registry.get(name)
  if (command === undefined) return no(refusal('unknown_command', `There is no ${name} here.`))
  return { command, values: () => ok({ [param]: id }), as: { delivery: `${inbound.delivery}:run` } }
}

type Draft = NonNullable<Awaited<ReturnType<ReturnType<typeof draftsOf>['find']>>>

/** What was offered: run as if it had been typed, opened as its form, or shown as what choosing it would do. */
const draft = async (
  { core, inbound }: Admitted,
  { id }: Press,
  how: (command: Command, draft: Draft) => Partial<Intended>,
): Promise<IntendedOrEnd> => {
  const found = await draftsOf(core).find(inbound.from, id)
  const command = found && core.registry.get(found.command)
  return found === undefined || command === undefined
    ? no(refusal('answer_gone', 'This offer is no longer stored, or it was made to somebody else.'))
    : { command, values: () => ok(found.values), ...how(command, found) }
}

const asRun = ({ inbound }: Admitted, isUnseen: boolean | undefined): Partial<Inbound> => ({
  delivery: `${inbound.delivery}:run`,
  isUnseen,
})

/** A change that was chosen among several is shown whole. */
const offeredAgain = async (
  { core, actor, inbound }: Admitted,
  { command, given, missing }: Parsed,
): Promise<Result<Reply>> => {
  const said = await offered(core, actor, inbound, { command, values: given, missing, unread: [] })
  if (said.kind === 'refused') return refusedReply(said)
  return said.kind === 'asked'
    ? ok(said.reply)
    : said.kind === 'say'
      ? ok(sayReply(said.view))
      : no(refusal('answer_gone', 'This offer is no longer stored.'))
}

/** Who has seen the whole card of it has confirmed it with the same press, if what is asked now is what it showed. */
const confirmed = async (request: Admitted, reply: Result<Reply>, shown: string): Promise<Result<Reply>> => {
  if (!reply.ok || reply.value.kind !== 'change') return reply
  const { change } = reply.value
  const isSame = change.state === 'pending' && isConfirmOnly(change.clauses) && change.digest === shown
  if (!isSame || change.frozen !== undefined) return reply
  const { inbound } = request
  const press = { verb: 'confirm' as const, id: buttonIdOf(change) }
  const { stored: _, ...delivered } = inbound
  return carriedOut(
    request,
    await decideOrControl(request, press, { ...delivered, delivery: `${inbound.delivery}:confirm` }),
  )
}

const asked = (form: Form, asks: Asks | undefined): Form =>
  asks === undefined ? form : askingFor(form, asks)

/** A list of what waits stays a list, with what is true now. */
const drawListAgain = async (
  core: Core,
  actor: Actor,
  button: string,
  { pressedOn, from, place }: Inbound,
): Promise<void> => {
  const messenger = core.messengers.get(from.platform)
  if (pressedOn === undefined || messenger === undefined) return
  const { page, part } = listPlaceOf(button) ?? { page: 1, part: 0 }
  const reply = await listed(core, actor, { page }, place, part)
  if (reply.ok && reply.value.kind === 'answer') await messenger.edit(pressedOn, reply.value.view)
}

/** A list of requests, of which everybody is shown those that they may see, whatever else they may run. */
const listed = async (
  core: Core,
  actor: Actor,
  input: { page?: number | undefined; mine?: true },
  place: Inbound['place'],
  part = 0,
): Promise<Result<Reply>> => {
  const command = core.registry.get('approval list')
  return command?.kind === 'query'
    ? runQuery(core, actor, command, command, input, place, part)
    : no(refusal('unknown_command', 'There is no list of requests here.'))
}

/** Who showed which answer to whom: before anybody there reads it. */
const recordShare = async (
  core: Core,
  actor: Actor,
  answer: string,
  { command: name, input }: StoredAnswer,
  { delivery, place: { channel } }: Inbound,
): Promise<void> => {
  const line = commandLineOf(name, core.registry.get(name)?.params ?? [], input)
  const doc = { answer, line, channel, delivery }
  await core.store.audit.append(entryBy(actor, 'shared', { command: name }, doc))
}

/** A look that is as new as this is not repeated. */
const freshMs = 2_000
