import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import { type Database, toStorable } from '../../lib/sql/database.ts'
import { createParams, json } from '../../lib/sql/sql.ts'
import {
  type AuditEntry,
  type AuditInput,
  type AuditRow,
  auditEntrySchema,
  isLook,
  leafOf,
  looks,
  nounOf,
} from '../model/audit-entry.ts'

type AuditFilter = {
  /** Of one entry. */
  id?: string | undefined
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

const countRow = z.object({
  who: z.string(),
  kind: z.string(),
  command: z.string(),
  n: z.number(),
  last: z.number(),
})

export type DeedCount = z.infer<typeof countRow>

export type Audit = {
  /** Written in the transaction of what it records; it touches no row that others write. */
  append(input: AuditInput): Promise<AuditEntry>
  /** Whether the log has this entry; it loses none by itself. */
  has(id: string): Promise<boolean>
  /** Those of these that the log does not have. */
  missing(ids: readonly string[]): Promise<string[]>
  /** The newest first; those without a number yet are the newest. */
  find(filter: AuditFilter): Promise<AuditEntry[]>
  /** How often each person did what with each command since then, and when last. Counted in the database, a day at a time. */
  counts(since: number): Promise<DeedCount[]>
  /** Every entry, or every one since then, in the order of the log; with or without those of look-ups. */
  stream(which?: {
    since?: number | undefined
    until?: number | undefined
    changesOnly?: boolean
  }): AsyncGenerator<AuditEntry>
}

const pageSize = 500
const dayMs = 86_400_000

export const createAudit = (db: Database, now: () => number): Audit => ({
  append: (input) => insertEntry(db, { ...input, id: newEntryId(now()), at: now() }),

  counts: async (since) => {
    const counts = new Map<string, DeedCount>()
    const until = now() + dayMs
    for (let from = since; from < until; from += dayMs) {
      const found = await db.all(
        countRow,
        `SELECT who, kind, command, COUNT(*) AS n, MAX(at) AS last FROM audit_log
         WHERE at >= $1 AND at < $2 GROUP BY who, kind, command`,
        [from, Math.min(from + dayMs, until)],
      )
      for (const one of found) {
        const key = JSON.stringify([one.who, one.kind, one.command])
        counts.set(key, { ...one, n: one.n + (counts.get(key)?.n ?? 0) })
      }
    }
    return [...counts.values()]
  },

  has: async (id) => (await missingIn(db, [id])).length === 0,
  missing: (ids) => missingIn(db, ids),

  find: async ({ skip = 0, ...wanted }) => {
    const filter = { ...wanted, limit: skip + wanted.limit }
    // An entry gets its number a moment after it was written: only the first page has any without.
    const waiting =
      filter.before === undefined ? await select(db, filter, 'seq IS NULL', 'at DESC, id DESC') : []
    const numbered = await selectNumbered(db, filter)
    return [...without(waiting, numbered), ...numbered].slice(skip, filter.limit)
  },

  stream: async function* ({ since = 0, until, changesOnly = false } = {}) {
    const among = changesOnly ? ` AND ${isOfChange}` : ''
    const fits = ({ at, kind }: AuditEntry) =>
      (until === undefined || at < until) && !(changesOnly && isLook(kind))
    const span = await spanOf(db, { since, until })
    const isPart = since > 0 || until !== undefined
    const later: AuditEntry[] = []
    if (isPart)
      for await (const strays of straysOf(
        db,
        { since, until },
        { from: span.from, to: until === undefined ? forever : span.to },
        among,
      ))
        for (const stray of strays.filter(fits)) {
          if ((stray.seq ?? 0) < span.from) yield stray
          else later.push(stray)
        }
    const end = until === undefined ? forever : span.to
    let next = span.from
    let waiting: AuditEntry[] | undefined
    for (;;) {
      const page = await entriesWhere(db, `WHERE seq >= $1 AND seq < $2${among} ORDER BY seq LIMIT $3`, [
        next,
        end,
        pageSize,
      ])
      yield* until === undefined ? page : page.filter(fits)
      next = (page.at(-1)?.seq ?? next - 1) + 1
      waiting = waiting && without(waiting, page)
      if (page.length === pageSize) continue
      if (waiting !== undefined) break
      // Those that get their number from here on are read once more, among the numbered.
      waiting = await entriesWhere(db, `WHERE seq IS NULL AND at >= $1${among} ORDER BY at, id`, [since])
    }
    yield* later
    yield* waiting.filter(fits)
  },
})

/** Of a period it reads in windows, from its last entry back. */
const selectNumbered = async (db: Database, filter: AuditFilter): Promise<AuditEntry[]> => {
  const { since, until, changeId, before = forever, limit } = filter
  const all = (more: object) => select(db, { ...filter, ...more }, 'seq IS NOT NULL', 'seq DESC')
  if ((since === undefined && until === undefined) || changeId !== undefined) return all({})
  const span = await spanOf(db, filter)
  const isWanted = isWantedBy(filter)
  const strays: AuditEntry[] = []
  for await (const some of straysOf(db, filter, span, filter.changesOnly ? ` AND ${isOfChange}` : ''))
    strays.push(...some.filter(isWanted))
  const above = strays.filter(({ seq }) => (seq ?? 0) >= span.to).reverse()
  const below = strays.filter(({ seq }) => (seq ?? 0) < span.from).reverse()
  const found = [...above]
  let size = window.first
  for (
    let to = Math.min(span.to, before);
    to > span.from && found.length < limit;
    size = Math.min(window.most, size * 2)
  ) {
    const from = Math.max(span.from, to - size)
    found.push(...(await all({ before: to, from, limit: limit - found.length })))
    to = from
  }
  return [...found, ...below].slice(0, limit)
}

const isWantedBy = ({ who, command, changesOnly, before = forever }: AuditFilter) => {
  const name = command?.replace(/ \*$/, '').trim()
  return (entry: AuditEntry): boolean =>
    (entry.seq ?? forever) < before &&
    (who === undefined || entry.who === who) &&
    (name === undefined ||
      entry.command === name ||
      (!name.includes(' ') && nounOf(entry.command) === name)) &&
    !(changesOnly && isLook(entry.kind))
}

const missingIn = async (db: Database, ids: readonly string[]): Promise<string[]> => {
  const found = new Set<string>()
  for (let at = 0; at < ids.length; at += pageSize) {
    const { values, addAll } = createParams()
    const page = `SELECT id FROM audit_log WHERE id IN (${addAll(ids.slice(at, at + pageSize))})`
    for (const { id } of await db.all(idRow, page, values)) found.add(id)
  }
  return ids.filter((id) => !found.has(id))
}

const idRow = z.object({ id: z.string() })

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

/** The first part as it stands in the indices without look-ups, so that they are used. */
const isOfChange = looks.map((kind) => `kind <> '${kind}'`).join(' AND ')

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
const parsed = z.object({ ...auditEntrySchema.shape, doc: json.pipe(auditEntrySchema.shape.doc) })

export const entriesWhere = (db: Database, rest: string, params: readonly unknown[]): Promise<AuditEntry[]> =>
  db.all(parsed, `SELECT seq, ${rowColumns} FROM audit_log ${rest}`, params)

const select = (
  db: Database,
  {
    id,
    who,
    command,
    changeId,
    changesOnly,
    since,
    until,
    before,
    from,
    limit,
  }: AuditFilter & { from?: number },
  among: string,
  order: string,
): Promise<AuditEntry[]> => {
  const { values, add } = createParams()
  const conditions = [
    among,
    ...(who === undefined ? [] : [`who = ${add(who)}`]),
    ...(command === undefined ? [] : [commandIs(command, add)]),
    ...(id === undefined ? [] : [`id = ${add(id)}`]),
    ...(changeId === undefined ? [] : [`change_id = ${add(changeId)}`]),
    ...(changesOnly ? [isOfChange] : []),
    ...(before === undefined ? [] : [`seq < ${add(before)}`]),
    ...(from === undefined ? [] : [`seq >= ${add(from)}`]),
    ...(since === undefined ? [] : [`at >= ${add(since)}`]),
    ...(until === undefined ? [] : [`at < ${add(until)}`]),
  ]
  return entriesWhere(db, `WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${add(limit)}`, values)
}

/** Where a period lies in the numbers of the log; entries whose clock was wrong may stand outside. */
type Span = { from: number; to: number }

const seqRow = z.object({ seq: z.number() })
const edgeRow = z.object({ at: z.number(), seq: z.number() })

/** So many entries next to a moment are looked at; those that stand together there were written then, whatever others say. */
const near = 101
const together = 1_000
/** So much is read at a time: nobody else waits for the whole of a large log. */
const window = { first: 1_000, most: 8_000, times: 20_000 }

/** The number of the first entry that was written at that moment or later, or the next number there will be. */
const numberAt = async (db: Database, at: number): Promise<number> => {
  const rows = await db.all(
    seqRow,
    `SELECT seq FROM audit_log WHERE at >= $1 AND seq IS NOT NULL ORDER BY at, seq LIMIT ${near}`,
    [at],
  )
  const numbers = rows.map(({ seq }) => seq).toSorted((one, other) => one - other)
  const groups: number[][] = []
  for (const seq of numbers) {
    const group = groups.at(-1)
    if (group !== undefined && seq - (group.at(-1) ?? seq) <= together) group.push(seq)
    else groups.push([seq])
  }
  const found = groups.findLast((group) => group.length >= Math.min(5, numbers.length / 10)) ?? groups.at(-1)
  return found?.[0] ?? (await lastNumber(db)) + 1
}

const lastNumber = async (db: Database): Promise<number> =>
  (await db.all(seqRow, 'SELECT COALESCE(MAX(seq), 0) AS seq FROM audit_log WHERE seq IS NOT NULL'))[0]
    ?.seq ?? 0

const spanOf = async (
  db: Database,
  { since = 0, until }: Pick<AuditFilter, 'since' | 'until'>,
): Promise<Span> => {
  const from = since <= 0 ? 1 : await numberAt(db, since)
  const to = until === undefined ? (await lastNumber(db)) + 1 : await numberAt(db, until)
  return { from, to: Math.max(from, to) }
}

/** Those of a period whose numbers are of another: few, unless a clock was wrong for long. By their times, in windows. */
const straysOf = async function* (
  db: Database,
  { since = 0, until = forever }: Pick<AuditFilter, 'since' | 'until'>,
  { from, to }: Span,
  among = '',
): AsyncGenerator<AuditEntry[]> {
  let after = { at: since, seq: 0 }
  for (;;) {
    const [edge] = await db.all(
      edgeRow,
      `SELECT at, seq FROM audit_log WHERE seq IS NOT NULL AND at < $1 AND (at, seq) > ($2, $3)
       ORDER BY at, seq LIMIT 1 OFFSET ${window.times}`,
      [until, after.at, after.seq],
    )
    const last = edge ?? { at: until, seq: 0 }
    yield await entriesWhere(
      db,
      `WHERE id IN (SELECT id FROM audit_log WHERE seq IS NOT NULL AND (at, seq) > ($1, $2) AND (at, seq) <= ($3, $4)
         AND (seq < $5 OR seq >= $6)${among}) ORDER BY seq`,
      [after.at, after.seq, last.at, last.seq, from, to],
    )
    if (edge === undefined) return
    after = edge
  }
}

/** After any moment that an entry may have. */
const forever = Number.MAX_SAFE_INTEGER

const commandIs = (command: string, add: (value: unknown) => string): string => {
  const name = command.replace(/ \*$/, '').trim()
  return name.includes(' ') ? `command = ${add(name)}` : `noun = ${add(name)}`
}
