import { adoptCard } from '../../approvals/adopt-card.ts'
import { cardReply } from '../../approvals/card.ts'
import { listPageOf } from '../../approvals/list-mark.ts'
import type { Asker } from '../../command/context.ts'
import { commandOfLine, parseLine, readValues } from '../../command/line/parse.ts'
import { commandLineOf } from '../../command/line/print.ts'
import { besideParams } from '../../command/params.ts'
import type { Core } from '../../core/core.ts'
import { changeFor, sightOf } from '../../core/people/delegates.ts'
import { isJobVerb } from '../../jobs/job-control.ts'
import { showJob } from '../../jobs/progress-publisher.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { entryBy } from '../../model/audit-entry.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { isYes } from '../../things/menu.ts'
import { isDecision } from '../../view/button-labels.ts'
import { noSuchChange, refusal } from '../../view/refusals.ts'
import type { Verb } from '../../view/view.ts'
import { canCheck, checkOutcome } from '../applying/check-outcome.ts'
import type { Press } from '../deciding/decide.ts'
import { whyThisRule } from '../explaining/explain.ts'
import { columnsFile } from '../look-ups/columns-file.ts'
import { answerBehind, runQuery, type StoredAnswer, turned } from '../look-ups/query.ts'
import { showAll } from '../look-ups/show-all.ts'
import { chosenBy } from '../reading/act.ts'
import { draftsOf } from '../reading/drafts.ts'
import { filledForm } from '../reading/filled-form.ts'
import { noFormHere, offerOf } from '../reading/offers.ts'
import { sayReply } from '../reading/understand.ts'
import { askAccess } from './ask-access.ts'
import { isReopening } from './reopen.ts'
import { again, authorized, decideOrControl, run, runTyped } from './run.ts'
import { tellRecipient } from './tell.ts'

/** Whatever a press on a card comes to, the message that was pressed shows the truth afterwards. */
export const pressed = async (
  core: Core,
  asker: Asker,
  press: Press,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  let reply: Result<Reply> | undefined
  try {
    reply = await followPress(core, asker, press, inbound)
    return reply
  } finally {
    const isBeingShown = reply?.ok === true && reply.value.kind === 'change' && reply.value.isDecided === true
    const show = isJobVerb(press.verb)
      ? showJob
      : !isOnCard(press.verb)
        ? undefined
        : listPageOf(press.id) === undefined
          ? (...given: Parameters<typeof showJob>) => adoptCard(...given, isBeingShown)
          : drawListAgain
    await show?.(core, asker, press.id, inbound).catch((error: unknown) =>
      core.log.warn({ err: error }, 'what was pressed could not be brought up to date'),
    )
  }
}

/** A list of what waits stays a list, with what is true now. */
const drawListAgain = async (
  core: Core,
  asker: Asker,
  button: string,
  { pressedOn, from, place }: Inbound,
): Promise<void> => {
  const messenger = core.messengers.get(from.platform)
  if (pressedOn === undefined || messenger === undefined) return
  const reply = await listed(core, asker, { page: listPageOf(button) }, place)
  if (reply.ok && reply.value.kind === 'answer') await messenger.edit(pressedOn, reply.value.view)
}

/** A list of requests, of which everybody is shown those that they may see, whatever else they may run. */
const listed = async (
  core: Core,
  asker: Asker,
  input: { page?: number | undefined; mine?: true },
  place: Inbound['place'],
): Promise<Result<Reply>> => {
  const command = core.registry.get('approval list')
  return command?.kind === 'query'
    ? runQuery(core, asker, command, command, input, place)
    : no(refusal('unknown_command', 'There is no list of requests here.'))
}

/** One request, to whoever may see it; from others it takes the right to the command. */
const showRequest = async (
  core: Core,
  asker: Asker,
  name: 'approval get' | 'approval receipt',
  id: string,
  place: Inbound['place'],
): Promise<Result<Reply>> => {
  const change = await changeFor(core, asker, id)
  const command = core.registry.get(name)
  if (change === null || command?.kind !== 'query') return no(noSuchChange(id))
  const show = () => runQuery(core, asker, command, command, { id }, place)
  const sees = await sightOf(core, asker)
  return sees(change) ? show() : authorized(core, asker, command, show)
}

/** The buttons of a card of a change. */
const isOnCard = (verb: Verb): boolean =>
  isDecision(verb) ||
  isReopening(verb) ||
  verb === 'receipt' ||
  verb === 'tell' ||
  verb === 'look_up' ||
  verb === 'show_all' ||
  verb === 'why'

const followPress = async (
  core: Core,
  asker: Asker,
  press: Press,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  if (press.verb === 'share' || press.verb === 'next' || press.verb === 'previous') {
    const behind = await answerBehind(core, asker, press.id)
    if (!behind.ok) return behind
    const { command: name, input, view } = behind.value
    if (press.verb === 'share') {
      await recordShare(core, asker, press.id, behind.value, inbound)
      return ok({ kind: 'share', view, command: name })
    }
    return again(core, asker, name, turned(input, press.verb), inbound.place)
  }
  if (press.verb === 'run_it' || press.verb === 'edit' || press.verb === 'choose') {
    return runDraft(core, asker, press.verb, press.id, inbound)
  }
  if (press.verb === 'ask_access') return askAccess(core, asker, press.id)
  if (press.verb === 'mine') {
    return listed(core, asker, { mine: true }, inbound.place)
  }
  if (press.verb === 'show_all') return showAll(core, asker, press.id)
  if (press.verb === 'why') return whyThisRule(core, asker, press.id)
  if (press.verb === 'details') {
    const behind = await answerBehind(core, asker, press.id)
    if (!behind.ok) return behind
    const { command, view } = behind.value
    const { details = [], ...shown } = view
    const whole = { ...shown, blocks: [...view.blocks, ...details] }
    return ok({ kind: 'answer', command, view: whole, isDetails: true })
  }
  if (press.verb === 'file') return columnsFile(core, asker, press.id)
  if (press.verb === 'receipt') {
    return showRequest(core, asker, 'approval receipt', press.id.split('.')[0] ?? '', inbound.place)
  }
  if (press.verb === 'tell') return tellRecipient(core, asker, press.id, inbound)
  if (press.verb === 'act') return act(core, asker, press.id, inbound)
  if (press.verb === 'look_up') {
    const change = await changeFor(core, asker, press.id.split('.')[0] ?? '')
    const isSeen = change !== null && (await sightOf(core, asker))(change)
    if (isSeen && change.state === 'unknown' && canCheck(core, change)) {
      const isFresh = core.now() - (change.checked?.at ?? 0) < freshMs
      const after = isFresh ? change : await checkOutcome(core, change)
      return ok(cardReply(after, core.now()))
    }
    const line = change?.lookUps[0]
    if (line === undefined) return no(refusal('no_such_change', 'There is nothing to look up here.'))
    const named = commandOfLine(core.registry, line)
    if (!named.ok) return named
    const look = async () => {
      const parsed = parseLine(core.registry, line)
      return parsed.ok ? run(core, asker, parsed.value, { ...inbound, forms: false }) : parsed
    }
    // Who may know of the change may look up what became of it.
    return isSeen ? look() : authorized(core, asker, named.value.command, look)
  }
  return decideOrControl(core, asker, press, inbound)
}

/** Who showed which answer to whom: before anybody there reads it. */
const recordShare = async (
  core: Core,
  asker: Asker,
  answer: string,
  { command: name, input }: StoredAnswer,
  { delivery, place: { channel } }: Inbound,
): Promise<void> => {
  const line = commandLineOf(name, core.registry.get(name)?.params ?? [], input)
  const doc = { answer, line, channel, delivery }
  await core.store.audit.append(entryBy(asker, 'shared', { command: name }, doc))
}

/** A look that is as new as this is not repeated. */
const freshMs = 2_000

/** Runs what was chosen from a menu, with the thing filled in; a change that could say more is asked for in its form. */
const act = async (core: Core, asker: Asker, id: string, inbound: Inbound): Promise<Result<Reply>> => {
  const chosen = await chosenBy(core, asker, id)
  if (!chosen.ok) return chosen
  if (chosen.value.kind === 'more') return ok(chosen.value.reply)
  const { kind, action } = chosen.value
  const { command, values } = action
  // A yes that was chosen from a list shows the card first: it is said there.
  if (isYes(command)) return showRequest(core, asker, 'approval get', String(values.id), inbound.place)
  return authorized(core, asker, command, async () => {
    const taken = { ...inbound, delivery: `${inbound.delivery}:act` }
    // What was typed is complete; which thing was meant is all that was asked.
    if (kind === 'typed') return runTyped(core, asker, command, values, taken)
    const parsed = readValues(command, values)
    if (!parsed.ok) return parsed
    // Every change can be asked for at a time; that alone is no reason to ask.
    const canSayMore =
      command.kind !== 'query' &&
      command.params.some((one) => !besideParams.includes(one) && !(one.name in values))
    if (canSayMore && inbound.forms)
      return ok({ kind: 'form', form: await filledForm(core, asker, parsed.value) })
    // The press is taken; a decision that it leads to has a delivery of its own.
    return run(core, asker, parsed.value, taken)
  })
}

/** Runs what was offered as if it had been typed, opens its form, or shows what choosing it would do. */
const runDraft = async (
  core: Core,
  asker: Asker,
  verb: 'run_it' | 'edit' | 'choose',
  id: string,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const draft = await draftsOf(core).find(inbound.from, id)
  const command = draft && core.registry.get(draft.command)
  if (draft === undefined || command === undefined) {
    return no(refusal('answer_gone', 'This offer is no longer stored, or it was made to somebody else.'))
  }
  return authorized(core, asker, command, async () => {
    const parsed = readValues(command, draft.values)
    if (!parsed.ok) return parsed
    if (verb === 'edit') {
      return inbound.forms
        ? ok({ kind: 'form', form: await filledForm(core, asker, parsed.value) })
        : no(noFormHere(parsed.value))
    }
    if (verb === 'choose' && command.kind !== 'query') {
      return ok(sayReply(await offerOf(core, inbound, parsed.value)))
    }
    return runTyped(core, asker, command, draft.values, {
      ...inbound,
      delivery: `${inbound.delivery}:run`,
      isUnseen: draft.isUnseen,
    })
  })
}
