const longest = 300

/** The service's own words in a body of unknown shape, as short plain text; nothing if there are none. */
export function serviceMessageOf(body: unknown): string | undefined {
  return firstWords(body, 0)
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

const speakingKeys = ['message', 'error', 'errors', 'detail', 'details', 'reason', 'description', 'data']

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
