import { z } from 'zod'
import { type Link, type LinkEnd, type LinkKind, type LinkPair, linkKinds } from '../model/link.ts'
import type { Database } from './database/database.ts'
import { createParams } from './database/sql.ts'

const kind = z.enum(linkKinds)
const kindRow = z.object({ kind })
const row = z
  .object({
    oneKind: kind,
    oneId: z.string(),
    otherKind: kind,
    otherId: z.string(),
    source: z.string(),
    at: z.number(),
    by: z.string().nullable(),
    isOff: z.number(),
  })
  .transform(
    ({ oneKind, oneId, otherKind, otherId, isOff, ...rest }): Link => ({
      ends: [
        { kind: oneKind, id: oneId },
        { kind: otherKind, id: otherId },
      ],
      ...rest,
      isOff: isOff === 1,
    }),
  )

/** Which ids of the three services belong together, and who or what said so. Nothing else is kept about anybody. */
export type Links = {
  /** What an answer teaches. A link that is there stays as it is, also one that was cut by hand. */
  learn(taught: readonly { pair: LinkPair; source: string }[]): Promise<void>
  /** A link by hand: on, or cut. */
  set(pair: LinkPair, by: string, isOff: boolean): Promise<void>
  /** All links that have one of these ends, the first learned first; those to payments only where a payment is asked about. */
  of(ends: readonly LinkEnd[]): Promise<Link[]>
  /** The kinds of thing that some link knows by this id. */
  kindsOf(id: string): Promise<LinkKind[]>
  /** Removes every link that has one of these ends; returns how many. */
  forget(ends: readonly LinkEnd[]): Promise<number>
}

const columns = `one_kind AS "oneKind", one_id AS "oneId", other_kind AS "otherKind", other_id AS "otherId",
  source, at, person AS "by", is_off AS "isOff"`

/** Two lengths of statement only, because each text is prepared once and kept. */
const batch = 100

export const createLinks = (db: Database, now: () => number): Links => ({
  learn: async (taught) => {
    for (let at = 0; at < taught.length; ) {
      const size = taught.length - at >= batch ? batch : 1
      const { values, addAll } = createParams()
      const rows = taught
        .slice(at, at + size)
        .map(({ pair, source }) => `(${addAll([...columnsOf(pair), source, now(), null, 0])})`)
      await db.run(
        `INSERT INTO links (one_kind, one_id, other_kind, other_id, source, at, person, is_off)
         VALUES ${rows.join(', ')} ON CONFLICT (one_kind, one_id, other_kind, other_id) DO NOTHING`,
        values,
        'buffered',
      )
      at += size
    }
  },

  set: async (pair, by, isOff) => {
    await db.run(
      `INSERT INTO links (one_kind, one_id, other_kind, other_id, source, at, person, is_off)
       VALUES ($1, $2, $3, $4, 'hand', $5, $6, $7)
       ON CONFLICT (one_kind, one_id, other_kind, other_id)
       DO UPDATE SET source = 'hand', at = excluded.at, person = excluded.person, is_off = excluded.is_off`,
      [...columnsOf(pair), now(), by, isOff ? 1 : 0],
    )
  },

  of: async (ends) => {
    const found: Link[] = []
    for (const { kind: wanted, id } of ends) {
      // A customer may have thousands of payments, which lead nowhere else.
      const [one, other] = wanted === 'payment' ? ['', ''] : payments
      found.push(
        ...(await db.together.all(
          row,
          `SELECT ${columns} FROM links WHERE one_kind = $1 AND one_id = $2 ${other}
           UNION SELECT ${columns} FROM links WHERE other_kind = $1 AND other_id = $2 ${one}
           ORDER BY at, 1, 2, 3, 4 LIMIT 200`,
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
        `SELECT one_kind AS kind FROM links WHERE one_id = $1 UNION SELECT other_kind FROM links WHERE other_id = $1`,
        [id],
      )
    ).map((found) => found.kind),

  forget: async (ends) => {
    let gone = 0
    for (const { kind: wanted, id } of ends) {
      gone += await db.run('DELETE FROM links WHERE one_kind = $1 AND one_id = $2', [wanted, id])
      gone += await db.run('DELETE FROM links WHERE other_kind = $1 AND other_id = $2', [wanted, id])
    }
    return gone
  },
})

const payments = [`AND one_kind <> 'payment'`, `AND other_kind <> 'payment'`] as const

const columnsOf = ([one, other]: LinkPair): string[] => [one.kind, one.id, other.kind, other.id]
