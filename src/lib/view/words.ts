import { z } from 'zod'
import { visibleLine } from './visible.ts'

/**
 * An instant, which each platform shows in its reader's own way, and its exact words for where it cannot. No distance from
 * now is stored, so nothing in a view grows old. `isAhead` if it was to come when the view was made.
 */
export const momentSchema = z.object({
  at: z.number(),
  text: z.string(),
  isAhead: z.literal(true).optional(),
})
export type Moment = z.infer<typeof momentSchema>

/** What people read as a sentence: text, and the instants that it names. No text becomes an instant, whatever it says. */
export const wordsSchema = z.union([
  z.string(),
  z.object({ parts: z.array(z.union([z.string(), momentSchema])) }),
])
export type Words = z.infer<typeof wordsSchema>

type Part = string | Moment

/** Makes a sentence that names instants: sentence`Remind them again at ${again} or later.` */
export const sentence = (
  texts: TemplateStringsArray,
  ...values: (Words | Moment | number | undefined)[]
): Words => joinWords(texts.flatMap((text, at) => [text, ...asWords(values[at])]))

export const joinWords = (all: readonly Words[], between = ''): Words => {
  const parts: Part[] = []
  for (const [at, words] of all.entries())
    for (const part of [...(at === 0 ? [] : [between]), ...partsOf(words)]) {
      const last = parts.at(-1)
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
      else if (part !== '') parts.push(part)
    }
  return parts.every((part) => typeof part === 'string') ? parts.join('') : ofParts(parts)
}

/** Where somebody puts it into a text all the same, its exact words stand there. */
const ofParts = (parts: Part[]): Words =>
  Object.defineProperty({ parts }, 'toString', { value: () => plainWords({ parts }) })

const asWords = (value: Words | Moment | number | undefined): Words[] => {
  if (value === undefined) return []
  if (typeof value === 'number') return [String(value)]
  return [typeof value === 'object' && 'at' in value ? ofParts([value]) : value]
}

/** Text and instants in their order. */
export const partsOf = (words: Words): readonly Part[] => (typeof words === 'string' ? [words] : words.parts)

/** The sentence as text, for where a platform shows nobody's own time. */
export const plainWords = (words: Words, clock: (moment: Moment) => string = ({ text }) => text): string =>
  typeof words === 'string'
    ? words
    : words.parts.map((part) => (typeof part === 'string' ? part : clock(part))).join('')

/** The same with its text changed, and its instants as they are. */
export const mapText = (words: Words, change: (text: string) => string): Words =>
  typeof words === 'string'
    ? change(words)
    : ofParts(words.parts.map((part) => (typeof part === 'string' ? change(part) : part)))

/** On one line, with everything in it to be seen; the space beside an instant stays. */
export const visibleWords = (words: Words): Words =>
  typeof words === 'string'
    ? visibleLine(words)
    : mapText(words, (text) => {
        const line = visibleLine(text)
        return `${/^\s/.test(text) ? ' ' : ''}${line}${line !== '' && /\s$/.test(text) ? ' ' : ''}`
      })
