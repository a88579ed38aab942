import { AsyncLocalStorage } from 'node:async_hooks'
import type { z } from 'zod'

/**
 * `down`: no database answers, or it cannot be written now. `full`: its disk is. In both nothing was stored. `unsure`: it was
 * lost while it was storing, so nobody knows. `failed`: it answered, and the statement is wrong.
 */
export type DatabaseErrorKind = 'down' | 'full' | 'unsure' | 'failed'

export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind

  constructor(kind: DatabaseErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'DatabaseError'
    this.kind = kind
  }
}

/** Whether it may be there again in a moment, and the statement was not at fault. */
export const isAway = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.kind !== 'failed'

/** Out of disk, as the system says it. */
export const isOutOfDisk = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown } | null)?.code))

export type Engine = 'sqlite' | 'postgres'

export type StorageLog = { warn(details: object, message: string): void }

type Statements = {
  all<T>(
    schema: z.ZodType<T>,
    sql: string,
    params?: readonly unknown[],
    durability?: Durability,
  ): Promise<T[]>
  /** The number of rows changed. */
  run(sql: string, params?: readonly unknown[], durability?: Durability): Promise<number>
}

/**
 * SQL in the subset that both engines support, with `$1` parameters. Rows are parsed when they are read. If
 * the database cannot be reached, calls throw a DatabaseError of kind `down`.
 */
export type Database = Statements & {
  engine: Engine
  /** For short statements: those that come while others are under way leave together, in one trip. */
  together: Statements
  /**
   * A write whose count nobody needs. Inside a transaction it leaves with the next statement that somebody waits for, or
   * with the commit, and a failure fails the transaction; outside it is awaited like any other.
   */
  later(sql: string, params?: readonly unknown[], durability?: Durability): Promise<void>
  /**
   * Runs the work in a transaction. The work must use the database it is given: using the outer one is
   * refused, because it would deadlock. A failed statement rolls back the whole transaction, even if its
   * error was caught. A `tx` inside a transaction is part of it.
   */
  tx<T>(work: (db: Database) => Promise<T>, durability?: Durability): Promise<T>
  /** Resolves when everything that was written so far is on disk. */
  synced(): Promise<void>
  /** Whether the last write found no room on the disk. */
  isFull(): boolean
  close(): Promise<void>
}

/**
 * When a write returns: when it is on disk (the default), when everything written before it is on disk, or
 * immediately. A write that is not yet on disk is lost only in a power failure, together with everything
 * written after it. PostgreSQL always waits for the disk.
 */
export type Durability = 'synced' | 'ordered' | 'buffered'

export type SqlConnection = {
  rows(sql: string, params: readonly unknown[], durability?: Durability): Promise<unknown[]>
  run(sql: string, params: readonly unknown[], durability?: Durability): Promise<number>
}

/** Inside a transaction. */
export type TransactionConnection = SqlConnection & { later(sql: string, params: readonly unknown[]): void }

/** What a database engine must implement. */
export type Driver = SqlConnection & {
  /** As a connection, for short statements that may share a trip. */
  together: SqlConnection
  tx<T>(work: (connection: TransactionConnection) => Promise<T>, durability?: Durability): Promise<T>
  synced(): Promise<void>
  close(): Promise<void>
}

type Transaction = { open: boolean; isWrite: boolean; failure?: unknown }

export const toDatabase = (engine: Engine, driver: Driver): Database => {
  const running = new AsyncLocalStorage<Transaction>()
  let isFull = false
  const noting = async <T>(work: Promise<T>, isWrite: () => boolean): Promise<T> => {
    try {
      const result = await work
      if (isWrite()) isFull = false
      return result
    } catch (error) {
      if (error instanceof DatabaseError && (error.kind === 'full' || isOutOfDisk(error.cause))) isFull = true
      throw error
    }
  }
  const notInside = () => {
    if (running.getStore()?.open) {
      throw new DatabaseError('failed', 'A statement went around the transaction that is running')
    }
  }
  const statementsOn = (connection: SqlConnection): Statements => ({
    all: async (schema, sql, params = [], durability) => {
      notInside()
      return parse(
        schema,
        await noting(connection.rows(sql, params.map(toStorable), durability), () => false),
      )
    },
    run: async (sql, params = [], durability) => {
      notInside()
      return noting(connection.run(sql, params.map(toStorable), durability), () => true)
    },
  })
  const together = statementsOn(driver.together)
  return {
    engine,
    ...statementsOn(driver),
    together,
    later: async (sql, params, durability) => {
      await together.run(sql, params, durability)
    },
    synced: () => driver.synced(),
    tx: async (work, durability) => {
      notInside()
      let isWrite = false
      const done = driver.tx(async (connection) => {
        const transaction: Transaction = { open: true, isWrite: false }
        try {
          const result = await running.run(transaction, () => work(inside(engine, connection, transaction)))
          if (transaction.failure !== undefined) throw transaction.failure
          return result
        } finally {
          transaction.open = false
          isWrite = transaction.isWrite
        }
      }, durability)
      return noting(done, () => isWrite)
    },
    isFull: () => isFull,
    close: () => driver.close(),
  }
}

/** Text that both engines return unchanged: PostgreSQL accepts no NUL, and UTF-8 has no lone surrogates. */
export const toStorable = (value: unknown): unknown =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))
    ? value
    : value.toWellFormed().replaceAll('\0', '\ufffd')

const inside = (engine: Engine, connection: TransactionConnection, transaction: Transaction): Database => {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!transaction.open)
      throw new DatabaseError('failed', 'A statement came after its transaction was over')
    try {
      return await work()
    } catch (error) {
      transaction.failure ??= error
      throw error
    }
  }
  const statements: Statements = {
    all: (schema, sql, params = []) =>
      guarded(async () => parse(schema, await connection.rows(sql, params.map(toStorable)))),
    run: (sql, params = []) => {
      transaction.isWrite = true
      return guarded(() => connection.run(sql, params.map(toStorable)))
    },
  }
  const db: Database = {
    engine,
    ...statements,
    together: statements,
    later: (sql, params = []) => {
      transaction.isWrite = true
      return guarded(async () => connection.later(sql, params.map(toStorable)))
    },
    tx: (work) => work(db),
    synced: async () => {
      throw new DatabaseError('failed', 'A transaction is on the disk when it is over')
    },
    isFull: () => false,
    close: async () => {
      throw new DatabaseError('failed', 'A transaction cannot close its database')
    },
  }
  return db
}

const parse = <T>(schema: z.ZodType<T>, rows: unknown[]): T[] =>
  rows.map((row) => {
    const parsed = schema.safeParse(row)
    if (parsed.success) return parsed.data
    throw new DatabaseError('failed', 'The database holds a row that cannot be read', parsed.error)
  })
