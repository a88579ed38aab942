import { visibleLine, visibleText } from '../../../src/lib/view/visible.ts'
import { type Moment, plainWords, type Words } from '../../../src/lib/view/words.ts'

/**
 * Plain text as Discord markdown that shows exactly this text: no formatting, headings, quotes, lists, links, mentions,
 * emoji, timestamps or code. A zero-width space stands in words that notify even when they are escaped.
 */
export const escapeMarkdown = (words: string): string =>
  visibleText(words)
    .replace(/[\\`*_~|[\]<>#]/g, '\\$&')
    .replace(/^([^\S\n\r\u2028\u2029]*)([-+])(?=\s|$)/gm, '$1\\$2')
    .replace(/^([^\S\n\r\u2028\u2029]*\d+)([.)])(?=\s|$)/gm, '$1\\$2')
    .replace(/:\/\//g, '\\://')
    .replace(/@(?=everyone|here)/gi, '@\u200b')

/** On one line. */
export const escapeOneLine = (words: string): string => escapeMarkdown(toOneLine(words))

/** A sentence as markdown: its text escaped, and its instants as Discord shows them to each reader. */
export const markdownOf = (words: Words): string =>
  typeof words === 'string'
    ? escapeMarkdown(words)
    : words.parts.map((part) => (typeof part === 'string' ? escapeMarkdown(part) : dateOf(part))).join('')

/** A moment inside a sentence, or beside others. */
export const dateOf = ({ at }: Moment): string => `<t:${Math.floor(at / 1000)}:f>`

/** On one line, and after escaping no longer than this. */
export const escapeOneLineWithin = (words: string, most: number): string => {
  let length = most
  for (;;) {
    const shown = escapeOneLine(clipText(toOneLine(words), length))
    if (shown.length <= most) return shown
    length = Math.floor(length * 0.9)
  }
}

/** A moment in the reader's own zone and language, with its distance, which Discord keeps true. */
export const timestampOf = ({ at }: Moment): string => {
  const seconds = Math.floor(at / 1000)
  return `<t:${seconds}:f> (<t:${seconds}:R>)`
}

/** In a list: how long ago, or in how long. */
export const ageOf = ({ at }: Moment): string => `<t:${Math.floor(at / 1000)}:R>`

/** Inside a fence only the fence itself means anything. */
export const toCodeBlockText = (words: string): string =>
  visibleText(words)
    .replace(/`{3,}/g, (ticks) => ticks.split('').join('\u200b'))
    .replace(/@(?=everyone|here)/gi, '@\u200b')

export const toOneLine = visibleLine

/** Nothing to see: white space and characters without width. */
export const isBlank = (words: Words): boolean =>
  plainWords(words).toWellFormed().replace(invisible, '').trim() === ''

/** Cut visibly, never inside a character. */
export const clipText = (words: string, most: number): string => {
  if (words.length <= most) return words
  return `${startOf(words, Math.max(0, most - 1))}…`
}

/** At most so many characters, and never half of the last one. */
export const startOf = (words: string, most: number): string =>
  words.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')

/** Format characters, and characters that are invisible. */
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu
