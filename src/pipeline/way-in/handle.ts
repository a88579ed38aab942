import type { Asker } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import type { Raw, RawFile } from '../../command/line/coerce.ts'
import { helpLineOf, helpLineOfValues } from '../../command/line/help-asked.ts'
import { commandOfLine, type Parsed, readValues, valuesOfLine } from '../../command/line/parse.ts'
import { registryOf } from '../../command/registry.ts'
import { readContext } from '../../core/context/command-context.ts'
import { refusalOf } from '../../core/context/error-refusals.ts'
import type { Core } from '../../core/core.ts'
import { askerOf, whyFrozen } from '../../core/people/authorization.ts'
import type { NoteFacts } from '../../http/tracing.ts'
import { textLengthOf, whyTooLarge } from '../../messenger/bounds.ts'
import type { Inbound, Intent, Reply } from '../../messenger/inbound.ts'
import { isTakenIn } from '../../messenger/intake.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { withIds } from '../../things/ids.ts'
import { withLinkedIds } from '../../things/linked.ts'
import { orNearest } from '../../things/nearest.ts'
import { isBatch, isDecision } from '../../view/button-labels.ts'
import { type Refusal, refusal, refusalView } from '../../view/refusals.ts'
import { changeLine, withAsked } from '../asking/filled-in.ts'
import { followThread } from '../deciding/thread-reply.ts'
import { type BegunQuery, beginQuery, dropQuery, endQuery, turned } from '../look-ups/query.ts'
import { askWhich } from '../reading/act.ts'
import { complaint, withEdit } from '../reading/offers.ts'
import { sayReply, type Understood, understand, withReading } from '../reading/understand.ts'
import { pressed } from './press.ts'
import { again, authorized, decideOrControl, isFirst, run, whyNotAllowed } from './run.ts'
import { isUrgent, nameOf } from './urgent.ts'

/**
 * The path of every request: drop repeated deliveries, find the command, authorize, parse, then run a query,
 * request a change or decide on one.
 */
export const handle = (core: Core, inbound: Inbound): Promise<Reply> =>
  core.tracing.request(nameOf(core.registry, inbound), (note) => answer(core, inbound, note))

const answer = async (core: Core, inbound: Inbound, note: NoteFacts): Promise<Reply> => {
  const started = performance.now()
  let reply: Result<Reply>
  try {
    const tooLarge = whyTooLarge(inbound)
    reply = tooLarge === undefined ? await inTurn(core, inbound) : no(tooLarge)
  } catch (error) {
    reply = no(refusalOf(core, error))
  }
  const outgoing: Reply = reply.ok
    ? reply.value
    : { kind: 'refused', refusal: reply.refusal, view: refusalView(reply.refusal) }
  count(core, inbound, outgoing, performance.now() - started, note)
  return outgoing
}

/** Beside what others asked for, whatever one person sends. Decisions and the brake have room of their own. */
const inTurn = async (core: Core, inbound: Inbound): Promise<Result<Reply>> => {
  const { registry, admission } = core
  const { person } = askerOf(core.policy, inbound.from)
  const urgent = isUrgent(registry, inbound.intent)
  const refused = async (why: Refusal) => {
    await admission.paceRefused(person)
    return no(why)
  }
  if (!urgent && admission.isTooOften(person)) return refused(tooOften)
  if (!urgent && admission.isTooMuchText(person, textLengthOf(inbound))) return refused(tooMuchText)
  const work = async () => {
    await admission.pace(person, urgent)
    // A copy: whatever is taken in meanwhile, one version of the policy judges the whole request.
    return core.stalls.during(nameOf(registry, inbound), () =>
      follow({ ...core }, askerOf(core.policy, inbound.from), inbound),
    )
  }
  return admission.inLane<Result<Reply>>(urgent ? `urgent ${person}` : person, work, () =>
    refused(tooManyAtOnce),
  )
}

const tooManyAtOnce = refusal('too_many_requests', 'Too many of your requests are waiting already.', {
  next: 'Send it again in a minute. Freezing and deciding are never held back.',
})
const tooOften = refusal('too_many_requests', 'You have sent thousands of requests within a few minutes.', {
  next: 'Send it again in a minute, and fewer of them. Freezing and deciding are never held back.',
})
const tooMuchText = refusal('too_many_requests', 'You have sent more than 2 MB of text within an hour.', {
  next: 'Send it again in an hour, or attach a file where the command takes one.',
})

/** A look-up is begun while its delivery is being stored; nothing else is done before it is. */
const follow = async (core: Core, asker: Asker, inbound: Inbound): Promise<Result<Reply>> => {
  const { storing } = inbound
  if (storing === undefined) return followOnce(core, asker, inbound)
  const begun = await beginLookUp(core, asker, inbound).catch(() => undefined)
  const stored = await storing
  if (!isTakenIn(stored)) {
    if (begun !== undefined) dropQuery(begun.query)
    return ok({ kind: 'repeated' })
  }
  const taken = { ...inbound, taken: stored === 'first' }
  if (begun === undefined) return followOnce(core, asker, taken)
  const { intent, parsed, query } = begun
  const end = () => endQuery(core, asker, query, inbound.place)
  const reply = await orNearest(core, asker, parsed.command, parsed.given, end)
  return orRead(core, asker, taken, { intent, command: parsed.command, parsed: ok(parsed) }, reply)
}

type LookUp = { intent: Typed; parsed: Parsed; query: BegunQuery }

/** Where a line asks for a look-up that the asker may run, and nothing is left to ask. It only reads, so a copy does no harm. */
const beginLookUp = async (core: Core, asker: Asker, inbound: Inbound): Promise<LookUp | undefined> => {
  const intent = withHelp(core, inbound.intent)
  if (
    intent.kind === 'press' ||
    intent.kind === 'reply' ||
    Object.keys(inbound.attached ?? {}).length > 0 ||
    asker.agent !== undefined
  )
    return undefined
  const named = commandNamed(core, asker, intent)
  if (!named.ok || named.value.kind !== 'query') return undefined
  if (whyNotAllowed(core, asker, named.value) !== undefined) return undefined
  const { parsed } = await readTyped(core, asker, named.value, valuesIn(core, intent, {}))
  if (!parsed?.ok || parsed.value.missing.length > 0) return undefined
  const linked = await withLinkedIds(core, asker, parsed.value)
  if (!linked.ok || 'choices' in linked.value) return undefined
  const query = beginQuery(core, asker, named.value, named.value, linked.value.input)
  return { intent, parsed: parsed.value, query }
}

/** Ids in the place of names, and every value checked. */
const readTyped = async (core: Core, asker: Asker, command: Command, typed: Result<Record<string, Raw>>) => {
  if (!typed.ok) return { parsed: typed }
  const { values, unclear } = await withIds(core, asker, command, typed.value)
  if (unclear !== undefined) return { unclear, values }
  return { parsed: await orNearest(core, asker, command, values, async () => readValues(command, values)) }
}

/** Once: a decision is stored together with the id of its delivery; of anything else the id is stored first. */
const followOnce = async (core: Core, asker: Asker, inbound: Inbound): Promise<Result<Reply>> => {
  const intent = withHelp(core, inbound.intent)
  const frozen = asker.agent === undefined ? undefined : await whyFrozen(core.store, 'bellhop', asker)
  if (frozen !== undefined) return no(frozen)
  if (intent.kind === 'press') {
    const isCountedByItself = isDecision(intent.verb) || isBatch(intent.verb)
    if (!isCountedByItself && !(await isFirst(core, inbound))) return ok({ kind: 'repeated' })
    return pressed(core, asker, intent, inbound)
  }
  if (intent.kind === 'reply') {
    return followThread(core, asker, intent, inbound, (press) => decideOrControl(core, asker, press, inbound))
  }
  const changing = intent.kind === 'line' ? await changeLine(core, asker, intent.line) : undefined
  if (changing !== undefined && !changing.ok) return changing
  const named = changing === undefined ? commandNamed(core, asker, intent) : ok(changing.value.command)
  const decides = named.ok && named.value.kind === 'decision'
  if (!decides && !(await isFirst(core, inbound))) return ok({ kind: 'repeated' })
  if (!named.ok) return intent.kind === 'line' ? understood(core, asker, inbound, intent.line, named) : named
  return authorized(core, asker, named.value, async () => {
    const files = await fetchAll(inbound.attached ?? {})
    const written = changing?.value.values
    const readOf = (some: Files) => (written === undefined ? valuesIn(core, intent, some) : ok(written))
    const given = files.ok ? readOf(files.value) : files
    const typed = given.ok ? await withAsked(core, asker, named.value, given.value) : given
    const { parsed, unclear, values } = await readTyped(core, asker, named.value, typed)
    if (unclear !== undefined) {
      const which = () => askWhich(core, asker, named.value, values, unclear)
      if (unclear.isNear !== true || intent.kind !== 'line' || asker.agent !== undefined) return which()
      const meant = await understood(core, asker, inbound, intent.line, noneCalled, named.value)
      return meant.ok && meant.value.kind !== 'refused' ? meant : which()
    }
    const reply = parsed.ok ? await run(core, asker, parsed.value, inbound) : parsed
    return orRead(core, asker, inbound, { intent, command: named.value, parsed }, reply)
  })
}

/** What came of a command. A line that is refused is read as what somebody wants, or can be mended in its form. */
const orRead = async (
  core: Core,
  asker: Asker,
  inbound: Inbound,
  { intent, command, parsed }: { intent: Typed; command: Command; parsed: Result<Parsed> },
  reply: Result<Reply>,
): Promise<Result<Reply>> => {
  const decides = command.kind === 'decision'
  const isReadable =
    intent.kind === 'line' && asker.agent === undefined && (!decides || isSoughtBy(command, intent.line))
  if (isReadable && !reply.ok && (!parsed.ok || readAgain.has(reply.refusal.code))) {
    // Nothing was decided: a decision is looked for by what it is about, and made on its card.
    if (decides && !(await isFirst(core, inbound))) return ok({ kind: 'repeated' })
    const isOwn = decides || command.name === 'bellhop help'
    return understood(core, asker, inbound, intent.line, reply, isOwn ? undefined : command)
  }
  if (parsed.ok) return reply.ok ? reply : no(await withEdit(core, inbound, reply.refusal, parsed.value))
  return decides && !(await isFirst(core, inbound)) ? ok({ kind: 'repeated' }) : parsed
}

/** `help` after a command is help for it, never a value. */
const withHelp = ({ registry }: Core, intent: Intent): Intent => {
  if (intent.kind === 'press' || intent.kind === 'reply') return intent
  const line =
    intent.kind === 'line'
      ? helpLineOf(registry, intent.line)
      : helpLineOfValues(intent.command, intent.values)
  return line === undefined ? intent : { kind: 'line', line }
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
  const said: Understood =
    within !== undefined && hasFlags(line)
      ? { kind: 'part', reading: { command: within, values: {} } }
      : await understand(core, asker, inbound, line, within)
  if (said.kind === 'refused') return no(said.refusal)
  if (said.kind === 'which') return askWhich(core, asker, said.command, said.values, said.unclear)
  if (said.kind === 'part') {
    if (refused.ok || !inbound.forms) return refused
    const view = await complaint(core, inbound, refusalView(refused.refusal), said.reading)
    return ok({ kind: 'refused', refusal: refused.refusal, view })
  }
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

/** A decision about a change that was named by what it is about; an id that no change has stays refused. */
const isSoughtBy = ({ params }: Command, line: string): boolean =>
  /[_@]/.test(line) && !params.some(({ kinds }) => kinds.includes('job'))

/** A line with flags is meant as one: only what it says is told to be wrong, and nothing is read into it. */
const hasFlags = (line: string): boolean => /\s(?:--|—|–)\p{L}/u.test(line)

const noneCalled = no(refusal('not_found', 'Nothing is called so.'))

/** Refusals of a line whose words could mean something else than their places say. */
const readAgain: ReadonlySet<Refusal['code']> = new Set(['plain_word', 'unknown_command', 'no_such_change'])

/** What is wrong with these is not that somebody used words of their own. */
const notWords: ReadonlySet<Refusal['code']> = new Set(['line_too_long', 'open_quote', 'bad_file'])

type Typed = Exclude<Intent, { kind: 'press' | 'reply' }>

const commandNamed = (core: Core, asker: Asker, intent: Typed): Result<Command> => {
  const { registry } = core
  if (intent.kind === 'line') {
    const whole = commandOfLine(registry, intent.line)
    if (whole.ok) return ok(whole.value.command)
    // What is suggested instead is something that the asker may run.
    const { mayRun } = readContext(core, asker).records
    const own = commandOfLine(registryOf(registry, mayRun), intent.line)
    return own.ok ? ok(own.value.command) : own
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

const count = (core: Core, { intent, from }: Inbound, reply: Reply, ms: number, note: NoteFacts): void => {
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
  const ofChange = reply.kind === 'change' ? { change: reply.change.id, state: reply.change.state } : {}
  note({ command, result, platform: from.platform, ...ofChange })
}
