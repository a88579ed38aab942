import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SandboxState } from './service-sandbox.ts'

/** The state in a file, for all processes that use it: each sees what the others have done, and it outlives them. */
export interface KeptState {
  /** Does the work with the newest state; what a writing one has made of it is stored. */
  use<T>(isWrite: boolean, work: () => T): T
  close(): void
}

/** The file is there once something has changed: until then the seed is all there is to know. */
export const keepState = (file: string, state: SandboxState, seed: () => SandboxState): KeptState => {
  let opened: ReturnType<typeof open> | undefined
  let isLost = false
  let version = 0
  /** A folder that cannot be written to is no reason to stop: the made-up data then ends with the process. */
  const opening = () => {
    try {
      if (!isLost) opened ??= open(file, seed)
    } catch {
      isLost = true
    }
    return opened
  }
  const refresh = ({ read }: ReturnType<typeof open>) => {
    if (read.version() === version) return
    const stored = read.all()
    Object.assign(state, stored.state)
    version = stored.version
  }
  return {
    use: (isWrite, work) => {
      if (!isWrite) {
        const there = opened ?? (existsSync(file) ? opening() : undefined)
        if (there !== undefined) refresh(there)
        return work()
      }
      const place = opening()
      if (place === undefined) return work()
      const { db, put } = place
      db.exec('BEGIN IMMEDIATE')
      try {
        refresh(place)
        const done = work()
        put(++version, state)
        db.exec('COMMIT')
        return done
      } catch (error) {
        db.exec('ROLLBACK')
        // What is in memory may be half of it.
        version = -1
        throw error
      }
    },
    close: () => opened?.db.close(),
  }
}

const open = (file: string, seed: () => SandboxState) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Those beside it get its mode.
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: 5_000 })
  // Made-up data that a power cut takes is made up anew.
  db.exec('PRAGMA synchronous = OFF')
  db.exec(
    'CREATE TABLE IF NOT EXISTS sandbox (shape TEXT PRIMARY KEY, version INTEGER NOT NULL, doc TEXT NOT NULL)',
  )
  // What another release has stored is left alone where its records have other names.
  const shape = Object.values(seed())
    .map((part) =>
      Object.keys(part ?? {})
        .sort()
        .join(),
    )
    .join()
  const versionOf = db.prepare('SELECT version FROM sandbox WHERE shape = ?')
  const docOf = db.prepare('SELECT version, doc FROM sandbox WHERE shape = ?')
  const insert = db.prepare('INSERT OR REPLACE INTO sandbox (shape, version, doc) VALUES (?, ?, ?)')
  return {
    db,
    read: {
      version: () => Number(versionOf.get(shape)?.version ?? 0),
      all: () => {
        const stored = docOf.get(shape)
        return stored === undefined
          ? { version: 0, state: seed() }
          : { version: Number(stored.version), state: JSON.parse(String(stored.doc)) as SandboxState }
      },
    },
    put: (version: number, state: SandboxState) => insert.run(shape, version, JSON.stringify(state)),
  }
}
