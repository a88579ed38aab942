import { readNumber } from '../../lib/codecs/read-number.ts'
import { kindsByPrefix, kindsWith, serviceKinds } from '../../lib/things/kinds.ts'
import type { ThingKind } from '../../lib/view/thing.ts'

/** A piece of what was said, told by its shape. `at` counts pieces, for taking text out as it was typed. */
export type SayingToken =
  | { kind: 'word'; text: string; word: string }
  | { kind: 'quoted'; text: string }
  | { kind: 'thing'; text: string; kinds: readonly ThingKind[]; name?: string }
  | { kind: 'number'; text: string; value: number; currency?: string }
  /** A number that cannot be read: it could be two, or is written with other digits. */
  | { kind: 'doubt'; text: string }
  | { kind: 'percent'; text: string }
  | { kind: 'since'; text: string; since: string }
  | { kind: 'mark'; text: string }

const maxTokens = 200

/** Cuts a saying into words, quoted text, and things that can be told by their shape. Linear in its length. */
export const tokensOf = (saying: string): SayingToken[] => {
  const tokens: SayingToken[] = []
  for (const piece of piecesOf(plainLetters(saying))) {
    if (tokens.length === maxTokens) break
    tokens.push(...tokenOf(piece))
  }
  return joinedNumbers(tokens)
}

/** Letters and marks are made plain; digits stay, since a raised 2 is no 2. */
const plainLetters = (saying: string): string =>
  saying.replace(/[^\p{N}]+/gu, (part) => part.normalize('NFKC'))

const openers: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»' }

const piecesOf = function* (text: string): Generator<{ text: string; isQuoted: boolean }> {
  let at = 0
  while (at < text.length) {
    const char = text[at] as string
    const closer = openers[char]
    const end = closer === undefined ? -1 : text.indexOf(closer, at + 1)
    if (end !== -1) {
      yield { text: text.slice(at + 1, end), isQuoted: true }
      at = end + 1
      continue
    }
    if (/\s/.test(char)) {
      at++
      continue
    }
    let stop = at + 1
    while (stop < text.length && !/[\s"“„«]/.test(text[stop] as string)) stop++
    yield { text: text.slice(at, stop), isQuoted: false }
    at = stop
  }
}

const tokenOf = ({ text, isQuoted }: { text: string; isQuoted: boolean }): SayingToken[] => {
  if (isQuoted) return text.trim() === '' ? [] : [{ kind: 'quoted', text: text.trim() }]
  const mailto =
    /^<?(?:mailto:)?([^\s@<>|,;]{1,64}@[^\s@<>|,;]{1,190}\.[^\s@<>|,;.?!:)'’]{2,30})(?:['’]s)?(?:\|[^>]*)?>?[.,;:!?)]{0,3}$/iu.exec(
      text.replace(/^\(/, ''),
    )
  if (mailto?.[1] !== undefined) {
    const end = /[:;,][.!?)]*$/.exec(text)?.[0][0]
    const behind: SayingToken[] = end === undefined ? [] : [{ kind: 'mark', text: end === ':' ? ':' : ',' }]
    return [{ kind: 'thing', text: mailto[1], kinds: byAddress() }, ...behind]
  }
  const ends = /[.,;:!?)\]}>…]{0,5}$/u.exec(text)?.[0] ?? ''
  const bare = text.slice(0, text.length - ends.length).replace(/^(?:\.{2,5}|[([{<¿¡*•]{1,3})/u, '')
  // An arrow or a dash between words parts them.
  if (bare !== '' && /^[^\p{L}\p{N}?&+#]+$/u.test(bare)) return [{ kind: 'mark', text: ',' }]
  const mark: SayingToken[] = /[:]/.test(ends)
    ? [{ kind: 'mark', text: ':' }]
    : /[,;]/.test(ends)
      ? [{ kind: 'mark', text: ',' }]
      : []
  const question: SayingToken[] = ends.includes('?') ? [{ kind: 'word', text: '?', word: '?' }] : []
  if (bare === '') return question.length > 0 ? question : mark
  return [shapeOf(bare), ...mark, ...question]
}

const money = /^([$€£¥])?(\p{N}[\p{N}.,'’]{0,30})([$€£¥]|usd|eur|gbp|chf|inr|cad|aud)?$/iu

const shapeOf = (text: string): SayingToken => {
  const [, sign, figures, code] = money.exec(text) ?? []
  if (figures !== undefined) {
    const currency = sign ?? code
    if (currency === undefined && /^\d{8,}$/.test(figures)) return { kind: 'thing', text, kinds: byNumber() }
    const read = readNumber(figures)
    if (read.ok)
      return { kind: 'number', text, value: read.value, ...(currency === undefined ? {} : { currency }) }
    if (read.why !== undefined) return { kind: 'doubt', text }
  }
  if (/^\d{1,3}(?:\.\d{1,3})?%$/.test(text)) return { kind: 'percent', text }
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return { kind: 'since', text, since: text.slice(0, 10) }
  if (/^\d{1,4}[hd]$/i.test(text)) return { kind: 'since', text, since: text.toLowerCase() }
  if (/^\d{1,3}w$/i.test(text)) return { kind: 'since', text, since: `${Number.parseInt(text, 10) * 7}d` }
  if (/^\+[\d().-]{7,20}$/.test(text))
    return { kind: 'thing', text: `+${text.replace(/\D/g, '')}`, kinds: byNumber() }
  const kinds = kindsOfId(text)
  // Who writes all in capitals means the id as it is.
  const id = /^[A-Z]+_[A-Z\d_]+$/.test(text) ? text.toLowerCase() : text
  if (kinds !== undefined) return { kind: 'thing', text: id, kinds }
  return { kind: 'word', text, word: text.toLowerCase().replaceAll('’', "'") }
}

const byAddress = () => kindsWith(({ knownBy }) => knownBy === 'address')
const byNumber = () => kindsWith(({ knownBy }) => knownBy === 'number')

/** The kinds that an id can be of, told by its beginning or its form; undefined for what is no id. */
const kindsOfId = (text: string): readonly ThingKind[] | undefined => {
  if (/^[a-z]{2,12}_[\w-]+$/i.test(text)) return kindsByPrefix(text)
  if (/^[\da-f]{24}$/i.test(text)) return serviceKinds()
  if (/^(?=[a-z]*\d)[a-z\d]{10}$/.test(text)) return ['change', 'job']
  return undefined
}

/** "+1 555 011 0000" is one number. */
const joinedNumbers = (tokens: readonly SayingToken[]): SayingToken[] => {
  const joined: SayingToken[] = []
  for (const token of tokens) {
    const before = joined.at(-1)
    const isStart = before?.kind === 'word' && /^\+\d{1,4}$/.test(before.text)
    const isOpen = before?.kind === 'thing' && /^\+\d{1,11}$/.test(before.text)
    const isFigures =
      token.kind === 'number' ? token.currency === undefined : /^\(?\d[\d().-]*$/.test(token.text)
    if (isFigures && (isStart || isOpen)) {
      const figures = `${before.text}${token.text}`.replace(/[^\d]/g, '')
      joined[joined.length - 1] = { kind: 'thing', text: `+${figures}`, kinds: byNumber() }
    } else joined.push(token)
  }
  return joined
}
