import type { Asker } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import { commandOfLine, type Input, mostLineLength, type Parsed } from '../../command/line/parse.ts'
import { commandLineOf } from '../../command/line/print.ts'
import type { Core } from '../../core/core.ts'
import { defined } from '../../defined.ts'
import { createReader, type IntentReader, type Reading, type Understanding } from '../../intent/reader.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { mayRun } from '../../policy/people.ts'
import { thingNames } from '../../things/names.ts'
import { type Action, code, list, note, text, type View } from '../../view/view.ts'
import { policyNamesOf } from '../asking/prepare.ts'
import { type LastAnswer, lastAnswerIn } from '../look-ups/query.ts'
import { draftsOf } from './drafts.ts'

/** What becomes of a saying: a look-up that runs, the last answer once more, or words and buttons. It never asks for a change. */
export type Understood =
  | { kind: 'run'; reading: Reading; line: string }
  | { kind: 'again'; command: string; input: Input; turn: 'next' | 'previous' | undefined }
  | { kind: 'say'; view: View }

const mostExamples = 3

/** What somebody says in words of their own is shorter. Reading takes longer the more words there are, and everybody waits for it. */
const mostSaid = 600

/** Reads what is no command line as an intent; `within` reads it as words of that command alone. */
export const understand = async (
  core: Core,
  asker: Asker,
  inbound: Inbound,
  said: string,
  within?: Command,
): Promise<Understood | undefined> => {
  const allowed = allowedTo(core, asker)
  if (said.length > mostSaid)
    return within === undefined
      ? { kind: 'say', view: nothingView(core.registry, said, [...allowed]) }
      : undefined
  const { readings, isClear, isSentence, social, move, last } = await readFor(
    core,
    asker,
    inbound,
    said,
    allowed,
    within,
  )
  if (social !== undefined)
    return { kind: 'say', view: socialView(core.registry, social, asker, [...allowed]) }
  if (move !== undefined) return moved(last, move)
  const [first] = readings
  if (first === undefined)
    return within === undefined
      ? { kind: 'say', view: nothingView(core.registry, said, [...allowed]) }
      : undefined
  // A mistake in a command line is told as such; a sentence that begins with the name of a command is not one.
  if (within !== undefined && !isSentence) return undefined
  const line = lineOf(first)
  if (isClear && first.command.kind === 'query' && first.missing.length === 0)
    return { kind: 'run', reading: first, line }
  const view = isClear ? await offer(core, inbound, first) : await choiceOf(core, inbound, readings)
  return { kind: 'say', view }
}

/** Names are looked up, and the last answer is, only where words are left that could be one of them. */
const readFor = async (
  core: Core,
  asker: Asker,
  { place }: Pick<Inbound, 'place'>,
  said: string,
  allowed: ReadonlySet<Command>,
  within?: Command,
): Promise<Understanding & { last?: LastAnswer | undefined }> => {
  const around = { mayRun: (command: Command) => allowed.has(command), ...defined({ within }) }
  const reader = readerOf(core)
  const atOnce = reader.read(said, around)
  const isWhole = atOnce.isClear && atOnce.readings[0]?.unread.length === 0 && !atOnce.refersBack
  if (isWhole || atOnce.social !== undefined || (within !== undefined && !atOnce.isSentence)) return atOnce
  const last = await lastAnswerIn(core, asker, place).catch(() => undefined)
  const named = await thingNames(core, asker)
  return { ...reader.read(said, { ...around, named, recent: last?.things ?? [] }), last }
}

const readers = new WeakMap<Core['registry'], IntentReader>()

const readerOf = ({ registry }: Core): IntentReader => {
  const known = readers.get(registry) ?? createReader(registry, registry.language)
  readers.set(registry, known)
  return known
}

/** What is only looked at speaks of no answer before. */
const nowhere: Inbound['place'] = { channel: '', handle: null, direct: true }

/** The reading shown while somebody types: the line that it would be, if it is clear. */
export const readingOf = async (core: Core, asker: Asker, said: string): Promise<string | undefined> => {
  if (said.length > mostSaid || commandOfLine(core.registry, said).ok) return undefined
  const { readings, isClear } = await readFor(core, asker, { place: nowhere }, said, allowedTo(core, asker))
  return isClear && readings[0] !== undefined ? lineOf(readings[0]) : undefined
}

export const lineOf = ({ command, values }: Pick<Reading, 'command' | 'values'>): string =>
  commandLineOf(command.name, command.params, values)

/** The footer says what was understood, so that people learn the line; what was not read is said above it. */
export const withReading = (view: View, line: string, unread: readonly string[]): View => ({
  ...view,
  blocks: unread.length === 0 ? view.blocks : [...view.blocks, note('warn', notRead(unread))],
  footer: [...(view.footer === undefined ? [] : [view.footer]), `Understood as: ${line}`].join(' · '),
})

const notRead = (unread: readonly string[]): string => `Not understood: ${unread.join(', ')}.`

const allowedTo = ({ registry, policy }: Core, asker: Asker): Set<Command> =>
  new Set(
    registry.all.filter((command) =>
      mayRun(policy, asker, command.kind === 'change' ? policyNamesOf(command) : [command.name]),
    ),
  )

const moved = (last: LastAnswer | undefined, move: 'again' | 'next' | 'previous'): Understood => {
  if (last === undefined) {
    const words = 'There is no answer of the last ten minutes here to go on from.'
    return {
      kind: 'say',
      view: { title: words, tone: 'plain', blocks: [note('plain', 'Say what you would like to see.')] },
    }
  }
  return {
    kind: 'again',
    command: last.command,
    input: last.input,
    turn: move === 'again' ? undefined : move,
  }
}

const saved = (
  core: Core,
  { from }: Inbound,
  { command, values }: Pick<Reading, 'command' | 'values'>,
): Promise<string> => draftsOf(core).save(from, { command: command.name, values })

/** A change is only offered. What misses something, or leaves words unread, can be completed and not run as it is. */
const offer = async (core: Core, inbound: Inbound, reading: Reading): Promise<View> => {
  const { command, missing, unread } = reading
  const id = await saved(core, inbound, reading)
  const isWhole = missing.length === 0 && unread.length === 0
  return {
    title: isWhole ? 'Did you mean this?' : `${command.name}: something is missing`,
    tone: 'plain',
    blocks: [
      text(`${command.summary}.`),
      code(lineOf(reading)),
      ...(unread.length === 0 ? [] : [note('warn', notRead(unread))]),
      ...(missing.length === 0
        ? []
        : [note('plain', `Still needed: ${missing.map(({ flag }) => flag).join(', ')}.`)]),
      note(
        'plain',
        isWhole ? 'Nothing happens until you press Run it.' : 'Nothing happens until you complete it.',
      ),
    ],
    actions: [...(isWhole ? [{ verb: 'run_it' as const, id }] : []), { verb: 'edit', id }],
  }
}

/** A change that was chosen among several is offered once more, whole. */
export const offerOf = (core: Core, inbound: Inbound, { command, given, missing }: Parsed): Promise<View> =>
  offer(core, inbound, { command, values: given, missing, unread: [], score: 0 })

/** Several lines that could be meant, to choose one of. */
export const choiceOf = async (
  core: Core,
  inbound: Inbound,
  readings: readonly (Pick<Reading, 'command' | 'values'> & { words?: string | undefined })[],
): Promise<View> => {
  const actions: Action[] = []
  for (const [at, reading] of readings.entries()) {
    actions.push({
      verb: 'choose',
      id: await saved(core, inbound, reading),
      label: `${at + 1}. ${reading.command.name}`,
    })
  }
  return {
    title: 'What did you mean?',
    tone: 'plain',
    blocks: [
      list(
        readings.map(
          (reading, at) => `${at + 1}. ${lineOf(reading)}: ${reading.words ?? reading.command.summary}`,
        ),
      ),
    ],
    actions,
  }
}

const socialView = (
  registry: Core['registry'],
  social: 'greeting' | 'thanks',
  { name }: Asker,
  allowed: readonly Command[],
): View =>
  social === 'thanks'
    ? {
        title: 'You are welcome.',
        tone: 'plain',
        blocks: [note('plain', 'bellhop help lists what you can do here.')],
      }
    : {
        title: `Hello ${name}.`,
        tone: 'plain',
        blocks: [text('What I can do for you, for example:'), ...examplesFor(registry, allowed)],
      }

const tooLongToRead = `Words of your own are read up to ${mostSaid} characters, and a command line up to ${mostLineLength.toLocaleString('en')}.`

const nothingView = (registry: Core['registry'], said: string, allowed: readonly Command[]): View => ({
  title: `I do not know what to do with “${said.length > 60 ? `${said.slice(0, 60)}…` : said}”.`,
  tone: 'warn',
  blocks: [
    ...(said.length > mostSaid ? [note('warn', tooLongToRead)] : []),
    text('Perhaps one of these:'),
    ...examplesFor(registry, allowed),
  ],
})

/** Examples of the look-ups that people begin with, and only of what this person may run. */
const examplesFor = (registry: Core['registry'], allowed: readonly Command[]) => {
  const first = begunWith(registry)
  const ranked = allowed.toSorted((one, other) => rankIn(first, one.name) - rankIn(first, other.name))
  const others = ranked.filter(({ name }) => name !== 'bellhop help').slice(0, mostExamples)
  return [
    list(others.map(({ examples: [line], summary }) => `${line}: ${summary}`)),
    note('plain', 'bellhop help lists everything that you can do.'),
  ]
}

/** What each pack begins with, in turn, and after the first of them what waits for a decision. */
const begunWith = ({ packs }: Core['registry']): string[] => {
  const words = packs.flatMap((pack) => (pack.words?.first === undefined ? [] : [pack.words.first]))
  const inTurn = Array.from({ length: Math.max(0, ...words.map(({ length }) => length)) }, (_, at) =>
    words.flatMap((first) => first[at] ?? []),
  ).flat()
  return inTurn.toSpliced(1, 0, 'approval list')
}

const rankIn = (first: readonly string[], name: string): number => {
  const at = first.indexOf(name)
  return at === -1 ? first.length : at
}

/** The reply to words alone; it is kept for nobody, so it has no Share. */
export const sayReply = (view: View): Reply => ({ kind: 'answer', command: 'bellhop help', view })
