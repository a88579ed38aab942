import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isKey, keysAt, nameOfSource } from '../audit/signer.ts'
import type { Config } from '../config.ts'
import { type CheckResult, checkFailed, checkPassed } from '../messenger/definition.ts'
import { openDatabase } from '../storage/database/open.ts'
import { createStore } from '../storage/store.ts'
import { toolLine } from '../tool-words.ts'

/** Whether the key at hand is the one that the audit log in the database has. Nothing is made for it. */
export const checkLogKey = async ({
  database,
  logKey,
}: Pick<Config, 'database' | 'logKey'>): Promise<CheckResult[]> => {
  if (database.url === undefined && !existsSync(join(database.dataDir, 'bellhop.sqlite'))) return []
  let key: string
  try {
    const db = await openDatabase(database)
    try {
      key = (await createStore(db, { now: Date.now }).auditTree.state()).key
    } finally {
      await db.close()
    }
  } catch {
    // What is wrong with the database is said by its own check; an older one has no tree yet.
    return []
  }
  const place = nameOfSource(logKey)
  if (key === '')
    return [checkPassed('audit log', `has no key yet; the first start gives it the one in ${place}.`)]
  return [
    keysAt(logKey).some((one) => isKey(one, key))
      ? checkPassed('audit log', `its key is in ${place}.`)
      : checkFailed(
          'audit log',
          `it is signed by ${key}, and that key is not in ${place}: a start would be refused. Give it that key, or see ${toolLine('audit', 'rotate --help')}.`,
        ),
  ]
}
