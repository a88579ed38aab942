import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import { DatabaseError } from './database-error.ts'

export type Engine = 'sqlite' | 'postgres'

export type StorageLog = { warn(details: object, message: string): void }

/**
 * SQL in the subset that both engines speak, with `$1` parameters. Rows are parsed on the way out. What is asked of
 * a database that is lost throws a DatabaseError of kind `down`.
 */
export type Database = {
  engine: Engine
  all<T>(
    schema: z.ZodType<T>,
    sql: string,
    params?: readonly unknown[],
    durability?: Durability,
  ): Promise<T[]>
  /** The number of rows changed. */
  run(sql: string, params?: readonly unknown[], durability?: Durability): Promise<number>
  /**
   * All of the work or nothing. The work must use the database it is given: going around it is refused, because it
   * would wait for itself. A statement that fails undoes the whole transaction, even when its error was caught.
   * Inside a transaction, another `tx` is part of it.
   */
  tx<T>(work: (db: Database) => Promise<T>, durability?: Durability): Promise<T>
  /** Resolves when everything that was written so far is on the disk. */
  synced(): Promise<void>
  close(): Promise<void>
}

/**
 * When the caller of a write goes on: once it is on the disk (unless told otherwise), once everything that was written
 * before it is, or at once. What is not yet on the disk is lost only in a power cut, and then together with everything
 * that was written after it. PostgreSQL always writes to the disk first.
 */
export type Durability = 'synced' | 'ordered' | 'buffered'

export type SqlConnection = {
  rows(sql: string, params: readonly unknown[], durability?: Durability): Promise<unknown[]>
  run(sql: string, params: readonly unknown[], durability?: Durability): Promise<number>
}

/** What an engine has to offer. */
export type Driver = SqlConnection & {
  tx<T>(work: (connection: SqlConnection) => Promise<T>, durability?: Durability): Promise<T>
  synced(): Promise<void>
  close(): Promise<void>
}

type Transaction = { open: boolean; failure?: unknown }

export const toDatabase = (engine: Engine, driver: Driver): Database => {
  const running = new AsyncLocalStorage<Transaction>()
  const notInside = () => {
    if (running.getStore()?.open) {
      throw new DatabaseError('failed', 'A statement went around the transaction that is running')
    }
  }
  return {
    engine,
    all: async (schema, sql, params = [], durability) => {
      notInside()
      return parse(schema, await driver.rows(sql, params.map(toStorable), durability))
    },
    run: async (sql, params = [], durability) => {
      notInside()
      return driver.run(sql, params.map(toStorable), durability)
    },
    synced: () => driver.synced(),
    tx: async (work, durability) => {
      notInside()
      return driver.tx(async (connection) => {
        const transaction: Transaction = { open: true }
        try {
          const result = await running.run(transaction, () => work(inside(engine, connection, transaction)))
          if (transaction.failure !== undefined) throw transaction.failure
          return result
        } finally {
          transaction.open = false
        }
      }, durability)
    },
    close: () => driver.close(),
  }
}

/** Text that both engines give back as it was stored: PostgreSQL takes no NUL, UTF-8 no lone surrogates. */
export const toStorable = (value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value

const inside = (engine: Engine, connection: SqlConnection, transaction: Transaction): Database => {
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
  const db: Database = {
    engine,
    all: (schema, sql, params = []) =>
      guarded(async () => parse(schema, await connection.rows(sql, params.map(toStorable)))),
    run: (sql, params = []) => guarded(() => connection.run(sql, params.map(toStorable))),
    tx: (work) => work(db),
    synced: async () => {
      throw new DatabaseError('failed', 'A transaction is on the disk when it is over')
    },
    close: async () => {
      throw new DatabaseError('failed', 'A transaction cannot close its database')
    },
  }
  return db
}

const parse = <T>(schema: z.ZodType<T>, rows: unknown[]): T[] => {
  const parsed = z.array(schema).safeParse(rows)
  if (parsed.success) return parsed.data
  throw new DatabaseError('failed', 'The database holds a row that cannot be read', parsed.error)
}
