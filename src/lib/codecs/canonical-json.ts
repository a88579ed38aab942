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

/** Written with plain loops, because every change is written with it several times. */
const encode = (given: unknown): string | undefined => {
  const value = plainOf(given)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = value as Record<string, unknown>
  let text = ''
  // Sorted by code unit, which is the order of `sort` by itself.
  for (const key of Object.keys(members).sort()) {
    const member = encode(members[key])
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${member}`
  }
  return `{${text}}`
}

const plainOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
    ? value.toJSON()
    : value
