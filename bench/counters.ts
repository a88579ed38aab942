import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Engine } from '../src/lib/sql/database.ts'

/** Trips are messages to PostgreSQL that wait for an answer, or statements of SQLite; syncs those of SQLite's file. */
export type Counts = { trips: number; syncs: number; requests: number }

type Method = (...all: unknown[]) => unknown

/** Counts what this process asks of its database, its disk and the network, from now on. */
export const openCounters = async (engine: Engine): Promise<{ read(): Counts; close(): void }> => {
  const counts: Counts = { trips: 0, syncs: 0, requests: 0 }
  const undo: (() => void)[] = []
  const watch = (target: object, name: string, key: keyof Counts): void => {
    const methods = target as Record<string, Method>
    const method = methods[name] as Method
    methods[name] = function (this: unknown, ...args) {
      counts[key]++
      return method.apply(this, args)
    }
    undo.push(() => {
      methods[name] = method
    })
  }
  if (engine === 'postgres') watch(pg.Client.prototype, 'query', 'trips')
  else {
    const sample = new DatabaseSync(':memory:')
    const statement = Object.getPrototypeOf(sample.prepare('SELECT 1')) as object
    for (const name of ['run', 'all']) watch(statement, name, 'trips')
    sample.close()
  }
  const file = await open(import.meta.filename)
  watch(Object.getPrototypeOf(file) as object, 'datasync', 'syncs')
  await file.close()
  const onRequest = () => {
    counts.requests++
  }
  subscribe('undici:request:create', onRequest)
  undo.push(() => unsubscribe('undici:request:create', onRequest))
  return {
    read: () => ({ ...counts }),
    close: () => {
      for (const one of undo) one()
    },
  }
}
