import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isConsistent, isSignedBy, type OpenNote, openNote } from '../../../verify.mjs'
import { makeOwnFolder, ownFileMode } from '../../lib/private-files.ts'
import { DatabaseError } from '../../lib/sql/database.ts'
import type { LogSigner } from '../model/checkpoint.ts'
import { type StoredStep, storedStepSchema } from '../model/stored-step.ts'
import type { Store } from '../store/store.ts'
import { proveConsistency } from './tree-proofs.ts'

/**
 * The newest checkpoint that a process has signed, or seen signed by its key, kept outside the database: a log that was
 * shortened or rewritten there does not continue it.
 */
export type LogMemory = {
  start(): void
  /** Keeps the newest checkpoint, provided that it continues the one that is kept. */
  look(): Promise<void>
  recall(): OpenNote | undefined
  /** The checkpoint that is kept, if the log that it is of does not continue it. */
  lost(): Promise<string | undefined>
  /** Keeps the newest checkpoint of the log as it is now, whatever was kept before. */
  follow(): Promise<void>
  /** Keeps this one whatever was kept before. */
  replace(note: string): void
  /**
   * Keeps that this step was stored, for whoever comes after this process: the checkpoint has it only a second later. It is
   * not waited for on the disk, so a machine that loses its power may forget it.
   */
  keepStep(step: StoredStep): void
  /** The last steps that processes on this folder have stored in the log of this name. */
  steps(log: string): StoredStep[]
  /** The log as it is now is right without them. */
  forgetSteps(): void
  stop(): Promise<void>
}

type MemoryDeps = {
  folder: string
  store: Pick<Store, 'auditTree'>
  signer: LogSigner
  warn(words: string, error?: unknown): void
  /** Called whenever the log turns out not to continue what is kept of it. */
  onLost?: () => void
}

const everyMs = 1_000
/** As many as are looked for; of those before them the checkpoint knows. */
const maxSteps = 200
const maxStepBytes = 128_000

export const createLogMemory = ({
  folder,
  store: { auditTree },
  signer,
  warn,
  onLost,
}: MemoryDeps): LogMemory => {
  const file = join(folder, 'audit-checkpoint.txt')
  const stepsFile = join(folder, 'audit-steps.txt')
  /** The log of the database, once it is known. */
  let log = ''
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
    makeOwnFolder(resolve(folder))
    // Processes in containers that share the folder may all have the same number.
    const part = `${file}.${randomUUID()}`
    writeFileSync(part, note, { mode: ownFileMode })
    renameSync(part, file)
    kept = openNote(note)
  }
  const look = async (): Promise<void> => {
    const [known, { key, origin }, newest] = [recall(), await auditTree.state(), await auditTree.checkpoint()]
    log = origin
    const next = newest && openNote(newest.note)
    if (known !== undefined && (next === undefined || !(await continues(auditTree, known, next)))) {
      tellOnce(`the audit log does not continue the checkpoint of ${known.size} entries in ${file}`)
      onLost?.()
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
    lost: async () => {
      const [known, { origin }, newest] = [recall(), await auditTree.state(), await auditTree.checkpoint()]
      if (known === undefined || known.origin !== origin) return undefined
      const next = newest && openNote(newest.note)
      return next !== undefined && (await continues(auditTree, known, next)) ? undefined : known.text
    },
    follow: async () => {
      const newest = await auditTree.checkpoint()
      if (newest !== undefined) replace(newest.note)
    },
    replace,
    keepStep: ({ id, at, deed }) => {
      try {
        makeOwnFolder(resolve(folder))
        if (sizeOf(stepsFile) > maxStepBytes)
          writeFileSync(stepsFile, lastLinesOf(stepsFile), { mode: ownFileMode })
        const line = [id, at, log, ...(deed === undefined ? [] : [JSON.stringify(deed)])].join(' ')
        appendFileSync(stepsFile, `${line}\n`, { mode: ownFileMode })
      } catch (error) {
        tellOnce(`${stepsFile} cannot be written`, error)
      }
    },
    steps: (of) => stepsIn(stepsFile, of),
    forgetSteps: () => rmSync(stepsFile, { force: true }),
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
      await look().catch(() => undefined)
    },
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const lastLinesOf = (file: string): string =>
  readFileSync(file, 'utf8').split('\n').slice(-maxSteps).join('\n')

/** One whose log was not known yet says none: it may be of any. */
const stepsIn = (file: string, of: string): StoredStep[] => {
  const text = sizeOf(file) === 0 ? '' : readFileSync(file, 'utf8')
  return text
    .split('\n')
    .flatMap((line) => {
      const [, id = '', at, log, deed] = /^(\S+) (\d+) (\S*)(?: (\{.*\}))?$/.exec(line) ?? []
      return log === '' || log === of ? [readStep({ id, at: Number(at) }, deed)] : []
    })
    .slice(-maxSteps)
}

/** What the last write of a machine that lost its power left of a line is no deed. */
const readStep = (step: Pick<StoredStep, 'id' | 'at'>, deed = 'null'): StoredStep => {
  try {
    return storedStepSchema.parse({ ...step, deed: JSON.parse(deed) ?? undefined })
  } catch {
    return step
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
