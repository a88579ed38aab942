import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'
import { createParams, json } from '../../lib/sql/sql.ts'
import {
  type Change,
  type ChangeState,
  changeSchema,
  openStates,
  type PastRequest,
  pastRequestSchema,
  states,
  unsettledStates,
} from '../model/change.ts'
import { withOldFields } from '../model/notes.ts'

type ChangeFilter = {
  states?: readonly ChangeState[] | undefined
  /** A person. */
  requester?: string | undefined
  ids?: readonly string[] | undefined
  /** The last change of the previous page. */
  before?: { updatedAt: number; id: string } | undefined
  skip?: number | undefined
  limit: number
}

type SpendFilter = {
  /** A person; without one, everybody. */
  requester?: string | undefined
  /** A change counts if it has any of these names. */
  names: readonly string[]
  since: number
  states: readonly ChangeState[]
  exceptId?: string | undefined
}

export type Changes = {
  /** Fails, with its transaction, when the id is taken. */
  insert(change: Change): Promise<void>
  get(id: string): Promise<Change | null>
  /** As `get`, inside a transaction: nobody else moves it before that is over. */
  take(id: string): Promise<Change | null>
  /**
   * Stores the next version if the stored version is still the previous one. Of several concurrent callers
   * exactly one gets true.
   */
  swap(next: Change): Promise<boolean>
  /** Most recently changed first. */
  list(filter: ChangeFilter): Promise<Change[]>
  /** Counts open states by default: counting ended changes gets slower as they accumulate. */
  countByState(among?: readonly ChangeState[]): Promise<Partial<Record<ChangeState, number>>>
  /** How many requests of this person wait for somebody. */
  countPending(requester: string): Promise<number>
  /** Up to five others that mean the same, alive or done, that changed since then or are not settled; the last first. */
  sameIntent(
    intent: string,
    since: number,
    exceptId?: string,
    also?: readonly ChangeState[],
  ): Promise<Change[]>
  /** The sums of the known amounts, currency by currency; what is not settled counts however old it is. */
  spent(filter: SpendFilter): Promise<{ currency: string | null; sum: number }[]>
  applying(limit: number): Promise<Change[]>
  /** Every request that changed since then or is not settled, page by page, for whoever judges them again. */
  past(since: number): AsyncIterable<PastRequest[]>
}

/** May have happened, and nobody has said so yet: these count until somebody does, however old they are. */
const unsettled: readonly ChangeState[] = ['applying', ...unsettledStates]
const effective: readonly ChangeState[] = [...openStates, 'applied']

export const createChanges = (db: Database): Changes => {
  const select = async (rest: string, params: readonly unknown[]): Promise<Change[]> =>
    (await db.all(row, `SELECT doc FROM ${rest}`, params)).map(({ doc }) => doc)

  return {
    insert: (change) =>
      db.tx(async (inner) => {
        await inner.later(
          `INSERT INTO changes (id, version, state, requester, intent, amount, expires_at, updated_at, doc, currency)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          columnsOf(change),
        )
        const { values, add } = createParams()
        const rows = [...new Set(change.names)].map((name) => `(${add(name)}, ${add(change.id)})`)
        if (rows.length > 0) {
          await inner.later(`INSERT INTO change_names (name, change_id) VALUES ${rows.join(', ')}`, values)
        }
      }),

    get: async (id) =>
      (await db.together.all(row, 'SELECT doc FROM changes WHERE id = $1', [id]))[0]?.doc ?? null,
    take: async (id) => (await select('changes WHERE id = $1 FOR UPDATE', [id]))[0] ?? null,

    swap: async (next) =>
      (await db.run(
        `UPDATE changes SET version = $2, state = $3, requester = $4, intent = $5, amount = $6, expires_at = $7,
           updated_at = $8, doc = $9, currency = $10
         WHERE id = $1 AND version = $11`,
        [...columnsOf(next), next.version - 1],
      )) === 1,

    list: async ({ states: among, requester, ids, before, skip = 0, limit }) => {
      if (among?.length === 0 || ids?.length === 0) return []
      const { values, add, addAll } = createParams()
      const conditions = [
        ...(requester === undefined ? [] : [`requester = ${add(requester)}`]),
        ...(ids === undefined ? [] : [`id IN (${addAll(ids)})`]),
        ...(before === undefined ? [] : [`(updated_at, id) < (${add(before.updatedAt)}, ${add(before.id)})`]),
      ]
      const newest = `ORDER BY updated_at DESC, id DESC LIMIT`
      const reach = add(skip + limit)
      const shown = `${newest} ${add(limit)} OFFSET ${add(skip)}`
      const page = (also: string[]) =>
        `SELECT doc, updated_at, id FROM changes ${whereOf([...conditions, ...also])} ${newest} ${reach}`
      if (!among) return select(`(${page([])}) AS page ${shown}`, values)
      // Reads one page per state and merges them: each page is at the end of an index, so this is fast
      // however many changes have ended.
      const pages = among.map((state) => `SELECT * FROM (${page([`state = ${add(state)}`])}) AS page`)
      return select(`(${pages.join(' UNION ALL ')}) AS pages ${shown}`, values)
    },

    countByState: async (among = openStates) => {
      if (among.length === 0) return {}
      const { values, addAll } = createParams()
      const counts = await db.all(
        counted,
        `SELECT state, COUNT(*) AS n FROM changes WHERE state IN (${addAll(among)}) GROUP BY state`,
        values,
      )
      return Object.fromEntries(counts.map(({ state, n }) => [state, n]))
    },

    countPending: async (requester) => {
      const [found] = await db.all(
        countRow,
        `SELECT COUNT(*) AS n FROM changes WHERE state = 'pending' AND requester = $1`,
        [requester],
      )
      return found?.n ?? 0
    },

    sameIntent: (intent, since, exceptId = '', also = []) => {
      const { values, add, addAll } = createParams()
      return select(
        `changes WHERE intent = ${add(intent)} AND id <> ${add(exceptId)}
           AND (updated_at >= ${add(since)} OR state IN (${addAll(unsettled)}))
           AND state IN (${addAll([...effective, ...also])})
         ORDER BY updated_at DESC, id DESC LIMIT 5`,
        values,
      )
    },

    spent: async ({ requester, names, since, states: among, exceptId = '' }) => {
      if (names.length === 0 || among.length === 0) return []
      const { values, add, addAll } = createParams()
      const conditions = [
        `amount IS NOT NULL AND id <> ${add(exceptId)}`,
        ...(requester === undefined ? [] : [`requester = ${add(requester)}`]),
        `EXISTS (SELECT 1 FROM change_names
           WHERE change_names.change_id = changes.id AND change_names.name IN (${addAll(names)}))`,
      ]
      const sumOf = (states: readonly ChangeState[], from: number): string[] =>
        states.length === 0
          ? []
          : [
              `SELECT currency, SUM(amount) AS total FROM changes
               WHERE ${conditions.join(' AND ')} AND updated_at >= ${add(from)} AND state IN (${addAll(states)})
               GROUP BY currency`,
            ]
      // One statement: a change that is settled meanwhile is counted in one of the two, never in none.
      const sums = [
        ...sumOf(
          among.filter((state) => !unsettled.includes(state)),
          since,
        ),
        ...sumOf(
          among.filter((state) => unsettled.includes(state)),
          0,
        ),
      ]
      const rows = await db.all(totalRow, sums.join(' UNION ALL '), values)
      return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, some]) => ({
        currency,
        // Binary fractions do not add up exactly, so the sum is rounded to cents.
        sum: Math.round(some.reduce((sum, { total }) => sum + total, 0) * 1e4) / 1e4,
      }))
    },

    past: async function* (since) {
      const rest = `state IN (${unsettled.map((state) => `'${state}'`).join(', ')}) AND updated_at < $4`
      for (const where of ['updated_at >= $4', rest]) {
        let after = { updatedAt: -1, id: '' }
        for (;;) {
          const page = await db.all(
            pastRow,
            `SELECT doc FROM changes WHERE (updated_at, id) > ($1, $2) AND ${where}
             ORDER BY updated_at, id LIMIT $3`,
            [after.updatedAt, after.id, pastAtOnce, since],
          )
          const last = page.at(-1)?.doc
          if (last === undefined) break
          yield page.map(({ doc }) => doc)
          after = last
        }
      }
    },

    applying: (limit) => select(`changes WHERE state = 'applying' ORDER BY updated_at LIMIT $1`, [limit]),
  }
}

/**
 * The newest document of each change that this process wrote or read last, as it was: reading one again takes longer than
 * keeping it. What follows it takes its place, so a change that moves leaves nothing behind.
 */
const known = new Map<string, { text: string; change?: Change }>()
const maxKnown = 300

const keep = (id: string, text: string, change?: Change): void => {
  known.delete(id)
  const [oldest] = known.keys()
  if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
  known.set(id, { text, ...(change === undefined ? {} : { change: frozen(change) }) })
}

/** Whoever has it shares it with others. */
const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const part of Object.values(value)) frozen(part)
  }
  return value
}

const textOf = (change: Change): string => {
  const text = JSON.stringify(withOldFields(change))
  // Not the value itself: whoever wrote it may go on with theirs, and it may hold what JSON has no word for.
  keep(change.id, text)
  return text
}

/** As it was written or checked before, where this is the same text. */
const knownAs = (text: string): Change | undefined => {
  const id = idIn(text)
  const before = id === undefined ? undefined : known.get(id)
  if (before?.text !== text) return undefined
  before.change ??= frozen(JSON.parse(text) as Change)
  return before.change
}

/** A change is written with its id first. */
const idIn = (text: string): string | undefined =>
  text.startsWith(beforeId) ? text.slice(beforeId.length, text.indexOf('"', beforeId.length)) : undefined
const beforeId = '{"id":"'

const checked = json.pipe(changeSchema)
const row = z.object({
  doc: z.string().transform((text, context): Change => {
    const before = knownAs(text)
    if (before !== undefined) return before
    const read = checked.safeParse(text)
    if (read.success) {
      keep(read.data.id, text, read.data)
      return read.data
    }
    context.addIssue({ code: 'custom', message: read.error.message })
    return z.NEVER
  }),
})
const pastRow = z.object({ doc: json.pipe(pastRequestSchema) })
/** How many requests of the past are held at a time while they are read. */
const pastAtOnce = 5_000
const totalRow = z.object({ currency: z.string().nullable(), total: z.number() })
const countRow = z.object({ n: z.number() })
const counted = z.object({ state: z.enum(states), n: z.number() })

const columnsOf = (change: Change): unknown[] => [
  change.id,
  change.version,
  change.state,
  change.requester.person,
  change.intent,
  change.amount,
  change.expiresAt,
  change.updatedAt,
  textOf(change),
  change.currency,
]

const whereOf = (conditions: string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
