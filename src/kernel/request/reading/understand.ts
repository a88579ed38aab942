import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { traitsOf } from '../../../lib/things/kinds.ts'
import { plural } from '../../../lib/view/button-labels.ts'
import { didYouMean } from '../../../lib/view/did-you-mean.ts'
import { type Refusal, refusalView } from '../../../lib/view/refusals.ts'
import { note, type View } from '../../../lib/view/view.ts'
import { joinWords } from '../../../lib/view/words.ts'
import { ownNamesOf } from '../../change/asking/prepare.ts'
import type { Actor } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import type { Raw } from '../../command/line/coerce.ts'
import { commandOfLine } from '../../command/line/parse.ts'
import type { Core } from '../../core.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { mayRun } from '../../policy/people.ts'
import { tokensOf } from '../../sayings/tokens.ts'
import type { Reading } from '../../sayings/understanding.ts'
import type { Unclear } from '../../things/ids.ts'
import type { LastAnswer } from '../look-ups/query.ts'
import { draftCard, draftCards } from './draft-card.ts'
import { type Interpretation, interpret, mayBeSeveral, peopleNear } from './interpret.ts'
import { choiceOf, fromBefore, lineOf, notRead, offer } from './offers.ts'
import { proposedFor, withProposer } from './proposed.ts'
import { settle } from './settle.ts'
import { severalThings } from './several-things.ts'
import { maxSaid, refuseForbidden, socialView, suggestions, whomOf } from './suggestions.ts'

/** What becomes of a saying: a look-up that runs, the last answer once more, or words and buttons. It never asks for a change. */
export type Understood =
  /** `from` is what of the last answer it is about. */
  | { kind: 'again'; last: LastAnswer; turn: 'next' | 'previous' | undefined }
  | { kind: 'run'; reading: Reading; line: string; from?: string }
  | { kind: 'which'; command: Command; values: Record<string, Raw>; unclear: Unclear }
  | { kind: 'say'; view: View }
  /** What is to be known before anything can be shown. */
  | { kind: 'asked'; reply: Reply }
  /** `line` is what was understood. */
  | { kind: 'refused'; refusal: Refusal; line?: string }
  /** Of a line of one command, what could be read of it and is not enough. */
  | { kind: 'part'; reading: Pick<Reading, 'command' | 'values'> }

/** Reads what is no command line as an intent; `within` reads it as words of that command alone. */
export const understand = async (
  core: Core,
  actor: Actor,
  inbound: Inbound,
  said: string,
  within?: Command,
): Promise<Understood> => {
  const allowed = allowedTo(core, actor)
  const nothingOf = (): Understood => ({
    kind: 'part',
    reading: { command: within as Command, values: {} },
  })
  if (said.length > maxSaid) {
    if (within !== undefined) return nothingOf()
    return {
      kind: 'say',
      view: await suggestions(
        core,
        inbound,
        said,
        { things: peopleIn(said), near: [], isOrder: false },
        allowed,
      ),
    }
  }
  const heard = await interpret(core, actor, inbound.place, said, allowed, within)
  const isPart =
    within !== undefined && (heard.readings[0]?.unread.length ?? 1) > 0 && mayBeSeveral(core, said)
  // "refund pay_1 and unsubscribe Ada" begins like a line of one command, and is more.
  const whole = isPart ? await interpret(core, actor, inbound.place, said, allowed) : heard
  if (whole.isEach === true) return eachDrafted(core, actor, inbound, whole.readings)
  const meantFor = within ?? heard.readings[0]?.command
  const several = meantFor === undefined ? [] : severalThings(meantFor, said)
  if (several.length > 0) return eachDrafted(core, actor, inbound, several)
  const { social, move, last, isClear } = heard
  if (social !== undefined)
    return { kind: 'say', view: socialView(core.registry, social, actor, [...allowed]) }
  if (move !== undefined) return moved(last, move)
  const same = within === undefined ? sameFor(core, heard, allowed) : undefined
  const readings = same === undefined ? heard.readings : [same]
  const [first] = readings
  const isWords = heard.isSentence || heard.refersBack || isOfSomebody(heard)
  if (within !== undefined && (first === undefined || !isWords)) {
    if (!isWords) return first === undefined ? nothingOf() : { kind: 'part', reading: first }
    const other = await interpret(core, actor, inbound.place, said, allowed)
    const [meant] = other.readings
    if (meant !== undefined && isInstead(meant, within) && other.isClear)
      return concluded(core, actor, inbound, meant, { said, last: other.last })
    if (first !== undefined) return { kind: 'part', reading: first }
    if (!heard.refersBack) return nothingOf()
    const missing = within.params.filter(({ required }) => required)
    return {
      kind: 'say',
      view: await offer(core, inbound, { command: within, values: {}, missing, unread: [said] }),
    }
  }
  if (first === undefined) {
    const people = await peopleNear(core, actor, heard)
    if (people.length > 0) return { kind: 'say', view: await whomOf(core, inbound, people, allowed) }
    const proposed = await proposedFor(core, actor, inbound, said, heard, allowed)
    if (proposed !== undefined && 'question' in proposed) return { kind: 'say', view: proposed.question }
    if (proposed !== undefined) {
      const drafted = await offered(core, actor, inbound, proposed.reading)
      if (drafted.kind === 'say') return { ...drafted, view: withProposer(drafted.view, proposed.by) }
    }
    const all = new Set(core.registry.all)
    const meant = await interpret(core, actor, inbound.place, said, all)
    const [other] = meant.readings
    const why = other !== undefined && meant.isClear ? refuseForbidden(core, actor, other) : undefined
    return { kind: 'say', view: await suggestions(core, inbound, said, heard, allowed, why) }
  }
  if (!isClear && same === undefined) return { kind: 'say', view: await choiceOf(core, inbound, readings) }
  return concluded(core, actor, inbound, first, { said, last })
}

/** As many cards as one message has room for. */
const maxDrafts = 3

/** Each wish as the card that it would be; many of them one after the other. */
const eachDrafted = async (
  core: Core,
  actor: Actor,
  inbound: Inbound,
  readings: readonly Reading[],
): Promise<Understood> => {
  if (readings.length > maxDrafts) {
    const title = `That is ${plural(readings.length, 'request')}. Which one first?`
    return { kind: 'say', view: await choiceOf(core, inbound, readings, title) }
  }
  const settled = await Promise.all(readings.map((one) => settle(core, actor, one)))
  const meant = settled.map((one, at) =>
    one.ok && one.value.kind === 'settled' ? one.value.reading : (readings[at] as Reading),
  )
  return { kind: 'say', view: await draftCards(core, actor, inbound, meant) }
}

/** "what about Rosa?" after Ada's payments: those of Rosa. */
const sameFor = (
  { registry }: Core,
  { isSame, last, things: [wanted] }: Interpretation,
  allowed: ReadonlySet<Command>,
): Reading | undefined => {
  const command = last === undefined || !isSame ? undefined : registry.get(last.command)
  if (command?.kind !== 'query' || !allowed.has(command) || wanted === undefined || last === undefined)
    return undefined
  const isPerson = wanted.kinds.some((kind) => traitsOf(kind).perPerson === 'one')
  const param = command.params.find(
    ({ kinds }) =>
      kinds.some((kind) => wanted.kinds.some((one) => one === kind)) ||
      (isPerson && kinds.some((kind) => traitsOf(kind).perPerson === 'one')),
  )
  if (param === undefined) return undefined
  const { page: _, ...input } = last.input
  return {
    command,
    values: { ...(input as Reading['values']), [param.name]: wanted.value },
    missing: [],
    unread: [],
    score: 20,
  }
}

/** "refund Rosa Yamada": whom it is for, in the place of the values of a line. */
const isOfSomebody = ({ readings: [first], things }: Interpretation): boolean =>
  first !== undefined &&
  first.unread.length === 0 &&
  things.some(({ kinds }) => kinds.some((kind) => traitsOf(kind).knownBy !== undefined)) &&
  Object.keys(first.values).length > 0

/** What a line of a command could mean in place of it. A change that was asked for is not answered by a look-up that knows nothing of it. */
const isInstead = ({ command, unread, values }: Reading, within: Command): boolean =>
  unread.length === 0 &&
  command.kind === 'query' &&
  (within.kind === 'query' || Object.keys(values).length > 0)

/** What of the last answer it is about, as people call it; undefined where that was said in full. */
const beforeIn = ({ values }: Reading, last: LastAnswer | undefined, said: string): string | undefined => {
  const given = Object.values(values).flat()
  const isGiven = ({ id, name }: { id: string; name?: string | undefined }) =>
    given.includes(id) && ![id, name].some((one) => one !== undefined && isSaid(said, one))
  const things = [...(last?.subject === undefined ? [] : [last.subject]), ...(last?.things ?? [])]
  const meant: { id: string; name?: string | undefined } | undefined =
    things.find(isGiven) ?? things.flatMap(({ of }) => of ?? []).find(isGiven)
  return meant?.name ?? meant?.id
}

const isSaid = (said: string, words: string): boolean => said.toLowerCase().includes(words.toLowerCase())

const concluded = async (
  core: Core,
  actor: Actor,
  inbound: Inbound,
  heard: Reading,
  { said, last }: { said: string; last?: LastAnswer | undefined },
): Promise<Understood> => {
  const { command } = heard
  const settled = await settle(core, actor, heard)
  if (!settled.ok) return { kind: 'refused', refusal: settled.refusal }
  if (settled.value.kind === 'which') return { ...settled.value, command }
  if (settled.value.kind === 'choices') {
    // Words that were not understood could say another sum or another time: it is completed first.
    const isAsked = heard.unread.some((words) => heard.pointing?.includes(words) !== true)
    if (isAsked && command.kind !== 'query') return { kind: 'say', view: await offer(core, inbound, heard) }
    const { unread } = heard
    const readings = settled.value.choices.map((one) => ({ ...one, command, unread }))
    return { kind: 'say', view: await choiceOf(core, inbound, readings) }
  }
  const { reading, about } = settled.value
  const isLookUp = command.kind === 'query' && reading.missing.length === 0
  const isVerb = (words: string) =>
    reading.verbs?.includes(words) === true || didYouMean(words, command.name.split(' ')) !== undefined
  const isMentioned = (words: string) => reading.telling !== undefined && !reading.telling.includes(words)
  if (isLookUp && reading.unread.every((words) => isVerb(words) || isMentioned(words)))
    return {
      kind: 'run',
      line: lineOf(reading),
      reading,
      ...defined({ from: beforeIn(reading, last, said) }),
    }
  return offered(core, actor, inbound, reading, { about, from: beforeIn(reading, last, said) })
}

/** A change that is said in full is shown as the card that it would be; otherwise what is missing is asked. */
export const offered = async (
  core: Core,
  actor: Actor,
  inbound: Inbound,
  reading: Pick<Reading, 'command' | 'values' | 'missing' | 'unread' | 'wrong'>,
  { about, from }: { about?: string | undefined; from?: string | undefined } = {},
): Promise<Understood> => {
  const { command, values, missing, unread } = reading
  const isWhole = command.kind === 'change' && missing.length + unread.length === 0
  const card = isWhole ? await draftCard(core, actor, inbound, { command, values }, { from }) : undefined
  if (card === undefined) return { kind: 'say', view: await offer(core, inbound, reading, about, from) }
  if (!card.ok) return { kind: 'refused', refusal: card.refusal, line: lineOf(reading) }
  return 'question' in card.value
    ? { kind: 'asked', reply: card.value.question }
    : { kind: 'say', view: card.value }
}

/** In a text that is too long to be read: who is in it can be told by their looks. */
const peopleIn = (said: string) =>
  said
    .split(/\s+/)
    .filter((piece) => piece.includes('@') || /^\+?[\d().-]{8,20}$/.test(piece))
    .flatMap((piece) => tokensOf(piece))
    .flatMap((token) =>
      token.kind === 'thing' ? [{ kinds: token.kinds, value: token.text, said: token.text }] : [],
    )

/** The reading shown while somebody types: the line that it would be, if it is clear. */
export const readingOf = async (core: Core, actor: Actor, said: string): Promise<string | undefined> => {
  if (said.length > maxSaid || commandOfLine(core.registry, said).ok) return undefined
  const { readings, isClear } = await interpret(core, actor, undefined, said, allowedTo(core, actor))
  return isClear && readings[0] !== undefined ? lineOf(readings[0]) : undefined
}

/** A refusal of something that was said says what was understood, too. */
export const refusedReply = ({ refusal, line }: Extract<Understood, { kind: 'refused' }>): Result<Reply> =>
  line === undefined
    ? no(refusal)
    : ok({ kind: 'refused', refusal, view: { ...refusalView(refusal), footer: `Understood as: ${line}` } })

/** The footer says what was understood, so that people learn the line; the title, what was taken from the last answer. */
export const withReading = (
  view: View,
  { line, from, reading }: Extract<Understood, { kind: 'run' }>,
): View => ({
  ...view,
  blocks: reading.unread.length === 0 ? view.blocks : [...view.blocks, note('plain', notRead(reading))],
  title: from === undefined ? view.title : fromBefore(view.title, from),
  footer: joinWords([...(view.footer === undefined ? [] : [view.footer]), `Understood as: ${line}`], ' · '),
})

const allowedTo = ({ registry, policy }: Core, actor: Actor): Set<Command> =>
  new Set(
    registry.all.filter((command) => command.aboutOwn === true || mayRun(policy, actor, ownNamesOf(command))),
  )

const moved = (last: LastAnswer | undefined, move: 'again' | 'next' | 'previous'): Understood => {
  if (last === undefined) {
    const words = 'There is no answer of the last ten minutes here to go on from.'
    return {
      kind: 'say',
      view: { title: words, tone: 'plain', blocks: [note('plain', 'Say what you would like to see.')] },
    }
  }
  return { kind: 'again', last, turn: move === 'again' ? undefined : move }
}

/** The reply to words alone; it is kept for nobody, so it has no Share. */
export const sayReply = (view: View): Reply => ({ kind: 'answer', command: 'bellhop help', view })
