import { createHash } from 'node:crypto'
import pg from 'pg'
import { msBetween, ticks } from '../clock.ts'
import { defined } from '../defined.ts'
import { madeOnce } from '../made-once.ts'
import { connectLimits, createConnector, type OnConnect } from './connect.ts'
import { DatabaseError, type Driver, type StorageLog, type TransactionConnection } from './database.ts'
import { createPool, type Held, type Pool, poolLimits } from './pool.ts'
import { type Aftermath, aftermathOf, noSuchStatement, sqlStateOf, toDatabaseError } from './sqlstates.ts'

export const postgresLimits = {
  max: poolLimits.max,
  connectionTimeoutMillis: connectLimits.connectMs,
  statement_timeout: 10_000,
  // For a server that vanished silently, so it is longer than the server's own.
  query_timeout: 15_000,
  // Shorter than the statement timeout: a replica that hangs loses its locks before the others give up.
  idle_in_transaction_session_timeout: 5_000,
}

type Options = { log?: StorageLog | undefined; onConnect?: OnConnect | undefined }

/**
 * A connection pool. A dead connection is dropped and the next statement opens another; only statements in
 * progress fail.
 */
export const openPostgres = (url: string, { log, onConnect }: Options = {}): Driver => {
  const connector = createConnector(url, {
    application: 'bellhop',
    limits: {
      statement: postgresLimits.statement_timeout,
      idleInTransaction: postgresLimits.idle_in_transaction_session_timeout,
      query: postgresLimits.query_timeout,
    },
    onConnect,
  })
  const pool = createPool(connector, log)
  const [reads, writes] = [createLane(pool, false), createLane(pool, true)]
  const alone = (sql: string, params: readonly unknown[]) =>
    lent(pool, (held) => send(held, sql, params, !isRead(sql)))
  return {
    rows: async (sql, params) => (await alone(sql, params)).rows,
    run: async (sql, params) => (await alone(sql, params)).rowCount ?? 0,
    together: {
      rows: async (sql, params) => (await reads(sql, params)).rows,
      run: async (sql, params) => (await writes(sql, params)).rowCount ?? 0,
    },
    tx: async (work) => {
      const { held, isBegun } = await take(pool, true)
      const batches = createBatches(held, isBegun)
      let fate: Aftermath['connection'] = 'drop'
      try {
        const result = await work(batches.connection)
        if (!(await batches.commit())) throw new DatabaseError('failed', 'The database undid a transaction')
        fate = 'keep'
        return result
      } catch (error) {
        fate = await batches.rollback()
        throw error
      } finally {
        pool.giveBack(held, fate)
      }
    },
    synced: async () => undefined,
    close: () => pool.end(),
  }
}

const provenMs = 1_000
/** A server that is there answers at once. */
const proofMs = 1_500

/**
 * A connection that works, begun where it is for a transaction. One that was idle for a while may be dead without anybody
 * having noticed, or its server may only read by now: it is tried with BEGIN alone, and replaced if that fails, because
 * nothing has happened before. Whatever else was sent is never sent again.
 */
const take = async (pool: Pool, isForTransaction: boolean): Promise<{ held: Held; isBegun: boolean }> => {
  for (;;) {
    const held = await pool.take().catch((error: unknown) => {
      throw toDatabaseError(error)
    })
    const { usedAt } = held
    if (usedAt === undefined || msBetween(usedAt, ticks()) < provenMs) return { held, isBegun: false }
    const proven = await proof(held, isForTransaction)
    if (proven) return { held, isBegun: isForTransaction }
    // The others to this server are no better.
    pool.giveBack(held, 'leave')
  }
}

const proof = async (held: Held, isForTransaction: boolean): Promise<boolean> => {
  const statements = [...(isForTransaction ? beginOf(held) : []), 'SHOW transaction_read_only']
  try {
    const query = { text: statements.join(';'), query_timeout: proofMs }
    const answers = [(await held.client.query(query)) as unknown as Answer | Answer[]].flat()
    const isReadOnly = answers.at(-1)?.rows[0]?.transaction_read_only === 'on'
    return held.isReadOnly || !isReadOnly
  } catch {
    return false
  }
}

/** Behind a pooler a session is not ours, so its limits are those of each transaction. */
const beginOf = (held: Held): string[] => [
  'BEGIN',
  // A vote, a claim and an outcome are stored when the disk has them, and the standby where one is to confirm.
  ...(held.isLax ? ['SET LOCAL synchronous_commit = on'] : []),
  ...(isDirect(held)
    ? []
    : [
        `SET LOCAL statement_timeout = ${postgresLimits.statement_timeout}`,
        `SET LOCAL idle_in_transaction_session_timeout = ${postgresLimits.idle_in_transaction_session_timeout}`,
      ]),
]

/** For one statement, or several that need no transaction around them. */
const lent = async <T>(pool: Pool, work: (held: Held) => Promise<T>): Promise<T> => {
  const { held } = await take(pool, false)
  let fate: Aftermath['connection'] = 'drop'
  try {
    const result = await work(held)
    fate = 'keep'
    return result
  } catch (error) {
    fate = connectionAfter(error)
    throw error
  } finally {
    pool.giveBack(held, fate)
  }
}

type Answer = Pick<pg.QueryResult<Record<string, unknown>>, 'rows' | 'rowCount' | 'command'>
type Statement = {
  sql: string
  params: readonly unknown[]
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const maxTogether = 64

/**
 * Short statements of different callers. One alone leaves at once; those that come while it is under way leave together,
 * in one trip and one commit. If the server refuses any of them it has done none, and each is sent alone; when the
 * connection is lost nobody knows, so all fail.
 */
const createLane = (pool: Pool, stores: boolean) => {
  let waiting: Statement[] = []
  let isRunning = false
  const alone = ({ sql, params, resolve, reject }: Statement): Promise<void> =>
    lent(pool, (held) => send(held, sql, params, stores)).then(resolve, reject)
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxTogether)
      waiting = waiting.slice(group.length)
      try {
        const answers = await lent(pool, (held) => trip(held, [], group, stores))
        for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer)
      } catch (error) {
        const isRefused = connectionAfter(error) === 'keep' && !isUnsure(error)
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
const createBatches = (held: Held, isBegun: boolean) => {
  let waiting: Statement[] = []
  let underWay: Promise<void> | undefined
  let hasBegun = isBegun
  let worst: Aftermath['connection'] = 'keep'

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const begin = hasBegun ? [] : beginOf(held)
      hasBegun = true
      try {
        const answers = await trip(held, begin, batch, batch.at(-1)?.sql === 'COMMIT')
        for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer)
      } catch (error) {
        const after = connectionAfter(error)
        if (worst === 'keep' || after === 'leave') worst = after
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
    /** What becomes of the connection. */
    rollback: async (): Promise<Aftermath['connection']> => {
      waiting = []
      await underWay
      if (worst !== 'keep' || !hasBegun) return worst
      return send(held, 'ROLLBACK', []).then(() => 'keep', connectionAfter)
    },
  }
}

/** One statement goes as it is; several as one text, with their values written into it. */
const trip = async (
  held: Held,
  begin: readonly string[],
  batch: readonly Statement[],
  stores: boolean,
): Promise<Answer[]> => {
  const [only] = batch
  if (only !== undefined && batch.length === 1 && begin.length === 0) {
    return [await send(held, only.sql, only.params, stores)]
  }
  const plans = plansOf(held)
  try {
    const parts = [...begin]
    const at: number[] = []
    for (const { sql, params } of batch) {
      const { prepare, run } = plans.textOf(sql, params)
      if (prepare !== undefined) parts.push(prepare)
      at.push(parts.push(run) - 1)
    }
    const answers = [(await asked(held, parts.join(';\n'))) as unknown as Answer | Answer[]].flat()
    return at.map((index) => answers[index] as Answer)
  } catch (error) {
    plans.doubt()
    throw toDatabaseError(error, stores)
  }
}

type Plans = {
  /** A statement as text, and what makes the server remember its plan where it does not yet. */
  textOf(sql: string, params: readonly unknown[]): { prepare?: string; run: string }
  /** Whether the server has heard of the last ones is not known: all get other names. */
  doubt(): void
}

const plansByConnection = new WeakMap<Held, Plans>()

/** The server plans a statement once for each connection, and not each time that it comes. */
const plansOf = (held: Held): Plans =>
  madeOnce(plansByConnection, held, () => {
    let heard = new Set<string>()
    let doubts = 0
    return {
      textOf: (sql, params) => {
        const name = nameOf(held, sql)
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
const maxNamed = 250
const names = new Map<string, string>()

/**
 * The name is made of the statement, so that no two processes mean different statements by it where a pooler lets them share
 * a session. Where one is known to, nothing is named.
 */
const nameOf = (held: Held, sql: string): string | undefined => {
  if (!isDirect(held)) return undefined
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= maxNamed || !isPlanned(sql)) return undefined
  const name = `bellhop_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`
  names.set(sql, name)
  return name
}

const executed = (name: string, values: string): string =>
  values === '' ? `EXECUTE ${name}` : `EXECUTE ${name} (${values})`

const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql)

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

const send = async (held: Held, sql: string, params: readonly unknown[], stores = false): Promise<Answer> => {
  try {
    return await asked(held, { text: sql, values: [...params], ...defined({ name: nameOf(held, sql) }) })
  } catch (error) {
    throw toDatabaseError(error, stores)
  }
}

/** Those that forgot a statement, which a session of our own does not. */
const poolers = new Set<string>()
const isDirect = (held: Held): boolean => held.isDirect && !poolers.has(held.server)

const isUnsure = (error: unknown): boolean => error instanceof DatabaseError && error.kind === 'unsure'

/**
 * Notes since when the server says nothing. One that stopped waiting for its standby, because it was to wait no longer or is
 * stopped, says that something is stored, and only beside it that the standby may not have it: that is not enough.
 */
const asked = async (held: Held, query: string | pg.QueryConfig): Promise<Answer> => {
  held.asksSince = ticks()
  let unconfirmed: unknown
  const hear = (notice: { routine?: string | undefined }) => {
    if (notice.routine === 'SyncRepWaitForLSN') unconfirmed = notice
  }
  held.client.on('notice', hear)
  try {
    const answer = await held.client.query(query as pg.QueryConfig)
    if (unconfirmed !== undefined)
      throw new DatabaseError('unsure', 'The standby of the database did not confirm', unconfirmed)
    return answer
  } catch (error) {
    if (sqlStateOf(error) === noSuchStatement) poolers.add(held.server)
    throw error
  } finally {
    held.asksSince = undefined
    held.client.off('notice', hear)
  }
}

/** What the server's words, or its silence, make of the connection. */
const connectionAfter = (error: unknown): Aftermath['connection'] =>
  error instanceof DatabaseError ? aftermathOf(error.cause).connection : 'drop'
