import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isSameKey, readKey } from '../../../verify.mjs'
import {
  appendLeaves,
  type Frontier,
  foldRight,
  type LeafRange,
  nodeHashOf,
  rootOf,
  type Subtree,
  subtreesOf,
} from '../../lib/codecs/merkle.ts'
import type { Database } from '../../lib/sql/database.ts'
import { createParams, json } from '../../lib/sql/sql.ts'
import type { AuditEntry } from '../model/audit-entry.ts'
import { type Checkpoint, entryKinds, LogKeyError, type LogSigner } from '../model/checkpoint.ts'
import { entriesWhere, insertEntry, newEntryId, rowColumns } from './audit.ts'

type NumberedEntry = AuditEntry & { seq: number }

/** Where the log stands: the key that signs it, none before the first entry; `base` entries of the older hash chain, then the leaves of the tree. Leaf n is entry base + n + 1. */
export type TreeState = { origin: string; key: string; base: number; frontier: Frontier }

/** The Merkle tree over the audit log: who sequences it, its checkpoints, and what proofs are made of. */
export type AuditTree = {
  /**
   * Gives the entries that wait for one their number, in the order of their time, extends the tree by them and stores
   * a signed checkpoint. How many that were: fewer than `limit` when none is left. Two processes that do it at once
   * wait for each other. The first signer of all gives the log its key; one without that key is refused.
   */
  sequence(signer: LogSigner, limit?: number): Promise<number>
  state(): Promise<TreeState>
  /**
   * Puts on record, as this entry, that another key signs from here on. False when the log has another key by now; `ready`
   * is called only if not, and nobody else changes the key meanwhile.
   */
  changeKey(
    from: string,
    key: string,
    entry: Pick<AuditEntry, 'who' | 'name' | 'platform' | 'doc'>,
    ready: () => void,
  ): Promise<boolean>
  /** Rows as they are stored, damaged or not: what verification reads. */
  rowsAfter(seq: number, limit: number): Promise<Record<string, unknown>[]>
  /** The time of the oldest entry without a number. */
  waitingSince(): Promise<number | undefined>
  nodesAfter(level: number, index: number, limit: number): Promise<{ index: number; hash: Buffer }[]>
  /** From the smallest up, those of more than this size. */
  checkpointsAfter(size: number, limit: number): Promise<Checkpoint[]>
  /** The newest, the first that covers an entry with this number, or the last before a time. */
  checkpoint(wanted?: { covering: number } | { before: number }): Promise<Checkpoint | undefined>
  /** The edge of the tree as it was at this size, from the hashes that are stored. */
  frontierAt(size: number): Promise<Frontier>
  /** The entries up to this one that put a key on record, in their order. */
  keyEntries(upTo: number): Promise<NumberedEntry[]>
  /** How far the log was verified, and when. */
  verified(): Promise<{ size: number; at: number } | undefined>
  setVerified(size: number): Promise<void>
  /** The root that the log had at each of these sizes, as far as it has been that large. */
  rootsAt(sizes: readonly number[]): Promise<Map<number, Buffer>>
  /** The hash of a range of leaves. */
  hashOfRange(range: LeafRange): Promise<Buffer>
}

/** One in so many levels is stored; those between are folded from at most 2^7 hashes when a proof needs them. */
export const storedEvery = 8

export const createAuditTree = (db: Database, now: () => number): AuditTree => {
  /** Read once for each key. */
  let named: { key: string; formerly: string[] } | undefined
  const formerly = async (inner: Database, origin: string, key: string): Promise<string[]> => {
    if (named?.key !== key) named = { key, formerly: await formerNames(inner, origin, key) }
    return named.formerly
  }
  return createTree(db, now, formerly)
}

const createTree = (
  db: Database,
  now: () => number,
  formerly: (inner: Database, origin: string, key: string) => Promise<string[]>,
): AuditTree => ({
  sequence: async (signer, limit = 1_000) => {
    // It is asked ten times a second, and mostly for nothing: a look locks nothing and commits nothing.
    const { key, hasWork } = await workIn(db)
    if (key !== '' && !signer.follow(key)) throw new LogKeyError(key)
    if (!hasWork) return 0
    return db.tx(async (inner) => {
      const waitingFor = () =>
        inner.all(leafRow, 'SELECT id, leaf FROM audit_log WHERE seq IS NULL ORDER BY at, id LIMIT $1', [
          limit,
        ])
      // In one trip; what is waiting is read once the row is locked.
      const [before, found] = await Promise.all([stateIn(inner, ' FOR UPDATE'), waitingFor()])
      const isFirst = before.key === ''
      if (!isFirst && !signer.follow(before.key)) throw new LogKeyError(before.key)
      const origin = before.origin || (await nameLog(inner))
      if (isFirst) await recordKey(inner, now(), signer.key(origin))
      const isOlder = before.base > 0 && before.frontier.size === 0
      if (isOlder) await takeOver(inner, now())
      const waiting = isFirst || isOlder ? await waitingFor() : found
      if (waiting.length === 0) return 0
      const nodes: (Subtree & { hash: Buffer })[] = []
      const leaves = waiting.map(({ leaf }) => Buffer.from(leaf, 'base64'))
      const frontier = appendLeaves(before.frontier, leaves, (subtree, hash) => {
        if (subtree.level % storedEvery === 0) nodes.push({ ...subtree, hash })
      })
      const first = before.base + before.frontier.size + 1
      const { values, add } = createParams()
      const numbers = waiting.map(({ id }, at) => `(${add(id)}, CAST(${add(first + at)} AS BIGINT))`)
      await inner.later(
        `WITH given (id, seq) AS (VALUES ${numbers.join(', ')})
         UPDATE audit_log SET seq = given.seq FROM given WHERE audit_log.id = given.id`,
        values,
      )
      for (const { level, index, hash } of nodes) {
        await inner.later('INSERT INTO audit_nodes (level, idx, hash) VALUES ($1, $2, $3)', [
          level,
          index,
          hash.toString('base64'),
        ])
      }
      const hashes = frontier.hashes.map((hash) => hash.toString('base64'))
      await inner.later('UPDATE audit_tree SET size = $1, frontier = $2 WHERE id = 1', [
        frontier.size,
        JSON.stringify(hashes),
      ])
      const root = rootOf(frontier)
      await inner.later('INSERT INTO audit_checkpoints (size, at, root, note) VALUES ($1, $2, $3, $4)', [
        frontier.size,
        now(),
        root.toString('base64'),
        signer.checkpoint({
          origin,
          size: frontier.size,
          root,
          formerly: isFirst ? [] : await formerly(inner, origin, before.key),
        }),
      ])
      return waiting.length
    })
  },

  state: () => stateIn(db),

  changeKey: (from, key, entry, ready) =>
    db.tx(async (inner) => {
      if ((await stateIn(inner, ' FOR UPDATE')).key !== from) return false
      ready()
      // Before those that wait: the next checkpoint, which covers it, is signed by this key.
      await insertBefore(inner, now(), { id: newEntryId(now()), kind: entryKinds.key, ...entry })
      await inner.run('UPDATE audit_tree SET key = $1 WHERE id = 1', [key])
      return true
    }),

  rowsAfter: (seq, limit) =>
    db.all(
      storedRow,
      `SELECT seq, ${rowColumns}, noun, leaf, prev, hash FROM audit_log WHERE seq > $1 ORDER BY seq LIMIT $2`,
      [seq, limit],
    ),

  waitingSince: async () => (await earliestWaiting(db)) ?? undefined,

  nodesAfter: (level, index, limit) =>
    db.all(
      nodeRow,
      'SELECT idx AS "index", hash FROM audit_nodes WHERE level = $1 AND idx > $2 ORDER BY idx LIMIT $3',
      [level, index, limit],
    ),

  checkpointsAfter: (size, limit) => checkpoints(db, 'WHERE size > $1 ORDER BY size LIMIT $2', [size, limit]),

  checkpoint: async (wanted) => {
    if (wanted === undefined) return (await checkpoints(db, 'ORDER BY size DESC LIMIT 1', []))[0]
    if ('before' in wanted) {
      return (await checkpoints(db, 'WHERE at < $1 ORDER BY size DESC LIMIT 1', [wanted.before]))[0]
    }
    const { base } = await stateIn(db)
    return (await checkpoints(db, 'WHERE size >= $1 ORDER BY size LIMIT 1', [wanted.covering - base]))[0]
  },

  frontierAt: async (size) => {
    const hashes: Buffer[] = []
    for (const subtree of subtreesOf({ from: 0, to: size })) hashes.push(await hashOfSubtree(db, subtree))
    return { size, hashes }
  },

  keyEntries: (upTo) => keyEntriesIn(db, upTo),

  verified: async () => (await db.all(verifiedRow, 'SELECT size, at FROM audit_verified WHERE id = 1'))[0],

  setVerified: async (size) => {
    await db.run(
      `INSERT INTO audit_verified (id, size, at) VALUES (1, $1, $2)
       ON CONFLICT (id) DO UPDATE SET size = excluded.size, at = excluded.at`,
      [size, now()],
    )
  },

  rootsAt: async (sizes) => {
    if (sizes.length === 0) return new Map()
    const { values, addAll } = createParams()
    const stored = await checkpoints(db, `WHERE size IN (${addAll(sizes)})`, values)
    const roots = new Map(stored.map(({ size, root }) => [size, root]))
    const { frontier } = await stateIn(db)
    for (const size of sizes) {
      if (size > 0 && size <= frontier.size && !roots.has(size)) {
        roots.set(size, await hashOfRange(db, { from: 0, to: size }))
      }
    }
    return roots
  },

  hashOfRange: (range) => hashOfRange(db, range),
})

const base64 = z.string().transform((text) => Buffer.from(text, 'base64'))
const stateRow = z.object({
  origin: z.string(),
  key: z.string(),
  base: z.number(),
  size: z.number(),
  frontier: json.pipe(z.array(base64)),
})
/** As it is, damaged or not. */
const storedRow = z.custom<Record<string, unknown>>()
const nodeRow = z.object({ index: z.number(), hash: base64 })
const hashRow = z.object({ hash: base64 })
const verifiedRow = z.object({ size: z.number(), at: z.number() })
const workRow = z.object({ key: z.string(), work: z.number() })
const earliestRow = z.object({ at: z.number().nullable() })
const headRow = z.object({ seq: z.number(), hash: z.string() })
const leafRow = z.object({ id: z.string(), leaf: z.string() })
const checkpointRow = z.object({ size: z.number(), at: z.number(), root: base64, note: z.string() })

const stateIn = async (db: Database, lock = ''): Promise<TreeState> => {
  const [row] = await db.all(
    stateRow,
    `SELECT origin, key, base, size, frontier FROM audit_tree WHERE id = 1${lock}`,
  )
  if (row === undefined) throw new Error('the audit log has lost its tree')
  const { size, frontier: hashes, ...rest } = row
  return { ...rest, frontier: { size, hashes } }
}

const checkpoints = (db: Database, rest: string, params: readonly unknown[]): Promise<Checkpoint[]> =>
  db.all(checkpointRow, `SELECT size, at, root, note FROM audit_checkpoints ${rest}`, params)

/** No two logs have the same origin, so that a checkpoint of one never passes for the other's. */
const nameLog = async (db: Database): Promise<string> => {
  const origin = `bellhop/${randomBytes(8).toString('hex')}`
  await db.run('UPDATE audit_tree SET origin = $1 WHERE id = 1', [origin])
  return origin
}

/** The hash chain of before ends here: its last hash is the first leaf of the tree. */
const takeOver = async (db: Database, at: number): Promise<void> => {
  const [head] = await db.all(headRow, 'SELECT seq, hash FROM audit_head WHERE id = 1')
  if (head === undefined) throw new Error('the older audit log has lost its head')
  await insertBefore(db, at, { id: 'taken-over', kind: entryKinds.takenOver, doc: { ...head } })
}

/** Which key signs from the first entry on is on record. */
const recordKey = async (db: Database, at: number, key: string | undefined): Promise<void> => {
  if (key === undefined) throw new LogKeyError('')
  await insertBefore(db, at, { id: newEntryId(at), kind: entryKinds.key, doc: { key } })
  await db.run('UPDATE audit_tree SET key = $1 WHERE id = 1', [key])
}

/** Under which other names the same key was on record: whoever was given such a line checks by it. */
const formerNames = async (db: Database, origin: string, key: string): Promise<string[]> => {
  const entries = await keyEntriesIn(db, Number.MAX_SAFE_INTEGER)
  const names = entries
    .map(({ doc }) => String(doc.key))
    .filter((one) => isSameKey(one, key))
    .flatMap((one) => readKey(one)?.name ?? [])
  return [...new Set(names)].filter((name) => name !== origin)
}

const keyEntriesIn = async (db: Database, upTo: number): Promise<NumberedEntry[]> =>
  (await entriesWhere(db, 'WHERE command = $1 AND kind = $2 AND seq <= $3 ORDER BY seq', [
    ownCommand,
    entryKinds.key,
    upTo,
  ])) as NumberedEntry[]

/** What the log writes about itself stands under the command that reads it. */
export const ownCommand = 'audit verify'

/** An entry of the log about itself, which comes before those that wait. */
const insertBefore = async (
  db: Database,
  at: number,
  entry: Pick<AuditEntry, 'id' | 'kind' | 'doc'> & Partial<AuditEntry>,
): Promise<void> => {
  await insertEntry(db, {
    at: Math.min(at, ((await earliestWaiting(db)) ?? at + 1) - 1),
    who: 'bellhop',
    name: 'Bellhop',
    platform: 'bellhop',
    command: ownCommand,
    changeId: null,
    ...entry,
  })
}

/** The key on record, and whether an entry waits for its number or the log has yet to begin. */
const workIn = async (db: Database): Promise<{ key: string; hasWork: boolean }> => {
  const [found] = await db.together.all(
    workRow,
    `SELECT key, CASE WHEN key = '' OR (base > 0 AND size = 0)
       OR (SELECT MIN(at) FROM audit_log WHERE seq IS NULL) IS NOT NULL THEN 1 ELSE 0 END AS work
     FROM audit_tree WHERE id = 1`,
  )
  return { key: found?.key ?? '', hasWork: found?.work !== 0 }
}

const earliestWaiting = async (db: Database): Promise<number | null> => {
  const [found] = await db.all(earliestRow, 'SELECT MIN(at) AS at FROM audit_log WHERE seq IS NULL')
  return found?.at ?? null
}

const hashOfRange = async (db: Database, range: LeafRange): Promise<Buffer> => {
  const hashes: Buffer[] = []
  for (const subtree of subtreesOf(range)) hashes.push(await hashOfSubtree(db, subtree))
  return foldRight(hashes)
}

const hashOfSubtree = async (db: Database, { level, index }: Subtree): Promise<Buffer> => {
  const stored = level - (level % storedEvery)
  const count = 2 ** (level - stored)
  const rows = await db.all(
    hashRow,
    stored === 0
      ? `SELECT leaf AS hash FROM audit_log
         WHERE seq > $1 + (SELECT base FROM audit_tree WHERE id = 1) AND seq <= $2 + (SELECT base FROM audit_tree WHERE id = 1)
         ORDER BY seq`
      : `SELECT hash FROM audit_nodes WHERE level = ${stored} AND idx >= $1 AND idx < $2 ORDER BY idx`,
    [index * count, (index + 1) * count],
  )
  if (rows.length !== count) throw new Error(`the tree of the audit log lacks level ${level}, ${index}`)
  let hashes: Buffer[] = rows.map(({ hash }) => hash)
  while (hashes.length > 1) {
    hashes = hashes.flatMap((hash, at) => (at % 2 === 0 ? [nodeHashOf(hash, hashes[at + 1] as Buffer)] : []))
  }
  return hashes[0] as Buffer
}
