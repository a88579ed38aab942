import { withoutAtEnd } from '../../view/end.ts'
import { isRecord } from '../read-answer.ts'

const longest = 300

/** The service's own words in a body of unknown shape, as short plain text; nothing if there are none. */
export function serviceMessageOf(body: unknown): string | undefined {
  const near = nearPartOf(body, 5)
  const words = firstWords(near)
  if (words === undefined || !isRecord(near)) return words
  const said = detailKeys.flatMap((key) => detailsIn(near[key])).filter((detail) => !words.includes(detail))
  const some = [...new Set(said)].slice(0, mostDetails)
  return some.length === 0 ? words : toShortText(`${withoutAtEnd(words, '.:')}: ${some.join('; ')}`)
}

/** What is looked through for words: so many levels, and the first of each list. */
function nearPartOf(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return undefined
  if (Array.isArray(value)) return value.slice(0, mostDetails).map((one) => nearPartOf(one, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, nearPartOf(one, levels - 1)]))
}

/** Single complaints, each with the field it is about where the service names one. */
function detailsIn(value: unknown): string[] {
  if (typeof value === 'string') return [toShortText(value) ?? ''].filter(Boolean)
  if (Array.isArray(value)) return value.flatMap(detailsIn)
  if (!isRecord(value)) return []
  const words = firstWords(value)
  if (words !== undefined) {
    const place = placeKeys
      .map((key) => value[key])
      .find((one) => typeof one === 'string' || Array.isArray(one))
    return [place === undefined ? words : `${String(place)}: ${words}`]
  }
  return Object.entries(value).flatMap(([key, one]) => detailsIn(one).map((detail) => `${key}: ${detail}`))
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
const mostDetails = 5

function firstWords(value: unknown): string | undefined {
  if (typeof value === 'string') return toShortText(value)
  if (Array.isArray(value)) {
    const all = value.flatMap((one) => firstWords(one) ?? [])
    return all.length === 0 ? undefined : toShortText(all.join('; '))
  }
  if (!isRecord(value)) return undefined
  for (const key of speakingKeys) {
    const words = Object.hasOwn(value, key) ? firstWords(value[key]) : undefined
    if (words !== undefined) return words
  }
  return undefined
}
