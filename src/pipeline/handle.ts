import { cardOf } from '../approvals/card.ts'
import { adoptCard } from '../approvals/card-publisher.ts'
import type { Asker } from '../command/context.ts'
import type { ChangeCommand, Command, QueryCommand } from '../command/define.ts'
import type { Raw, RawFile } from '../command/line/coerce.ts'
import { helpLineOf, helpLineOfValues } from '../command/line/help-asked.ts'
import {
  commandOfLine,
  missingRefusal,
  type Parsed,
  parseLine,
  readValues,
  valuesOfLine,
} from '../command/line/parse.ts'
import {
  askerOf,
  maySee,
  whyFrozen,
  whyNoDecider,
  whyNotForAgents,
  whyNotRun,
} from '../core/authorization.ts'
import type { Core } from '../core/core.ts'
import { refusalOf } from '../core/error-refusals.ts'
import { controlJob, isJobVerb } from '../jobs/job-control.ts'
import type { Form, Inbound, Intent, Reply } from '../messenger/inbound.ts'
import { entryBy } from '../model/audit-entry.ts'
import { no, ok, type Result } from '../model/result.ts'
import { DatabaseError } from '../storage/database/database.ts'
import { withIds } from '../things/ids.ts'
import { withLinkedIds } from '../things/linked.ts'
import { decisions } from '../view/button-labels.ts'
import { type Refusal, refusal, refusalView } from '../view/refusals.ts'
import { askWhich, chosenBy } from './act.ts'
import { ask } from './ask.ts'
import { canCheck, checkOutcome } from './check-outcome.ts'
import { decide, type Press } from './decide.ts'
import { draftsOf } from './drafts.ts'
import { policyNamesOf } from './prepare.ts'
import { answerBehind, runQuery, turned } from './query.ts'
import { showAll } from './show-all.ts'
import { choiceOf, lineOf, offerOf, sayReply, understand, withReading } from './understand.ts'

/**
 * The path of every request: drop repeated deliveries, find the command, authorize, parse, then run a query,
 * request a change or decide on one.
 */
export const handle = async (core: Core, inbound: Inbound): Promise<Reply> => {
  const started = performance.now()
  let reply: Result<Reply>
  try {
    reply = await follow(core, askerOf(core.policy, inbound.from), inbound)
  } catch (error) {
    reply = no(refusalOf(core, error))
  }
  const outgoing: Reply = reply.ok
    ? reply.value
    : { kind: 'refused', refusal: reply.refusal, view: refusalView(reply.refusal) }
  count(core, inbound, outgoing, performance.now() - started)
  return outgoing
}

/** Once: a decision is stored together with the id of its delivery; of anything else the id is stored first. */
const follow = async (core: Core, asker: Asker, inbound: Inbound): Promise<Result<Reply>> => {
  const intent = withHelp(core, inbound.intent)
  const frozen = asker.agent === undefined ? undefined : await whyFrozen(core.store, 'bellhop', asker)
  if (frozen !== undefined) return no(frozen)
  if (intent.kind === 'press') {
    if (!decisions.has(intent.verb) && !(await isFirst(core, inbound))) return ok({ kind: 'repeated' })
    return pressed(core, asker, intent, inbound)
  }
  const named = commandNamed(core, intent)
  const isDecision = named.ok && named.value.kind === 'decision'
  if (!isDecision && !(await isFirst(core, inbound))) return ok({ kind: 'repeated' })
  if (!named.ok) return intent.kind === 'line' ? understood(core, asker, inbound, intent.line, named) : named
  return authorized(core, asker, named.value, async () => {
    const files = await fetchAll(inbound.attached ?? {})
    const typed = files.ok ? valuesIn(core, intent, files.value) : files
    const resolved = typed.ok ? await withIds(core, asker, named.value, typed.value) : undefined
    if (resolved?.unclear !== undefined) {
      return askWhich(core, asker, named.value, resolved.values, resolved.unclear)
    }
    const parsed = typed.ok ? readValues(named.value, resolved?.values ?? {}) : typed
    const strange = parsed.ok ? await plainWordIn(core, parsed.value) : parsed
    if (intent.kind === 'line' && strange !== undefined && !isDecision && !/\s--/.test(intent.line)) {
      return understood(core, asker, inbound, intent.line, strange, named.value)
    }
    if (strange !== undefined && !strange.ok && parsed.ok) return strange
    if (parsed.ok) return run(core, asker, parsed.value, inbound)
    return isDecision && !(await isFirst(core, inbound)) ? ok({ kind: 'repeated' }) : parsed
  })
}

/** What was typed before, now that it is known which thing was meant. */
const runTyped = async (
  core: Core,
  asker: Asker,
  command: Command,
  typed: Record<string, Raw>,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const { values, unclear } = await withIds(core, asker, command, typed)
  if (unclear !== undefined) return askWhich(core, asker, command, values, unclear)
  const parsed = readValues(command, values)
  return parsed.ok ? run(core, asker, parsed.value, inbound) : parsed
}

/** `help` after a command is help for it, never a value. */
const withHelp = ({ registry }: Core, intent: Intent): Intent => {
  if (intent.kind === 'press') return intent
  const line =
    intent.kind === 'line'
      ? helpLineOf(registry, intent.line)
      : helpLineOfValues(intent.command, intent.values)
  return line === undefined ? intent : { kind: 'line', line }
}

/** The right to run a command comes before anything is read of its arguments or fetched for them. */
const authorized = async (
  core: Core,
  asker: Asker,
  command: Command,
  proceed: () => Promise<Result<Reply>>,
): Promise<Result<Reply>> => {
  // A decision command is the same as a button press, so `law.ts` decides who may do it.
  const refused =
    whyNotForAgents(asker, command) ??
    (command.kind === 'decision' ? undefined : whyNotRun(core.policy, asker, ownNames(command)))
  return refused === undefined ? proceed() : no(await record(core, asker, command, refused))
}

const run = async (core: Core, asker: Asker, parsed: Parsed, inbound: Inbound): Promise<Result<Reply>> => {
  const { command, missing } = parsed
  if (missing.length > 0) {
    return inbound.forms ? ok({ kind: 'form', form: formOf(parsed) }) : no(missingRefusal(parsed))
  }
  const linked = await withLinkedIds(core, asker, parsed)
  if (!linked.ok) return linked
  if ('choices' in linked.value) {
    const readings = linked.value.choices.map(({ values, words }) => ({
      command,
      values: { ...parsed.given, ...values },
      words,
    }))
    return ok(sayReply(await choiceOf(core, inbound, readings)))
  }
  const { input } = linked.value
  const chosen = command.kind === 'switch' ? command.choose(input) : ok(command)
  if (!chosen.ok) return chosen
  const target = chosen.value
  const alsoRefused = target === command ? undefined : whyNotRow(core, asker, target)
  if (alsoRefused !== undefined) return no(await record(core, asker, command, alsoRefused))
  if (target.kind === 'decision') return decideOrControl(core, asker, target.act(input), inbound)
  if (target.kind === 'query') return runQuery(core, asker, command, target, input, inbound.place)
  return ask(core, asker, command, target, input, inbound, inbound.taken ? keyOf(inbound) : undefined)
}

const pressed = async (core: Core, asker: Asker, press: Press, inbound: Inbound): Promise<Result<Reply>> => {
  if (press.verb === 'share' || press.verb === 'next' || press.verb === 'previous') {
    const behind = await answerBehind(core, asker, press.id)
    if (!behind.ok) return behind
    const { command: name, input, view } = behind.value
    if (press.verb === 'share') return ok({ kind: 'share', view })
    return again(core, asker, name, turned(input, press.verb), inbound.place)
  }
  if (press.verb === 'run_it' || press.verb === 'edit' || press.verb === 'choose') {
    return runDraft(core, asker, press.verb, press.id, inbound)
  }
  if (press.verb === 'show_all') return showAll(core, asker, press.id)
  if (press.verb === 'receipt') {
    const id = press.id.split('.')[0] ?? ''
    const change = await core.store.changes.get(id)
    const command = core.registry.get('approval receipt')
    if (change === null || command?.kind !== 'query')
      return no(refusal('no_such_change', 'There is no receipt of this.'))
    // Whoever may see the change gets it; else it takes the right to the command.
    if (maySee(core.policy, asker, change))
      return runQuery(core, asker, command, command, { id }, inbound.place)
    return authorized(core, asker, command, () =>
      runQuery(core, asker, command, command, { id }, inbound.place),
    )
  }
  if (press.verb === 'act') return act(core, asker, press.id, inbound)
  if (press.verb === 'look_up') {
    const change = await core.store.changes.get(press.id.split('.')[0] ?? '')
    // The card shows what was found to everybody who sees the button, so everybody may press it.
    if (change?.state === 'unknown' && canCheck(core, change)) {
      const isFresh = core.now() - (change.checked?.at ?? 0) < freshMs
      const after = isFresh ? change : await checkOutcome(core, change)
      return ok({ kind: 'change', change: after, view: cardOf(after, core.now()) })
    }
    const line = change?.lookUps[0]
    if (change === null || line === undefined)
      return no(refusal('no_such_change', 'There is nothing to look up here.'))
    const named = commandOfLine(core.registry, line)
    if (!named.ok) return named
    const look = async () => {
      const parsed = parseLine(core.registry, line)
      return parsed.ok ? run(core, asker, parsed.value, { ...inbound, forms: false }) : parsed
    }
    // Who may know of the change may look up what became of it.
    return maySee(core.policy, asker, change) ? look() : authorized(core, asker, named.value.command, look)
  }
  try {
    return await decideOrControl(core, asker, press, inbound)
  } finally {
    await adoptCard(core, press.id, inbound).catch((error: unknown) =>
      core.log.warn({ err: error }, 'a card could not be adopted'),
    )
  }
}

/** Runs what was chosen from a menu, with the thing filled in; a change that could say more is asked for in its form. */
const act = async (core: Core, asker: Asker, id: string, inbound: Inbound): Promise<Result<Reply>> => {
  const chosen = await chosenBy(core, asker, id)
  if (!chosen.ok) return chosen
  if (chosen.value.kind === 'more') return ok(chosen.value.reply)
  const { command, values } = chosen.value.action
  return authorized(core, asker, command, async () => {
    const taken = { ...inbound, delivery: `${inbound.delivery}:act` }
    // What was typed is complete; which thing was meant is all that was asked.
    if (chosen.value.kind === 'action' && chosen.value.isTyped)
      return runTyped(core, asker, command, values, taken)
    const parsed = readValues(command, values)
    if (!parsed.ok) return parsed
    const canSayMore = command.kind !== 'query' && command.params.some(({ name }) => !(name in values))
    if (canSayMore && inbound.forms) return ok({ kind: 'form', form: formOf(parsed.value) })
    // The press is taken; a decision that it leads to has a delivery of its own.
    return run(core, asker, parsed.value, taken)
  })
}

const decideOrControl = async (
  core: Core,
  asker: Asker,
  press: Press,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const { stored, intent } = inbound
  // Pausing and reminding are always safe; everything else asks for somebody who is known.
  const isSafe = press.verb === 'pause' || press.verb === 'remind'
  const refused = isSafe && asker.agent === undefined ? undefined : whyNoDecider(asker)
  if (refused !== undefined) return no(await recordNoDecider(core, asker, press, refused))
  if (!isJobVerb(press.verb)) return decide(core, asker, press, { delivery: keyOf(inbound), stored })
  if (intent.kind !== 'press' && !(await isFirst(core, inbound))) return ok({ kind: 'repeated' })
  return controlJob(core, asker, press.verb, press.id)
}

/** Runs a stored query again, with all checks made anew. */
const again = async (
  core: Core,
  asker: Asker,
  name: string,
  input: Record<string, unknown>,
  place: Inbound['place'],
): Promise<Result<Reply>> => {
  const command = core.registry.get(name)
  if (command?.kind !== 'query') return no(refusal('answer_gone', 'This answer can no longer be paged.'))
  const refused = whyNotRun(core.policy, asker, [name])
  if (refused !== undefined) return no(refused)
  const checked = command.input.safeParse(input)
  if (!checked.success) return no(refusal('answer_gone', 'There is no such page.'))
  return runQuery(core, asker, command, command, checked.data as Record<string, unknown>, place)
}

/** A line that is no command, read as what somebody wants. Where nothing can be read, `refused` says why it is none. */
const understood = async (
  core: Core,
  asker: Asker,
  inbound: Inbound,
  line: string,
  refused: Result<never>,
  within?: Command,
): Promise<Result<Reply>> => {
  if (!refused.ok && notWords.has(refused.refusal.code)) return refused
  const said = await understand(core, asker, inbound, line, within)
  if (said === undefined) return refused
  if (said.kind === 'say') return ok(sayReply(said.view))
  if (said.kind === 'again') {
    const input = said.turn === undefined ? said.input : turned(said.input, said.turn)
    return again(core, asker, said.command, input, inbound.place)
  }
  const { command, values, unread } = said.reading
  return authorized(core, asker, command, async () => {
    const parsed = readValues(command, values)
    if (!parsed.ok) return parsed
    const reply = await run(core, asker, parsed.value, inbound)
    return reply.ok && reply.value.kind === 'answer'
      ? ok({ ...reply.value, view: withReading(reply.value.view, said.line, unread) })
      : reply
  })
}

/** What is wrong with these is not that somebody used words of their own. */
const notWords: ReadonlySet<Refusal['code']> = new Set(['line_too_long', 'open_quote', 'bad_file'])

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
      return inbound.forms ? ok({ kind: 'form', form: formOf(parsed.value) }) : no(noForm(parsed.value))
    }
    if (verb === 'choose' && command.kind !== 'query') {
      return ok(sayReply(await offerOf(core, inbound, parsed.value)))
    }
    return run(core, asker, parsed.value, { ...inbound, delivery: `${inbound.delivery}:run` })
  })
}

const noForm = ({ command, given }: Parsed): Refusal =>
  refusal('missing_arguments', 'There is no form here.', {
    next: 'Type the line with what you want to change.',
    usage: lineOf({ command, values: given }),
  })

/** Ids that no look-up can check before people are asked: a plain word there is a slip, unless somebody has seen it. */
const uncheckedKinds: ReadonlySet<string> = new Set(['payment', 'customer', 'subscription'])

const plainWordIn = async (core: Core, { command, input }: Parsed): Promise<Result<never> | undefined> => {
  if (command.kind !== 'change') return undefined
  for (const { name, flag, kinds } of command.params) {
    const value = input[name]
    if (typeof value !== 'string' || !kinds.some((kind) => uncheckedKinds.has(kind))) continue
    if (!/^\p{L}{2,}$/u.test(value) || (await core.store.links.kindsOf(value)).length > 0) continue
    return no(
      refusal('bad_value', `“${value.slice(0, 40)}” is a word, and nobody has seen a ${flag} like that.`, {
        field: name,
        next: `Give the ${flag} as the service writes it. Nobody was asked.`,
      }),
    )
  }
  return undefined
}

/** A look that is as new as this is not repeated. */
const freshMs = 2_000

type Typed = Exclude<Intent, { kind: 'press' }>

const commandNamed = ({ registry }: Core, intent: Typed): Result<Command> => {
  if (intent.kind === 'line') {
    const found = commandOfLine(registry, intent.line)
    return found.ok ? ok(found.value.command) : found
  }
  const command = registry.get(intent.command)
  return command === undefined
    ? no(refusal('unknown_command', `There is no command "${intent.command.slice(0, 40)}".`))
    : ok(command)
}

const fetchAll = async (attached: NonNullable<Inbound['attached']>): Promise<Result<Files>> => {
  const files: Files = {}
  for (const [name, fetchFile] of Object.entries(attached)) {
    const file = await fetchFile()
    if (!file.ok) return file
    files[name] = file.value
  }
  return ok(files)
}

type Files = Record<string, RawFile>

const valuesIn = ({ registry }: Core, intent: Typed, files: Files): Result<Record<string, Raw>> => {
  if (intent.kind !== 'line') return ok({ ...intent.values, ...files })
  const read = valuesOfLine(registry, intent.line, intent.file ?? files.file)
  return read.ok ? ok(read.value.values) : read
}

/**
 * `api call` is checked under its own name; the command it becomes is checked under the names of its endpoint
 * too.
 */
const whyNotRow = (
  core: Core,
  asker: Asker,
  target: QueryCommand | ChangeCommand | Command,
): Refusal | undefined => {
  const names = target.kind === 'change' || target.kind === 'query' ? (target.sameAs ?? []) : []
  return names.length === 0 ? undefined : whyNotRun(core.policy, asker, names)
}

const ownNames = (command: Command): string[] =>
  command.kind === 'change' ? policyNamesOf(command) : [command.name]

const formOf = ({ command, given }: Parsed): Form => ({
  command: command.name,
  title: command.summary,
  fields: command.params,
  values: given,
})

const keyOf = ({ delivery, from }: Pick<Inbound, 'delivery' | 'from'>): string =>
  `${from.platform}:${delivery}`

/**
 * Handles each delivery once. When the database is down the bot still answers look-ups, and later steps
 * refuse everything else.
 */
const isFirst = async (core: Core, { delivery, from, intent, taken }: Inbound): Promise<boolean> => {
  if (taken) return true
  try {
    const first = await core.store.deliveries.first(keyOf({ delivery, from }))
    if (!first) core.count({ kind: 'repeated', platform: from.platform })
    return first
  } catch (error) {
    if (error instanceof DatabaseError && intent.kind !== 'press') return true
    throw error
  }
}

const record = async (core: Core, asker: Asker, command: Command, refused: Refusal): Promise<Refusal> => {
  await core.store.audit.append(entryBy(asker, 'refused', { command: command.name }, { code: refused.code }))
  return refused
}

/** Somebody tried to decide where nobody can tell who it is. */
const recordNoDecider = async (
  core: Core,
  asker: Asker,
  { verb, id }: Press,
  refused: Refusal,
): Promise<Refusal> => {
  const changeId = id.split('.')[0] ?? ''
  const change = await core.store.changes.get(changeId)
  await core.store.audit.append({
    kind: 'refused',
    who: asker.person,
    name: asker.name,
    platform: asker.platform,
    command: change?.command ?? `press ${verb}`,
    changeId: change?.id ?? null,
    doc: { code: refused.code, account: asker.account, verb },
  })
  return refused
}

const count = (core: Core, { intent, from }: Inbound, reply: Reply, ms: number): void => {
  const command =
    reply.kind === 'answer'
      ? reply.command
      : reply.kind === 'change'
        ? reply.change.command
        : intent.kind === 'press'
          ? `press ${intent.verb}`
          : 'other'
  const result = reply.kind === 'refused' ? reply.refusal.code : reply.kind
  core.count({ kind: 'command', command, result, platform: from.platform, ms })
}
