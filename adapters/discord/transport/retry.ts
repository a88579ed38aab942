import { retry } from '../../../src/lib/retry.ts'
import { fromDiscordError } from './errors.ts'

/** For a first answer, which must be there within three seconds. */
export const firstAnswerPausesMs = [100, 300, 600] as const
/** For what follows it: the person waits, and no worker comes back to it. */
export const followUpPausesMs = [500, 1_500, 4_000, 10_000] as const

/** A limit that lasts longer than this is not waited for. */
const longestRetryAfterMs = 60_000

/** Tries again, after each of these pauses or as long as Discord says, what Discord does not take right now. */
export const retryCall = <T>(pausesMs: readonly number[], call: () => Promise<T>): Promise<T> =>
  retry(call, (error, failures) => {
    const pauseMs = pausesMs[failures - 1]
    const { kind, retryAfterMs = 0 } = fromDiscordError(error)
    if (pauseMs === undefined || kind !== 'later' || retryAfterMs > longestRetryAfterMs) return undefined
    return Math.max(pauseMs, retryAfterMs)
  })
