import type { Asker } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import type { Core } from '../../core/core.ts'
import { defined } from '../../defined.ts'
import { createReader, type IntentReader, type Understanding } from '../../intent/reader.ts'
import { madeOnce } from '../../made-once.ts'
import type { Inbound } from '../../messenger/inbound.ts'
import { kindsWith } from '../../model/kinds.ts'
import { candidatesFor, onePerName } from '../../things/candidates.ts'
import { thingNames } from '../../things/names.ts'
import { nearestTo } from '../../things/nearest.ts'
import type { Thing } from '../../view/thing.ts'
import { type LastAnswer, lastAnswerIn } from '../look-ups/query.ts'

export type Heard = Understanding & { last?: LastAnswer | undefined }

/** With the names of things, which may be words of the language, and with what the last answer was about; people are looked up where words are left. */
export const hear = async (
  core: Core,
  asker: Asker,
  /** Where it was said; what was said nowhere speaks of no answer before. */
  place: Inbound['place'] | undefined,
  said: string,
  allowed: ReadonlySet<Command>,
  within?: Command,
): Promise<Heard> => {
  const around = { mayRun: (command: Command) => allowed.has(command), ...defined({ within }) }
  const reader = readerOf(core)
  const atOnce = reader.read(said, around)
  // A mistake in a line of a command is told without asking a service for names.
  const isSlip = within !== undefined && !atOnce.isSentence && !atOnce.refersBack
  if (isSlip || atOnce.social !== undefined) return atOnce
  const last = place && (await lastAnswerIn(core, asker, place).catch(() => undefined))
  const named = await thingNames(core, asker)
  const known = { ...around, named, recent: last?.things ?? [], subject: last?.subject }
  const read = reader.read(said, known)
  if (isWhole(read) || read.unknown.length === 0) return { ...read, last }
  const people = await peopleCalled(core, asker, read.unknown)
  if (people.size === 0) return { ...read, last }
  const called = (words: string) => [...named(words), ...(people.get(words.toLowerCase()) ?? [])]
  const withPeople = reader.read(said, { ...known, named: called })
  return { ...(withPeople.readings.length === 0 ? read : withPeople), last }
}

const isWhole = ({ isClear, readings: [first] }: Understanding): boolean =>
  isClear && first !== undefined && first.unread.length === 0 && (first.named ?? []).length === 0

const readers = new WeakMap<Core['registry'], IntentReader>()

const readerOf = ({ registry }: Core): IntentReader =>
  madeOnce(readers, registry, () => createReader(registry, registry.language))

const mostRuns = 3
const mostNameWords = 3

/** People whose whole name, first name or last name these words are; as many as go by it. */
const peopleCalled = async (
  core: Core,
  asker: Asker,
  unknown: readonly string[],
): Promise<ReadonlyMap<string, readonly Thing[]>> => {
  const kinds = kindsWith(({ knownBy }) => knownBy !== undefined)
  const found = await Promise.all(
    unknown
      .filter((words) => words.split(' ').length <= mostNameWords)
      .slice(0, mostRuns)
      .map(async (words) => {
        const key = words.toLowerCase()
        const all = await candidatesFor(core, asker, kinds, words).catch(() => [])
        const called = all.filter(({ name = '' }) =>
          [name, ...name.split(' ')].some((one) => one.toLowerCase() === key),
        )
        return [key, onePerName(called)] as const
      }),
  )
  return new Map(found.filter(([, called]) => called.length > 0))
}

/** Whom a name that is all that was said comes near to. */
export const peopleNear = async (
  core: Core,
  asker: Asker,
  { unknown: [words = '', ...others], near, things }: Understanding,
): Promise<Thing[]> => {
  const isName = others.length + near.length + things.length === 0 && words.split(' ').length <= mostNameWords
  if (!isName) return []
  return nearestTo(
    core,
    asker,
    kindsWith(({ knownBy }) => knownBy !== undefined),
    words,
    [],
  )
}
