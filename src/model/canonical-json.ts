import { createHash } from 'node:crypto'

/**
 * JSON with exactly one text per value: keys sorted by code unit, undefined values dropped, numbers and
 * strings as JSON.stringify writes them. Parsing and writing it again gives the same text, so it can be
 * hashed.
 */
export const canonicalJson = (value: unknown): string => encode(value) ?? 'null'

/** SHA-256, in hex, of the canonical JSON of a value. */
export const digestOf = (value: unknown): string => textDigestOf(canonicalJson(value))

/** SHA-256, in hex, of a text as it is, as `sha256sum` says it of a file. */
export const textDigestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const encode = (given: unknown): string | undefined => {
  const value = plainOf(given)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, member]) => {
      const text = encode(member)
      return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`]
    })
  return `{${members.join(',')}}`
}

const plainOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
    ? value.toJSON()
    : value
