import type { Effect } from '../endpoints/row.ts'
import type { ServiceError } from '../errors.ts'

const firstMs = 100
const longestMs = 2_000

/** Doubling, with the upper half of each step left to chance so that many callers do not come back together. */
export const backoffMs = (attempt: number, random: number) =>
  Math.min(longestMs, firstMs * 2 ** (attempt - 1)) * (0.5 + random / 2)

/** A `once` request is sent again only when no byte of it can have left. */
export function mayRetry(effect: Effect, error: ServiceError, left: boolean) {
  if (error.kind !== 'unavailable' && error.kind !== 'rate_limited') return false
  return effect !== 'once' || !left
}
