import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { type CheckResult, checkFailed, checkPassed } from '../messenger/definition.ts'
import { entryKinds } from '../model/checkpoint.ts'
import { ownCommand } from '../storage/audit-tree.ts'
import { databaseFileIn, openDatabase } from '../storage/database/open.ts'
import { createStore, type Store } from '../storage/store.ts'
import { toolLine } from '../tool-words.ts'
import { absolute } from '../view/format.ts'

const dayMs = 24 * 3_600_000
const mostDays = 90

/** What the database of a bot that has run says of itself: when a restore was drilled, and which policy is in force. */
export const checkRecords = async ({
  database,
  demo,
  policy,
}: Pick<Config, 'database' | 'demo' | 'policy'>): Promise<CheckResult[]> => {
  if (demo || (database.url === undefined && !existsSync(databaseFileIn(database.dataDir)))) return []
  try {
    const db = await openDatabase(database)
    try {
      const store = createStore(db, { now: Date.now })
      return [await aboutDrill(store), ...(await aboutPolicy(store, policy.digest))]
    } finally {
      await db.close()
    }
  } catch {
    // What is wrong with the database is said by its own check; an older one has no such tables yet.
    return []
  }
}

const aboutDrill = async (store: Store): Promise<CheckResult> => {
  const own = await store.audit.find({ command: ownCommand, limit: 1_000 })
  const last = own.find(({ kind }) => kind === entryKinds.drilled)
  const how = `Try a backup out: ${toolLine('restore', '<file> --drill')}.`
  if (last !== undefined) {
    const words = `a restore was last drilled on ${absolute(last.at)}.`
    return Date.now() - last.at < mostDays * dayMs
      ? checkPassed('backup', words)
      : checkFailed('backup', `${words} That is more than ${mostDays} days ago. ${how}`)
  }
  const first = own.at(-1)?.at ?? Date.now()
  return Date.now() - first < mostDays * dayMs
    ? checkPassed('backup', `no restore was drilled yet. ${how}`)
    : checkFailed('backup', `no restore was ever drilled, in more than ${mostDays} days. ${how}`)
}

/** Replicas follow the newest version on record; a file of this machine that differs is not in force anywhere. */
const aboutPolicy = async (store: Store, digest: string): Promise<CheckResult[]> => {
  const newest = await store.policies.newest()
  if (newest === undefined || newest.digest === digest) return []
  return [
    checkPassed(
      'policy',
      `the file here differs from version ${newest.n}, which replicas have in force since ${absolute(newest.at)}: policy reload or a start brings it in.`,
    ),
  ]
}
