import { z } from 'zod'
import {
  type AuditEntry,
  type AuditHead,
  type AuditInput,
  auditEntrySchema,
  hashOf,
  nounOf,
} from '../model/audit-entry.ts'
import { canonicalJson } from '../model/canonical-json.ts'
import { type Database, type Durability, toStorable } from './database/database.ts'
import { DatabaseError } from './database/database-error.ts'
import { createParams, json } from './database/sql.ts'

type AuditFilter = {
  who?: string | undefined
  /** A command's name, or its noun, with or without ` *`. */
  command?: string | undefined
  changeId?: string | undefined
  since?: number | undefined
  until?: number | undefined
  /** The number of the last entry of the page before. */
  before?: number | undefined
  skip?: number | undefined
  limit: number
}

export type Audit = {
  append(input: AuditInput): Promise<AuditEntry>
  /** Newest first. */
  find(filter: AuditFilter): Promise<AuditEntry[]>
  /** Every entry from this number, or from the first one since the given time, in order and without gaps. */
  stream(start?: { from?: number | undefined; since?: number | undefined }): AsyncGenerator<AuditEntry>
  /** The stored head and the last existing entry, read in one statement. */
  head(): Promise<{ head: AuditHead | null; last: number }>
  /** The rows as stored, damaged or not, for verification. */
  rowsAfter(seq: number, limit: number): Promise<unknown[]>
}

const pageSize = 500

/**
 * The chain has one end, the row `audit_head`. Only the holder of that row may append. Every transaction of
 * the store locks it first, so appends are serial, the chain never forks, and transactions cannot deadlock.
 */
export const createAudit = (db: Database, now: () => number, held?: AuditHead): Audit => ({
  append: (input) =>
    held
      ? appendTo(db, held, input, now())
      : withHead(db, (inner, head) => appendTo(inner, head, input, now())),

  find: async ({ who, command, changeId, since, until, before, skip = 0, limit }) => {
    const { values, add } = createParams()
    const conditions = [
      ...(who === undefined ? [] : [`who = ${add(who)}`]),
      ...(command === undefined ? [] : [commandIs(command, add)]),
      ...(changeId === undefined ? [] : [`change_id = ${add(changeId)}`]),
      ...(before === undefined ? [] : [`seq < ${add(before)}`]),
      ...(since === undefined ? [] : [`at >= ${add(since)} AND seq >= ${firstOfFew(add(since))}`]),
      ...(until === undefined ? [] : [`at < ${add(until)}`]),
    ]
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    return entries(db, `${where} ORDER BY seq DESC LIMIT ${add(limit)} OFFSET ${add(skip)}`, values)
  },

  stream: async function* ({ from = 1, since = 0 } = {}) {
    for (let next = Math.max(from, await firstSince(db, since)); ; ) {
      const page = await entries(db, 'WHERE seq >= $1 ORDER BY seq LIMIT $2', [next, pageSize])
      yield* page
      const last = page.at(-1)
      if (!last || page.length < pageSize) return
      next = last.seq + 1
    }
  },

  head: async () => {
    const [found] = await db.all(
      z.object({ seq: z.number().nullable(), hash: z.string().nullable(), last: z.number() }),
      `SELECT audit_head.seq, audit_head.hash, newest.last
       FROM (SELECT COALESCE(MAX(seq), 0) AS last FROM audit) AS newest LEFT JOIN audit_head ON audit_head.id = 1`,
    )
    const { seq = null, hash = null, last = 0 } = found ?? {}
    return { head: seq === null || hash === null ? null : { seq, hash }, last }
  },

  rowsAfter: (seq, limit) =>
    db.all(z.unknown(), `SELECT ${columns} FROM audit WHERE seq > $1 ORDER BY seq LIMIT $2`, [seq, limit]),
})

/** Runs the work while holding the end of the chain, and writes the new end if the work appended entries. */
export const withHead = <T>(
  db: Database,
  work: (db: Database, head: AuditHead) => Promise<T>,
  durability?: Durability,
): Promise<T> =>
  db.tx(async (inner) => {
    const [stored] = await inner.all(headSchema, 'SELECT seq, hash FROM audit_head WHERE id = 1 FOR UPDATE')
    if (!stored) throw new DatabaseError('failed', 'The head of the audit log is missing: run audit verify')
    const head: AuditHead = { ...stored }
    const result = await work(inner, head)
    if (head.seq !== stored.seq) {
      await inner.run('UPDATE audit_head SET seq = $1, hash = $2 WHERE id = 1', [head.seq, head.hash])
    }
    return result
  }, durability)

/** Moves the head before the row is written, so that appends in one transaction may overlap. */
const appendTo = async (
  db: Database,
  head: AuditHead,
  input: AuditInput,
  at: number,
): Promise<AuditEntry> => {
  const doc = canonicalJson(input.doc)
  const unsealed = {
    seq: head.seq + 1,
    at,
    kind: storable(input.kind),
    who: storable(input.who),
    name: storable(input.name),
    platform: storable(input.platform),
    command: storable(input.command),
    changeId: input.changeId === null ? null : storable(input.changeId),
    doc: JSON.parse(doc) as AuditEntry['doc'],
    prev: head.hash,
  }
  const entry: AuditEntry = { ...unsealed, hash: hashOf(unsealed) }
  head.seq = entry.seq
  head.hash = entry.hash
  await db.run(
    `INSERT INTO audit (seq, at, kind, who, name, platform, command, noun, change_id, doc, prev, hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      entry.seq,
      entry.at,
      entry.kind,
      entry.who,
      entry.name,
      entry.platform,
      entry.command,
      nounOf(entry.command),
      entry.changeId,
      doc,
      entry.prev,
      entry.hash,
    ],
  )
  return entry
}

const storable = (text: string): string => String(toStorable(text))

const columns = 'seq, at, kind, who, name, platform, command, noun, change_id AS "changeId", doc, prev, hash'
const headSchema = z.object({ seq: z.number(), hash: z.string() })
const row = z.object({ ...auditEntrySchema.shape, doc: json.pipe(auditEntrySchema.shape.doc) })

const entries = (db: Database, rest: string, params: readonly unknown[]): Promise<AuditEntry[]> =>
  db.all(row, `SELECT ${columns} FROM audit ${rest}`, params)

/**
 * Where a scan from the newest entry backwards may stop. With few entries since the given time, at the first
 * of them; with many, the page is full long before. The clocks of replicas differ, so times are not in the
 * order of numbers.
 */
const firstOfFew = (since: string): string =>
  `(SELECT CASE WHEN COUNT(*) > 1000 THEN 0 ELSE MIN(seq) END
    FROM (SELECT seq FROM audit WHERE at >= ${since} ORDER BY at LIMIT 1001) AS few)`

/**
 * The number of the first entry since the given time, or the next number. The `+ 0` makes SQLite use the
 * index on time instead of scanning all numbers.
 */
const firstSince = async (db: Database, since: number): Promise<number> => {
  if (since <= 0) return 1
  const [found] = await db.all(
    z.object({ seq: z.number() }),
    `SELECT COALESCE((SELECT MIN(seq + 0) FROM audit WHERE at >= $1),
       (SELECT COALESCE(MAX(seq), 0) + 1 FROM audit)) AS seq`,
    [since],
  )
  return found?.seq ?? 1
}

const commandIs = (command: string, add: (value: unknown) => string): string => {
  const name = command.replace(/ \*$/, '').trim()
  return name.includes(' ') ? `command = ${add(name)}` : `noun = ${add(name)}`
}
