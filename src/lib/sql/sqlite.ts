import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { after, ticks } from '../clock.ts'
import { closeToOthers, keepOwn } from '../private-files.ts'
import { backoffMs, retry } from '../retry.ts'
import {
  DatabaseError,
  type Driver,
  isOutOfDisk,
  type SqlConnection,
  type TransactionConnection,
} from './database.ts'
import { createFileSync } from './file-sync.ts'
import { createGroupCommit } from './group-commit.ts'

const patienceMs = 5_000

/**
 * One connection. The work of a transaction is asynchronous, so everything else in this process waits for it.
 * Waiting for other processes on the same file does not block the event loop.
 */
export const openSqlite = async (file: string): Promise<Driver> => {
  const sqlite = open(file)
  const statements = new Map<string, StatementSync>()
  const sync = createFileSync(`${file}-wal`)
  const synced = () =>
    sync().catch((error: unknown) => {
      // It is written, and others see it; whether it outlives a power cut nobody knows.
      throw new DatabaseError('unsure', 'The database file cannot be written to the disk', error)
    })
  const groupCommit = createGroupCommit({ sqlite, patiently, translated, sync: synced })

  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = sqlite.prepare(toSqlite(sql))
    statements.set(sql, statement)
    return statement
  }
  const rows = (sql: string, params: readonly unknown[]): unknown[] =>
    prepared(sql).all(...(params as SQLInputValue[]))
  const run = (sql: string, params: readonly unknown[]): number =>
    Number(prepared(sql).run(...(params as SQLInputValue[])).changes)

  const inside: TransactionConnection = {
    rows: async (sql, params) => translated(() => rows(sql, params)),
    run: async (sql, params) => translated(() => run(sql, params)),
    // Nothing is gained by waiting: here a statement is done when it was sent.
    later: (sql, params) => void translated(() => run(sql, params)),
  }
  const outside: SqlConnection = {
    rows: (sql, params, durability) =>
      isRead(sql)
        ? groupCommit.enlist('read', () => rows(sql, params), 'buffered')
        : groupCommit.enlist('statement', () => rows(sql, params), durability),
    run: (sql, params, durability) => groupCommit.enlist('statement', () => run(sql, params), durability),
  }
  return {
    ...outside,
    together: outside,
    tx: (work, durability) => groupCommit.enlist('transaction', () => work(inside), durability),
    synced: () => groupCommit.synced(),
    close: () =>
      groupCommit.enlist(
        'close',
        async () => {
          await sync.close()
          if (sqlite.isOpen) sqlite.close()
        },
        'buffered',
      ),
  }
}

const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql)

const open = (file: string): DatabaseSync => {
  try {
    keepOwn(file)
    // Those beside it are made with the mode of the file, and may be older than that.
    for (const beside of ['-wal', '-shm', '-journal']) closeToOthers(`${file}${beside}`)
    const sqlite = new DatabaseSync(file, { timeout: patienceMs })
    sqlite.exec('PRAGMA journal_mode = WAL')
    // A commit writes the log without waiting for the disk; `group-commit.ts` waits before it reports the
    // result.
    sqlite.exec('PRAGMA synchronous = NORMAL')
    sqlite.exec('PRAGMA foreign_keys = ON')
    // From here on `patiently` waits for a busy file, without blocking the process.
    sqlite.exec('PRAGMA busy_timeout = 5')
    return sqlite
  } catch (error) {
    throw new DatabaseError('down', `The database file ${file} cannot be opened`, error)
  }
}

/**
 * SQLite writes parameters as `?1`. Row locks are removed, because a writing transaction locks the whole
 * file.
 */
const toSqlite = (sql: string): string =>
  sql.replaceAll(/\$(\d+)/g, '?$1').replaceAll(/ FOR UPDATE( SKIP LOCKED)?/g, '')

/** A busy error means that nothing was changed, so retrying is safe. */
const patiently = async <T>(attempt: () => T): Promise<T> => {
  const deadline = after(ticks(), patienceMs)
  return retry(attempt, (error, failures) => {
    if (!isBusy(error) || ticks() > deadline) throw toDatabaseError(error)
    return backoffMs({ firstMs: 1.5, longestMs: 60 }, failures, Math.random())
  })
}

const translated = <T>(attempt: () => T): T => {
  try {
    return attempt()
  } catch (error) {
    throw toDatabaseError(error)
  }
}

/**
 * https://sqlite.org/rescode.html: the primary codes for a file that cannot be used, as opposed to wrong SQL.
 */
const unreachable = new Set([5, 6, 7, 8, 10, 11, 14, 15, 22, 23, 26])

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined

/** SQLITE_FULL. */
const full = 13

const isBusy = (error: unknown): boolean => codeOf(error) === 5

const toDatabaseError = (error: unknown): DatabaseError => {
  if (error instanceof DatabaseError) return error
  const code = codeOf(error)
  if (code === full || isOutOfDisk(error))
    return new DatabaseError('full', 'The disk of the database file is full', error)
  const closed = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'
  return closed || (code !== undefined && unreachable.has(code))
    ? new DatabaseError('down', 'The database file cannot be used', error)
    : new DatabaseError('failed', 'The database refused a statement', error)
}
