import { accessSync, constants, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import { versionIn } from '../../kernel/store/database/migrate.ts'
import { newestVersion as newest } from '../../kernel/store/database/migrations.ts'
import { nearestFolderOf } from '../../lib/private-files.ts'
import { type Database, DatabaseError } from '../../lib/sql/database.ts'
import { openDatabase } from '../../lib/sql/open.ts'
import { replicationOf } from '../../lib/sql/replication.ts'
import { clockState } from '../../lib/sql/shared-clock.ts'
import type { Config } from '../start/config.ts'

/** Opens it, compares its version with ours, and writes something that is undone. */
export const checkDatabase = async (config: Config['database']): Promise<CheckResult[]> => {
  if (config.url === undefined && !existsSync(join(config.dataDir, 'bellhop.sqlite'))) {
    return [newFile(config.dataDir)]
  }
  const cure =
    config.url === undefined
      ? `Make DATA_DIR (${config.dataDir}) and the files in it writable for this account.`
      : 'Check the host, database, user and password in DATABASE_URL, and that the server takes connections from here.'
  try {
    const db = await openDatabase(config)
    try {
      return [await versionOf(db), await writeTo(db, cure), ...(await replicas(db)), ...(await clocks(db))]
    } finally {
      await db.close()
    }
  } catch (error) {
    return [checkFailed('database', `${wordsOf(error)}. ${isForeign(error) ? foreignCure : cure}`)]
  }
}

/** SQLite's own numbers for a damaged file and for one that is no database. */
const foreign: ReadonlySet<unknown> = new Set([11, 26])
const foreignCure = 'Put a backup in its place, or move it away and let the next start make a new one.'

const isForeign = (error: unknown): boolean =>
  error instanceof DatabaseError && foreign.has((error.cause as { errcode?: unknown } | undefined)?.errcode)

/** Nothing is made for it: whether the first start could is asked of the nearest folder that exists. */
const newFile = (dataDir: string): CheckResult => {
  const nearest = nearestFolderOf(resolve(dataDir))
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK)
  } catch {
    return checkFailed(
      'database',
      `${nearest} cannot be written to. Set DATA_DIR to a folder that this account may use.`,
    )
  }
  return checkPassed('database', `embedded; the first start makes it in ${dataDir}.`)
}

const versionOf = async (db: Database): Promise<CheckResult> => {
  const kind = db.engine === 'postgres' ? 'PostgreSQL' : 'embedded'
  const current = await versionIn(db)
  if (current > newest) {
    return checkFailed(
      'database',
      `${kind}, at version ${current}, and this Bellhop knows versions up to ${newest}. Start a newer Bellhop.`,
    )
  }
  const state = current === newest ? 'up to date' : `the next start brings it to version ${newest}`
  return checkPassed('database', `${kind}, at version ${current}: ${state}.`)
}

const replicas = async (db: Database): Promise<CheckResult[]> => {
  const found = await replicationOf(db)
  if (found === undefined) return []
  return [(found.isConfirmed ? checkPassed : checkFailed)('replication', found.words)]
}

/** Of a machine whose clock is wrong, platforms take no signature and nobody can read a time. */
const maxApartMs = 5_000

const clocks = async (db: Database): Promise<CheckResult[]> => {
  if ((await versionIn(db)) === 0) return []
  const { fromMachineMs, aheadMs, step, at } = await clockState(db)
  const seconds = (ms: number) => `${Math.round(Math.abs(ms) / 1_000).toLocaleString('en')} s`
  const found: CheckResult[] = []
  if (Math.abs(fromMachineMs) > maxApartMs)
    found.push(
      checkFailed(
        'clock',
        `The clock of the database is ${seconds(fromMachineMs)} ${fromMachineMs > 0 ? 'ahead of' : 'behind'} that of this machine. Set both by NTP.`,
      ),
    )
  if (Math.abs(aheadMs) > 1_000 && step !== undefined && at !== undefined)
    found.push(
      checkFailed(
        'clock',
        `The clock ${db.engine === 'postgres' ? 'of the database' : 'of this machine'} stepped ${seconds(step)} ${step > 0 ? 'forward' : 'back'} (${new Date(at).toISOString()} by it). Leases and holds go on as before; times are still ${seconds(aheadMs)} ${aheadMs > 0 ? 'ahead' : 'behind'} and come back to it by themselves. Find out why it stepped.`,
      ),
    )
  return found
}

/** A table, because a start may have to make some; undone, because a doctor leaves nothing behind. */
const writeTo = async (db: Database, cure: string): Promise<CheckResult> => {
  const undo = new Error('undo')
  try {
    await db.tx(async (inner) => {
      await inner.run('CREATE TABLE bellhop_doctor (id BIGINT PRIMARY KEY)')
      await inner.run('INSERT INTO bellhop_doctor (id) VALUES ($1)', [1])
      throw undo
    })
  } catch (error) {
    if (error !== undo) {
      const right = db.engine === 'postgres' ? 'Give its user the right to create tables.' : cure
      return checkFailed('database', `${wordsOf(error)}. ${right}`)
    }
  }
  return checkPassed('database', 'can be written to.')
}

/** The server's own words too, which name the cause; they hold no password. */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof DatabaseError)) throw error
  const { cause } = error
  const { code, message } =
    cause instanceof Error ? (cause as Error & { code?: unknown }) : { code: '', message: '' }
  const detail = message || (typeof code === 'string' ? code : '')
  return detail === '' ? error.message : `${error.message}: ${detail.replace(/\.$/, '')}`
}
