import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Durability } from './database.ts'

/** A statement or a transaction that waits in the queue. */
type Entry = {
  kind: 'read' | 'statement' | 'transaction' | 'close'
  durability: Durability
  work(): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

type GroupCommit = {
  enlist<T>(kind: Entry['kind'], work: () => T | Promise<T>, durability?: Durability): Promise<T>
  /** Resolves when everything that was committed so far is on disk. */
  synced(): Promise<void>
}

type Sqlite = Pick<DatabaseSync, 'exec' | 'isOpen' | 'isTransaction'>

type GroupCommitDeps = {
  sqlite: Sqlite
  /** Retries while another process has locked the file. */
  patiently<T>(attempt: () => T): Promise<T>
  translated<T>(attempt: () => T): T
  /** Syncs what was committed so far to disk. */
  sync(): Promise<void>
}

const most = 128

/**
 * Group commit: all writes of one turn of the event loop run one after the other and are synced to disk once.
 * A failed one is rolled back alone. A caller gets its result when it is on disk, unless it asked not to
 * wait. The next group runs while the disk is syncing.
 */
export const createGroupCommit = ({ sqlite, patiently, translated, sync }: GroupCommitDeps): GroupCommit => {
  let waiting: Entry[] = []
  let isRunning = false
  /** The number of commits that changed something, and how many of them are on disk. */
  let commits = 0
  let stored = 0

  const storedUpTo = async (count: number): Promise<void> => {
    if (stored >= count) return
    const covered = commits
    await sync()
    stored = Math.max(stored, covered)
  }
  /** When the caller of a job may get its result, given the number of commits before it. */
  const whenDurable = ({ durability }: Entry, before: number): Promise<void> | undefined => {
    const needed = durability === 'synced' ? commits : durability === 'ordered' ? before : 0
    return stored >= needed ? undefined : storedUpTo(needed)
  }
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await nextTurn()
      const group = firstOf(waiting)
      waiting = waiting.slice(group.length)
      const isAlone = group.length === 1 && group[0]?.kind !== 'transaction'
      if (isAlone || group.every(({ kind }) => kind === 'read')) await apart(group)
      else await together(group)
    }
    isRunning = false
  }
  const apart = async (group: Entry[]): Promise<void> => {
    for (const job of group) {
      const { kind, work, resolve, reject } = job
      const before = commits
      try {
        const result = await patiently(work)
        if (kind === 'statement' && hasChanged(result)) commits++
        const durability = whenDurable(job, before)
        if (durability === undefined) resolve(result)
        else durability.then(() => resolve(result), reject)
      } catch (error) {
        reject(error)
      }
    }
  }
  const together = async (group: Entry[]): Promise<void> => {
    const ends: (() => void)[] = []
    const before = commits
    try {
      await patiently(() => sqlite.exec('BEGIN IMMEDIATE'))
      // Alone it needs no savepoint: what fails undoes all there is.
      if (group.length === 1) ends.push(await alone(group[0] as Entry))
      else for (const job of group) ends.push(await savepoint(job))
      translated(() => sqlite.exec('COMMIT'))
    } catch (error) {
      if (isInTransaction(sqlite)) sqlite.exec('ROLLBACK')
      for (const { reject } of group) reject(error)
      return
    }
    commits++
    // One commit and one fsync for the whole group, so an `ordered` write waits for the group as well.
    const isFirst = group.every(({ durability }) => durability !== 'synced')
    for (const [at, job] of group.entries()) {
      const durability = whenDurable(job, isFirst ? before : commits)
      if (durability === undefined) ends[at]?.()
      else durability.then(() => ends[at]?.(), job.reject)
    }
  }
  const alone = async ({ work, resolve }: Entry): Promise<() => void> => {
    const result = await work()
    return () => resolve(result)
  }
  /** The result for the caller, to be delivered later. */
  const savepoint = async ({ work, resolve, reject }: Entry): Promise<() => void> => {
    translated(() => sqlite.exec('SAVEPOINT job'))
    try {
      const result = await translated(work)
      translated(() => sqlite.exec('RELEASE job'))
      return () => resolve(result)
    } catch (error) {
      // A full disk or a damaged file ends the transaction of the whole group.
      if (!isInTransaction(sqlite)) throw error
      sqlite.exec('ROLLBACK TO job')
      sqlite.exec('RELEASE job')
      return () => reject(error)
    }
  }

  return {
    enlist: <T>(kind: Entry['kind'], work: () => T | Promise<T>, durability: Durability = 'synced') =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ kind, durability, work, resolve: resolve as Entry['resolve'], reject })
        if (isRunning) return
        isRunning = true
        void drain()
      }),
    synced: () => storedUpTo(commits),
  }
}

/** The number of rows that a statement changed, or the rows that it returned. */
const hasChanged = (result: unknown): boolean =>
  Array.isArray(result) ? result.length > 0 : typeof result !== 'number' || result > 0

/** Which jobs form one group: nothing runs after a close, and a close waits for everything before it. */
const firstOf = (waiting: Entry[]): Entry[] => {
  const close = waiting.findIndex(({ kind }) => kind === 'close')
  return waiting.slice(0, close === -1 ? most : Math.max(1, Math.min(most, close)))
}

/** Whether there is a transaction to undo: a file that was closed meanwhile has none, and cannot be asked. */
const isInTransaction = (sqlite: Sqlite): boolean => sqlite.isOpen && sqlite.isTransaction
