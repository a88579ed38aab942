import { no, ok, type Result } from '../../../lib/result.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import { type Structured, structuredIn } from './structured.ts'

/**
 * A value without quotes, escapes and chat links. In a list where only single items are quoted, their quotes
 * are kept.
 */
export type Value = { text: string; quoted: boolean; hasQuotedItems?: true }

/** A word of a line. A flag written with `=` has that value, `null` if nothing follows the `=`. */
export type Token =
  | ({ kind: 'word' } & Value)
  | { kind: 'flag'; name: string; value: Value | null | undefined }

const closers: ReadonlyMap<string | undefined, string> = new Map([
  ['"', '"“”'],
  ['“', '”"“'],
  ['”', '”"“'],
  ['„', '“”"'],
  ["'", "'‘’"],
  ['‘', "’'"],
  ['’', "’'"],
])

/** Two dashes, or the em or en dash that phones turn them into, before a letter. */
const flagStart = /(?:-{2,}|-*[—–][-—–]*)(?=\p{L})/uy
const link =
  /<(?:mailto:([^|<>]+)|tel:([^|<>]+)|(https?:\/\/[^|<>]+)|@!?&?([A-Z0-9]+)|#([A-Z0-9]+)|!subteam\^([A-Z0-9]+))(?:\|[^<>]*)?>/y

/** With `most`, only so many words from the start are read, and an open quote behind the first ends them. */
export const lex = (line: string, most = Number.POSITIVE_INFINITY): Result<Token[]> => {
  const tokens: Token[] = []
  let at = 0
  let flagsEnd = false
  const structuredAt = structuredIn(line)
  const stop = (from: number) =>
    tokens.length > 0 && most !== Number.POSITIVE_INFINITY ? ok(tokens) : openQuote(line, from)
  for (;;) {
    while (at < line.length && isSpace(line, at)) at++
    if (at >= line.length || tokens.length >= most) return ok(tokens)
    const nameStart = flagsEnd ? undefined : flagNameAt(line, at)
    if (nameStart !== undefined) {
      let nameEnd = nameStart
      while (nameEnd < line.length && !isSpace(line, nameEnd) && line[nameEnd] !== '=') nameEnd++
      const name = line.slice(nameStart, nameEnd)
      if (line[nameEnd] !== '=') {
        tokens.push({ kind: 'flag', name, value: undefined })
        at = nameEnd
        continue
      }
      const value = readValue(line, nameEnd + 1, structuredAt(nameEnd + 1))
      if (value === undefined) return stop(nameEnd + 1)
      tokens.push({ kind: 'flag', name, value: value.text === '' && !value.quoted ? null : value })
      at = value.end
      continue
    }
    const word = readValue(line, at, structuredAt(at))
    if (word === undefined) return stop(at)
    if (!flagsEnd && line.slice(at, word.end) === '--') flagsEnd = true
    else tokens.push(word)
    at = word.end
  }
}

/** Where the name of a flag starts, if there is a flag at this position. */
const flagNameAt = (line: string, at: number): number | undefined => {
  const char = line[at]
  if (char !== '-' && char !== '—' && char !== '–') return undefined
  flagStart.lastIndex = at
  return flagStart.test(line) ? flagStart.lastIndex : undefined
}

/** A word, and where it ends. */
type Read = { kind: 'word'; end: number } & Value

/**
 * Reads a value from `start`: structured, quoted if it starts with a quote, otherwise up to the next white
 * space.
 */
const readValue = (line: string, start: number, structured: Structured | undefined): Read | undefined => {
  const closer = structured === undefined ? closers.get(line[start]) : undefined
  const quoted = closer !== undefined
  const backslash = line[start] !== "'"
  let text = ''
  let at = quoted ? start + 1 : start
  // Unchanged text is copied in one piece; `from` is where that piece starts.
  let from = at
  while (at < line.length) {
    const char = line[at] as string
    if (structured !== undefined) {
      if (at >= structured.end) break
    } else if (closer === undefined ? isSpace(line, at) : closer.includes(char) && isClosing(line, at)) {
      return { kind: 'word', text: text + line.slice(from, at), quoted, end: quoted ? at + 1 : at }
    }
    const unwrapped = char === '<' ? readLink(line, at) : undefined
    if (unwrapped !== undefined) {
      text += line.slice(from, at) + unwrapped.text
      at = unwrapped.end
      from = at
    } else if (quoted && backslash && char === '\\' && '\\"”“<'.includes(line[at + 1] ?? ' ')) {
      text += line.slice(from, at) + line[at + 1]
      at += 2
      from = at
    } else at++
  }
  if (quoted) return undefined
  const read: Read = { kind: 'word', text: text + line.slice(from, at), quoted, end: at }
  if (structured?.kind === 'items') read.hasQuotedItems = true
  return read
}

/**
 * A closing quote counts only at the end of a value, so that an apostrophe inside a value stays an
 * apostrophe.
 */
const isClosing = (line: string, at: number): boolean => at + 1 >= line.length || isSpace(line, at + 1)

const readLink = (line: string, at: number): { text: string; end: number } | undefined => {
  link.lastIndex = at
  const found = link.exec(line)
  if (found === null) return undefined
  return { text: found.slice(1).find((part) => part !== undefined) ?? '', end: link.lastIndex }
}

/** Compares ASCII characters by their code, because nearly all characters are ASCII. */
const isSpace = (line: string, at: number): boolean => {
  const code = line.charCodeAt(at)
  if (code < 128) return code === 32 || (code >= 9 && code <= 13)
  return /\s/u.test(line[at] as string)
}

const openQuote = (line: string, at: number) =>
  no(refusal('open_quote', `The quote in ${line.slice(at, at + 24)} is opened and never closed.`))
