import type { Command } from '../command/define.ts'
import type { Language, Way } from '../command/language.ts'
import type { Raw } from '../command/line/coerce.ts'
import { commandLineOf } from '../command/line/print.ts'
import type { Param } from '../command/params.ts'
import type { Registry } from '../command/registry.ts'
import { traitsOf } from '../model/kinds.ts'
import type { ThingKind } from '../view/thing.ts'
import { type Item, type Known, type Saying, sayingOf } from './items.ts'
import { fillFor } from './values.ts'
import { createVocabulary, phrasesIn } from './vocabulary.ts'

/** What somebody may have meant: a command and its values. `unread` are the words that play no part in it. */
export type Reading = {
  command: Command
  values: Record<string, Raw>
  missing: readonly Param[]
  unread: readonly string[]
  score: number
  /** Parameters that hold somebody of whose things the newest is meant. */
  newest?: readonly string[]
  /** Parameters that hold words which could be a name. */
  named?: readonly string[]
}

/** What was said, read without a model: readings from the likeliest on, or what it is instead of a command. */
export type Understanding = {
  readings: readonly Reading[]
  /** The first reading is the only likely one. */
  isClear: boolean
  social?: 'greeting' | 'thanks'
  /** It has words of its own beside names of commands and things. */
  isSentence: boolean
  /** Some words speak of the last answer. */
  refersBack: boolean
  /** What is asked of the last answer. */
  move?: 'again' | 'next' | 'previous'
  /** What was recognised, whatever could be made of the rest. */
  things: readonly { kinds: readonly ThingKind[]; value: string }[]
  /** It asks for something, and neither asks about it nor denies it. */
  isOrder: boolean
  /** Words that nothing is known about, where they stand together. */
  unknown: readonly string[]
  /** Commands that have to do with some of the words, the nearest first. */
  near: readonly Command[]
}

export type Surroundings = Known & {
  /** Nobody is offered what they may not run. */
  mayRun(command: Command): boolean
  /** Read as this command, whatever else it could be. */
  within?: Command
  /** A line within a sentence has none within itself. */
  isNested?: boolean
}

export type IntentReader = { read(saying: string, surroundings: Surroundings): Understanding }

type Pattern = {
  command: Command
  concepts: readonly string[]
  set: Readonly<Record<string, string>>
  free: string | undefined
  beside: ReadonlySet<string>
  /** Its words alone say nothing of what they are about. */
  isPlain: boolean
  isAsked: boolean
  needs: string | undefined
}

const leastScore = 5
/** What takes a thing itself is likelier than what takes something of its owner. */
const linkedCosts = 2.5
const clearBy = 2
const farBehind = 8
const mostReadings = 5
const nothing: Understanding = {
  readings: [],
  isClear: false,
  isSentence: false,
  refersBack: false,
  things: [],
  isOrder: false,
  unknown: [],
  near: [],
}

export const createReader = (registry: Registry, language: Language): IntentReader => {
  const vocabulary = createVocabulary(language, wordsOfNames(registry), choicesOf(registry, language))
  const generic = new Set(phrasesIn(language.generic))
  const about = new Set(phrasesIn(language.about))
  const isGeneric = (concepts: readonly string[]) => concepts.every((one) => generic.has(one))
  const byKey = Map.groupBy(
    patternsOf(registry, language, generic),
    ({ concepts }) => concepts.find((one) => !generic.has(one)) ?? concepts[0],
  )
  const shownBy = showersOf(registry)
  const social = new Map<string, Understanding>([
    ...phrasesIn(language.thanks).map(
      (phrase) => [phrase, { ...nothing, social: 'thanks' as const }] as const,
    ),
    ...phrasesIn(language.greetings).map(
      (phrase) => [phrase, { ...nothing, social: 'greeting' as const }] as const,
    ),
    ...(['again', 'next', 'previous'] as const).flatMap((move) =>
      phrasesIn(language.references[move]).map((phrase) => [phrase, { ...nothing, move }] as const),
    ),
  ])
  const help = registry.get('bellhop help')

  const judge = (
    pattern: Pattern,
    saying: Saying,
    isHelp: boolean,
    nested: (text: string, isForLater: boolean) => string | undefined,
  ): Reading | undefined => {
    const used = usedBy(pattern, saying.items)
    if (used === undefined || (pattern.isAsked && !saying.isQuestion)) return undefined
    const { command, concepts: wanted, beside } = pattern
    const isChange = command.kind !== 'query'
    if (isChange && !isHelp && !isOrdered(saying, used.places, beside)) return undefined
    const filled = fillFor(command, saying, used.places, pattern)
    const { values, refused, isAnchored, newest, named } = filled
    const explained = new Set(filled.explained)
    const takesLine = command.params.some(({ name }) => name === 'line')
    if (takesLine && values.line === undefined && !isHelp) {
      const rest = [...saying.items.keys()].filter(
        (at) => !explained.has(at) && isOfLine(saying.items[at] as Item),
      )
      const line = nested(rest.map((at) => (saying.items[at] as Item).text).join(' '), isChange)
      if (line === undefined) return undefined
      values.line = line
      for (const at of rest) explained.add(at)
    }
    const { oneOf = [] } = command
    const asked = oneOf.some((name) => values[name] !== undefined) ? undefined : oneOf[0]
    const missing = command.params.filter(
      ({ name, required }) =>
        (required || name === asked || name === pattern.needs) && values[name] === undefined,
    )
    let score =
      Object.keys(values).length * 3 -
      filled.linked * linkedCosts -
      (isHelp ? 0 : missing.length * (isChange ? 2 : 6))
    for (const concept of wanted) score += used.byThing.has(concept) ? 2 : generic.has(concept) ? 3 : 6
    const unread: string[] = []
    let isComplete = true
    for (const [at, { role, concepts, text, isGuessed }] of saying.items.entries()) {
      if (isGuessed) score -= 0.5
      if (used.places.has(at) || explained.has(at) || role === 'filler') continue
      if (concepts.some((one) => beside.has(one))) continue
      isComplete = false
      const why = refused.get(at)
      if (why !== undefined) {
        unread.push(why)
        continue
      }
      const isMinor = role === 'concept' ? isGeneric(concepts) : role === 'choice'
      score -= isMinor ? 1 : costOf(role, isChange)
      if (!isMinor) unread.push(text)
    }
    if (isComplete) score += 2
    // Words that were left over are no reason to offer a change, nor to run a look-up that misses half of what was said.
    if (isChange && !isHelp && !isAnchored && Object.keys(values).length > 0) return undefined
    if (!isChange && !isAnchored && unread.length >= used.places.size && !isHelp) return undefined
    // Why something was asked for belongs to what is asked for; a look-up has no place for it.
    if (!isChange && saying.reason !== undefined) unread.push(saying.reason)
    return { command, values, missing, unread, score, newest, named }
  }

  /** One thing and nothing else that matters: the look-ups that show it. */
  const shown = ({ items, isQuestion }: Saying, { mayRun }: Surroundings): Reading[] => {
    const things = items.filter(({ role }) => role === 'thing')
    const people = things.filter(({ kinds }) => kinds.some((kind) => traitsOf(kind).knownBy !== undefined))
    // "is ada on Newsletter?" is answered by Ada.
    const isOfOne = isQuestion && people.length === 1 && things.length === 2
    const [one] = isOfOne ? people : things
    if (one === undefined || (things.length > 1 && !isOfOne)) return []
    const isBeside = ({ role, concepts }: Item) =>
      role === 'thing' ||
      role === 'filler' ||
      role === 'choice' ||
      concepts.some((concept) => about.has(concept) || one.kinds.some((kind) => kind === concept))
    const unread = items.filter((item) => !isBeside(item))
    if (unread.length > 1 || unread.some(({ role }) => role !== 'unknown')) return []
    const said = items.flatMap(({ role, concepts }) => (role === 'thing' ? [] : concepts))
    const named = one.kinds.filter((kind) => said.includes(kind))
    const kinds = named.length > 0 ? named : one.kinds
    const step = kinds.length > 2 ? 0.5 : 3
    return kinds.flatMap((kind, at) => {
      const found = shownBy.get(kind)?.find(({ command }) => mayRun(command))
      if (found === undefined) return []
      const { command, param } = found
      const values = { [param.name]: one.meant?.id ?? one.text }
      return [
        {
          command,
          values,
          missing: [],
          unread: unread.map(({ text }) => text),
          score: 14 - at * step - unread.length * 6,
        },
      ]
    })
  }

  /** By the words that tell something, each command by its likeliest way to be said. */
  const nearestTo = ({ items }: Saying, { mayRun }: Surroundings): Command[] => {
    const present = new Set(
      items.flatMap(({ concepts, kinds }) => [...concepts, ...kinds]).filter((one) => !generic.has(one)),
    )
    const scores = new Map<Command, number>()
    for (const concept of present) {
      for (const { command, concepts } of byKey.get(concept) ?? []) {
        if (!mayRun(command)) continue
        const score = concepts.filter((one) => present.has(one)).length - concepts.length / 10
        scores.set(command, Math.max(scores.get(command) ?? 0, score))
      }
    }
    return [...scores].sort(([, one], [, other]) => other - one).map(([command]) => command)
  }

  const explain = (readings: readonly Reading[]): Understanding => {
    if (help === undefined) return nothing
    const others = readings.filter(({ command }) => command !== help)
    const wanted = others.find(({ command }) => command.kind !== 'query') ?? others[0]
    const values: Record<string, Raw> = wanted === undefined ? {} : { command: wanted.command.name }
    return {
      ...nothing,
      readings: [{ command: help, values, missing: [], unread: [], score: 20 }],
      isClear: true,
      isSentence: true,
    }
  }

  const readers: IntentReader = {
    read(said, surroundings) {
      const saying = sayingOf(said, vocabulary, surroundings)
      const known = social.get(saying.plain)
      if (known !== undefined && surroundings.within === undefined) return known
      const { items, refersBack } = saying
      const present = new Set(
        items.flatMap(({ concepts, kinds }) => [...concepts, ...kinds.flatMap(nounsOf)]),
      )
      // What can be done with a thing is read beside it.
      const isOfThing = items.some(({ role }) => role === 'thing') && items.every(isThingOrHelp)
      const isHelp = !isOfThing && (present.has('help') || (items.length === 0 && saying.isQuestion))
      const found = new Map<Command, Reading>()
      /** The line that some of the words are, in a command that takes one; only look-ups come again and again. */
      const nested = (text: string, isForLater: boolean): string | undefined => {
        if (surroundings.isNested) return undefined
        const { within: _, ...around } = surroundings
        const { readings: lines, isClear } = readers.read(text, { ...around, isNested: true })
        const [line] = lines
        if (line === undefined || !isClear || line.missing.length + line.unread.length > 0) return undefined
        if (isForLater && line.command.kind !== 'query') return undefined
        return commandLineOf(line.command.name, line.command.params, line.values)
      }
      const keep = (reading: Reading | undefined): void => {
        if (reading === undefined) return
        const before = found.get(reading.command)
        if (before === undefined || before.score < reading.score) found.set(reading.command, reading)
      }
      for (const concept of present) {
        for (const pattern of byKey.get(concept) ?? []) {
          const { command, concepts } = pattern
          if (!concepts.every((one) => present.has(one))) continue
          const isWanted = surroundings.within === undefined || surroundings.within === command
          if (isWanted && surroundings.mayRun(command)) keep(judge(pattern, saying, isHelp, nested))
        }
      }
      if (surroundings.within === undefined && !isHelp)
        for (const reading of shown(isOfThing ? thingAlone(saying) : saying, surroundings)) keep(reading)
      const readings = [...found.values()]
        .filter(({ score }) => score >= leastScore)
        .sort((one, other) => other.score - one.score)
      if (isHelp) return explain(readings)
      const [first, second] = readings
      const isSentence =
        saying.reason !== undefined ||
        items.some(({ role }) => role === 'filler' || role === 'time' || role === 'newest')
      const recognised = {
        things: thingsIn(items),
        isOrder: !saying.isQuestion && !saying.isDenied,
        unknown: unknownIn(items),
        near: nearestTo(saying, surroundings),
      }
      if (first === undefined) return { ...nothing, ...recognised, isSentence, refersBack }
      const isClear = second === undefined || first.score - second.score >= clearBy
      const likely = readings.filter(({ score }) => score > first.score - farBehind)
      return { ...recognised, readings: likely.slice(0, mostReadings), isClear, isSentence, refersBack }
    },
  }
  return readers
}

/** What words cost that play no part. A look-up that knows no times is still the one that was meant, and says so. */
const costOf = (role: Item['role'], isChange: boolean): number => {
  if (role === 'concept') return 4
  if (role === 'unknown') return isChange ? 3 : 2
  return role === 'time' && !isChange ? 1 : 8
}

const isThingOrHelp = ({ role, concepts }: Item): boolean =>
  role === 'thing' || role === 'filler' || concepts.includes('help')

const thingAlone = (saying: Saying): Saying => ({
  ...saying,
  items: saying.items.filter(({ role }) => role === 'thing'),
})

/** What a line within a sentence is made of: anything but how often, and the words for having it come. */
const isOfLine = ({ role, concepts }: Item): boolean =>
  role !== 'filler' && !concepts.some((one) => outsideLine.has(one))

const outsideLine: ReadonlySet<string> = new Set(['schedule', 'make', 'send', 'needed'])

const thingsIn = (items: readonly Item[]): Understanding['things'] => {
  const found = items
    .filter(({ role }) => role === 'thing')
    .map(({ kinds, meant, text }) => ({ kinds, value: meant?.id ?? text }))
  return [...new Map(found.map((one) => [one.value, one])).values()]
}

const unknownIn = (items: readonly Item[]): string[] => {
  const runs: string[][] = [[]]
  for (const { role, text } of items) {
    if (role === 'unknown' || role === 'quoted') (runs.at(-1) as string[]).push(text)
    else runs.push([])
  }
  return runs.filter((run) => run.length > 0).map((run) => run.join(' ').replace(/['’]s$/, ''))
}

/** A change is meant only by an order: before its verb stand politeness and things alone, and nothing is denied. */
const isOrdered = (
  { items, isQuestion, isDenied }: Saying,
  used: ReadonlySet<number>,
  beside: ReadonlySet<string>,
): boolean => {
  if (isQuestion || isDenied) return false
  const first = items.findIndex(({ role }) => role === 'concept' || role === 'unknown')
  return first === -1 || used.has(first) || items[first]?.concepts.some((one) => beside.has(one)) === true
}

const wordsOfNames = (registry: Registry): Set<string> =>
  new Set(registry.all.flatMap(({ name }) => name.split(' ')))

/** The words for each value of a choice: its own, its aliases and those of the language. */
const choicesOf = function* (registry: Registry, language: Language): Generator<readonly [string, string]> {
  for (const { name, choices, aliases } of registry.all.flatMap(({ params }) => params)) {
    for (const choice of choices) {
      if (choice.length > 1) yield [saidAs(choice), `${name}=${choice}`]
    }
    for (const [alias, choice] of Object.entries(aliases)) yield [saidAs(alias), `${name}=${choice}`]
  }
  for (const [name, groups] of Object.entries(language.choices)) {
    for (const [choice, group] of Object.entries(groups)) {
      for (const phrase of phrasesIn(group)) yield [phrase, `${name}=${choice}`]
    }
  }
}

const saidAs = (written: string): string => written.toLowerCase().replaceAll('_', ' ')

/** A decision is the press of a button or a line in full, never a guess: only a reminder has words of its own. */
const patternsOf = (registry: Registry, language: Language, generic: ReadonlySet<string>): Pattern[] =>
  registry.all.flatMap((command) => {
    const declared = language.commands[command.name]
    if (command.kind === 'decision' && declared === undefined) return []
    const words = declared ?? { say: [] }
    const beside = new Set(words.beside?.split(' '))
    const ways: readonly Way[] = [command.name, ...words.say]
    return ways.map((way) => {
      const {
        say,
        set = {},
        free = words.free,
        isAsked,
        needs,
      }: Partial<Exclude<Way, string>> & { say: string } = typeof way === 'string' ? { say: way } : way
      const concepts = say.split(' ')
      const isPlain = concepts.every((one) => generic.has(one))
      return { command, concepts, set, free, beside, isPlain, isAsked: isAsked === true, needs }
    })
  })

/** For each kind of thing the look-ups that show one by its id alone; its own "get" first. */
const showersOf = (registry: Registry): Map<ThingKind, { command: Command; param: Param }[]> => {
  const found = new Map<ThingKind, { command: Command; param: Param }[]>()
  for (const command of registry.all) {
    const [param, ...more] = command.params.filter(({ required }) => required)
    if (command.kind !== 'query' || param === undefined || more.length > 0) continue
    for (const kind of param.kinds) {
      if (kind === 'command' || kind === 'endpoint') continue
      found.set(kind, [...(found.get(kind) ?? []), { command, param }])
    }
  }
  const rank = (name: string, kind: ThingKind) =>
    name === `${kind} get` ? 0 : name.endsWith(' get') ? 1 : name.endsWith(' find') ? 2 : 3
  for (const [kind, commands] of found) {
    commands.sort((one, other) => rank(one.command.name, kind) - rank(other.command.name, kind))
  }
  return found
}

/** An add-on is also the noun of its commands. */
const nounsOf = (kind: string): string[] => [...new Set([kind, kind.replaceAll('-', '')])]
const isKindOf = (kind: string, concept: string): boolean => nounsOf(kind).includes(concept)

/** Where the meanings of a pattern stand, each its own; a thing stands for its kind without being used up. */
const usedBy = ({ concepts }: Pattern, items: readonly Item[]) => {
  const places = new Set<number>()
  const byThing = new Set<string>()
  for (const concept of concepts) {
    const at = items.findIndex((item, index) => !places.has(index) && item.concepts.includes(concept))
    if (at !== -1) places.add(at)
    else if (items.some(({ kinds }) => kinds.some((kind) => isKindOf(kind, concept)))) byThing.add(concept)
    else return undefined
  }
  return places.size > 0 ? { places, byThing } : undefined
}
