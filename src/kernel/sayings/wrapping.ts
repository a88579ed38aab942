import type { Language } from '../command/language.ts'
import { phrasesIn } from './vocabulary.ts'

const maxWords = 4

/** A sentence without what people write around it: the marks of a quoted mail, "Hello team,", "Best regards, Sam". Linear in its length. */
export const createUnwrap = ({ greetings, signoffs }: Language): ((said: string) => string) => {
  const opening = new Set(phrasesIn(greetings))
  const closing = new Set(phrasesIn(signoffs))
  const isShort = (words: readonly string[]) => words.length <= maxWords
  const opens = (words: readonly string[]) =>
    isShort(words) && words.some((_, at) => opening.has(words.slice(0, at + 1).join(' ')))
  const closes = (words: readonly string[]) => closing.has(words.join(' '))

  /** A name and no more: an address or a number in it may be whom it is about. */
  const isSignature = (part: string) => isShort(wordsOf(part)) && !/[@\d]/.test(part)

  return (said) => {
    // A row of a table is its cells.
    const bare = said.replace(/^[ \t]*(?:>[ \t]?){1,5}/gm, '').replace(/(?<=^|\s)\|(?=\s|$)/gm, ' ')
    const parts = sayingParts(bare)
    let first = 0
    while (first < parts.length - 1 && opens(wordsOf(parts[first] as string))) first++
    const end = parts.findIndex(
      (part, at) => at > first && closes(wordsOf(part)) && parts.slice(at + 1).every(isSignature),
    )
    return withoutMarks(parts.slice(first, end === -1 ? parts.length : end).join(' ')) || said
  }
}

const marks = new Set(' ,;:.!–—-')

export const withoutMarks = (text: string): string => {
  let end = text.length
  while (end > 0 && marks.has(text[end - 1] as string)) end--
  return text.slice(0, end)
}

/** Between marks that a space follows, and between lines. */
export const sayingParts = (text: string): string[] => {
  const parts: string[] = []
  for (const line of text.split('\n')) {
    let part = ''
    for (const word of line.split(/[ \t]+/)) {
      part = part === '' ? word : `${part} ${word}`
      if (!/[,;.!?:–—]$/.test(word)) continue
      parts.push(part)
      part = ''
    }
    if (part !== '') parts.push(part)
  }
  return parts
}

const wordsOf = (part: string): string[] =>
  part
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}'@+ ]+/gu, ' ')
    .trim()
    .split(/ +/)
