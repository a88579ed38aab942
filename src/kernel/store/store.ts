import { z } from 'zod'
import { type Database, DatabaseError, type Durability } from '../../lib/sql/database.ts'
import { type Absences, createAbsences } from './absences.ts'
import { type Answers, createAnswers } from './answers.ts'
import { type Audit, createAudit } from './audit.ts'
import { type AuditTree, createAuditTree } from './audit-tree.ts'
import { type Bulk, createBulk } from './bulk.ts'
import { type Cards, createCards } from './cards.ts'
import { type Changes, createChanges } from './changes.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { createEmergencies, type Emergencies } from './emergencies.ts'
import { createFreezes, type Freezes } from './freezes.ts'
import { createGaps, type Gaps } from './gaps.ts'
import { createInstallations, type Installations } from './installations.ts'
import { createLeases, type Leases } from './leases.ts'
import { createLinks, type Links } from './links.ts'
import { createStoredPasskeys, type StoredPasskeys } from './passkeys.ts'
import { createPolicies, type Policies } from './policies.ts'
import { createReplicas, type Replicas } from './replicas.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createShownRecords, type ShownRecords } from './shown.ts'
import { createTasks, type Tasks } from './tasks.ts'

export type Store = {
  changes: Changes
  audit: Audit
  auditTree: AuditTree
  deliveries: Deliveries
  tasks: Tasks
  cards: Cards
  answers: Answers
  drafts: Answers
  freezes: Freezes
  gaps: Gaps
  emergencies: Emergencies
  absences: Absences
  installations: Installations
  leases: Leases
  replicas: Replicas
  bulk: Bulk
  sessions: Sessions
  shown: ShownRecords
  links: Links
  passkeys: StoredPasskeys
  policies: Policies
  /** The records of a feature, which alone knows their tables. */
  of<Records>(repository: Repository<Records>): Records
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
  /** Throws when the database does not answer, or cannot be written to. */
  ping(): Promise<void>
  /** Whether the last write found no room on the disk. */
  isFull(): boolean
  close(): Promise<void>
}

/** Records over a database, or inside a transaction of it. */
export type Repository<Records> = (db: Database, now: () => number) => Records

type StoreOptions = { now: () => number }

export const createStore = (db: Database, { now }: StoreOptions): Store => storeOf(db, now, false)

const settingRow = z.object({ readOnly: z.string() })

/** What the kernel itself keeps. Most transactions use a few of these, so each is made when it is asked for. */
const repositories = {
  changes: createChanges,
  audit: createAudit,
  auditTree: createAuditTree,
  deliveries: createDeliveries,
  tasks: createTasks,
  cards: createCards,
  answers: (db) => createAnswers(db, 'answers'),
  drafts: (db) => createAnswers(db, 'drafts'),
  freezes: createFreezes,
  gaps: createGaps,
  emergencies: createEmergencies,
  absences: createAbsences,
  installations: createInstallations,
  leases: createLeases,
  replicas: createReplicas,
  bulk: createBulk,
  sessions: createSessions,
  shown: createShownRecords,
  links: createLinks,
  passkeys: createStoredPasskeys,
  policies: createPolicies,
} satisfies Record<string, Repository<unknown>>

type Kept = { [name in keyof typeof repositories]: ReturnType<(typeof repositories)[name]> }

const storeOf = (db: Database, now: () => number, isInside: boolean): Store => {
  const made = new Map<Repository<unknown>, unknown>()
  const of = <Records>(repository: Repository<Records>): Records => {
    if (!made.has(repository)) made.set(repository, repository(db, now))
    return made.get(repository) as Records
  }
  const rest: Omit<Store, keyof Kept> = {
    of,
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
      if (db.engine === 'sqlite') return void (await db.all(z.unknown(), 'SELECT 1 AS one'))
      const [row] = await db.all(settingRow, `SELECT current_setting('transaction_read_only') AS "readOnly"`)
      if (row?.readOnly === 'on') throw new DatabaseError('down', 'The database can only be read from')
    },
    isFull: () => db.isFull(),
    close: () => db.close(),
  }
  for (const [name, repository] of Object.entries(repositories))
    Object.defineProperty(rest, name, {
      enumerable: true,
      configurable: true,
      get: () => of<unknown>(repository),
    })
  return rest as Store
}
