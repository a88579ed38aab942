import pg from 'pg'
import { DatabaseError, type Driver, type SqlConnection, type StorageLog } from './database.ts'

/**
 * A connection pool. A dead connection is dropped and the next statement opens another; only statements in
 * progress fail. The client's timeout is for a server that vanished silently, so it is longer than the
 * server's own.
 */
export const openPostgres = (url: string, log?: StorageLog): Driver => {
  // The cause is left out, because it contains the address and its password.
  if (!URL.canParse(url)) throw new DatabaseError('failed', 'DATABASE_URL is not a postgres:// address')
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'bellhop',
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    query_timeout: 15_000,
    // Shorter than the statement timeout: a replica that hangs loses its locks before the others give up.
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
    types: { getTypeParser },
  })
  // Log only the message: the pool attaches the client to the error, and the client contains the password.
  const lost = (error: Error) => log?.warn({ reason: error.message }, 'a database connection was lost')
  // An error event without a listener ends the process, and a connection in use has no listener of the pool.
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', () => undefined))

  return {
    rows: async (sql, params) => (await send(pool, sql, params)).rows,
    run: async (sql, params) => (await send(pool, sql, params)).rowCount ?? 0,
    tx: async (work) => {
      const client = await begin(pool)
      const { connection, isLost } = connectionOf(client)
      let spoiled = true
      try {
        const result = await work(connection)
        const { command } = await send(client, 'COMMIT', [])
        spoiled = command !== 'COMMIT'
        if (spoiled) throw new DatabaseError('failed', 'The database undid a transaction')
        return result
      } catch (error) {
        if (!isLost()) spoiled = !(await succeeds(send(client, 'ROLLBACK', [])))
        throw error
      } finally {
        client.release(spoiled)
      }
    },
    synced: async () => undefined,
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

/** Nothing has happened before BEGIN is answered, so a dead pooled connection can be replaced. */
const begin = async (pool: pg.Pool, again = true): Promise<pg.PoolClient> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw toDatabaseError(error)
  })
  try {
    await send(client, 'BEGIN', [])
    return client
  } catch (error) {
    client.release(true)
    if (!again) throw error
    return begin(pool, false)
  }
}

/** A client runs one statement at a time. */
const connectionOf = (client: pg.PoolClient): { connection: SqlConnection; isLost: () => boolean } => {
  const queue = createSerialQueue()
  let lost = false
  const sent = (sql: string, params: readonly unknown[]) =>
    queue(() =>
      send(client, sql, params).catch((error: unknown) => {
        lost ||= error instanceof DatabaseError && error.kind === 'down'
        throw error
      }),
    )
  return {
    connection: {
      rows: async (sql, params) => (await sent(sql, params)).rows,
      run: async (sql, params) => (await sent(sql, params)).rowCount ?? 0,
    },
    isLost: () => lost,
  }
}

const send = async (
  to: pg.Pool | pg.PoolClient,
  sql: string,
  params: readonly unknown[],
): Promise<pg.QueryResult<Record<string, unknown>>> => {
  try {
    return await to.query(sql, [...params])
  } catch (error) {
    throw toDatabaseError(error)
  }
}

const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  )

/** Counts and times are far below 2^53. */
const int8 = 20
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')

/** SQLSTATE classes for a server that is unreachable, out of resources, or that cancelled the statement. */
const unreachable = ['08', '53', '57', '58']

const toDatabaseError = (error: unknown): DatabaseError => {
  // An error without a SQLSTATE is about the connection, or about a value that cannot be sent.
  const down =
    error instanceof pg.DatabaseError
      ? unreachable.includes(error.code?.slice(0, 2) ?? '')
      : !(error instanceof TypeError)
  return down
    ? new DatabaseError('down', 'The database does not answer', error)
    : new DatabaseError('failed', 'The database refused a statement', error)
}

/** Runs tasks one after the other, in the order in which they arrive. */
const createSerialQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T> | T): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
