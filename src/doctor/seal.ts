import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { sealingOf } from '../core/policy/sealed.ts'
import { type CheckResult, checkFailed, checkPassed } from '../messenger/definition.ts'
import { openDatabase } from '../storage/database/open.ts'
import { createStore } from '../storage/store.ts'

/** Whether the policy file has the signatures that the version in force asks for. */
export const checkSealed = async ({
  policySource,
  policy,
  database,
}: Pick<Config, 'policySource' | 'policy' | 'database'>): Promise<CheckResult[]> => {
  if (database.url === undefined && !existsSync(join(database.dataDir, 'bellhop.sqlite'))) return []
  try {
    const db = await openDatabase(database)
    try {
      const sealing = await sealingOf(createStore(db, { now: Date.now }), policySource)
      if (!sealing.ok) return [checkFailed('seal', `${sealing.why} A start would use the version in force.`)]
      if (sealing.sealedBy !== null)
        return [checkPassed('seal', `signed by ${sealing.sealedBy.join(', ')}; the next start takes it in.`)]
      return policy.seal === null ? [] : [checkPassed('seal', `${policySource.from} is in force, sealed.`)]
    } finally {
      await db.close()
    }
  } catch {
    // What is wrong with the database is said by its own check; an older one has no versions yet.
    return []
  }
}
