import { defined } from '../../../lib/defined.ts'
import { madeOnce } from '../../../lib/made-once.ts'
import { kindsWith, traitsOf } from '../../../lib/things/kinds.ts'
import type { Thing } from '../../../lib/view/thing.ts'
import type { Actor } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import type { Core } from '../../core.ts'
import type { Inbound } from '../../messenger/inbound.ts'
import { createReader } from '../../sayings/reader.ts'
import type { IntentReader, Understanding } from '../../sayings/understanding.ts'
import { candidatesFor } from '../../things/candidates.ts'
import { thingNames } from '../../things/names.ts'
import { nearestTo } from '../../things/nearest.ts'
import { eachPerson } from '../../things/people.ts'
import { type LastAnswer, lastAnswerIn } from '../look-ups/query.ts'

export type Interpretation = Understanding & { last?: LastAnswer | undefined }

/** With the names of things, which may be words of the language, and with what the last answer was about; people are looked up where words are left. */
export const interpret = async (
  core: Core,
  actor: Actor,
  /** Where it was said; what was said nowhere speaks of no answer before. */
  place: Inbound['place'] | undefined,
  said: string,
  allowed: ReadonlySet<Command>,
  within?: Command,
): Promise<Interpretation> => {
  const around = { mayRun: (command: Command) => allowed.has(command), ...defined({ within }) }
  const reader = readerOf(core)
  const atOnce = reader.read(said, around)
  // A mistake in a line of a command is told without asking a service for names, unless somebody may be named there.
  const isSlip =
    within !== undefined && !atOnce.isSentence && !atOnce.refersBack && !mayName(within, atOnce.unknown)
  if (isSlip || atOnce.social !== undefined) return atOnce
  const last = place && (await lastAnswerIn(core, actor, place).catch(() => undefined))
  const { named, part } = await thingNames(core, actor)
  const known = { ...around, named, part, recent: last?.things ?? [], subject: last?.subject }
  const read = reader.read(said, known)
  if (isWhole(read) || read.unknown.length === 0) return { ...read, last }
  const people = new Map([
    ...(await peopleCalled(core, actor, read.unknown)),
    ...(await numbersCalled(core, actor, read.unknown)),
  ])
  const called = (words: string) => [...named(words), ...(people.get(words.toLowerCase()) ?? [])]
  const withPeople = people.size === 0 ? read : reader.read(said, { ...known, named: called })
  // Who was found is not told to be unknown.
  const isMissed = read.readings[0]?.unread.some((words) => people.has(words.toLowerCase())) === true
  const best = withPeople.readings.length === 0 && !isMissed ? read : withPeople
  // Who is named and not found is nobody of the last answer.
  if (!best.refersBack || best.unknown.length === 0) return { ...best, last }
  return { ...reader.read(said, { ...around, named: called, part }), refersBack: true, last }
}

/** Told without asking a service for names. */
export const mayBeSeveral = (core: Core, said: string): boolean => readerOf(core).mayBeSeveral(said)

/** Words that can be a name, where the command is about somebody. */
const mayName = ({ params }: Command, unknown: readonly string[]): boolean =>
  unknown.length > 0 &&
  unknown.every((words) => /^\p{Lu}[\p{L}\d'’-]+(?: [\p{L}'’-]+)*$/u.test(words)) &&
  params.some(({ kinds }) => kinds.some((kind) => traitsOf(kind).perPerson !== undefined))

const isWhole = ({ isClear, readings: [first] }: Understanding): boolean =>
  isClear && first !== undefined && first.unread.length === 0 && (first.named ?? []).length === 0

const readers = new WeakMap<Core['registry'], IntentReader>()

const readerOf = ({ registry }: Core): IntentReader =>
  madeOnce(readers, registry, () => createReader(registry, registry.language))

const maxRuns = 3
const maxNameWords = 3

/** People whose whole name, first name or last name these words are; as many as go by it. */
const peopleCalled = async (
  core: Core,
  actor: Actor,
  unknown: readonly string[],
): Promise<ReadonlyMap<string, readonly Thing[]>> => {
  const kinds = kindsWith(({ knownBy }) => knownBy !== undefined)
  const found = await Promise.all(
    runsIn(unknown)
      .slice(0, maxRuns)
      .map(async (words) => {
        const key = words.toLowerCase()
        const parts = key.split(' ')
        const longest = parts.toSorted((one, other) => other.length - one.length)[0] as string
        const all = await candidatesFor(core, actor, kinds, longest).catch(() => [])
        const called = all.filter(({ name = '' }) => isCalled(name.toLowerCase().split(' '), parts))
        return [key, await eachPerson(core, actor, called)] as const
      }),
  )
  return new Map(found.filter(([, called]) => called.length > 0))
}

/** Each run of words, and where it is more than a name the words of it. */
const runsIn = (unknown: readonly string[]): string[] => [
  ...unknown.filter((words) => words.split(' ').length <= maxNameWords),
  ...unknown
    // What is written as a name is one, and may be misspelt.
    .filter((words) => words.includes(' ') && !/\p{Lu}/u.test(words))
    .flatMap((words) => words.split(' '))
    .filter((word) => /^\p{L}[\p{L}'’-]{2,}$/u.test(word)),
]

/** What goes by a number that nobody has looked at lately: "INV-504", "inv504". */
const numbersCalled = async (
  core: Core,
  actor: Actor,
  unknown: readonly string[],
): Promise<ReadonlyMap<string, readonly Thing[]>> => {
  const words = unknown
    .flatMap((run) => run.split(' '))
    .filter((word) => /^[a-z]{2,6}-?\d{1,12}$/i.test(word))
  const keyOf = (word: string) => word.toLowerCase().replace('-', '')
  const kinds = kindsWith(({ money }) => money === true)
  const all = words.length === 0 ? [] : await candidatesFor(core, actor, kinds, '').catch(() => [])
  return new Map(
    words
      .slice(0, maxRuns)
      .map((word) => [
        word.toLowerCase(),
        all.filter(({ name = '' }) => name.split(' · ').some((part) => keyOf(part) === keyOf(word))),
      ]),
  )
}

/** Each word is one of the name, in whatever order; of the second one an initial is enough. */
const isCalled = (name: readonly string[], parts: readonly string[]): boolean => {
  const left = [...name]
  return parts.every((part, at) => {
    const isInitial = at > 0 && /^\p{L}\.?$/u.test(part)
    const found = left.findIndex((one) => one === part || (isInitial && one.startsWith(part.charAt(0))))
    if (found !== -1) left.splice(found, 1)
    return found !== -1
  })
}

/** Whom a name that is all that was said comes near to. */
export const peopleNear = async (
  core: Core,
  actor: Actor,
  { unknown: [words = '', ...others], near, things }: Understanding,
): Promise<Thing[]> => {
  const isName = others.length + near.length + things.length === 0 && words.split(' ').length <= maxNameWords
  if (!isName) return []
  return nearestTo(
    core,
    actor,
    kindsWith(({ knownBy }) => knownBy !== undefined),
    words,
    [],
  )
}
