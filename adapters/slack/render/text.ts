import { formatNumber } from '../../../src/lib/view/format-number.ts'
import { visibleText } from '../../../src/lib/view/visible.ts'
import { limits } from '../api/limits.ts'

/** In text that Slack reads as markup these three are all that can mean something; nothing else is escaped. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const unescapeMarkup = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/**
 * Text beside a date, which Slack takes in markup only: nothing in it is read as markup, links, emoji or emphasis. Ids such
 * as pay_1 stay as they are, because inside a word an underscore means nothing.
 */
export const escapeAll = (text: string): string =>
  escapeMarkup(text)
    .replace(/(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu, '\u200b$&\u200b')
    .replace(/:(?=[\w+'-]+:)/g, ':\u200b')

/** Cut visibly: the end says how much was left out. */
export const truncate = (text: string, most: number): string => truncateSeen(visibleText(text), most)

/** The same for what was made visible before. */
export const truncateSeen = (words: string, most: number): string => {
  if (words.length <= most) return words
  const note = (left: number) => `… (${formatNumber(left)} characters left out)`
  const kept = prefixOf(words, Math.max(0, most - note(words.length).length))
  return kept === '' ? prefixOf(words, most) : `${kept}${note(words.length - kept.length)}`
}

/** For short places, where only an ellipsis has room. */
export const ellipsize = (text: string, most: number): string => {
  const words = visibleText(text)
  return words.length <= most ? words : `${prefixOf(words, most - 1)}…`
}

/** Something to see: Slack takes no empty text. */
export const visible = (text: string, instead = '–'): string =>
  /[!-~]/.test(text) || /[^\s\p{Cf}\p{Cc}\p{Mn}\u2800\u3164\uffa0]/u.test(text) ? text : instead

/** Text that Slack shows as it is: no markup and no emoji codes. */
export const plainText = (text: string, most: number = limits.text) => ({
  type: 'plain_text' as const,
  text: ellipsize(visible(visibleText(text)), most),
  emoji: false,
})

export const splitText = (text: string, size: number): string[] => {
  const chunks: string[] = []
  for (let at = 0; at < text.length; ) {
    const chunk = prefixOf(text.slice(at), size)
    chunks.push(chunk)
    at += chunk.length
  }
  return chunks
}

/** The start of a text, never half a letter. */
const prefixOf = (text: string, most: number): string => {
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most
  return text.slice(0, Math.max(0, end))
}
