import { z } from 'zod'
import { type Absences, createAbsences } from './absences.ts'
import { type Anchors, createAnchors } from './anchors.ts'
import { type Answers, createAnswers } from './answers.ts'
import { type Audit, createAudit } from './audit.ts'
import { type AuditTree, createAuditTree } from './audit-tree.ts'
import { type Bulk, createBulk } from './bulk.ts'
import { type Cards, createCards } from './cards.ts'
import { type Changes, createChanges } from './changes.ts'
import type { Database, Durability } from './database/database.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { createEmergencies, type Emergencies } from './emergencies.ts'
import { createFreezes, type Freezes } from './freezes.ts'
import { createInstallations, type Installations } from './installations.ts'
import { createLeases, type Leases } from './leases.ts'
import { createLinks, type Links } from './links.ts'
import { createStoredPasskeys, type StoredPasskeys } from './passkeys.ts'
import { createPolicies, type Policies } from './policies.ts'
import { createReplicas, type Replicas } from './replicas.ts'
import { createSchedules, type Schedules } from './schedules.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createStreamCursors, type StreamCursors } from './stream-cursors.ts'
import { createTasks, type Tasks } from './tasks.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export type Store = {
  changes: Changes
  audit: Audit
  auditTree: AuditTree
  anchors: Anchors
  deliveries: Deliveries
  tasks: Tasks
  cards: Cards
  answers: Answers
  drafts: Answers
  freezes: Freezes
  emergencies: Emergencies
  absences: Absences
  schedules: Schedules
  installations: Installations
  leases: Leases
  replicas: Replicas
  bulk: Bulk
  sessions: Sessions
  links: Links
  passkeys: StoredPasskeys
  policies: Policies
  streamCursors: StreamCursors
  webhooks: Webhooks
  /**
   * All of the work or nothing. The work must use the store it is given, do nothing but storage, and be short. On the
   * embedded engine transactions run one after the other; on PostgreSQL side by side, so what must not race is locked.
   */
  tx<T>(work: (store: Store) => Promise<T>, durability?: Durability): Promise<T>
  /**
   * Inside `tx`: until its end nobody else holds any of these names, or, if shared, nobody holds them alone. Always in one
   * order, so that no two transactions wait for each other: the change, freezes, then budgets and the intent.
   */
  lock(names: { alone?: readonly string[]; shared?: readonly string[] }): Promise<void>
  /** Resolves when everything that was written so far is on the disk. */
  synced(): Promise<void>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

type StoreOptions = { now: () => number }

export const createStore = (db: Database, { now }: StoreOptions): Store => storeOf(db, now, false)

const storeOf = (db: Database, now: () => number, isInside: boolean): Store => {
  return {
    changes: createChanges(db),
    audit: createAudit(db, now),
    auditTree: createAuditTree(db, now),
    anchors: createAnchors(db),
    deliveries: createDeliveries(db, now),
    tasks: createTasks(db, now),
    cards: createCards(db, now),
    answers: createAnswers(db, 'answers'),
    drafts: createAnswers(db, 'drafts'),
    freezes: createFreezes(db),
    emergencies: createEmergencies(db),
    absences: createAbsences(db, now),
    schedules: createSchedules(db),
    installations: createInstallations(db, now),
    leases: createLeases(db, now),
    replicas: createReplicas(db, now),
    bulk: createBulk(db, now),
    sessions: createSessions(db, now),
    links: createLinks(db, now),
    passkeys: createStoredPasskeys(db, now),
    policies: createPolicies(db),
    streamCursors: createStreamCursors(db, now),
    webhooks: createWebhooks(db),
    tx: (work, durability) => db.tx((inner) => work(storeOf(inner, now, true)), durability),
    lock: async ({ alone = [], shared = [] }) => {
      if (!isInside) throw new Error('a lock is held until the end of a transaction')
      // A transaction of the embedded engine holds the whole file.
      if (db.engine === 'sqlite') return
      const names = [
        ...shared.map((name) => ({ name, how: 'pg_advisory_xact_lock_shared' })),
        ...alone.map((name) => ({ name, how: 'pg_advisory_xact_lock' })),
      ].sort((one, other) => (one.name < other.name ? -1 : 1))
      // One statement, which takes them in the order in which they stand there.
      const locks = names.map(({ how }, at) => `${how}(hashtextextended($${at + 1}, 0)) AS lock_${at}`)
      await db.later(
        `SELECT ${locks.join(', ')}`,
        names.map(({ name }) => name),
      )
    },
    synced: () => db.synced(),
    ping: async () => {
      await db.all(z.unknown(), 'SELECT 1 AS one')
    },
    close: () => db.close(),
  }
}
