import { after, ticks, wallTime } from '../../../lib/clock.ts'
import { retry } from '../../../lib/retry.ts'
import { type Database, isAway } from '../../../lib/sql/database.ts'
import { type DatabaseOptions, openDatabase } from '../../../lib/sql/open.ts'
import { migrate } from './migrate.ts'

type Wait = {
  /** How long a server that does not answer is waited for. A file is there or it is not. */
  waitMs?: number | undefined
  /** Called once, when the wait begins. */
  onWait?: (() => void) | undefined
}

const pauseMs = 1_000

/** The database with every migration done. */
export const openUpToDate = (
  options: DatabaseOptions,
  { waitMs = 0, onWait = () => undefined }: Wait = {},
): Promise<Database> => {
  const end = after(ticks(), waitMs)
  return retry(
    async () => {
      const db = await openDatabase(options)
      try {
        await migrate(db, { now: wallTime })
        return db
      } catch (error) {
        await db.close().catch(() => undefined)
        throw error
      }
    },
    (error, failures) => {
      if (!options.url || !isAway(error) || ticks() >= end) return undefined
      if (failures === 1) onWait()
      return Math.min(pauseMs, waitMs)
    },
  )
}
