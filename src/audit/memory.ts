import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isConsistent, isSignedBy, type OpenNote, openNote } from '../../verify.mjs'
import type { LogSigner } from '../model/checkpoint.ts'
import { DatabaseError } from '../storage/database/database.ts'
import type { Store } from '../storage/store.ts'
import { proveConsistency } from './receipt.ts'

/**
 * The newest checkpoint that a process has signed, or seen signed by its key, kept outside the database: a log that was
 * shortened or rewritten there does not continue it.
 */
export type LogMemory = {
  start(): void
  /** Keeps the newest checkpoint, provided that it continues the one that is kept. */
  look(): Promise<void>
  recall(): OpenNote | undefined
  /** Keeps this one whatever was kept before. */
  replace(note: string): void
  stop(): Promise<void>
}

type MemoryDeps = {
  folder: string
  store: Pick<Store, 'auditTree'>
  signer: LogSigner
  warn(words: string, error?: unknown): void
}

const everyMs = 1_000

export const createLogMemory = ({ folder, store: { auditTree }, signer, warn }: MemoryDeps): LogMemory => {
  const file = join(folder, 'audit-checkpoint.txt')
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  /** What this process kept last: a file that is taken away while it runs comes back. */
  let kept: OpenNote | undefined
  let told = ''
  const tellOnce = (words: string, error?: unknown): void => {
    if (told !== words) warn(words, error)
    told = words
  }

  const recall = (): OpenNote | undefined => {
    try {
      const read = openNote(readFileSync(file, 'utf8'))
      if (read === undefined) tellOnce(`${file} holds no checkpoint of an audit log`)
      return read ?? kept
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') tellOnce(`${file} cannot be read`, error)
      return kept
    }
  }
  const replace = (note: string): void => {
    mkdirSync(folder, { recursive: true })
    // Processes in containers that share the folder may all have the same number.
    const part = `${file}.${randomUUID()}`
    writeFileSync(part, note, { mode: 0o600 })
    renameSync(part, file)
    kept = openNote(note)
  }
  const look = async (): Promise<void> => {
    const [known, { key, origin }, newest] = [recall(), await auditTree.state(), await auditTree.checkpoint()]
    const next = newest && openNote(newest.note)
    if (known !== undefined && (next === undefined || !(await continues(auditTree, known, next)))) {
      tellOnce(`the audit log does not continue the checkpoint of ${known.size} entries in ${file}`)
      return
    }
    if (next === undefined || newest === undefined || key === '' || !signer.follow(key)) return
    if (next.text === known?.text || !isSignedBy(next, signer.key(origin) ?? '')) return
    try {
      replace(newest.note)
      told = ''
    } catch (error) {
      tellOnce(`${file} cannot be written`, error)
    }
  }
  const lookAgain = (): void => {
    running = look()
      .catch((error: unknown) =>
        tellOnce('the audit log could not be compared with what is remembered', error),
      )
      .finally(() => {
        if (!isStopped) timer = setTimeout(lookAgain, everyMs).unref()
      })
  }
  return {
    start: lookAgain,
    look,
    recall,
    replace,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
      await look().catch(() => undefined)
    },
  }
}

/** Whether the log of one checkpoint is the beginning of the other's. The proof may come from a database that nobody trusts. */
const continues = async (
  auditTree: Store['auditTree'],
  first: OpenNote,
  second: OpenNote,
): Promise<boolean> => {
  if (first.origin !== second.origin || first.size > second.size) return false
  if (first.size === second.size) return first.root.equals(second.root)
  try {
    const proof = await proveConsistency(auditTree, first.size, second.size)
    return isConsistent({
      first: first.size,
      second: second.size,
      firstRoot: first.root,
      secondRoot: second.root,
      proof: proof.map((step) => Buffer.from(step, 'base64')),
    })
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    // Hashes that the proof needs are gone.
    return false
  }
}
