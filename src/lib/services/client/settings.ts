import type { Backoff } from '../../retry.ts'

export type ClientSettings = {
  readDeadlineMs: number
  writeDeadlineMs: number
  /** Of one attempt that may be repeated. A `once` row has all of its deadline: cutting it short only makes it unknown. */
  attemptMs: number
  maxBytes: number
  /** Requests at a time, per service. */
  concurrency: number
  /** After the first attempt. */
  retries: number
  /** Between the attempts of one call. */
  backoff: Backoff
  breaker: { failures: number; openMs: number }
}

export const defaultSettings: ClientSettings = {
  readDeadlineMs: 8_000,
  writeDeadlineMs: 15_000,
  attemptMs: 4_000,
  maxBytes: 5 * 1024 * 1024,
  concurrency: 16,
  retries: 3,
  backoff: { firstMs: 100, longestMs: 2_000 },
  breaker: { failures: 5, openMs: 10_000 },
}
