import { number } from '../../src/view/format.ts'
import { limits } from './limits.ts'

/** In text that Slack reads as markup these three are all that can mean something; nothing else is escaped. */
export const toMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const fromMarkup = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** No control characters and no halves of letters: they mean nothing to people and swell the JSON. */
export const clean = (text: string): string =>
  text.toWellFormed().replace(/\p{Cc}/gu, (char) => (char === '\n' || char === '\t' ? char : ''))

/** Cut visibly: the end says how much was left out. */
export const cut = (text: string, most: number): string => {
  const words = clean(text)
  if (words.length <= most) return words
  const note = (left: number) => `… (${number(left)} characters left out)`
  const kept = wholeTo(words, Math.max(0, most - note(words.length).length))
  return kept === '' ? wholeTo(words, most) : `${kept}${note(words.length - kept.length)}`
}

/** For short places, where only a sign has room. */
export const clip = (text: string, most: number): string => {
  const words = clean(text)
  return words.length <= most ? words : `${wholeTo(words, most - 1)}…`
}

/** Something to see: Slack takes no empty text. */
export const visible = (text: string, instead = '–'): string =>
  /[^\s\p{Cf}\p{Cc}\p{Mn}\u2800\u3164\uffa0]/u.test(text) ? text : instead

/** Text that Slack shows as it is: no markup and no emoji codes. */
export const plain = (text: string, most: number = limits.text) => ({
  type: 'plain_text' as const,
  text: clip(visible(clean(text)), most),
  emoji: false,
})

export const chunksOf = (text: string, size: number): string[] => {
  const chunks: string[] = []
  for (let at = 0; at < text.length; ) {
    const chunk = wholeTo(text.slice(at), size)
    chunks.push(chunk)
    at += chunk.length
  }
  return chunks
}

/** The start of a text, never half a letter. */
const wholeTo = (text: string, most: number): string => {
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? '') && text.length > most ? most - 1 : most
  return text.slice(0, Math.max(0, end))
}
