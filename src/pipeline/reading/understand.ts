import type { Asker } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import type { Raw } from '../../command/line/coerce.ts'
import { commandOfLine, type Input } from '../../command/line/parse.ts'
import type { Core } from '../../core/core.ts'
import type { Reading } from '../../intent/reader.ts'
import { tokensOf } from '../../intent/tokens.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { mayRun } from '../../policy/people.ts'
import type { Unclear } from '../../things/ids.ts'
import { plural } from '../../view/button-labels.ts'
import type { Refusal } from '../../view/refusals.ts'
import { note, type View } from '../../view/view.ts'
import { joinWords } from '../../view/words.ts'
import { ownNamesOf } from '../asking/prepare.ts'
import type { LastAnswer } from '../look-ups/query.ts'
import { hear, peopleNear } from './hear.ts'
import { choiceOf, lineOf, notRead, offer } from './offers.ts'
import { settle } from './settle.ts'
import { severalThings } from './several-things.ts'
import { mostSaid, socialView, unheard, whomOf, whyForbidden } from './unheard.ts'

/** What becomes of a saying: a look-up that runs, the last answer once more, or words and buttons. It never asks for a change. */
export type Understood =
  | { kind: 'run'; reading: Reading; line: string }
  | { kind: 'again'; command: string; input: Input; turn: 'next' | 'previous' | undefined }
  | { kind: 'which'; command: Command; values: Record<string, Raw>; unclear: Unclear }
  | { kind: 'say'; view: View }
  | { kind: 'refused'; refusal: Refusal }
  /** Of a line of one command, what could be read of it and is not enough. */
  | { kind: 'part'; reading: Pick<Reading, 'command' | 'values'> }

/** Reads what is no command line as an intent; `within` reads it as words of that command alone. */
export const understand = async (
  core: Core,
  asker: Asker,
  inbound: Inbound,
  said: string,
  within?: Command,
): Promise<Understood> => {
  const allowed = allowedTo(core, asker)
  const nothingOf = (): Understood => ({
    kind: 'part',
    reading: { command: within as Command, values: {} },
  })
  if (said.length > mostSaid) {
    if (within !== undefined) return nothingOf()
    return {
      kind: 'say',
      view: await unheard(core, inbound, said, { things: peopleIn(said), near: [], isOrder: false }, allowed),
    }
  }
  const heard = await hear(core, asker, inbound.place, said, allowed, within)
  const meantFor = within ?? heard.readings[0]?.command
  const several = meantFor === undefined ? [] : severalThings(meantFor, said)
  if (several.length > 0) {
    const title = `That is ${plural(several.length, 'request')}. Which one first?`
    return { kind: 'say', view: await choiceOf(core, inbound, several, title) }
  }
  const { social, move, last, isClear } = heard
  if (social !== undefined)
    return { kind: 'say', view: socialView(core.registry, social, asker, [...allowed]) }
  if (move !== undefined) return moved(last, move)
  const { readings } = heard
  const [first] = readings
  const isWords = heard.isSentence || heard.refersBack
  if (within !== undefined && (first === undefined || !isWords)) {
    if (!isWords) return first === undefined ? nothingOf() : { kind: 'part', reading: first }
    const other = await hear(core, asker, inbound.place, said, allowed)
    const [meant] = other.readings
    if (meant !== undefined && isInstead(meant, within) && other.isClear)
      return concluded(core, asker, inbound, meant)
    return first === undefined ? nothingOf() : { kind: 'part', reading: first }
  }
  if (first === undefined) {
    const people = await peopleNear(core, asker, heard)
    if (people.length > 0) return { kind: 'say', view: await whomOf(core, inbound, people, allowed) }
    const all = new Set(core.registry.all)
    const meant = await hear(core, asker, inbound.place, said, all)
    const [other] = meant.readings
    const why = other !== undefined && meant.isClear ? whyForbidden(core, asker, other) : undefined
    return { kind: 'say', view: await unheard(core, inbound, said, heard, allowed, why) }
  }
  if (!isClear) return { kind: 'say', view: await choiceOf(core, inbound, readings) }
  return concluded(core, asker, inbound, first)
}

/** What a line of a command could mean in place of it. A change that was asked for is not answered by a look-up that knows nothing of it. */
const isInstead = ({ command, unread, values }: Reading, within: Command): boolean =>
  unread.length === 0 &&
  command.kind === 'query' &&
  (within.kind === 'query' || Object.keys(values).length > 0)

const concluded = async (core: Core, asker: Asker, inbound: Inbound, heard: Reading): Promise<Understood> => {
  const { command } = heard
  const settled = await settle(core, asker, heard)
  if (!settled.ok) return { kind: 'refused', refusal: settled.refusal }
  if (settled.value.kind === 'which') return { ...settled.value, command }
  if (settled.value.kind === 'choices') {
    const readings = settled.value.choices.map((one) => ({ ...one, command }))
    return { kind: 'say', view: await choiceOf(core, inbound, readings) }
  }
  const { reading, about } = settled.value
  if (command.kind === 'query' && reading.missing.length === 0)
    return { kind: 'run', reading, line: lineOf(reading) }
  return { kind: 'say', view: await offer(core, inbound, reading, about) }
}

/** In a text that is too long to be read: who is in it can be told by their looks. */
const peopleIn = (said: string) =>
  said
    .split(/\s+/)
    .filter((piece) => piece.includes('@') || /^\+?[\d().-]{8,20}$/.test(piece))
    .flatMap((piece) => tokensOf(piece))
    .flatMap((token) => (token.kind === 'thing' ? [{ kinds: token.kinds, value: token.text }] : []))

/** The reading shown while somebody types: the line that it would be, if it is clear. */
export const readingOf = async (core: Core, asker: Asker, said: string): Promise<string | undefined> => {
  if (said.length > mostSaid || commandOfLine(core.registry, said).ok) return undefined
  const { readings, isClear } = await hear(core, asker, undefined, said, allowedTo(core, asker))
  return isClear && readings[0] !== undefined ? lineOf(readings[0]) : undefined
}

/** The footer says what was understood, so that people learn the line; what was not read is said above it. */
export const withReading = (view: View, line: string, unread: readonly string[]): View => ({
  ...view,
  blocks: unread.length === 0 ? view.blocks : [...view.blocks, note('plain', notRead(unread))],
  footer: joinWords([...(view.footer === undefined ? [] : [view.footer]), `Understood as: ${line}`], ' · '),
})

const allowedTo = ({ registry, policy }: Core, asker: Asker): Set<Command> =>
  new Set(
    registry.all.filter((command) => command.aboutOwn === true || mayRun(policy, asker, ownNamesOf(command))),
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

/** The reply to words alone; it is kept for nobody, so it has no Share. */
export const sayReply = (view: View): Reply => ({ kind: 'answer', command: 'bellhop help', view })
