import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'
import { createParams } from '../../lib/sql/sql.ts'
import { kindsWith } from '../../lib/things/kinds.ts'
import type { LinkEnd, LinkKind, LinkPair } from '../../lib/things/link.ts'
import type { LinkRow } from '../../lib/things/link-rows.ts'

const kind = z.string() as unknown as z.ZodType<LinkKind>
const kindRow = z.object({ kind })
const idRow = z.object({ id: z.string() })
const row = z
  .object({
    oneKind: kind,
    oneId: z.string(),
    otherKind: kind,
    otherId: z.string(),
    via: z.string(),
    source: z.string(),
    at: z.number(),
    by: z.string().nullable(),
    approvedBy: z.string().nullable(),
    approvedAt: z.number().nullable(),
    isOff: z.number(),
  })
  .transform(
    ({ oneKind, oneId, otherKind, otherId, isOff, ...rest }): LinkRow => ({
      ends: [
        { kind: oneKind, id: oneId },
        { kind: otherKind, id: otherId },
      ],
      ...rest,
      isOff: isOff === 1,
    }),
  )

/** Which ids of the services belong together, and who or what said so. Nothing else is kept about anybody. */
export type Links = {
  /** What an answer teaches. What the same service taught before stays as it is. */
  learn(taught: readonly { pair: LinkPair; source: string }[]): Promise<void>
  /** Somebody says by hand that two ids belong together, or that they do not; `approvedBy` is somebody else. */
  say(pair: LinkPair, saying: { by: string; isOff: boolean; approvedBy: string | null }): Promise<void>
  /** Somebody is about to write these into fields of a service: whoever does so last has said it. */
  write(pairs: readonly LinkPair[], by: string): Promise<void>
  /** Everything said or learned of these ends, the first first; of a kind that people have many of only where one of them is asked about. */
  of(ends: readonly LinkEnd[]): Promise<LinkRow[]>
  /** The kinds of thing that a service, or an approved word, knows by this id. */
  kindsOf(id: string): Promise<LinkKind[]>
  /** The ids of a kind that services taught, those learned last first. */
  known(kind: LinkKind, limit: number): Promise<string[]>
  /**
   * Removes what is known of these ends; returns how many. What was approved goes only with an approval, and who wrote what
   * into a field stays, or it would pass for seen.
   */
  forget(ends: readonly LinkEnd[], approved: boolean): Promise<number>
}

const columns = `one_kind AS "oneKind", one_id AS "oneId", other_kind AS "otherKind", other_id AS "otherId",
  via, source, at, person AS "by", approved_by AS "approvedBy", approved_at AS "approvedAt", is_off AS "isOff"`

const insert = `INSERT INTO links
  (one_kind, one_id, other_kind, other_id, via, source, at, person, approved_by, approved_at, is_off) VALUES`
const onPair = 'ON CONFLICT (one_kind, one_id, other_kind, other_id, via)'
const replacing = `${onPair} DO UPDATE SET at = excluded.at, person = excluded.person,
  approved_by = excluded.approved_by, approved_at = excluded.approved_at, is_off = excluded.is_off`

/** Two lengths of statement only, because each text is prepared once and kept. */
const batch = 100

export const createLinks = (db: Database, now: () => number): Links => ({
  learn: async (taught) => {
    for (let at = 0; at < taught.length; ) {
      const size = taught.length - at >= batch ? batch : 1
      const { values, addAll } = createParams()
      const rows = taught
        .slice(at, at + size)
        .map(
          ({ pair, source }) =>
            `(${addAll([...columnsOf(pair), serviceOf(source), source, now(), null, null, null, 0])})`,
        )
      await db.run(`${insert} ${rows.join(', ')} ${onPair} DO NOTHING`, values, 'buffered')
      at += size
    }
  },

  say: async (pair, { by, isOff, approvedBy }) => {
    const via = approvedBy === null ? 'hand' : 'approved'
    const at = now()
    const { values, addAll } = createParams()
    const said = [via, 'hand', at, by, approvedBy, approvedBy === null ? null : at, isOff ? 1 : 0]
    await db.run(`${insert} (${addAll([...columnsOf(pair), ...said])}) ${replacing}`, values)
  },

  write: async (pairs, by) => {
    for (const pair of pairs) {
      const { values, addAll } = createParams()
      const written = ['field', 'field', now(), by, null, null, 0]
      await db.run(`${insert} (${addAll([...columnsOf(pair), ...written])}) ${replacing}`, values)
    }
  },

  of: async (ends) => {
    const found: LinkRow[] = []
    const many: LinkKind[] = kindsWith(({ perPerson }) => perPerson === 'many')
    for (const { kind: wanted, id } of ends) {
      // Somebody may have thousands of these, which lead nowhere else.
      const left = many.includes(wanted) ? '' : many.map((one) => `'${one}'`).join(', ')
      const [one, other] =
        left === '' ? ['', ''] : [`AND one_kind NOT IN (${left})`, `AND other_kind NOT IN (${left})`]
      found.push(
        ...(await db.together.all(
          row,
          `SELECT ${columns} FROM links WHERE one_kind = $1 AND one_id = $2 ${other}
           UNION SELECT ${columns} FROM links WHERE other_kind = $1 AND other_id = $2 ${one}
           ORDER BY at, 1, 2, 3, 4, 5 LIMIT 5000`,
          [wanted, id],
        )),
      )
    }
    return found
  },

  kindsOf: async (id) =>
    (
      await db.together.all(
        kindRow,
        `SELECT one_kind AS kind FROM links WHERE one_id = $1 AND via NOT IN ('hand', 'field')
         UNION SELECT other_kind FROM links WHERE other_id = $1 AND via NOT IN ('hand', 'field')`,
        [id],
      )
    ).map((found) => found.kind),

  known: async (wanted, limit) =>
    (
      await db.together.all(
        idRow,
        `SELECT id FROM (
           SELECT one_id AS id, at FROM links WHERE one_kind = $1 AND via NOT IN ('hand', 'field')
           UNION ALL SELECT other_id, at FROM links WHERE other_kind = $1 AND via NOT IN ('hand', 'field')
         ) AS ends GROUP BY id ORDER BY MAX(at) DESC, id LIMIT $2`,
        [wanted, limit],
      )
    ).map(({ id }) => id),

  forget: async (ends, approved) => {
    const kept = `AND via <> 'field'${approved ? '' : ` AND via <> 'approved'`}`
    let gone = 0
    for (const { kind: wanted, id } of ends) {
      gone += await db.run(`DELETE FROM links WHERE one_kind = $1 AND one_id = $2 ${kept}`, [wanted, id])
      gone += await db.run(`DELETE FROM links WHERE other_kind = $1 AND other_id = $2 ${kept}`, [wanted, id])
    }
    return gone
  },
})

const columnsOf = ([one, other]: LinkPair): string[] => [one.kind, one.id, other.kind, other.id]

const serviceOf = (source: string): string => source.split('.')[0] ?? source
