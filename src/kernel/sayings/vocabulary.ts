import { numberOfWords } from '../../lib/codecs/number-words.ts'
import type { Language } from '../command/language.ts'

/** What a word or a phrase can mean. */
export type Meaning = {
  role:
    | 'concept'
    | 'filler'
    | 'talk'
    | 'polite'
    | 'question'
    | 'negation'
    | 'reason'
    | 'naming'
    | 'period'
    | 'newest'
    | 'currency'
    | 'bound'
    | 'share'
    | 'units'
    | 'choice'
    | 'it'
    | 'whom'
    | 'ordinal'
  /** The concepts; of other roles the value, where there is one. */
  values: readonly string[]
}

export type Vocabulary = {
  /** The longest phrase that begins here, and how many words it has. */
  longestAt(
    words: readonly (string | undefined)[],
    at: number,
  ): { meanings: readonly Meaning[]; length: number } | undefined
  has(word: string): boolean
  /** What a word with a small typing mistake was meant to be. */
  near(word: string): readonly Meaning[] | undefined
  /** The word of a time in plain English; other words stay as they are. */
  timeWord(word: string): string
  /** Behind this word, a time says which one is meant, and not when. */
  isBackward(word: string): boolean
  /** Behind this word, a time is only where something begins, or ends. */
  edgeOf(word: string): 'beginning' | 'ending' | undefined
  /** What stands behind this word says who, what, when or where. */
  isLeading(word: string): boolean
  /** It begins what is to be said to somebody. */
  isBodyStart(word: string): boolean
  /** The parameter that this word is another name of. */
  paramOf(word: string): string | undefined
  /** Behind this word stands where something goes. */
  isGoal(word: string): boolean
  /** The number that words begin with, and how many of them it takes. */
  numberAt(words: readonly (string | undefined)[], at: number): { value: number; length: number } | undefined
  /** Behind this word stands what is to be said to somebody. */
  isBeforeBody(word: string): boolean
}

type Node = { next: Map<string, Node>; meanings: Meaning[] }

const newNode = (): Node => ({ next: new Map(), meanings: [] })

export const phrasesIn = (group: string): string[] =>
  group
    .split('|')
    .map((phrase) => phrase.trim())
    .filter(Boolean)

export const createVocabulary = (
  language: Language,
  ownWords: Iterable<string>,
  choices: Iterable<readonly [phrase: string, choice: string]>,
): Vocabulary => {
  const root = newNode()
  const add = (phrase: string, meaning: Meaning): void => {
    let node = root
    for (const word of phrase.split(' ')) {
      const next = node.next.get(word) ?? newNode()
      node.next.set(word, next)
      node = next
    }
    const same = node.meanings.find(({ role }) => role === meaning.role)
    if (same === undefined) node.meanings.push(meaning)
    else same.values = [...new Set([...same.values, ...meaning.values])]
  }
  const addAll = (group: string, role: Meaning['role'], values: string[] = []): void => {
    for (const phrase of phrasesIn(group)) add(phrase, { role, values })
  }
  addAll(language.filler, 'filler')
  addAll(language.talk, 'talk')
  addAll(language.polite, 'polite')
  addAll(language.questions, 'question')
  addAll(language.negations, 'negation')
  addAll(language.reasons, 'reason')
  addAll(language.naming, 'naming')
  addAll(language.currencies, 'currency')
  for (const [bound, group] of Object.entries(language.bounds)) addAll(group, 'bound', [bound])
  for (const [share, group] of Object.entries(language.shares)) addAll(group, 'share', [share])
  addAll(language.references.it, 'it')
  addAll(language.references.whom, 'whom')
  for (const [days, group] of Object.entries(language.units)) addAll(group, 'units', [days])
  for (const [period, group] of Object.entries(language.periods)) addAll(group, 'period', [period])
  for (const [at, group] of language.references.ordinals.entries()) addAll(group, 'ordinal', [String(at)])
  addAll(language.references.last, 'ordinal', ['-1'])
  addAll(language.references.newest, 'newest')
  for (const [concept, group] of Object.entries(language.concepts)) addAll(group, 'concept', [concept])
  for (const word of ownWords) add(word, { role: 'concept', values: [word] })
  for (const [phrase, choice] of choices) add(phrase, { role: 'choice', values: [choice] })
  // What is near a word of another language is seldom meant by a slip.
  const foreign = new Set(language.foreign)
  const known = [...root.next].filter(([word, node]) => node.meanings.length > 0 && !foreign.has(word))
  const slips = slipsOf(known.map(([word]) => word))
  const swaps = swapsOf(
    known.filter(([, { meanings }]) => meanings.some(({ role }) => role === 'concept')).map(([word]) => word),
    (word) => root.next.has(word),
  )
  const timeWords = new Map(
    Object.entries(language.times).flatMap(([word, group]) =>
      phrasesIn(group).map((phrase) => [phrase, word] as const),
    ),
  )
  const numbers = new Map(
    Object.entries(language.numbers).flatMap(([value, group]) =>
      phrasesIn(group).map((phrase) => [phrase, Number(value)] as const),
    ),
  )
  const bodies = new Set(phrasesIn(language.bodies))
  const params = new Map(
    Object.entries(language.params).flatMap(([param, group]) =>
      phrasesIn(group).map((word) => [word, param] as const),
    ),
  )
  const goals = new Set(phrasesIn(language.goals))
  const backward = new Set(phrasesIn(language.backward))
  const beginnings = new Set(phrasesIn(language.beginnings))
  const endings = new Set(phrasesIn(language.endings))
  const leading = new Set(phrasesIn(language.leading))
  const beforeBody = new Set(phrasesIn(language.beforeBody))

  return {
    longestAt(words, at) {
      let node: Node | undefined = root
      let best: { meanings: readonly Meaning[]; length: number } | undefined
      for (let length = 1; node !== undefined; length++) {
        const word: string | undefined = words[at + length - 1]
        node = word === undefined ? undefined : node.next.get(word)
        if (node !== undefined && node.meanings.length > 0) best = { meanings: node.meanings, length }
      }
      return best
    },
    has: (word) => (root.next.get(word)?.meanings.length ?? 0) > 0,
    timeWord: (word) => timeWords.get(word) ?? word,
    isBackward: (word) => backward.has(word),
    edgeOf: (word) => (beginnings.has(word) ? 'beginning' : endings.has(word) ? 'ending' : undefined),
    isLeading: (word) => leading.has(word) || foreign.has(word),
    isBodyStart: (word) => bodies.has(word),
    paramOf: (word) => params.get(word),
    isGoal: (word) => goals.has(word),
    numberAt: (words, at) => numberOfWords(words, at, numbers),
    isBeforeBody: (word) => beforeBody.has(word),
    near(word) {
      if (/[^a-z'\u00c0-\u024f-]/.test(word)) return undefined
      const swapped = swaps.get(word)
      if (swapped !== undefined) return root.next.get(swapped)?.meanings
      if (word.length < 4) return undefined
      const known =
        slips.get(word) ??
        deletionsOf(word)
          .map((one) => slips.get(one))
          .find((one) => one !== undefined)
      return known === undefined ? undefined : root.next.get(known)?.meanings
    },
  }
}

/** In a word of three or four letters two swapped ones are the only slip that can be told, and only where one word is meant. */
const swapsOf = (words: readonly string[], isWord: (word: string) => boolean): Map<string, string> => {
  const swaps = new Map<string, string | undefined>()
  for (const word of words) {
    if (word.length !== 3 && word.length !== 4) continue
    for (let at = 0; at < word.length - 1; at++) {
      const key = word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
      if (!isWord(key)) swaps.set(key, swaps.has(key) ? undefined : word)
    }
  }
  return new Map([...swaps].filter((one): one is [string, string] => one[1] !== undefined))
}

/** Each word under itself with one letter left out, so that one more, one less, another or two swapped letters meet. */
const slipsOf = (words: readonly string[]): Map<string, string> => {
  const slips = new Map<string, string>()
  const put = (key: string, word: string) => {
    if (!slips.has(key)) slips.set(key, word)
  }
  for (const word of words) if (word.length >= 5) put(word, word)
  for (const word of words) if (word.length >= 5) for (const key of deletionsOf(word)) put(key, word)
  return slips
}

const deletionsOf = (word: string): string[] =>
  Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))
