import { retry } from '../../retry.ts'
import { type Database, DatabaseError } from './database.ts'
import { migrate } from './migrations.ts'
import { type DatabaseOptions, openDatabase } from './open.ts'

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
  const end = performance.now() + waitMs
  return retry(
    async () => {
      const db = await openDatabase(options)
      try {
        await migrate(db, { now: Date.now })
        return db
      } catch (error) {
        await db.close().catch(() => undefined)
        throw error
      }
    },
    (error, failures) => {
      const isAway = error instanceof DatabaseError && error.kind === 'down' && Boolean(options.url)
      if (!isAway || performance.now() >= end) return undefined
      if (failures === 1) onWait()
      return Math.min(pauseMs, waitMs)
    },
  )
}
