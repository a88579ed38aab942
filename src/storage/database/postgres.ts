import pg from 'pg'
import { defined } from '../../defined.ts'
import { madeOnce } from '../../made-once.ts'
import { DatabaseError, type Driver, type StorageLog, type TransactionConnection } from './database.ts'

export const postgresLimits = {
  max: 10,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  // For a server that vanished silently, so it is longer than the server's own.
  query_timeout: 15_000,
  // Shorter than the statement timeout: a replica that hangs loses its locks before the others give up.
  idle_in_transaction_session_timeout: 5_000,
}

/**
 * A connection pool. A dead connection is dropped and the next statement opens another; only statements in
 * progress fail.
 */
export const openPostgres = (url: string, log?: StorageLog): Driver => {
  // The cause is left out, because it contains the address and its password.
  if (!URL.canParse(url)) throw new DatabaseError('failed', 'DATABASE_URL is not a postgres:// address')
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'bellhop',
    ...postgresLimits,
    keepAlive: true,
    types: { getTypeParser },
  })
  // Log only the message: the pool attaches the client to the error, and the client contains the password.
  const lost = (error: Error) => log?.warn({ reason: error.message }, 'a database connection was lost')
  // An error event without a listener ends the process, and a connection in use has no listener of the pool.
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', () => undefined))

  const [reads, writes] = [createLane(pool), createLane(pool)]
  return {
    rows: async (sql, params) => (await send(pool, sql, params)).rows,
    run: async (sql, params) => (await send(pool, sql, params)).rowCount ?? 0,
    together: {
      rows: async (sql, params) => (await reads(sql, params)).rows,
      run: async (sql, params) => (await writes(sql, params)).rowCount ?? 0,
    },
    tx: async (work) => {
      const { client, isBegun } = await take(pool)
      const batches = createBatches(client, isBegun)
      let spoiled = true
      try {
        const result = await work(batches.connection)
        spoiled = !(await batches.commit())
        if (spoiled) throw new DatabaseError('failed', 'The database undid a transaction')
        return result
      } catch (error) {
        spoiled = !(await batches.rollback())
        throw error
      } finally {
        usedAt.set(client, performance.now())
        client.release(spoiled)
      }
    },
    synced: async () => undefined,
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

/** When a connection was last seen to work. */
const usedAt = new WeakMap<pg.PoolClient, number>()
const provenMs = 1_000

/**
 * A connection for a transaction. One that was idle for a while may be dead without anybody having noticed: it is tried
 * with BEGIN alone, and replaced if that fails, because nothing has happened before. Whatever else was sent is never sent
 * again.
 */
const take = async (pool: pg.Pool): Promise<{ client: pg.PoolClient; isBegun: boolean }> => {
  const client = await connect(pool)
  const lastUsed = usedAt.get(client)
  if (lastUsed !== undefined && performance.now() - lastUsed < provenMs) return { client, isBegun: false }
  try {
    await send(client, 'BEGIN', [])
    return { client, isBegun: true }
  } catch {
    client.release(true)
    return { client: await connect(pool), isBegun: false }
  }
}

const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw toDatabaseError(error)
  })

/** As the pool does for one statement: a connection that failed does not come back. */
const lent = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await connect(pool)
  let isLost = true
  try {
    const result = await work(client)
    isLost = false
    return result
  } catch (error) {
    isLost = !(error instanceof DatabaseError && error.kind === 'failed')
    throw error
  } finally {
    client.release(isLost)
  }
}

type Answer = Pick<pg.QueryResult<Record<string, unknown>>, 'rows' | 'rowCount' | 'command'>
type Statement = {
  sql: string
  params: readonly unknown[]
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const mostTogether = 64

/**
 * Short statements of different callers. One alone leaves at once; those that come while it is under way leave together,
 * in one trip and one commit. If the server refuses any of them it has done none, and each is sent alone; when the
 * connection is lost nobody knows, so all fail.
 */
const createLane = (pool: pg.Pool) => {
  let waiting: Statement[] = []
  let isRunning = false
  const alone = ({ sql, params, resolve, reject }: Statement): Promise<void> =>
    send(pool, sql, params).then(resolve, reject)
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, mostTogether)
      waiting = waiting.slice(group.length)
      try {
        const answers = await lent(pool, (client) => trip(client, [], group))
        for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer)
      } catch (error) {
        const isRefused = error instanceof DatabaseError && error.kind === 'failed'
        // One after the other, as they came.
        if (isRefused && group.length > 1) for (const one of group) await alone(one)
        else for (const { reject } of group) reject(error)
      }
    }
    isRunning = false
  }
  return (sql: string, params: readonly unknown[]): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ sql, params, resolve, reject })
      if (isRunning) return
      isRunning = true
      // After everything that is asked for in the same moment.
      setImmediate(drain)
    })
}

/**
 * The statements of one transaction, in as few trips to the server as there are answers to wait for. Statements that are
 * sent before anybody waits leave together, as one message; BEGIN leaves with the first and COMMIT with the last. If one
 * fails, the server runs none of those behind it.
 */
const createBatches = (client: pg.PoolClient, isBegun: boolean) => {
  let waiting: Statement[] = []
  let underWay: Promise<void> | undefined
  let hasBegun = isBegun
  let lost = false

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const begin = hasBegun ? [] : ['BEGIN']
      hasBegun = true
      try {
        const answers = await trip(client, begin, batch)
        for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer)
      } catch (error) {
        lost ||= error instanceof DatabaseError && error.kind === 'down'
        for (const { reject } of batch) reject(error)
      }
    }
    underWay = undefined
  }
  const add = (sql: string, params: readonly unknown[]): Promise<Answer> =>
    new Promise((resolve, reject) => waiting.push({ sql, params, resolve, reject }))
  const sent = (sql: string, params: readonly unknown[]): Promise<Answer> => {
    const answer = add(sql, params)
    // After everything that can go on without an answer has gone on.
    underWay ??= Promise.resolve()
      .then(() => new Promise<void>((resolve) => process.nextTick(resolve)))
      .then(flush)
    return answer
  }
  const connection: TransactionConnection = {
    rows: async (sql, params) => (await sent(sql, params)).rows,
    run: async (sql, params) => (await sent(sql, params)).rowCount ?? 0,
    later: (sql, params) => void add(sql, params).catch(() => undefined),
  }
  return {
    connection,
    /** False when the server undid it. */
    commit: async (): Promise<boolean> =>
      (!hasBegun && waiting.length === 0) || (await sent('COMMIT', [])).command === 'COMMIT',
    /** False when the connection cannot be used again. */
    rollback: async (): Promise<boolean> => {
      waiting = []
      await underWay
      return !lost && (!hasBegun || succeeds(send(client, 'ROLLBACK', [])))
    },
  }
}

/** One statement goes as it is; several as one text, with their values written into it. */
const trip = async (
  client: pg.PoolClient,
  begin: readonly string[],
  batch: readonly Statement[],
): Promise<Answer[]> => {
  const [only] = batch
  if (only !== undefined && batch.length === 1 && begin.length === 0) {
    return [await send(client, only.sql, only.params)]
  }
  const plans = plansOf(client)
  try {
    const parts = [...begin]
    const at: number[] = []
    for (const { sql, params } of batch) {
      const { prepare, run } = plans.textOf(sql, params)
      if (prepare !== undefined) parts.push(prepare)
      at.push(parts.push(run) - 1)
    }
    const answers = [(await client.query(parts.join(';\n'))) as unknown as Answer | Answer[]].flat()
    return at.map((index) => answers[index] as Answer)
  } catch (error) {
    plans.doubt()
    throw toDatabaseError(error)
  }
}

type Plans = {
  /** A statement as text, and what makes the server remember its plan where it does not yet. */
  textOf(sql: string, params: readonly unknown[]): { prepare?: string; run: string }
  /** Whether the server has heard of the last ones is not known: all get other names. */
  doubt(): void
}

const plansByClient = new WeakMap<pg.PoolClient, Plans>()

/** The server plans a statement once for each connection, and not each time that it comes. */
const plansOf = (client: pg.PoolClient): Plans =>
  madeOnce(plansByClient, client, () => {
    let heard = new Set<string>()
    let doubts = 0
    return {
      textOf: (sql, params) => {
        const name = nameOf(sql)
        if (name === undefined) return { run: withValues(sql, params) }
        const own = `${name}_${doubts}`
        const run = executed(own, params.map(literalOf).join(', '))
        if (heard.has(name)) return { run }
        heard.add(name)
        return { prepare: `PREPARE ${own} AS ${sql}`, run }
      },
      doubt: () => {
        heard = new Set()
        doubts++
      },
    }
  })

/** Those that are asked for first are those that are asked for always; one with a list of values may come in any length. */
const mostNamed = 250
const names = new Map<string, string>()
/** What a pooler says that gives each transaction another connection: nothing was done, and names are of no use there. */
const forgotten: readonly unknown[] = ['26000', '42P05']
let areNamesKept = true

const nameOf = (sql: string): string | undefined => {
  if (!areNamesKept) return undefined
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= mostNamed || !isPlanned(sql)) return undefined
  const name = `bellhop_${names.size}`
  names.set(sql, name)
  return name
}

const executed = (name: string, values: string): string =>
  values === '' ? `EXECUTE ${name}` : `EXECUTE ${name} (${values})`

const isPlanned = (sql: string): boolean => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql)

const withValues = (sql: string, params: readonly unknown[]): string =>
  sql.replaceAll(/\$(\d+)/g, (_, n: string) => literalOf(params[Number(n) - 1]))

/** A value as SQL. Anything else is never stored. */
const literalOf = (value: unknown): string => {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number' && Number.isFinite(value)) return `(${value})`
  throw new TypeError('this value cannot be stored')
}

const send = async (
  to: pg.Pool | pg.PoolClient,
  sql: string,
  params: readonly unknown[],
): Promise<pg.QueryResult<Record<string, unknown>>> => {
  try {
    const name = nameOf(sql)
    return await to.query({ text: sql, values: [...params], ...defined({ name }) })
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
export const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')

/** SQLSTATE classes for a server that is unreachable, out of resources, or that cancelled the statement. */
const unreachable = ['08', '53', '57', '58']

const toDatabaseError = (error: unknown): DatabaseError => {
  if (error instanceof pg.DatabaseError && forgotten.includes(error.code)) {
    areNamesKept = false
    return new DatabaseError(
      'down',
      'The database has forgotten a statement; from now on it is told each',
      error,
    )
  }
  // An error without a SQLSTATE is about the connection, or about a value that cannot be sent.
  const down =
    error instanceof pg.DatabaseError
      ? unreachable.includes(error.code?.slice(0, 2) ?? '')
      : !(error instanceof TypeError)
  return down
    ? new DatabaseError('down', 'The database does not answer', error)
    : new DatabaseError('failed', 'The database refused a statement', error)
}
