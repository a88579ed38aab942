import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A statement or a transaction that waits for its turn. */
type Job = {
  kind: 'read' | 'relaxed' | 'statement' | 'transaction' | 'close'
  work(): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

type Enlist = <T>(kind: Job['kind'], work: () => T | Promise<T>) => Promise<T>

type GroupsDeps = {
  sqlite: Pick<DatabaseSync, 'exec' | 'isTransaction'>
  /** Tries again while another process holds the file. */
  patiently<T>(attempt: () => T): Promise<T>
  translated<T>(attempt: () => T): T
  /** Resolves when what was committed so far is on the disk. */
  synced(): Promise<void>
}

const most = 128

/**
 * Group commit: whatever was asked for in one turn of the event loop is done one after the other and written to the
 * disk once. Each is undone alone when it fails, and nobody hears of a result before it is on the disk, unless that was
 * not asked for. Meanwhile the next group is at work: the process never stands still for the disk.
 */
export const createGroups = ({ sqlite, patiently, translated, synced }: GroupsDeps): Enlist => {
  let waiting: Job[] = []
  let isRunning = false

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
  const apart = async (group: Job[]): Promise<void> => {
    for (const { kind, work, resolve, reject } of group) {
      const tell = (result: unknown) =>
        kind === 'statement' ? synced().then(() => resolve(result), reject) : resolve(result)
      await patiently(work).then((result) => void tell(result), reject)
    }
  }
  const together = async (group: Job[]): Promise<void> => {
    const ends: (() => void)[] = []
    try {
      await patiently(() => sqlite.exec('BEGIN IMMEDIATE'))
      for (const job of group) ends.push(await savepoint(job))
      translated(() => sqlite.exec('COMMIT'))
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
      for (const { reject } of group) reject(error)
      return
    }
    const isSoon = (at: number) => group[at]?.kind === 'relaxed' || group[at]?.kind === 'read'
    for (const [at, end] of ends.entries()) if (isSoon(at)) end()
    synced().then(
      () => {
        for (const [at, end] of ends.entries()) if (!isSoon(at)) end()
      },
      (error: unknown) => {
        for (const { reject } of group) reject(error)
      },
    )
  }
  /** What its caller is told when the time has come. */
  const savepoint = async ({ kind, work, resolve, reject }: Job): Promise<() => void> => {
    translated(() => sqlite.exec('SAVEPOINT job'))
    try {
      const result = await (kind === 'transaction' ? work() : translated(work))
      translated(() => sqlite.exec('RELEASE job'))
      return () => resolve(result)
    } catch (error) {
      // A full disk or a broken file ends the transaction of all of them.
      if (!sqlite.isTransaction) throw error
      sqlite.exec('ROLLBACK TO job')
      sqlite.exec('RELEASE job')
      return () => reject(error)
    }
  }

  return <T>(kind: Job['kind'], work: () => T | Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ kind, work, resolve: resolve as Job['resolve'], reject })
      if (isRunning) return
      isRunning = true
      void drain()
    })
}

/** What goes together: nothing waits behind a close, and a close for everything before it. */
const firstOf = (waiting: Job[]): Job[] => {
  const close = waiting.findIndex(({ kind }) => kind === 'close')
  return waiting.slice(0, close === -1 ? most : Math.max(1, Math.min(most, close)))
}
