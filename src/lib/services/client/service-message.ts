import { withoutAtEnd } from '../../view/end.ts'
import { isRecord } from '../read-answer.ts'

const longest = 300

/** The service's own words in a body of unknown shape, as short plain text; nothing if there are none. */
export function serviceMessageOf(body: unknown): string | undefined {
  const words = firstWords(body, 0)
  if (words === undefined || !isRecord(body)) return words
  const said = detailKeys
    .flatMap((key) => detailsIn(body[key], 0))
    .filter((detail) => !words.includes(detail))
  const some = [...new Set(said)].slice(0, maxDetails)
  return some.length === 0 ? words : toShortText(`${withoutAtEnd(words, '.:')}: ${some.join('; ')}`)
}

/** Single complaints, each with the field it is about where the service names one. */
function detailsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [toShortText(value) ?? ''].filter(Boolean)
  if (typeof value !== 'object' || value === null || depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, maxDetails).flatMap((one) => detailsIn(one, depth + 1))
  const record = value as Record<string, unknown>
  const words = firstWords(record, depth)
  if (words !== undefined) {
    const place = placeKeys
      .map((key) => record[key])
      .find((one) => typeof one === 'string' || Array.isArray(one))
    return [place === undefined ? words : `${String(place)}: ${words}`]
  }
  return Object.entries(record)
    .slice(0, maxDetails)
    .flatMap(([key, one]) => detailsIn(one, depth + 1).map((detail) => `${key}: ${detail}`))
}

export function toShortText(text: string): string | undefined {
  const words = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  if (words === '') return undefined
  // The cut may fall inside a pair of surrogates; the half that stays is dropped.
  return words.length <= longest ? words : `${words.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

const speakingKeys = [
  'message',
  'error',
  'detail',
  'reason',
  'description',
  'title',
  'errors',
  'details',
  'data',
]
const detailKeys = ['errors', 'details', 'error', 'detail', 'issues', 'fields']
const placeKeys = ['field', 'path', 'param', 'property', 'name', 'key']
const maxDetails = 5

function firstWords(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return toShortText(value)
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  if (Array.isArray(value)) {
    const all = value.slice(0, 5).flatMap((one) => firstWords(one, depth + 1) ?? [])
    return all.length === 0 ? undefined : toShortText(all.join('; '))
  }
  for (const key of speakingKeys) {
    const words = Object.hasOwn(value, key)
      ? firstWords((value as Record<string, unknown>)[key], depth + 1)
      : undefined
    if (words !== undefined) return words
  }
  return undefined
}
