import { DatabaseError, type DatabaseErrorKind } from './database.ts'

/**
 * What an error makes of the connection that it came along. `keep`: nothing. `drop`: it is gone, or nobody knows how it is.
 * `leave`: its server cannot be written to or is going away, so every connection to it is left.
 */
export type Aftermath = {
  kind: Exclude<DatabaseErrorKind, 'unsure'>
  connection: 'keep' | 'drop' | 'leave'
  /** What it was sent to store may be stored all the same: it says how the connection ended, and no word about the statement. */
  isUnsure?: true
}

/**
 * By SQLSTATE, or by its first two letters: https://www.postgresql.org/docs/current/errcodes-appendix.html. Any other is a
 * statement that is wrong.
 */
export const fates: Readonly<Record<string, Aftermath>> = {
  // A plan that the server kept no longer fits: another connection makes its own.
  '0A000': { kind: 'down', connection: 'drop' },
  // A connection was lost or refused.
  '08': { kind: 'down', connection: 'drop', isUnsure: true },
  // A transaction took too long, by a limit that ends its connection.
  '25P03': { kind: 'down', connection: 'drop' },
  '25P04': { kind: 'down', connection: 'drop' },
  // The server only reads: it is a standby, or became one.
  '25006': { kind: 'down', connection: 'leave' },
  // The session is another one than the statement was prepared in.
  '26': { kind: 'down', connection: 'drop' },
  // The database or an account is not there yet, or not any more.
  '28': { kind: 'down', connection: 'drop' },
  '3D': { kind: 'down', connection: 'drop' },
  // The server undid a transaction that was in the way of another, or of the recovery of a standby.
  '40': { kind: 'down', connection: 'keep' },
  // It cannot tell how far a statement came.
  '40003': { kind: 'down', connection: 'drop', isUnsure: true },
  // Out of memory or connections, and, by itself, out of disk.
  '53': { kind: 'down', connection: 'drop' },
  '53100': { kind: 'full', connection: 'keep' },
  // Recovery is in progress.
  '55000': { kind: 'down', connection: 'leave' },
  // Somebody else holds a lock, or uses what is asked for.
  '55006': { kind: 'down', connection: 'keep' },
  '55P03': { kind: 'down', connection: 'keep' },
  // Cancelled: nobody knows how far it came.
  '57': { kind: 'down', connection: 'drop' },
  // Shuts down, crashed, or starts up.
  '57P01': { kind: 'down', connection: 'drop', isUnsure: true },
  '57P02': { kind: 'down', connection: 'leave', isUnsure: true },
  '57P03': { kind: 'down', connection: 'leave', isUnsure: true },
  // The disk of the server.
  '58': { kind: 'down', connection: 'drop' },
}

export const noSuchStatement = '26000'

const wrongStatement: Aftermath = { kind: 'failed', connection: 'keep' }
const lostConnection: Aftermath = { kind: 'down', connection: 'drop', isUnsure: true }

/** An error that no server gave is about the connection, unless it is about a value that cannot be sent. */
export const aftermathOf = (error: unknown): Aftermath => {
  const code = sqlStateOf(error)
  if (code !== undefined) return fates[code] ?? fates[code.slice(0, 2)] ?? wrongStatement
  return error instanceof TypeError ? wrongStatement : lostConnection
}

/** What a server says about itself, and not a system call: five capital letters and digits, with a severity. */
export const sqlStateOf = (error: unknown): string | undefined => {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return severity !== undefined && typeof code === 'string' ? code : undefined
}

/** An error as callers know it. `stores`: what was sent was to be stored with it. */
export const toDatabaseError = (error: unknown, stores = false): DatabaseError => {
  if (error instanceof DatabaseError) return error
  const { kind: known, isUnsure = false } = aftermathOf(error)
  const kind = stores && isUnsure ? 'unsure' : known
  const words = sqlStateOf(error) === '25006' ? 'The database can only be read from' : wordsOf[kind]
  return new DatabaseError(kind, words, error)
}

const wordsOf: Readonly<Record<DatabaseErrorKind, string>> = {
  down: 'The database does not answer',
  full: 'The disk of the database is full',
  unsure: 'The database was lost while it was storing',
  failed: 'The database refused a statement',
}
