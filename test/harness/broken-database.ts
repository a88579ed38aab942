import type { Database } from '../../src/lib/sql/database.ts'
import { toDatabaseError } from '../../src/lib/sql/sqlstates.ts'

/** What a server says about itself before it ends a statement, or a connection. */
export const saidByServer = (code: string, severity = 'ERROR'): Error =>
  Object.assign(new Error(`a server said ${code}`), { code, severity })

/** Every statement fails as if the server had answered it with this, until it is undone. */
export const breakDatabase = (db: Database, error: Error, stores = false): (() => void) => {
  const fail = async () => {
    throw toDatabaseError(error, stores)
  }
  const { all, run, later, tx, together } = db
  Object.assign(db, { all: fail, run: fail, later: fail, tx: fail, together: { all: fail, run: fail } })
  return () => Object.assign(db, { all, run, later, tx, together })
}
