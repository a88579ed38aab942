import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSandboxState, type SandboxState } from './state.ts'

/** The state in a file, for all processes that use it: each sees what the others have done, and it outlives them. */
export interface KeptState {
  /** Does the work with the newest state; what a writing one has made of it is stored. */
  use<T>(isWrite: boolean, work: () => T): T
  close(): void
}

export const keepState = (file: string, state: SandboxState): KeptState => {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file, { timeout: 5_000 })
  // Made-up data that a power cut takes is made up anew.
  db.exec('PRAGMA synchronous = OFF')
  db.exec(
    'CREATE TABLE IF NOT EXISTS sandbox (shape TEXT PRIMARY KEY, version INTEGER NOT NULL, doc TEXT NOT NULL)',
  )
  // What another release has stored is left alone where its records have other names.
  const shape = Object.values(createSandboxState())
    .map((part) => Object.keys(part).sort().join())
    .join()
  const versionOf = db.prepare('SELECT version FROM sandbox WHERE shape = ?')
  const docOf = db.prepare('SELECT version, doc FROM sandbox WHERE shape = ?')
  const put = db.prepare('INSERT OR REPLACE INTO sandbox (shape, version, doc) VALUES (?, ?, ?)')
  let version = 0
  const refresh = () => {
    if (Number(versionOf.get(shape)?.version ?? 0) === version) return
    const stored = docOf.get(shape)
    Object.assign(state, JSON.parse(String(stored?.doc)) as SandboxState)
    version = Number(stored?.version)
  }
  return {
    use: (isWrite, work) => {
      if (!isWrite) {
        refresh()
        return work()
      }
      db.exec('BEGIN IMMEDIATE')
      try {
        refresh()
        const done = work()
        put.run(shape, ++version, JSON.stringify(state))
        db.exec('COMMIT')
        return done
      } catch (error) {
        db.exec('ROLLBACK')
        // What is in memory may be half of it.
        version = -1
        throw error
      }
    },
    close: () => db.close(),
  }
}
