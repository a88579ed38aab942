import { numberText } from '../../lib/codecs/read-number.ts'
import { defined } from '../../lib/defined.ts'
import { traitsOf } from '../../lib/things/kinds.ts'
import type { Thing, ThingKind } from '../../lib/view/thing.ts'
import { type SpokenSpan, timeAt } from './times.ts'
import { type SayingToken, tokensOf } from './tokens.ts'
import type { Meaning, Vocabulary } from './vocabulary.ts'

/** A part of a saying with what it can mean. */
export type Item = {
  role:
    | 'concept'
    | 'filler'
    /** A word of talk: it says neither whom, how much, when nor what. A look-up passes over it, a change asks. */
    | 'talk'
    | 'choice'
    | 'thing'
    | 'number'
    | 'doubt'
    | 'percent'
    | 'time'
    | 'newest'
    | 'quoted'
    | 'unknown'
    | 'it'
  text: string
  concepts: readonly string[]
  /** Values of parameters that it can stand for, as `parameter=value`. */
  choices: readonly string[]
  kinds: readonly ThingKind[]
  /** The thing behind a name or a reference. */
  meant?: Thing
  value?: string
  /** The number of a paper, such as of an invoice, and no sum. */
  isCode?: true
  /** A sum that is only near it, above it or below it. */
  bound?: string
  span?: SpokenSpan
  /** Told by its likeness to another word. */
  isGuessed?: boolean
}

export type Saying = {
  items: readonly Item[]
  reason: string | undefined
  /** What stands behind "called". */
  name: string | undefined
  isQuestion: boolean
  isDenied: boolean
  /** It begins as an order does: "please", "I need to". */
  isPolite: boolean
  refersBack: boolean
  /** The words alone, for whole sentences such as greetings. */
  plain: string
}

/** What words can stand for here: names, and what the last answer was about. */
export type Known = {
  named?: (words: string) => readonly Thing[]
  /** The only thing of whose name these words are a part. */
  part?: (words: string) => Thing | undefined
  recent?: readonly SeenThing[]
  /** What the last answer is about, whatever rows it has. */
  subject?: Thing | undefined
}

/** A thing of the last answer, and when it was, if its row says so. */
export type SeenThing = Thing & { at?: number }

const none: readonly never[] = []
const maxNameWords = 5

export const sayingOf = (said: string, vocabulary: Vocabulary, known: Known): Saying => {
  const pronouns: number[] = []
  const parts = tokensOf(said.replace(/^\s*\//, '')).flatMap((token) => partsOf(token, vocabulary))
  const tokens = withNumbers(parts, vocabulary)
  const words = tokens.map((token) => wordIn(token, vocabulary))
  const items: Item[] = []
  const saying = {
    reason: undefined,
    name: undefined,
    isQuestion: false,
    isDenied: false,
    isPolite: false,
    refersBack: false,
  } as {
    -readonly [K in keyof Saying]: Saying[K]
  }
  let isPolite = false
  /** "could I": an order, and a question where it is written as one. */
  let isWish = false
  const put = (role: Item['role'], text: string, more: Partial<Item> = {}): void => {
    items.push({ role, text, concepts: none, choices: none, kinds: none, ...more })
  }
  const textOf = (from: number, to = tokens.length) => joined(tokens.slice(from, to))
  const isStart = () => items.every(({ role }) => role === 'filler')

  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as SayingToken
    const name = namedAt(tokens, at, known, vocabulary)
    if (name !== undefined) {
      put('thing', name.text, { kinds: name.kinds, ...defined({ meant: name.meant }) })
      at += name.length
      continue
    }
    const time = timeAt(tokens, words, at, vocabulary)
    if (time !== undefined) {
      const { span } = time
      const concepts = span.every === undefined ? none : ['schedule']
      put('time', textOf(at, at + time.length), { span, concepts })
      at += time.length
      continue
    }
    const part = partAt(tokens, at, known, vocabulary)
    if (part !== undefined) {
      put('thing', part.text, { kinds: part.kinds, meant: part.meant })
      at += part.length
      continue
    }
    const seen = seenAt(tokens, at, known)
    if (seen !== undefined) {
      saying.refersBack = true
      put('thing', textOf(at, at + seen.length), { kinds: [seen.meant.kind], meant: seen.meant })
      at += seen.length
      continue
    }
    const newest = newestAt(words, at, vocabulary)
    if (newest !== undefined) {
      saying.refersBack = true
      put('newest', textOf(at, at + newest.length), {
        kinds: newest.kinds,
        concepts: newest.kinds,
        ...newestOf(newest.kinds, known),
      })
      at += newest.length
      continue
    }
    if (isBodyNext(tokens, at, items, vocabulary, pronouns.at(-1))) {
      const isOwn = token.kind === 'word' && vocabulary.isBodyStart(token.word)
      saying.name = textOf(isOwn ? at : at + 1)
      break
    }
    const bound = boundAt(tokens, words, at, vocabulary)
    if (token.kind !== 'word' || bound !== undefined) {
      const number = bound === undefined ? token : (tokens[at + bound.length] as SayingToken)
      if (number.kind !== 'word') putToken(number, put, bound?.bound)
      at += 1 + (bound?.length ?? 0)
      continue
    }
    if (token.word === '?') {
      if (!isPolite || isWish) saying.isQuestion = true
      at++
      continue
    }
    const split = splitAt(tokens, words, at, known, vocabulary)
    if (split !== undefined) {
      put('concept', textOf(at, at + 1), { concepts: split.concepts })
      tokens.splice(split.from, split.length)
      words.splice(split.from, split.length)
      at++
      continue
    }
    const phrase = vocabulary.longestAt(words, at)
    const isSlip = phrase === undefined && !isOfName(tokens, at)
    const guessed = isSlip ? vocabulary.near(words[at] as string) : undefined
    const meanings = phrase?.meanings ?? guessed ?? none
    const length = phrase?.length ?? 1
    const text = textOf(at, at + length)
    const has = (role: Meaning['role']) => meanings.some((meaning) => meaning.role === role)
    const values = (role: Meaning['role']) =>
      meanings.find((meaning) => meaning.role === role)?.values ?? none
    const next = tokens[at + length]
    const isReason = has('reason') && guessed === undefined
    const reason = isReason ? textOf(next?.kind === 'mark' ? at + length + 1 : at + length) : ''
    if (isReason && isTime(tokens, words, at + length, vocabulary)) put('filler', text)
    else if (reason !== '') {
      saying.reason = reason
      break
    } else if (has('naming') && next !== undefined && guessed === undefined) {
      const end = endOfName(tokens, words, at + length, vocabulary)
      saying.name = textOf(at + length, end)
      at = end
      continue
    } else if (has('polite') && isStart()) {
      isPolite = true
      isWish = has('question')
      put('filler', text)
    } else if ((has('question') || asks(words, at, vocabulary)) && isStart() && !isPolite) {
      saying.isQuestion = true
      put(has('concept') ? 'concept' : 'filler', text, { concepts: values('concept') })
    } else if (has('negation')) {
      saying.isDenied = true
      put(has('choice') ? 'choice' : 'filler', text, { choices: values('choice') })
    } else if (has('currency') && next?.kind === 'number' && next.currency === undefined) {
      put('number', textOf(at, at + length + 1), { value: `${numberText(next.value)} ${text}` })
      at += 1
    } else if (has('currency') && items.at(-1)?.role === 'number') {
      const number = items.at(-1) as Item
      items[items.length - 1] = {
        ...number,
        text: `${number.text} ${text}`,
        value: `${number.value} ${text}`,
      }
    } else if (has('currency')) {
      // "49 of INV-513 in pounds": a currency that stands beside no sum changes which one is meant.
      put('unknown', text)
    } else if (has('share')) put('percent', text, { value: values('share')[0] as string })
    else if (has('ordinal') || has('it')) {
      // "refund pay_1002, all of it": what was named just before.
      const isNamed = !has('ordinal') && items.some(({ role }) => role === 'thing')
      if (!isNamed) saying.refersBack = true
      if (isNamed) put('filler', text)
      else putReference(values('ordinal')[0], text, known, put)
    } else if (has('whom')) {
      pronouns.push(items.length)
      put('filler', text)
    } else if (has('concept') || has('choice')) {
      put(has('concept') ? 'concept' : 'choice', text, {
        concepts: values('concept'),
        choices: values('choice'),
        isGuessed: guessed !== undefined,
      })
    } else if (guessed !== undefined && has('filler')) put('talk', text, { isGuessed: true })
    else if (meanings.length === 0 && isNumbered.test(text))
      put('number', text, { value: text, isCode: true })
    else
      put(has('talk') && !isNameLike(tokens, at) ? 'talk' : meanings.length > 0 ? 'filler' : 'unknown', text)
    at += length
  }
  const [pronoun] = pronouns
  const meant = whomIn(known)
  if (pronoun !== undefined && meant !== undefined && !isNamedBeside(items, pronoun)) {
    saying.refersBack = true
    items[pronoun] = { ...(items[pronoun] as Item), role: 'thing', kinds: [meant.kind], meant }
  }
  const isWords = tokens.every(({ kind }) => kind === 'word' || kind === 'mark')
  const plain = isWords ? words.filter((word) => word !== undefined && word !== '?').join(' ') : ''
  return { ...saying, isPolite, items: withFirstVerb(items), plain }
}

/** A pronoun is whoever is named in the sentence, or behind a thing, its owner; only without either it speaks of the last answer. */
const isNamedBeside = (items: readonly Item[], at: number): boolean =>
  items.some(
    ({ role, kinds }, place) =>
      role === 'thing' &&
      (place < at || kinds.some((kind) => ['one', 'some'].includes(traitsOf(kind).perPerson ?? ''))),
  )

/** "Black Friday": two words that are written as a name are no slips of others. */
const isOfName = (tokens: readonly SayingToken[], at: number): boolean =>
  at > 0 &&
  [tokens[at], tokens[at + 1]].every((token) => token?.kind === 'word' && /^\p{Lu}/u.test(token.text))

/** "forty-nine dollars", "two hundred": a number in words. Below ten it is one only before a currency. */
const withNumbers = (tokens: readonly SayingToken[], vocabulary: Vocabulary): SayingToken[] => {
  const words = tokens.map((token) => (token.kind === 'word' ? token.word : undefined))
  const found: SayingToken[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as SayingToken
    const number = token.kind === 'word' ? vocabulary.numberAt(words, at) : undefined
    const isSum =
      number !== undefined &&
      (number.value > 9 ||
        vocabulary.longestAt(words, at + number.length)?.meanings.some(({ role }) => role === 'currency'))
    if (number === undefined || !isSum) {
      found.push(token)
      continue
    }
    found.push({ kind: 'number', text: String(number.value), value: number.value })
    at += number.length - 1
  }
  return found
}

/** "about 50", "over $900": a sum that is only near, with the word before it. */
const boundAt = (
  tokens: readonly SayingToken[],
  words: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): { bound: string; length: number } | undefined => {
  if (tokens[at]?.kind !== 'word') return undefined
  const phrase = vocabulary.longestAt(words, at)
  const bound = phrase?.meanings.find(({ role }) => role === 'bound')?.values[0]
  if (phrase === undefined || bound === undefined) return undefined
  return tokens[at + phrase.length]?.kind === 'number' ? { bound, length: phrase.length } : undefined
}

/** "INV-504", "inv504": a number that a paper has. */
const isNumbered = /^(?:[a-z]{2,6}-|inv)\d{2,12}$/i

const maxBetween = 4

/** "sign Ada up", "let Rosa know": a phrase with whom or what it is about inside it. */
const splitAt = (
  tokens: readonly SayingToken[],
  words: readonly (string | undefined)[],
  at: number,
  known: Known,
  vocabulary: Vocabulary,
): { concepts: readonly string[]; from: number; length: number } | undefined => {
  const isWhom = (place: number) => {
    const token = tokens[place]
    if (token === undefined || token.kind === 'mark') return false
    const role = vocabulary.longestAt(words, place)?.meanings[0]?.role
    return (
      token.kind === 'thing' ||
      role === 'whom' ||
      role === 'it' ||
      namedAt(tokens, place, known, vocabulary) !== undefined ||
      isNameLike(tokens, place)
    )
  }
  if (words[at] === undefined || !isWhom(at + 1)) return undefined
  for (let from = at + 2; from <= at + 1 + maxBetween && from < words.length; from++) {
    const phrase = vocabulary.longestAt([words[at], ...words.slice(from)], 0)
    const concepts = phrase?.meanings.find(({ role }) => role === 'concept')?.values
    if (phrase === undefined || phrase.length < 2 || concepts === undefined) continue
    return { concepts, from, length: phrase.length - 1 }
  }
  return undefined
}

/** "write to Ada: we are looking into it", "text Ada that it is on its way" */
const isBodyNext = (
  tokens: readonly SayingToken[],
  at: number,
  items: readonly Item[],
  vocabulary: Vocabulary,
  pronoun: number | undefined,
): boolean => {
  const token = tokens[at] as SayingToken
  const isWhom = items.at(-1)?.role === 'thing' || pronoun === items.length - 1
  const isSign =
    token.kind === 'mark'
      ? token.text === ':'
      : token.kind === 'word' && (vocabulary.isBeforeBody(token.word) || vocabulary.isBodyStart(token.word))
  const isWriting = items.some(({ concepts }) => concepts.includes('message'))
  return isSign && isWriting && isWhom && items.length > 0 && tokens.length > at + 1
}

/** Written as a name, and not where a sentence begins. */
const isNameLike = (tokens: readonly SayingToken[], at: number): boolean =>
  at > 0 && tokens[at - 1]?.kind !== 'mark' && /^\p{Lu}\p{Ll}/u.test((tokens[at] as SayingToken).text)

/** "what was" is a phrase of its own, and still a question. */
const asks = (words: readonly (string | undefined)[], at: number, vocabulary: Vocabulary): boolean =>
  vocabulary.longestAt([words[at]], 0)?.meanings.some(({ role }) => role === 'question') === true

/** "Newsletter-Liste" and "rembourse-le" are two words each, where both are known and the whole is not. */
const partsOf = (token: SayingToken, vocabulary: Vocabulary): SayingToken[] => {
  const at = token.kind === 'word' ? token.word.lastIndexOf('-') : -1
  if (token.kind !== 'word' || at < 1 || vocabulary.has(token.word)) return [token]
  const [first, last] = [token.word.slice(0, at), token.word.slice(at)]
  const second = vocabulary.has(last) ? last : last.slice(1)
  if (!vocabulary.has(first) || !vocabulary.has(second)) return [token]
  return [
    { kind: 'word', text: token.text.slice(0, at), word: first },
    { kind: 'word', text: token.text.slice(at + 1), word: second },
  ]
}

/** The word as the vocabulary has it: without an 's behind it where that leads to one. */
const wordIn = (token: SayingToken, vocabulary: Vocabulary): string | undefined => {
  if (token.kind === 'number') return token.text
  if (token.kind !== 'word') return undefined
  const { word } = token
  return word.endsWith("'s") && !vocabulary.has(word) ? word.slice(0, -2) : word
}

/** A first word that can be a verb or a noun is the verb when a noun follows: "list contacts". */
const withFirstVerb = (items: Item[]): Item[] => {
  const at = items.findIndex(({ role }) => role !== 'filler')
  const first = items[at]
  if (first === undefined || !first.concepts.includes('all') || !first.concepts.includes('list')) return items
  const next = items.slice(at + 1).find(({ role }) => role !== 'filler')
  if (next?.role !== 'concept' && next?.role !== 'choice') return items
  return items.with(at, { ...first, concepts: ['all'] })
}

type Put = (role: Item['role'], text: string, more?: Partial<Item>) => void

const putToken = (token: Exclude<SayingToken, { kind: 'word' }>, put: Put, bound?: string): void => {
  if (token.kind === 'thing') put('thing', token.text, { kinds: token.kinds })
  else if (token.kind === 'number') {
    put('number', token.text, {
      value: [numberText(token.value), token.currency ?? ''].join(' ').trim(),
      ...defined({ bound }),
    })
  } else if (token.kind === 'percent') put('percent', token.text, { value: token.text.slice(0, -1) })
  else if (token.kind === 'doubt' || token.kind === 'quoted') put(token.kind, token.text)
}

/** "it" and "the second one" are what the last answer was about; with no such answer they stay unread. */
const putReference = (
  place: string | undefined,
  text: string,
  { recent = [], subject }: Known,
  put: Put,
): void => {
  const meant =
    place === undefined
      ? (subject ?? (recent.length === 1 ? recent[0] : undefined))
      : place === '-1'
        ? latestOf(recent)
        : recent.at(Number(place))
  if (meant !== undefined) put('thing', text, { kinds: [meant.kind], meant })
  else put(place === undefined && recent.length === 0 ? 'filler' : 'it', text)
}

/** Whom the last answer was about: what it shows, or the one that all of its rows belong to. */
export const whomIn = ({ recent = [], subject }: Known): Thing | undefined => {
  if (subject !== undefined || recent.length === 1) return subject ?? recent[0]
  const owners = new Map(recent.map(({ of }) => [of?.id, of]))
  const [owner] = owners.values()
  return owners.size === 1 ? owner : undefined
}

/** The longest run of words, or a quoted text, that is the name of something. A single word of the language is no name. */
const namedAt = (tokens: readonly SayingToken[], at: number, { named }: Known, vocabulary: Vocabulary) => {
  const first = tokens[at] as SayingToken
  if (named === undefined || (first.kind !== 'word' && first.kind !== 'quoted')) return undefined
  const most = first.kind === 'quoted' ? 1 : maxNameWords
  for (let length = Math.min(most, tokens.length - at); length > 0; length--) {
    const run = tokens.slice(at, at + length)
    const isName = (one: SayingToken | undefined) => one?.kind === 'word' || one?.kind === 'number'
    // "Lindqvist, Ada": a comma may stand within a name.
    if (length > 1 && !(isName(run.at(-1)) && run.every((one) => isName(one) || one.text === ','))) continue
    const text = joined(run.filter(({ kind }) => kind !== 'mark')).replace(/['’]s$/, '')
    const found = named(text)
    if (found.length === 0) continue
    if (length === 1 && first.kind === 'word' && vocabulary.has(first.word)) {
      if (!isMeantAsName(tokens, at, found, vocabulary)) continue
    }
    const kinds = [...new Set(found.map(({ kind }) => kind))]
    return { text, length, kinds, meant: found.length === 1 ? found[0] : undefined }
  }
  return undefined
}

const maxPartWords = 3

/** "the spring campaign", "to Business": a part of a name, where the noun for such things stands beside it, or it is written as a name. */
const partAt = (tokens: readonly SayingToken[], at: number, { part }: Known, vocabulary: Vocabulary) => {
  for (let length = Math.min(maxPartWords, tokens.length - at); part !== undefined && length > 0; length--) {
    const run = tokens.slice(at, at + length)
    if (!run.every((token) => token.kind === 'word' && /^\p{L}{3,}$/u.test(token.text))) continue
    const meant = part(joined(run))
    if (meant === undefined) continue
    const isSaid = [tokens[at - 1], tokens[at + length]].some((token) => isNounOf(token, [meant], vocabulary))
    const isKnown = run.every((token) => token.kind === 'word' && vocabulary.has(token.word))
    const isWritten = at > 0 && !isKnown && /^\p{Lu}/u.test((run[0] as SayingToken).text)
    const isOther = [tokens[at - 1], tokens[at + length]].some((token) =>
      isNounOfOther(token, meant, vocabulary),
    )
    // "to starter": no word of the language, behind a word for where something goes.
    const isGoal = !isKnown && vocabulary.isGoal(tokens[at - 1]?.text.toLowerCase() ?? '')
    if (((isWritten || isGoal) && !isOther) || (isSaid && !isKnown))
      return { text: joined(run), length, kinds: [meant.kind], meant }
  }
  return undefined
}

/** "list Winter" is no campaign. */
const isNounOfOther = (token: SayingToken | undefined, { kind }: Thing, vocabulary: Vocabulary): boolean => {
  const meanings = token?.kind === 'word' ? vocabulary.longestAt([token.word], 0)?.meanings : undefined
  const said = (meanings ?? none).flatMap(({ values }) => values)
  return said.some((value) => traitsOf(value).byName === true) && !said.includes(kind)
}

const isNounOf = (
  token: SayingToken | undefined,
  things: readonly Thing[],
  vocabulary: Vocabulary,
): boolean =>
  token?.kind === 'word' &&
  vocabulary
    .longestAt([token.word], 0)
    ?.meanings.some(({ values }) => things.some(({ kind }) => values.includes(kind))) === true

/** A word of the language is a name where it is written as one, or where the noun for such things stands beside it. */
const isMeantAsName = (
  tokens: readonly SayingToken[],
  at: number,
  found: readonly Thing[],
  vocabulary: Vocabulary,
): boolean => {
  const { text } = tokens[at] as SayingToken
  const isWritten = at > 0 && /^\p{Lu}/u.test(text) && found.some(({ name }) => name === text)
  const isNoun = (token: SayingToken | undefined) => isNounOf(token, found, vocabulary)
  // "who is on the newsletter", "to VIP"
  const before = tokens[at - 1]?.text.toLowerCase() === 'the' ? tokens[at - 2] : tokens[at - 1]
  const isPlace =
    vocabulary.isGoal(before?.text.toLowerCase() ?? '') && found.every(({ kind }) => kind === 'list')
  return isWritten || isPlace || isNoun(tokens[at + 1]) || (at > 1 && isNoun(tokens[at - 1]))
}

/** A word or a number of one row of the last answer, and of one alone: "the 120 one", "INV-513". */
const seenAt = (
  tokens: readonly SayingToken[],
  at: number,
  { recent = [] }: Known,
): { meant: Thing; length: number } | undefined => {
  const token = tokens[at] as SayingToken
  const next = tokens[at + 1]
  const isOne = next?.kind === 'word' && (next.word === 'one' || next.word === 'ones')
  // "refund the 120"
  const isThat = tokens[at - 1]?.text.toLowerCase() === 'the' && (next === undefined || next.kind === 'mark')
  const isRow = token.kind === 'number' ? isOne || isThat : token.kind === 'word' && /\d/.test(token.text)
  if (!isRow || recent.length < 2) return undefined
  const wanted = (token.kind === 'number' ? numberText(token.value) : token.text).toLowerCase()
  const fitting = recent.filter(({ name = '' }) =>
    name
      .toLowerCase()
      .split(/[\s·]+/)
      .includes(wanted),
  )
  const [meant, other] = fitting
  return meant === undefined || other !== undefined ? undefined : { meant, length: isOne ? 2 : 1 }
}

/** "the last payment": a noun for what somebody has many of, behind a word for the newest. */
const newestAt = (words: readonly (string | undefined)[], at: number, vocabulary: Vocabulary) => {
  const phrase = vocabulary.longestAt(words, at)
  if (phrase?.meanings.some(({ role }) => role === 'newest') !== true) return undefined
  const noun = vocabulary.longestAt(words, at + phrase.length)
  const kinds = (noun?.meanings ?? none)
    .filter(({ role }) => role === 'concept')
    .flatMap(({ values }) => values as ThingKind[])
    .filter((kind) => traitsOf(kind).perPerson === 'many')
  return noun === undefined || kinds.length === 0 ? undefined : { kinds, length: phrase.length + noun.length }
}

const newestOf = (kinds: readonly ThingKind[], { recent = [] }: Known): { meant?: Thing } => {
  const meant = latestOf(recent.filter(({ kind }) => kinds.includes(kind)))
  return meant === undefined ? {} : { meant }
}

/** By time where the rows say so, else the last row. */
const latestOf = (things: readonly SeenThing[]): SeenThing | undefined =>
  things.every((one): one is SeenThing & { at: number } => one.at !== undefined)
    ? things.toSorted((one, other) => other.at - one.at)[0]
    : things.at(-1)

const joined = (tokens: readonly SayingToken[]): string =>
  tokens
    .map(({ text }) => text)
    .filter((text) => text !== '?')
    .join(' ')
    .replace(/ ([,:])/g, '$1')

const isTime = (
  tokens: readonly SayingToken[],
  words: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): boolean => tokens[at] !== undefined && timeAt(tokens, words, at, vocabulary) !== undefined

/** A quoted text, or the words up to the next mark, thing, reason or politeness. */
const endOfName = (
  tokens: readonly SayingToken[],
  words: readonly (string | undefined)[],
  from: number,
  vocabulary: Vocabulary,
): number => {
  if (tokens[from]?.kind === 'quoted') return from + 1
  let end = from
  while (tokens[end]?.kind === 'word' || tokens[end]?.kind === 'number') {
    const meanings = vocabulary.longestAt(words, end)?.meanings ?? none
    if (end > from && meanings.some(({ role }) => role === 'reason' || role === 'polite')) break
    end++
  }
  return end
}
