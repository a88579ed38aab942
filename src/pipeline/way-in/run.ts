import type { Asker } from '../../command/context.ts'
import type { ChangeCommand, Command, QueryCommand } from '../../command/define.ts'
import type { Raw } from '../../command/line/coerce.ts'
import { missingRefusal, type Parsed, readValues } from '../../command/line/parse.ts'
import type { Core } from '../../core/core.ts'
import { whyNoDecider, whyNotForAgents, whyNotRun } from '../../core/people/authorization.ts'
import { changeFor } from '../../core/people/delegates.ts'
import { controlJob, isJobVerb } from '../../jobs/job-control.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { entryBy } from '../../model/audit-entry.ts'
import { traitsOf } from '../../model/kinds.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { DatabaseError } from '../../storage/database/database.ts'
import { withIds } from '../../things/ids.ts'
import { withLinkedIds } from '../../things/linked.ts'
import { orNearest } from '../../things/nearest.ts'
import { isBatch } from '../../view/button-labels.ts'
import { noSuchChange, type Refusal, refusal } from '../../view/refusals.ts'
import { amendRequest } from '../asking/amend.ts'
import { ask } from '../asking/ask.ts'
import { countFirst } from '../asking/count-first.ts'
import { ownNamesOf } from '../asking/prepare.ts'
import { decide, type Press } from '../deciding/decide.ts'
import { decideRead, decideSeveral, isSeveral, reviewMarked } from '../deciding/several.ts'
import { runQuery } from '../look-ups/query.ts'
import { askWhich, oneOfThese, withWords } from '../reading/act.ts'
import { askWhose } from '../reading/ask-whose.ts'
import { filledForm } from '../reading/filled-form.ts'
import { choiceOf } from '../reading/offers.ts'
import { sayReply } from '../reading/understand.ts'
import { withAccess } from './ask-access.ts'
import { isReopening, reopen } from './reopen.ts'

/** The right to run a command comes before anything is read of its arguments or fetched for them. */
export const authorized = async (
  core: Core,
  asker: Asker,
  command: Command,
  proceed: () => Promise<Result<Reply>>,
): Promise<Result<Reply>> => {
  const refused = whyNotAllowed(core, asker, command)
  return refused === undefined
    ? proceed()
    : no(withAccess(core, asker, command.name, await record(core, asker, command, refused)))
}

/** A decision command is the same as a button press, so `law.ts` decides who may do it. */
export const whyNotAllowed = (
  { policy }: Pick<Core, 'policy'>,
  asker: Asker,
  command: Command,
): Refusal | undefined =>
  (command.amends === undefined ? whyNotForAgents(asker, command) : undefined) ??
  (command.kind === 'decision' || command.amends !== undefined || command.aboutOwn
    ? undefined
    : whyNotRun(policy, asker, ownNamesOf(command)))

export const run = (core: Core, asker: Asker, parsed: Parsed, inbound: Inbound): Promise<Result<Reply>> =>
  orNearest(core, asker, parsed.command, parsed.given, () => runParsed(core, asker, parsed, inbound))

const runParsed = async (
  core: Core,
  asker: Asker,
  parsed: Parsed,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const { command, missing } = parsed
  const plainWord = await plainWordIn(core, parsed)
  if (plainWord !== undefined) return no(plainWord)
  if (missing.length > 0) {
    return inbound.forms && parsed.emergency === undefined
      ? ok({ kind: 'form', form: await filledForm(core, asker, parsed) })
      : no(missingRefusal(parsed))
  }
  const linked = await withLinkedIds(core, asker, parsed)
  if (!linked.ok) return linked
  if ('choices' in linked.value) {
    const { param, choices } = linked.value
    if (asker.agent !== undefined) {
      const ids = choices.map(({ values, words }) => withWords(values[param.name] ?? '', words))
      return no(oneOfThese(param, String(parsed.given[param.name]), ids))
    }
    const readings = choices.map(({ values, words }) => ({
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
  if (parsed.emergency !== undefined && (target.kind === 'query' || command.amends !== undefined))
    return no(onlyNewChanges)
  if (target.kind === 'query') {
    if (parsed.at !== undefined || parsed.also !== undefined) return no(onlyChangesWait)
    return runQuery(core, asker, command, target, input, inbound.place)
  }
  if (command.amends !== undefined) {
    const change = await changeFor(core, asker, command.amends.id)
    const own = core.registry.get(change?.command ?? '')
    if (change === null || own === undefined) return no(noSuchChange(command.amends.id))
    const definition = own.kind === 'change' ? own : target
    return core.tracing.ofChange(change, 'amend', () =>
      amendRequest(core, asker, change, { command: own, definition }, input, {
        at: parsed.at,
        also: parsed.also,
        delivery: `${keyOf(inbound)}:change`,
        stored: inbound.stored,
      }),
    )
  }
  const counted = await countFirst(core, asker, target, parsed, input, inbound)
  if (counted !== undefined) return counted
  return ask(core, asker, command, target, input, {
    place: inbound.place,
    changeId: inbound.changeId,
    delivery: inbound.taken ? keyOf(inbound) : undefined,
    at: parsed.at,
    askBack: (plan, isDemanded) => askWhose(core, asker, target, parsed, inbound, plan, isDemanded),
    also: parsed.also,
    emergency: parsed.emergency,
  })
}

const onlyNewChanges = refusal('no_emergency', 'Only a change that is asked for anew can be an emergency.')
const onlyChangesWait = refusal(
  'bad_value',
  (as) => `This only looks something up, so it takes no ${as.flag('at')}.`,
  { next: (as) => `Leave ${as.flag('at')} out, or use schedule create to have it looked up at set times.` },
)

/** Ids that no look-up can check before people are asked: a plain word there is a slip, unless somebody has seen it. */
const isUnchecked = (kind: string): boolean => traitsOf(kind).money === true

const plainWordIn = async (core: Core, { command, input }: Parsed): Promise<Refusal | undefined> => {
  if (command.kind !== 'change') return undefined
  for (const { name, kinds } of command.params) {
    const value = input[name]
    if (typeof value !== 'string' || !kinds.some(isUnchecked)) continue
    if (!/^\p{L}{2,}$/u.test(value) || (await core.store.links.kindsOf(value)).length > 0) continue
    return refusal(
      'plain_word',
      (as) => `“${value.slice(0, 40)}” is a word, and nobody has seen a ${as.name(name)} like that.`,
      {
        field: name,
        next: (as) => `Give the ${as.name(name)} as the service writes it. Nobody was asked.`,
      },
    )
  }
  return undefined
}

export const decideOrControl = async (
  core: Core,
  asker: Asker,
  press: Press,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const { stored, intent } = inbound
  if (isReopening(press.verb))
    return reopen(core, asker, { ...press, verb: press.verb }, inbound, { authorized, run, isFirst })
  // Pausing and reminding are always safe; everything else asks for somebody who is known.
  const isSafe = press.verb === 'pause' || press.verb === 'remind'
  const refused = isSafe && asker.agent === undefined ? undefined : whyNoDecider(asker, press.verb)
  if (refused !== undefined) return no(await recordNoDecider(core, asker, press, refused))
  if (press.verb === 'review') return reviewMarked(core, asker, press.id, inbound)
  if (isBatch(press.verb)) return decideRead(core, asker, { ...press, verb: press.verb }, inbound)
  if (isSeveral(press)) return decideSeveral(core, asker, press, inbound)
  if (!isJobVerb(press.verb)) return decide(core, asker, press, { delivery: keyOf(inbound), stored })
  if (intent.kind !== 'press' && !(await isFirst(core, inbound))) return ok({ kind: 'repeated' })
  return controlJob(core, asker, press.verb, press.id)
}

/** What was typed before, now that it is known which thing was meant. */
export const runTyped = async (
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

/** Runs a stored query again, with all checks made anew. */
export const again = async (
  core: Core,
  asker: Asker,
  name: string,
  input: Record<string, unknown>,
  place: Inbound['place'],
): Promise<Result<Reply>> => {
  const command = core.registry.get(name)
  if (command?.kind !== 'query') return no(refusal('answer_gone', 'This answer can no longer be paged.'))
  return authorized(core, asker, command, async () => {
    const checked = command.input.safeParse(input)
    if (!checked.success) return no(refusal('answer_gone', 'There is no such page.'))
    return runQuery(core, asker, command, command, checked.data as Record<string, unknown>, place)
  })
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

const keyOf = ({ delivery, from }: Pick<Inbound, 'delivery' | 'from'>): string =>
  `${from.platform}:${delivery}`

/**
 * Handles each delivery once. When the database is down the bot still answers look-ups, and later steps
 * refuse everything else.
 */
export const isFirst = async (core: Core, { delivery, from, intent, taken }: Inbound): Promise<boolean> => {
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
  const change = await changeFor(core, asker, changeId)
  const about = { command: change?.command ?? `press ${verb}`, id: change?.id ?? null }
  await core.store.audit.append(entryBy(asker, 'refused', about, { code: refused.code, verb }))
  return refused
}
