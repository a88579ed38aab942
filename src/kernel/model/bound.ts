import { z } from 'zod'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'

/** A request as it leaves, in the names of its service; the body as it is written down. */
const sentRequest = z.object({
  service: z.string(),
  method: z.string(),
  path: z.string(),
  body: z.string().optional(),
})
export type SentRequest = z.infer<typeof sentRequest>

/** A value that somebody or something outside wrote. What is missing is null. */
export type Facts =
  | string
  | number
  | boolean
  | null
  | readonly Facts[]
  | { readonly [name: string]: Facts | undefined }

/**
 * What a vote is bound to: what would be sent, and the facts that were weighed. It holds no sentence, so whoever words
 * something otherwise voids nothing.
 */
export const boundSchema = z.object({
  /** Of a stored set, the first request: its members differ in nothing else, and have a digest of their own. */
  sent: z.array(sentRequest),
  facts: z.unknown() as unknown as z.ZodType<Facts, Facts>,
  /** The digest of all members of a stored set. */
  set: z.string().optional(),
})
export type Bound = z.infer<typeof boundSchema>

/** Whether the same would be sent, and every fact that both versions of a command know is the same. */
export const isSameBound = (before: Bound, now: Bound): boolean =>
  canonicalJson(before.sent) === canonicalJson(now.sent) &&
  before.set === now.set &&
  isSameFact(before.facts, now.facts)

/** A fact that is new in this version, or is looked at no longer, voids nothing. */
export const isSameFact = (
  before: Facts | undefined,
  now: Facts | undefined,
  isSame = (one: Facts | undefined, other: Facts | undefined) => one === other,
): boolean => {
  if (Array.isArray(before) || Array.isArray(now)) {
    return (
      Array.isArray(before) &&
      Array.isArray(now) &&
      before.length === now.length &&
      before.every((one, at) => isSameFact(one, now[at], isSame))
    )
  }
  if (!isNamed(before) || !isNamed(now)) return isSame(before, now)
  return Object.keys(before).every(
    (name) =>
      before[name] === undefined || now[name] === undefined || isSameFact(before[name], now[name], isSame),
  )
}

/** Whether every fact that is known now was known before. */
export const isWholeFact = (before: Facts | undefined, now: Facts | undefined): boolean => {
  if (Array.isArray(before) && Array.isArray(now)) return before.every((one, at) => isWholeFact(one, now[at]))
  if (!isNamed(before) || !isNamed(now)) return true
  return Object.keys(now).every(
    (name) =>
      (!Object.hasOwn(before, name) || before[name] !== undefined || now[name] === undefined) &&
      isWholeFact(before[name], now[name]),
  )
}

const isNamed = (facts: Facts | undefined): facts is { readonly [name: string]: Facts | undefined } =>
  typeof facts === 'object' && facts !== null && !Array.isArray(facts)
