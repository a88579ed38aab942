import { z } from 'zod'
import type { AuditHead } from '../model/audit-entry.ts'
import { type Answers, createAnswers } from './answers.ts'
import { type Audit, createAudit, withHead } from './audit.ts'
import { type Bulk, createBulk } from './bulk.ts'
import { type Cards, createCards } from './cards.ts'
import { type Changes, createChanges } from './changes.ts'
import type { Database, Durability } from './database/database.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { createFreezes, type Freezes } from './freezes.ts'
import { createLeases, type Leases } from './leases.ts'
import { createTasks, type Tasks } from './tasks.ts'

export type Store = {
  changes: Changes
  audit: Audit
  deliveries: Deliveries
  tasks: Tasks
  cards: Cards
  answers: Answers
  /** Forms that were begun. */
  drafts: Answers
  freezes: Freezes
  leases: Leases
  bulk: Bulk
  /**
   * Runs the work in a transaction. The work must use the store it is given, do nothing but storage, and be
   * short: transactions of the store run one after the other, also across replicas, in the order of the audit
   * log.
   */
  tx<T>(work: (store: Store) => Promise<T>, durability?: Durability): Promise<T>
  /** Resolves when everything that was written so far is on disk. */
  synced(): Promise<void>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

type StoreOptions = { now: () => number }

export const createStore = (db: Database, { now }: StoreOptions): Store => storeOf(db, now)

/** A store that holds the head of the audit log is inside a transaction. */
const storeOf = (db: Database, now: () => number, head?: AuditHead): Store => {
  const store: Store = {
    changes: createChanges(db),
    audit: createAudit(db, now, head),
    deliveries: createDeliveries(db, now),
    tasks: createTasks(db, now),
    cards: createCards(db, now),
    answers: createAnswers(db, 'answers'),
    drafts: createAnswers(db, 'drafts'),
    freezes: createFreezes(db),
    leases: createLeases(db, now),
    bulk: createBulk(db, now),
    tx: (work, durability) =>
      head ? work(store) : withHead(db, (inner, held) => work(storeOf(inner, now, held)), durability),
    synced: () => db.synced(),
    ping: async () => {
      await db.all(z.unknown(), 'SELECT 1 AS one')
    },
    close: () => db.close(),
  }
  return store
}
