import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  type AuditEntry,
  type AuditInput,
  type AuditRow,
  auditEntrySchema,
  leafOf,
  nounOf,
} from '../model/audit-entry.ts'
import { canonicalJson } from '../model/canonical-json.ts'
import { type Database, toStorable } from './database/database.ts'
import { createParams, json } from './database/sql.ts'

type AuditFilter = {
  who?: string | undefined
  /** A command's name, or its noun, with or without ` *`. */
  command?: string | undefined
  changeId?: string | undefined
  /** Without the entries of look-ups. */
  changesOnly?: boolean | undefined
  since?: number | undefined
  until?: number | undefined
  /** The number of the last entry of the page before. */
  before?: number | undefined
  skip?: number | undefined
  limit: number
}

export type Audit = {
  /** Written in the transaction of what it records; it touches no row that others write. */
  append(input: AuditInput): Promise<AuditEntry>
  /** The newest first; those without a number yet are the newest. */
  find(filter: AuditFilter): Promise<AuditEntry[]>
  /** Every entry, or every one since then, in the order of the log; with or without those of look-ups. */
  stream(which?: { since?: number | undefined; changesOnly?: boolean }): AsyncGenerator<AuditEntry>
}

const pageSize = 500

export const createAudit = (db: Database, now: () => number): Audit => ({
  append: (input) => insertEntry(db, { ...input, id: newEntryId(now()), at: now() }),

  find: async ({ skip = 0, ...wanted }) => {
    const filter = { ...wanted, limit: skip + wanted.limit }
    // An entry gets its number a moment after it was written: only the first page has any without.
    const waiting =
      filter.before === undefined ? await select(db, filter, 'seq IS NULL', 'at DESC, id DESC') : []
    const numbered = await select(db, filter, 'seq IS NOT NULL', 'seq DESC')
    return [...without(waiting, numbered), ...numbered].slice(skip, filter.limit)
  },

  stream: async function* ({ since = 0, changesOnly = false } = {}) {
    const among = changesOnly ? ` AND ${isOfChange}` : ''
    let next = await firstSince(db, since)
    let waiting: AuditEntry[] | undefined
    for (;;) {
      const page = await entriesWhere(db, `WHERE seq >= $1${among} ORDER BY seq LIMIT $2`, [next, pageSize])
      yield* page
      next = (page.at(-1)?.seq ?? next - 1) + 1
      waiting = waiting && without(waiting, page)
      if (page.length === pageSize) continue
      if (waiting !== undefined) break
      // Those that get their number from here on are read once more, among the numbered.
      waiting = await entriesWhere(db, `WHERE seq IS NULL AND at >= $1${among} ORDER BY at, id`, [since])
    }
    yield* waiting
  },
})

export const insertEntry = async (
  db: Database,
  { doc, ...given }: Omit<AuditEntry, 'seq'>,
): Promise<AuditEntry> => {
  const row: AuditRow = {
    ...(Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, toStorable(value)]),
    ) as typeof given),
    doc: canonicalJson(doc),
  }
  const { id, at, kind, who, name, platform, command, changeId } = row
  await db.later(
    `INSERT INTO audit_log (id, at, kind, who, name, platform, command, noun, change_id, doc, leaf)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      at,
      kind,
      who,
      name,
      platform,
      command,
      nounOf(command),
      changeId,
      row.doc,
      leafOf(row).toString('base64'),
    ],
  )
  return { ...row, seq: null, doc: JSON.parse(row.doc) as AuditEntry['doc'] }
}

/** As it stands in the indices without look-ups, so that they are used. */
const isOfChange = `kind <> 'ran'`

/** An entry may get its number between two reads: then it is in both. */
const without = (waiting: AuditEntry[], numbered: readonly AuditEntry[]): AuditEntry[] =>
  waiting.filter(({ id }) => !numbered.some((one) => one.id === id))

let made = 0

/** In the order of time, and of writing within one process. */
export const newEntryId = (at: number): string => {
  made = (made + 1) % 36 ** 4
  const order = at.toString(36).padStart(9, '0') + made.toString(36).padStart(4, '0')
  // Node draws these in advance.
  return order + randomUUID().replace('-', '').slice(0, 10)
}

/** What a leaf is made of. */
export const rowColumns = 'id, at, kind, who, name, platform, command, change_id AS "changeId", doc'
const numberRow = z.object({ seq: z.number() })
const parsed = z.object({ ...auditEntrySchema.shape, doc: json.pipe(auditEntrySchema.shape.doc) })

export const entriesWhere = (db: Database, rest: string, params: readonly unknown[]): Promise<AuditEntry[]> =>
  db.all(parsed, `SELECT seq, ${rowColumns} FROM audit_log ${rest}`, params)

const select = (
  db: Database,
  { who, command, changeId, changesOnly, since, until, before, limit }: AuditFilter,
  among: string,
  order: string,
): Promise<AuditEntry[]> => {
  const { values, add } = createParams()
  const conditions = [
    among,
    ...(who === undefined ? [] : [`who = ${add(who)}`]),
    ...(command === undefined ? [] : [commandIs(command, add)]),
    ...(changeId === undefined ? [] : [`change_id = ${add(changeId)}`]),
    ...(changesOnly ? [isOfChange] : []),
    ...(before === undefined ? [] : [`seq < ${add(before)}`]),
    ...(since === undefined ? [] : [`at >= ${add(since)} AND ${isNear(add(since))}`]),
    ...(until === undefined ? [] : [`at < ${add(until)}`]),
  ]
  return entriesWhere(db, `WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${add(limit)}`, values)
}

/**
 * Where a walk from the newest entry back may stop: with few entries since then, at the first of them. With many, the
 * page is full long before. Clocks of replicas differ, so an entry's time does not tell its number.
 */
const isNear = (since: string): string =>
  `(seq IS NULL OR seq >= (SELECT CASE WHEN COUNT(*) > 1000 THEN 0 ELSE COALESCE(MIN(seq), 0) END
    FROM (SELECT seq FROM audit_log WHERE at >= ${since} AND seq IS NOT NULL ORDER BY at LIMIT 1001) AS few))`

/**
 * The number of the first entry since then, or the next number there will be. The `+ 0` makes SQLite use the index of
 * times; it would walk all the numbers otherwise.
 */
const firstSince = async (db: Database, since: number): Promise<number> => {
  if (since <= 0) return 1
  const [found] = await db.all(
    numberRow,
    `SELECT COALESCE((SELECT MIN(seq + 0) FROM audit_log WHERE at >= $1 AND seq IS NOT NULL),
       (SELECT COALESCE(MAX(seq), 0) + 1 FROM audit_log)) AS seq`,
    [since],
  )
  return found?.seq ?? 1
}

const commandIs = (command: string, add: (value: unknown) => string): string => {
  const name = command.replace(/ \*$/, '').trim()
  return name.includes(' ') ? `command = ${add(name)}` : `noun = ${add(name)}`
}
