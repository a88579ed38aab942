import { defined } from '../../lib/defined.ts'
import { traitsOf } from '../../lib/things/kinds.ts'
import type { Thing } from '../../lib/view/thing.ts'
import type { Language } from '../command/language.ts'
import { type Item, type Known, sayingOf } from './items.ts'
import type { IntentReader, Reading, Surroundings, Understanding } from './understanding.ts'
import { phrasesIn, type Vocabulary } from './vocabulary.ts'
import { sayingParts, withoutMarks } from './wrapping.ts'

/** More than this many parts are a text about something, and no list of what is wanted. */
const maxClauses = 6

/** What is made of a sentence of several parts, each read by itself. */
export const createParts = (
  language: Language,
  vocabulary: Vocabulary,
  unwrap: (said: string) => string,
  reader: IntentReader,
) => {
  const denials = new Set(phrasesIn(language.denials))
  const joining = new Set(phrasesIn(language.joining))

  /** What alone is named in the sentence is meant by the pronouns of its parts. */
  const aroundIn = (said: string, surroundings: Surroundings): Surroundings & { isNested: true } => {
    const { items } = sayingOf(said, vocabulary, surroundings)
    const things = items.filter(({ role }) => role === 'thing')
    const people = things.filter(isSomebody)
    const [only, ...others] = people.length > 0 ? people : things
    const subject = only !== undefined && others.length === 0 ? (only.meant ?? thingOf(only)) : undefined
    return { ...surroundings, isNested: true, ...defined({ subject: subject ?? surroundings.subject }) }
  }

  /** It names nobody, no sum and no time, and takes nothing back. */
  const isBesidePoint = (part: string, known: Known): boolean => {
    const { items, isQuestion } = sayingOf(part, vocabulary, known)
    const isWhom = ({ role }: Item) => role === 'thing' && known.named !== undefined
    const isWord = ({ role }: Item) => ['filler', 'talk', 'concept', 'unknown', 'choice'].includes(role)
    const isTold = items.every((item) => isWord(item) || isWhom(item))
    return isTold && !isQuestion && !isDenying(part)
  }

  const isDenying = (part: string): boolean =>
    part
      .toLowerCase()
      .split(/[^\p{L}'’]+/u)
      .some((word) => denials.has(word))

  /** "unsubscribe ada@example.com, she asked by phone": one part is a whole order, and the others say why, and nothing else. */
  const orderIn = (said: string, surroundings: Surroundings): Understanding | undefined => {
    const bare = unwrap(said)
    const parts = sayingParts(bare)
    if (parts.length < 2) return undefined
    const around = aroundIn(bare, surroundings)
    const read = parts.map((part) => reader.read(part, around))
    const [at, ...more] = [...read.keys()].filter((one) => orderOf(read[one] as Understanding) !== undefined)
    const others = parts.filter((_, one) => one !== at)
    const isNamed = around.subject !== undefined && around.subject !== surroundings.subject
    const isBeside = (part: string) => isBesidePoint(part, isNamed ? surroundings : {})
    if (at === undefined || more.length > 0 || !others.every(isBeside)) return undefined
    const order = read[at] as Understanding
    const [reading] = order.readings
    const why = reading?.command.params.find(({ name }) => name === 'reason' || name === 'description')
    const reason = others.map(withoutMarks).join(', ')
    if (reading === undefined || why === undefined || reading.values[why.name] !== undefined) return order
    return { ...order, readings: [{ ...reading, values: { ...reading.values, [why.name]: reason } }] }
  }

  /**
   * "refund pay_1002 and unsubscribe Ada": every part is a whole order or beside the point, so each order is wanted. A part
   * that is a thing alone is done what is done to the one before: "refund pay_1002 and pay_1013".
   */
  const wishesIn = (said: string, surroundings: Surroundings): Reading[] => {
    if (!mayBeSeveral(said)) return []
    const bare = unwrap(said)
    const clauses = clausesOf(bare)
    const around = aroundIn(bare, surroundings)
    const wishes: { reading: Reading; text: string }[] = []
    for (let at = 0; at < clauses.length; ) {
      const found = wishAt(clauses, at, wishes.at(-1)?.text, around)
      if (found !== undefined) {
        wishes.push(found)
        at += found.length
      } else if (isBesidePoint(clauses[at] as string, {})) at++
      else return []
    }
    const lines = new Set(wishes.map(({ reading }) => JSON.stringify([reading.command.name, reading.values])))
    return lines.size < wishes.length ? [] : wishes.map(({ reading }) => reading)
  }

  const mayBeSeveral = (said: string): boolean => {
    const bare = unwrap(said)
    const clauses = clausesOf(bare)
    return clauses.length > 1 && clauses.length <= maxClauses && !isDenying(bare)
  }

  /** The fewest parts from here on that are a whole order together. */
  const wishAt = (
    clauses: readonly string[],
    at: number,
    before: string | undefined,
    around: Surroundings,
  ): { reading: Reading; text: string; length: number } | undefined => {
    for (let length = 1; at + length <= clauses.length; length++) {
      const text = clauses.slice(at, at + length).join(' ')
      const verb = length === 1 && before !== undefined ? verbIn(text, before, around) : undefined
      const reading = orderOf(reader.read(verb ?? text, around))
      if (reading !== undefined) return { reading, text: verb ?? text, length }
    }
    return undefined
  }

  /** A thing alone, with what stands before the things of the part before it. */
  const verbIn = (text: string, before: string, known: Known): string | undefined => {
    const { items } = sayingOf(text, vocabulary, known)
    const isThing = items.length > 0 && items.every(({ role }) => role === 'thing' || role === 'filler')
    const said = sayingOf(before, vocabulary, known).items
    const first = said.findIndex(({ role }) => role === 'thing')
    const lead = said.slice(0, Math.max(0, first))
    // Whether a sum or a time is meant for both, nobody can tell.
    if (lead.some(({ role }) => role === 'number' || role === 'time')) return undefined
    const verb = lead.map((item) => item.text)
    return isThing && verb.length > 0 ? [...verb, text].join(' ') : undefined
  }

  /** Between marks, and between words such as "and". */
  const clausesOf = (text: string): string[] =>
    sayingParts(text)
      .flatMap((part) => {
        const runs: string[][] = [[]]
        for (const word of part.split(/\s+/)) {
          if (joining.has(withoutMarks(word.toLowerCase()))) runs.push([])
          else (runs.at(-1) as string[]).push(word)
        }
        return runs.map((run) => run.join(' '))
      })
      .filter((part) => part !== '')

  return { orderIn, wishesIn, mayBeSeveral }
}

/** The one change that is asked for, but for what its form asks. */
const orderOf = ({ readings: [one], isClear }: Understanding): Reading | undefined =>
  one !== undefined &&
  isClear &&
  one.command.kind === 'change' &&
  one.missing.filter(({ positional }) => positional).length + one.unread.length === 0
    ? one
    : undefined

const isSomebody = ({ kinds }: Item): boolean => kinds.some((kind) => traitsOf(kind).perPerson === 'one')

const thingOf = ({ kinds: [kind], text }: Item): Thing | undefined => kind && { kind, id: text }
