import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { streamState } from '../core/stream.ts'
import { type CheckResult, checkFailed, checkPassed } from '../messenger/definition.ts'
import { openDatabase } from '../storage/database/open.ts'
import { createStore } from '../storage/store.ts'
import { plural } from '../view/button-labels.ts'
import { absolute } from '../view/format.ts'

/** A receiver that is further behind than this needs a look. */
const lateMs = 300_000

/** Whether the receiver of the audit log's stream has what it should. */
export const checkStream = async ({
  policy,
  database,
}: Pick<Config, 'policy' | 'database'>): Promise<CheckResult[]> => {
  if (policy.stream === null) return []
  if (database.url === undefined && !existsSync(join(database.dataDir, 'bellhop.sqlite'))) return []
  try {
    const db = await openDatabase(database)
    try {
      const state = await streamState(createStore(db, { now: Date.now }), policy.stream, Date.now())
      if (state === undefined) return []
      const { to, behind, lagMs, away } = state
      const lag = behind === 0 ? 'has everything' : `is ${plural(behind, 'entry', 'entries')} behind`
      if (away !== undefined)
        return [
          checkFailed(
            'stream',
            `${to} is away since ${absolute(away.since)}: ${away.why}. It ${lag}, and gets them when it is back.`,
          ),
        ]
      return [
        lagMs > lateMs
          ? checkFailed(
              'stream',
              `${to} ${lag}, for over five minutes. Is a bot running that gives them out?`,
            )
          : checkPassed('stream', `${to} ${lag}.`),
      ]
    } finally {
      await db.close()
    }
  } catch {
    // What is wrong with the database is said by its own check; an older one has no stream yet.
    return []
  }
}
