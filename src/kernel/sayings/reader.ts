import { kindsWith, traitsOf } from '../../lib/things/kinds.ts'
import type { Refusal } from '../../lib/view/refusals.ts'
import type { ThingKind } from '../../lib/view/thing.ts'
import type { Command } from '../command/define.ts'
import type { Language, Way } from '../command/language.ts'
import type { Raw } from '../command/line/coerce.ts'
import { commandLineOf } from '../command/line/print.ts'
import type { Param } from '../command/params.ts'
import type { Registry } from '../command/registry.ts'
import { type Item, type Known, type Saying, sayingOf, whomIn } from './items.ts'
import { createParts } from './parts.ts'
import type { IntentReader, Reading, Surroundings, Understanding } from './understanding.ts'
import { fillFor } from './values.ts'
import { createVocabulary, phrasesIn } from './vocabulary.ts'
import { createUnwrap } from './wrapping.ts'

type Pattern = {
  command: Command
  concepts: readonly string[]
  set: Readonly<Record<string, string>>
  free: string | undefined
  beside: ReadonlySet<string>
  /** What it takes, by the nouns for that, which say nothing more. */
  nouns: ReadonlySet<string>
  /** Its words alone say nothing of what they are about. */
  isPlain: boolean
  isAsked: boolean
  isEnough: boolean
  needs: string | undefined
}

const minScore = 5
/** What takes a thing itself is likelier than what takes something of its owner. */
const linkedCosts = 2.5
const clearBy = 2
const farBehind = 8
const maxReadings = 5
const nothing: Understanding = {
  readings: [],
  isClear: false,
  isSentence: false,
  refersBack: false,
  isSame: false,
  things: [],
  isOrder: false,
  unknown: [],
  near: [],
}

export const createReader = (registry: Registry, language: Language): IntentReader => {
  const said = registry.all.filter(({ name }) => language.commands[name] !== undefined)
  const vocabulary = createVocabulary(language, ownWords(language), choicesOf(said, language))
  const generic = new Set(phrasesIn(language.generic))
  const about = new Set(phrasesIn(language.about))
  const isGeneric = (concepts: readonly string[]) => concepts.every((one) => generic.has(one))
  const byKey = Map.groupBy(
    patternsOf(said, language, generic),
    ({ concepts }) => concepts.find((one) => !generic.has(one)) ?? concepts[0],
  )
  const shownBy = showersOf(said)
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
  const unwrap = createUnwrap(language)
  const same = new Set(phrasesIn(language.references.same))
  /** "what about Rosa?": such words, and one thing. */
  const isSameFor = (said: string, items: readonly Item[]): boolean => {
    const things = items.filter(({ role }) => role === 'thing')
    const [only] = things
    const rest = items.filter((item) => item !== only).map(({ text }) => text.toLowerCase())
    return things.length === 1 && rest.length > 0 && same.has(rest.join(' ')) && !/["“]/.test(said)
  }

  const judge = (
    pattern: Pattern,
    saying: Saying,
    isHelp: boolean,
    nested: (text: string, isForLater: boolean) => string | undefined,
    around: Known,
  ): Reading | undefined => {
    const used = usedBy(pattern, saying.items)
    if (used === undefined || (pattern.isAsked && !saying.isQuestion)) return undefined
    const { command, concepts: wanted, beside } = pattern
    // Two slips are no sentence: "water the plants".
    const isSlip = (item: Item | undefined) => item?.isGuessed === true || item?.role === 'unknown'
    const others = saying.items.filter((_, at) => !used.places.has(at))
    if (
      [...used.places].every((at) => saying.items[at]?.isGuessed) &&
      others.some(isSlip) &&
      !others.some(isValue)
    )
      return undefined
    const isChange = command.kind !== 'query'
    if (isChange && !isHelp && !isOrdered(saying, used.places, beside)) return undefined
    const filled = fillFor(command, saying, used.places, pattern, vocabulary.paramOf)
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
    const taken = isHelp || isChange ? undefined : ownerFor(command, values, saying.items, around)
    if (taken !== undefined) values[taken.param.name] = taken.id
    const { oneOf = [] } = command
    const asked = oneOf.some((name) => values[name] !== undefined) ? undefined : oneOf[0]
    const missing = command.params.filter(
      ({ name, required }) =>
        (required || name === asked || name === pattern.needs) && values[name] === undefined,
    )
    // "I need to send Ada money back" is no question of what she got back.
    let score =
      (taken === undefined ? 0 : -2) +
      (!isChange && saying.isPolite && !saying.isQuestion ? -1.5 : 0) +
      Object.keys(values).length * 3 -
      filled.linked * linkedCosts -
      (isHelp ? 0 : missing.length * (isChange ? 2 : 6))
    for (const concept of wanted) score += used.byThing.has(concept) ? 2 : generic.has(concept) ? 3 : 6
    const unread: string[] = []
    const wrong: Refusal[] = []
    const verbs: string[] = []
    const telling: string[] = []
    const pointing: string[] = []
    let times = 0
    let isComplete = true
    for (const [at, { role, concepts, text, span, isGuessed }] of saying.items.entries()) {
      if (isGuessed) score -= 0.5
      if (used.places.has(at) || explained.has(at) || role === 'filler') continue
      if (concepts.some((one) => beside.has(one) || pattern.nouns.has(one))) continue
      if (role === 'talk' && !isChange) continue
      isComplete = false
      const why = refused.get(at)
      if (why !== undefined) {
        unread.push(text)
        telling.push(text)
        wrong.push(why)
        continue
      }
      const isMinor = role === 'concept' ? isGeneric(concepts) : role === 'choice'
      const isTelling = role !== 'concept' && saysWhat(saying.items, at, used.places)
      score -=
        role === 'choice' && !isChange
          ? 0
          : isMinor || (!isChange && !isTelling && role === 'unknown')
            ? 1
            : costOf(role, isChange)
      // A value that a change has no place for says of whom, or what else is to be done.
      if (isMinor && !(command.kind === 'change' && role === 'choice')) continue
      unread.push(text)
      if (role === 'it') pointing.push(text)
      if (
        role === 'concept' ||
        (pattern.isEnough && role !== 'thing' && role !== 'number' && role !== 'time')
      )
        verbs.push(text)
      else if (isTelling) telling.push(text)
      if (role === 'time' && span?.every === undefined) times++
    }
    if (isComplete) score += 2
    // Words that were left over are no reason to offer a change, nor to run a look-up that misses half of what was said.
    if (isChange && !isHelp && !isAnchored && Object.keys(values).length > 0) return undefined
    if (!isChange && !isAnchored && telling.length + verbs.length - times >= used.places.size && !isHelp)
      return undefined
    // Why something was asked for, or is decided so, belongs to the change; another look-up has no place for it.
    const aboutChange = command.params.some(({ kinds }) => kinds.includes('change'))
    if (!isChange && saying.reason !== undefined && !aboutChange) unread.push(saying.reason)
    if (saying.reason !== undefined) telling.push(saying.reason)
    return { command, values, missing, unread, telling, pointing, wrong, verbs, score, newest, named }
  }

  /** A word that is not known could say who, what, when or where, by how it is written and what it stands behind. */
  const saysWhat = (items: readonly Item[], at: number, used: ReadonlySet<number>): boolean => {
    const { role, text } = items[at] as Item
    const before = items[at - 1]
    if (role !== 'unknown' || before === undefined || /[\d@_]/.test(text) || /^\p{Lu}/u.test(text))
      return true
    if (before.role === 'unknown' || items[at + 1]?.role === 'unknown') return true
    return used.has(at - 1) || before.text.toLowerCase().split(' ').slice(-1).some(vocabulary.isLeading)
  }

  /** Only what was recognised, and no word for what is wanted: the look-up that takes all of it, if it is the only one. */
  const byValues = (saying: Saying, { mayRun }: Surroundings): Reading[] => {
    const places = [...saying.items.keys()].filter((at) => isValue(saying.items[at] as Item))
    const sums = places.filter((at) => saying.items[at]?.role === 'number')
    const isSum = (at: number) => /\D/.test(saying.items[at]?.value ?? '')
    const things = places.filter((at) => saying.items[at]?.role === 'thing')
    const kinds = things.flatMap((at) => saying.items[at]?.kinds ?? [])
    const isEach = new Set(kinds).size === kinds.length
    const isOrder =
      things.length > 1 && isEach && !saying.isQuestion && !saying.isDenied && !saying.refersBack
    if (!isOrder && !sums.some(isSum) && (sums.length === 0 || places.length < 2)) return []
    const around = isOrder ? moving : generic
    const isRest = ({ role, concepts }: Item) =>
      role === 'filler' ||
      role === 'talk' ||
      (role === 'concept' &&
        concepts.every(
          (one) =>
            around.has(one) || kinds.some((kind) => isKindOf(kind, one)) || (!isOrder && isOfPeople(one)),
        ))
    if (!saying.items.every((item, at) => places.includes(at) || isRest(item))) return []
    const fitting = said
      .flatMap((command): Reading[] => {
        const isOther = command.kind === 'query' ? isOrder : !isOrder || command.kind === 'decision'
        if (isOther || !mayRun(command)) return []
        const { values, explained } = fillFor(
          command,
          saying,
          new Set(),
          { set: {}, isPlain: true },
          vocabulary.paramOf,
        )
        const isWhole = places.every((at) => explained.has(at))
        const missing = command.params.filter(({ name, required }) => required && values[name] === undefined)
        if (!isWhole || missing.some(({ positional }) => positional)) return []
        // Where a thing is what the command is about, it is meant rather than where it is an option of it.
        const about = command.params.filter(
          ({ name, positional }) => positional && values[name] !== undefined,
        )
        return [{ command, values, missing, unread: [], score: 11 + about.length * 2 }]
      })
      .filter(isFirstOfTwins)
    return fitting.length === 1 || (isOrder && fitting.length <= maxReadings) ? fitting : []
  }

  /** One thing and nothing else that matters: the look-ups that show it. */
  const shown = ({ items, isQuestion }: Saying, { mayRun }: Surroundings): Reading[] => {
    const things = items.filter(({ role }) => role === 'thing')
    const people = things.filter(({ kinds }) => kinds.some((kind) => traitsOf(kind).knownBy !== undefined))
    // "is ada on Newsletter?" is answered by Ada.
    const isOfOne = isQuestion && people.length === 1 && things.length === 2
    const [one] = isOfOne ? people : things
    if (one === undefined || (things.length > 1 && !isOfOne)) return []
    // A sum and a day beside a payment tell which one it is.
    const isPaid =
      one.kinds.some((kind) => traitsOf(kind).money === true) &&
      !one.kinds.some((kind) => traitsOf(kind).perPerson === 'one')
    const isBeside = ({ role, concepts }: Item) =>
      role === 'thing' ||
      (isPaid && (role === 'number' || role === 'time')) ||
      role === 'filler' ||
      role === 'talk' ||
      role === 'choice' ||
      concepts.some(
        (concept) => about.has(concept) || isOfPeople(concept) || one.kinds.some((kind) => kind === concept),
      )
    const unread = items.filter((item) => !isBeside(item))
    const isOne = people.includes(one)
    if ((unread.length > 1 && !isOne) || unread.some(({ role }) => role !== 'unknown')) return []
    // Of somebody all is shown, so words that say no more than that they did something are in nobody's way.
    const telling = unread.filter((item) => !isOne || saysWhat(items, items.indexOf(item), new Set()))
    if (telling.length > 1) return []
    const said = items.flatMap(({ role, concepts }) => (role === 'thing' ? [] : concepts))
    const isBare =
      said.every(
        (concept) =>
          generic.has(concept) ||
          (isOne && isOfPeople(concept) && !one.kinds.some((kind) => kind === concept)),
      ) && items.every(({ role }) => role !== 'choice')
    const named = one.kinds.filter((kind) => said.includes(kind))
    const kinds = named.length > 0 ? named : one.kinds
    const step = kinds.length > 2 ? 0.5 : 3
    return kinds.flatMap((kind, at) => {
      const showers = shownBy.get(kind)?.filter(({ command }) => mayRun(command)) ?? []
      // Somebody is shown as one person, unless the record of one service was named.
      const whole = isBare && traitsOf(kind).perPerson === 'one' ? showers.find(isOfAll) : undefined
      const found = whole ?? showers[0]
      if (found === undefined) return []
      const { command, param } = found
      const values = { [param.name]: one.meant?.id ?? one.text }
      return [
        {
          command,
          values,
          missing: [],
          unread: unread.map(({ text }) => text),
          telling: telling.map(({ text }) => text),
          score: 14 - at * step - telling.length * 6 - (unread.length - telling.length),
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
      const known = social.get(sayingOf(said, vocabulary, {}).plain)
      if (known !== undefined && surroundings.within === undefined) return known
      const saying = sayingOf(unwrap(said), vocabulary, surroundings)
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
          if (isWanted && surroundings.mayRun(command))
            keep(judge(pattern, saying, isHelp, nested, surroundings))
        }
      }
      if (surroundings.within === undefined && !isHelp)
        for (const reading of shown(isOfThing ? thingAlone(saying) : saying, surroundings)) keep(reading)
      const isRead = [...found.values()].some(
        ({ unread, missing }) => unread.length + missing.filter(({ positional }) => positional).length === 0,
      )
      if (!isRead && surroundings.within === undefined && !isHelp)
        for (const reading of byValues(saying, surroundings)) keep(reading)
      const readings = [...found.values()]
        .filter(({ score }) => score >= minScore)
        .sort((one, other) => other.score - one.score)
      if (isHelp) return explain(readings)
      const [first, second] = readings
      const isSentence =
        saying.reason !== undefined ||
        items.some(({ role }) => ['filler', 'time', 'newest', 'percent'].includes(role))
      const recognised = {
        things: thingsIn(items),
        isOrder: !saying.isQuestion && !saying.isDenied && !isTale(said),
        unknown: unknownIn(items, first?.unread ?? []),
        isSame: isSameFor(said, items),
        near: nearestTo(saying, surroundings),
      }
      const isClearly = second === undefined || (first?.score ?? 0) - second.score >= clearBy
      const isWhole = first !== undefined && isClearly && first.missing.length + first.unread.length === 0
      const isAlone = surroundings.isNested === true || surroundings.within !== undefined
      const wishes = isAlone || saying.isQuestion ? [] : parts.wishesIn(said, surroundings)
      // "I am away until Monday, Finn votes for me" is one wish in two parts.
      const isOne = isWhole && wishes.every(({ command }) => command === first.command)
      if (wishes.length > 1 && !isOne)
        return { ...nothing, ...recognised, readings: wishes, isSentence: true, refersBack, isEach: true }
      if (first === undefined) {
        const order = surroundings.isNested ? undefined : parts.orderIn(said, surroundings)
        return order ?? { ...nothing, ...recognised, isSentence, refersBack }
      }
      const isClear = second === undefined || first.score - second.score >= clearBy
      const likely = readings.filter(({ score }) => score > first.score - farBehind)
      return { ...recognised, readings: likely.slice(0, maxReadings), isClear, isSentence, refersBack }
    },
    mayBeSeveral: (said) => parts.mayBeSeveral(said),
  }
  const parts = createParts(language, vocabulary, unwrap, readers)
  return readers
}

/** Verbs that say no more than that something is to be otherwise: what, the things say. */
const moving: ReadonlySet<string> = new Set(['make', 'change', 'move', 'give', 'get', 'set'])

/** "any refunds so far?" after Ada: a look-up that names nobody, and is of somebody, is about whom the last answer was. */
const ownerFor = (
  { params }: Command,
  values: Readonly<Record<string, Raw>>,
  items: readonly Item[],
  around: Known,
): { param: Param; id: string } | undefined => {
  const [param, ...more] = params.filter(({ required, kinds }) => required && kinds.length > 0)
  const whom = whomIn(around)
  const isFree = param !== undefined && more.length === 0 && values[param.name] === undefined
  const isNamed = items.some(({ role }) => role === 'thing' || role === 'unknown' || role === 'number')
  const isOwned = whom !== undefined && traitsOf(whom.kind).perPerson === 'one'
  const isTaken =
    param?.kinds.some((kind) => kind === whom?.kind || traitsOf(kind).perPerson === 'one') === true
  return isFree && isOwned && isTaken && !isNamed ? { param, id: whom.id } : undefined
}

/** What words cost that play no part. A look-up that knows no times is still the one that was meant, and says so. */
const costOf = (role: Item['role'], isChange: boolean): number => {
  if (role === 'concept') return 4
  if (role === 'unknown' || role === 'talk') return isChange ? 3 : 2
  if (role === 'it') return 1
  return role === 'time' && !isChange ? 1 : 8
}

const isThingOrHelp = ({ role, concepts }: Item): boolean =>
  role === 'thing' || role === 'filler' || concepts.includes('help')

/** "upgrade" and "downgrade" are two words for one command. */
const isFirstOfTwins = ({ command }: Reading, at: number, all: readonly Reading[]): boolean => {
  const keyOf = (one: Command) => JSON.stringify([one.uses, one.params.map(({ name }) => name)])
  return all.findIndex((one) => keyOf(one.command) === keyOf(command)) === at
}

/** A noun for people, in whichever service. */
const isOfPeople = (concept: string): boolean => concept === 'person' || traitsOf(concept).perPerson === 'one'

/** It takes people of every service. */
const isOfAll = ({ param }: { param: Param }): boolean =>
  kindsWith(({ perPerson }) => perPerson === 'one').every((kind) => param.kinds.includes(kind))

/** "the upgrade went fine": it tells of something, and asks for nothing. */
const isTale = (said: string): boolean => /^\s*(?:the|an?|our|my|we|i|he|she|they|it|you)\s/i.test(said)

const isValue = ({ role }: Item): boolean => role === 'number' || role === 'time' || role === 'thing'

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
    .map(({ kinds, meant, text }) => ({ kinds, value: meant?.id ?? text, said: text }))
  return [...new Map(found.map((one) => [one.value, one])).values()]
}

/** A word that was guessed and plays no part, or stands beside one that nobody knows, may as well be a name: "Pavel" is no "panel". */
const unknownIn = (items: readonly Item[], unread: readonly string[]): string[] => {
  const isStrange = (item: Item | undefined) =>
    item?.role === 'unknown' || item?.role === 'quoted' || item?.isCode === true
  const runs: string[][] = [[]]
  for (const [at, item] of items.entries()) {
    const isMaybe = item.isGuessed === true && [items[at - 1], items[at + 1]].some(isStrange)
    if (isStrange(item) || isMaybe || (item.isGuessed === true && unread.includes(item.text)))
      (runs.at(-1) as string[]).push(item.text)
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
  const first = items.findIndex(({ role }) => role === 'concept' || role === 'unknown' || role === 'talk')
  return first === -1 || used.has(first) || items[first]?.concepts.some((one) => beside.has(one)) === true
}

/** Each meaning that a saying is made of is also a word. */
const ownWords = ({ commands }: Language): Set<string> =>
  new Set(
    Object.values(commands).flatMap(({ say }) =>
      say.flatMap((way) => (typeof way === 'string' ? way : way.say).split(' ')),
    ),
  )

/** The words for each value of a choice: its own, its aliases and those of the language. */
const choicesOf = function* (
  said: readonly Command[],
  language: Language,
): Generator<readonly [string, string]> {
  for (const { name, choices, aliases } of said.flatMap(({ params }) => params)) {
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
const patternsOf = (said: readonly Command[], language: Language, generic: ReadonlySet<string>): Pattern[] =>
  said.flatMap((command) => {
    const words = language.commands[command.name] ?? { say: [] }
    const beside = new Set(words.beside?.split(' '))
    const nouns = new Set(
      command.params.flatMap(({ kinds, positional }) => (positional ? kinds.flatMap(nounsOf) : [])),
    )
    return words.say.map((way) => {
      const {
        say,
        set = {},
        free = words.free,
        isAsked,
        isEnough,
        needs,
      }: Partial<Exclude<Way, string>> & { say: string } = typeof way === 'string' ? { say: way } : way
      const concepts = say.split(' ')
      const isPlain = concepts.every((one) => generic.has(one))
      return {
        command,
        concepts,
        set,
        free,
        beside,
        nouns,
        isPlain,
        isAsked: isAsked === true,
        isEnough: isEnough === true,
        needs,
      }
    })
  })

/** For each kind of thing the look-ups that show one by its id alone; its own "get" first. */
const showersOf = (said: readonly Command[]): Map<ThingKind, { command: Command; param: Param }[]> => {
  const found = new Map<ThingKind, { command: Command; param: Param }[]>()
  for (const command of said) {
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
