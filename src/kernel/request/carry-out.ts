import { madeOnce } from '../../lib/made-once.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { traitsOf } from '../../lib/things/kinds.ts'
import { quoted } from '../../lib/view/outside.ts'
import { noSuchChange, type Refusal, refusal } from '../../lib/view/refusals.ts'
import { refuseRow, refuseToAgent, refuseToRun } from '../actors/authorization.ts'
import { changeFor } from '../actors/delegates.ts'
import { amendRequest } from '../change/asking/amend.ts'
import { ask } from '../change/asking/ask.ts'
import { countFirst } from '../change/asking/count-first.ts'
import { ownNamesOf } from '../change/asking/prepare.ts'
import type { Actor } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import { missingRefusal, type Parsed, readValues } from '../command/line/parse.ts'
import type { Core } from '../core.ts'
import { refusedByFeatures } from '../feature.ts'
import type { Inbound, Reply } from '../messenger/inbound.ts'
import { entryBy } from '../model/audit-entry.ts'
import { type Unclear, withIds } from '../things/ids.ts'
import { withLinkedIds } from '../things/linked.ts'
import { withNearestNames } from '../things/nearest.ts'
import {
  type Admitted,
  type CarriedOut,
  deliveryKey,
  type Intended,
  type IntendedOrEnd,
  isIntended,
  type Values,
} from './admitted.ts'
import { decideOrControl } from './decide-or-control.ts'
import { endQuery, runQuery } from './look-ups/query.ts'
import { askWhich, oneOfThese, withWords } from './reading/act.ts'
import { askWhose } from './reading/ask-whose.ts'
import { valuesKept } from './reading/drafts.ts'
import { filledForm } from './reading/filled-form.ts'
import { choiceOf, costOf, withEdit } from './reading/offers.ts'
import { sayReply } from './reading/understand.ts'

/** A reading to its end: the right to run it, its values, and what it does. */
export const carryOut = async (request: Admitted, reading: Intended): Promise<CarriedOut> => {
  const { core, actor } = request
  const { command } = reading
  const isCounted = command.kind === 'decision' || request.begun?.reading === reading
  if (!isCounted && !(await request.claim())) return { reply: ok({ kind: 'repeated' }) }
  // The right to run a command comes before anything is read of its arguments or fetched for them.
  const refused = reading.isAllowed ? undefined : refuseCommand(core, actor, command)
  if (refused !== undefined)
    return {
      reply: no(refusedByFeatures(core, actor, command.name, await record(core, actor, command, refused))),
    }
  const { given, unclear, parsed } = await resolve(request, reading)
  if (unclear !== undefined) return which(request, reading, given, unclear)
  const { after = async (one) => one } = reading
  const work = async () => (parsed.ok ? after(await execute(request, reading, parsed.value)) : parsed)
  const reply = await withNearestNames(core, actor, command, parsed.ok ? parsed.value.given : given, work)
  if (reading.typed !== undefined) return afterTyped(request, reading, parsed, reply)
  const isMeant = reply.ok && reply.value.kind !== 'refused'
  if (reading.orElse !== undefined && !isMeant) return { reply: await reading.orElse() }
  return {
    reply:
      reply.ok && reply.value.kind === 'answer' && reading.shown ? ok(reading.shown(reply.value)) : reply,
  }
}

/** What comes of it: a meaning is carried out, an end is the end. */
export const carriedOut = async (request: Admitted, step: IntendedOrEnd): Promise<Result<Reply>> =>
  isIntended(step) ? (await carryOut(request, step)).reply : step

/** A decision command is the same as a button press, so `law.ts` decides who may do it. */
export const refuseCommand = (
  { policy }: Pick<Core, 'policy'>,
  actor: Actor,
  command: Command,
): Refusal | undefined =>
  (command.amends === undefined ? refuseToAgent(actor, command) : undefined) ??
  (command.kind === 'decision' || command.amends !== undefined || command.aboutOwn
    ? undefined
    : refuseToRun(policy, actor, ownNamesOf(command)))

type Resolved = { given: Values; unclear?: Unclear | undefined; parsed: Result<Parsed> }

const resolved = new WeakMap<Intended, Promise<Resolved>>()

/** Ids in the place of names, and every value checked; once for each reading. */
export const resolve = ({ core, actor }: Admitted, reading: Intended): Promise<Resolved> =>
  madeOnce(resolved, reading, async () => {
    const { command } = reading
    const written = await reading.values()
    if (!written.ok) return { given: {}, parsed: written }
    const { values: given, unclear } = reading.hasNames
      ? await withIds(core, actor, command, written.value)
      : { values: written.value }
    return { given, unclear, parsed: readValues(command, given) }
  })

/** Which one of several was meant, or whether a line with a name that nothing has says something else in words. */
const which = async (
  { core, actor }: Admitted,
  { command, typed }: Intended,
  given: Values,
  unclear: Unclear,
): Promise<CarriedOut> => {
  const orElse = () => askWhich(core, actor, command, given, unclear)
  return typed?.line === undefined || unclear.isNear !== true || actor.agent !== undefined
    ? { reply: await orElse() }
    : { reply: noneCalled, words: { line: typed.line, refused: noneCalled, within: command, orElse } }
}

const noneCalled = no(refusal('not_found', 'Nothing is called so.'))

/** A line that is refused is read as what somebody wants, or can be mended in its form. */
const afterTyped = async (
  { core, actor, inbound, claim }: Admitted,
  { command, typed }: Intended,
  parsed: Result<Parsed>,
  reply: Result<Reply>,
): Promise<CarriedOut> => {
  if (reply.ok) return { reply }
  const line = typed?.line
  const decides = command.kind === 'decision'
  const isReadable =
    line !== undefined &&
    actor.agent === undefined &&
    !hasFile(inbound) &&
    // A decision is looked for by what it is about, and made on its card.
    (!decides || isSoughtBy(command, line)) &&
    (!parsed.ok || readAgain.has(reply.refusal.code))
  if (isReadable) {
    const isOwn = decides || command.name === 'bellhop help'
    return { reply, words: { line, refused: reply, within: isOwn ? undefined : command } }
  }
  if (parsed.ok) return { reply: no(await withEdit(core, inbound, reply.refusal, parsed.value)) }
  return { reply: decides && !(await claim()) ? ok({ kind: 'repeated' }) : reply }
}

/** A decision about a change that was named by what it is about; an id that no change has stays refused. */
const isSoughtBy = ({ params }: Command, line: string): boolean =>
  /[_@]/.test(line) && !params.some(({ kinds }) => kinds.includes('job'))

/** Refusals of a line whose words could mean something else than their places say. */
const readAgain: ReadonlySet<Refusal['code']> = new Set(['plain_word', 'unknown_command', 'no_such_change'])

const hasFile = ({ intent, attached = {} }: Inbound): boolean =>
  Object.keys(attached).length > 0 || (intent.kind === 'line' && intent.file !== undefined)

/** What a command does with values that are checked: it asks for what is missing, looks up, decides, or asks people. */
const execute = async (request: Admitted, reading: Intended, parsed: Parsed): Promise<Result<Reply>> => {
  const { core, actor } = request
  const inbound = { ...request.inbound, ...reading.as }
  if (request.begun?.reading === reading) return endQuery(core, actor, request.begun.query, inbound.place)
  const other = await reading.instead?.(parsed)
  if (other !== undefined) return other
  const { command, missing } = parsed
  const plainWord = await plainWordIn(core, parsed)
  if (plainWord !== undefined) return no(plainWord)
  if (missing.length > 0) {
    return inbound.forms && parsed.emergency === undefined
      ? ok({ kind: 'form', form: await filledForm(core, actor, parsed) })
      : no(missingRefusal(parsed))
  }
  const linked = await withLinkedIds(core, actor, parsed)
  if (!linked.ok) return linked
  if ('choices' in linked.value) {
    const { param, choices } = linked.value
    if (actor.agent !== undefined) {
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
  const alsoRefused = target === command ? undefined : refuseRow(core.policy, actor, target)
  if (alsoRefused !== undefined) return no(await record(core, actor, command, alsoRefused))
  if (target.kind === 'decision')
    return carriedOut(request, await decideOrControl(request, target.act(input), inbound))
  if (parsed.emergency !== undefined && (target.kind === 'query' || command.amends !== undefined))
    return no(onlyNewChanges)
  if (target.kind === 'query') {
    if (parsed.at !== undefined || parsed.also !== undefined) return no(onlyChangesWait)
    return runQuery(core, actor, command, target, input, inbound.place)
  }
  if (command.amends !== undefined) {
    const change = await changeFor(core, actor, command.amends.id)
    const own = core.registry.get(change?.command ?? '')
    if (change === null || own === undefined) return no(noSuchChange(command.amends.id))
    const definition = own.kind === 'change' ? own : target
    const values = valuesKept(parsed.given)
    const done = await core.tracing.ofChange(change, 'amend', () =>
      amendRequest(core, actor, change, { command: own, definition }, input, {
        at: parsed.at,
        also: parsed.also,
        as: command.amends?.as,
        values,
        delivery: `${deliveryKey(inbound)}:change`,
        stored: inbound.stored,
      }),
    )
    if (!done.ok || done.value.kind !== 'costly') return done as Result<Reply>
    return ok(sayReply(await costOf(core, inbound, change, done.value.after, own.name, values)))
  }
  const counted = await countFirst(core, actor, target, parsed, input, inbound)
  if (counted !== undefined) return counted
  return ask(core, actor, command, target, input, {
    place: inbound.place,
    changeId: inbound.changeId,
    // Also where it could not be counted before, because the database was away.
    delivery: `${deliveryKey(inbound)}:change`,
    at: parsed.at,
    askBack: (plan, isDemanded) => askWhose(core, actor, target, parsed, inbound, plan, isDemanded),
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
      (as) => `${quoted(value.slice(0, 40))} is a word, and nobody has seen a ${as.name(name)} like that.`,
      {
        field: name,
        next: (as) => `Give the ${as.name(name)} as the service writes it. Nobody was asked.`,
      },
    )
  }
  return undefined
}

/**
 * `api call` is checked under its own name; the command it becomes is checked under the names of its endpoint
 * too.
 */
const record = async (core: Core, actor: Actor, command: Command, refused: Refusal): Promise<Refusal> => {
  await core.store.audit.append(entryBy(actor, 'refused', { command: command.name }, { code: refused.code }))
  return refused
}
