import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { makeOwnFolder, ownFileMode } from '../../lib/private-files.ts'
import type { AuditEntry } from '../model/audit-entry.ts'
import { type Change, changeSchema, unsettledStates } from '../model/change.ts'

const end = z.object({
  /** `pending`: nothing of a batch was sent, and it may be sent again. */
  state: z.enum(['applied', 'failed', ...unsettledStates, 'sent', 'pending']),
  message: z.string(),
  at: z.number(),
})

const claim = z.object({
  /** The id of the change, or of the batch of a job with what is left of it. */
  key: z.string(),
  at: z.number(),
  /** The log that the claim is on record in, and its entry there; a batch has none. */
  log: z.string(),
  entry: z.string().optional(),
  batch: z.object({ job: z.string(), n: z.number(), size: z.number() }).optional(),
})

const line = z.union([
  z.object({ sent: z.object({ ...claim.shape, change: z.unknown().optional() }) }),
  z.object({ end: z.object({ ...end.shape, key: z.string() }) }),
])

/** Something that was about to be sent, and what came of it as far as that is known. */
export type SentClaim = z.infer<typeof claim>
export type SentEnd = z.infer<typeof end>
export type Remembered = SentClaim & { end?: SentEnd | undefined }

/**
 * What was sent, remembered outside the store: each claim before its first byte leaves, and its end. A store that went back
 * in time has forgotten what stands here.
 */
export type SentLog = {
  /** Resolves when it is on the disk, and nobody else has claimed the same before. */
  keep(claim: SentClaim, change?: Change): Promise<void>
  /** Written without waiting for the disk: without it, the outcome is not known. */
  end(key: string, end: SentEnd): Promise<void>
  /** What this process or another one on the same folder has claimed by this key, and may have sent. */
  find(key: string): Remembered | undefined
  all(): Remembered[]
  /** The change as it was when it was claimed. */
  changeOf(key: string): Change | undefined
}

type Recalling = { recallLog(): { origin: string } | undefined }

/** A change that was claimed, by the entry of its claim in the log. */
export const claimOf = (
  core: Recalling,
  { id, updatedAt }: Pick<Change, 'id' | 'updatedAt'>,
  entry: Pick<AuditEntry, 'id'>,
): SentClaim => ({ key: id, at: updatedAt, log: logOf(core), entry: entry.id })

/** The log of the store that is written to: other stores may have been used with the same folder. */
export const logOf = ({ recallLog }: Recalling): string => recallLog()?.origin ?? ''

/** Nothing may be sent that cannot be remembered, or is remembered already. */
export class SentLogError extends Error {
  override readonly name = 'SentLogError'
  readonly isSent: boolean
  constructor(message: string, { isSent = false, cause }: { isSent?: boolean; cause?: unknown }) {
    super(message, { cause })
    this.isSent = isSent
  }
}

export const sentFile = 'sent.jsonl'
const oldFile = 'sent.old.jsonl'
/** The file that is full stays until the next one is: some thousand claims. */
const maxBytes = 16_000_000

/** Without a folder, what this process itself has sent. */
export const createSentLog = (folder?: string): SentLog => {
  const known = new Map<string, Remembered>()
  const take = (text: string, each = takeIn): void => {
    for (const one of text.split('\n')) if (one !== '') each(one)
  }
  const takeIn = (text: string): void => {
    const read = readLine(text)
    if (read === undefined) return
    if ('end' in read) {
      const { key, ...end } = read.end
      const before = known.get(key)
      if (end.state === 'pending') known.delete(key)
      else if (before !== undefined) known.set(key, { ...before, end })
    } else {
      const { change: _, ...claim } = read.sent
      if (!known.has(claim.key)) known.set(claim.key, claim)
    }
  }
  const refuseSecond = ({ key, at, entry }: SentClaim): void => {
    const first = known.get(key)
    if (first?.at !== at || first.entry !== entry)
      throw new SentLogError('another process on this folder has sent the same', { isSent: true })
  }
  if (folder === undefined) {
    const changes = new Map<string, Change>()
    return {
      keep: async (claim, change) => {
        if (!known.has(claim.key)) known.set(claim.key, claim)
        refuseSecond(claim)
        if (change !== undefined) changes.set(claim.key, change)
      },
      end: async (key, end) => takeIn(JSON.stringify({ end: { key, ...end } })),
      find: (key) => known.get(key),
      all: () => [...known.values()],
      changeOf: (key) => changes.get(key),
    }
  }

  const file = join(folder, sentFile)
  const old = join(folder, oldFile)
  /** How far the file is read, and which file that was: another process may have begun a new one. */
  let read = { ino: -1, size: 0 }
  const catchUp = (): void => {
    const fd = openIfThere(file)
    if (fd === undefined) return
    try {
      const { ino, size } = fstatSync(fd)
      if (ino !== read.ino) {
        take(textOf(old))
        read = { ino, size: 0 }
      }
      if (size <= read.size) return
      const more = Buffer.alloc(size - read.size)
      readSync(fd, more, 0, more.length, read.size)
      const whole = more.subarray(0, more.lastIndexOf('\n') + 1)
      read.size += whole.length
      take(whole.toString('utf8'))
    } finally {
      closeSync(fd)
    }
  }
  const append = async (what: object, isSynced: boolean): Promise<void> => {
    const size = unlessAbsent(() => statSync(file))?.size
    if (size === undefined) makeOwnFolder(resolve(folder))
    else if (size >= maxBytes) renameSync(file, old)
    const to = await open(file, 'a', ownFileMode)
    try {
      // A line that was cut off by a crash is no part of this one.
      await to.appendFile(`\n${JSON.stringify(what)}\n`)
      if (isSynced) await to.datasync()
    } finally {
      await to.close()
    }
    if (size !== undefined && size < maxBytes) return
    // The name of a new file is on the disk only when its folder is.
    const place = await open(folder)
    await place.sync().finally(() => place.close())
  }

  return {
    keep: async (claim, change) => {
      await append({ sent: { ...claim, change } }, true).catch((cause: unknown) => {
        throw new SentLogError(`${file} cannot be written`, { cause })
      })
      catchUp()
      refuseSecond(claim)
    },
    end: (key, end) => append({ end: { key, ...end } }, false),
    find: (key) => {
      catchUp()
      return known.get(key)
    },
    all: () => {
      catchUp()
      return [...known.values()]
    },
    changeOf: (key) => {
      let found: unknown
      for (const from of [old, file])
        take(textOf(from), (text) => {
          if (!text.includes(key)) return
          const one = readLine(text)
          if (one !== undefined && 'sent' in one && one.sent.key === key) found = one.sent.change
        })
      const change = changeSchema.safeParse(found)
      return change.success ? change.data : undefined
    },
  }
}

const readLine = (text: string): z.infer<typeof line> | undefined => {
  try {
    return line.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const openIfThere = (file: string): number | undefined => unlessAbsent(() => openSync(file, 'r'))
const textOf = (file: string): string => unlessAbsent(() => readFileSync(file, 'utf8')) ?? ''

const unlessAbsent = <T>(look: () => T): T | undefined => {
  try {
    return look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
