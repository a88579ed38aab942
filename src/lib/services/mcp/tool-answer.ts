import { parseBounded } from '../../codecs/bounded-json.ts'
import { visibleText } from '../../view/visible.ts'
import type { Opened } from '../client/envelope.ts'
import { toShortText } from '../client/service-message.ts'
import { isRecord, type OpenRecord } from '../read-answer.ts'

/**
 * What the answer to a call of a tool says: `refused` where the server declares an error of the tool. Without a verdict it is no
 * result, and nobody can tell from it what was done.
 */
export const openToolAnswer = (message: unknown): Opened => {
  const { result, error } = isRecord(message) ? message : {}
  if (isRecord(error))
    return { ...nothing, message: typeof error.message === 'string' ? toShortText(error.message) : undefined }
  if (!isRecord(result) || !isResult(result)) return nothing
  const texts = textsOf(result)
  const said = { ...nothing, data: result.structuredContent ?? dataIn(texts) }
  return result.isError === true
    ? { ...said, verdict: 'refused', message: toShortText(texts.join('; ')) }
    : { ...said, verdict: 'done' }
}

const nothing: Opened = { verdict: undefined, isWrapped: false, message: undefined, data: undefined }

/** A task that was begun, and a question back, are no results. */
const isResult = ({ content, structuredContent, resultType = 'complete' }: OpenRecord): boolean =>
  resultType === 'complete' && (Array.isArray(content) || isRecord(structuredContent))

const longest = 4_000
const mostParts = 50

/** The texts of an answer, and for what is no text a word that says what it is. */
const textsOf = ({ content }: OpenRecord): string[] =>
  (Array.isArray(content) ? content : []).slice(0, mostParts).flatMap((part) => {
    if (!isRecord(part)) return []
    if (typeof part.text === 'string') return [part.text]
    const inside = isRecord(part.resource) ? part.resource : part
    if (typeof inside.text === 'string') return [inside.text]
    const where = typeof inside.uri === 'string' ? ` ${inside.uri.slice(0, 200)}` : ''
    return [`[${String(part.type).slice(0, 40)}${where}]`]
  })

/** A single text that is JSON is the record that it holds. */
const dataIn = (texts: readonly string[]): unknown => {
  const [first = '', ...others] = texts
  if (others.length === 0 && /^\s*[[{]/.test(first)) {
    try {
      return parseBounded(first)
    } catch {
      // Then it is a text that begins so.
    }
  }
  const text = visibleText(texts.join('\n'))
  return { text: text.length <= longest ? text : `${text.slice(0, longest - 1)}…` }
}
