import { backoffMs, retry } from '../../lib/retry.ts'
import type { Log } from '../core.ts'

const pauses = { firstMs: 200, longestMs: 5_000 }
const attempts = 120

/** After about ten minutes it is given up. */
export const pauseAfter = (failures: number): number | undefined =>
  failures < attempts ? backoffMs(pauses, failures) : undefined

/** What has happened outside must be written down: a database that is away is waited for. */
export const untilStored = <T>({ log }: { log: Log }, fields: object, store: () => Promise<T>): Promise<T> =>
  retry(store, (error, failures) => {
    log.error({ ...fields, err: error, failures }, 'what happened could not be stored yet')
    return pauseAfter(failures)
  })
