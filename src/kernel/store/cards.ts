import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'

const row = z.object({
  changeId: z.string(),
  platform: z.string(),
  /** The adapter's own reference to the message. */
  address: z.string(),
  /** Which copy it is: at the origin, in the approvals channel and so on. */
  place: z.string(),
  /** The version of the change that the copy shows. */
  version: z.number(),
})

const changeRow = row.pick({ changeId: true })
const placeRow = row.pick({ platform: true, place: true })

/** A copy of a change's card, somewhere in a messenger. */
type Card = z.infer<typeof row>

export type Cards = {
  /** Adding a known copy changes nothing. */
  add(card: Omit<Card, 'version'> & { version?: number }): Promise<void>
  /** In the order in which they were added. */
  of(changeId: string): Promise<Card[]>
  /** The change whose card is at an address; undefined where none is. */
  at(platform: string, address: string): Promise<string | undefined>
  /** Stores which version a copy shows. False if it has shown a newer one meanwhile, or is gone. */
  shown(changeId: string, platform: string, address: string, version: number): Promise<boolean>
  remove(changeId: string, platform: string, address: string): Promise<void>
  /** Stores that a place can never show the card. */
  refuse(changeId: string, platform: string, place: string): Promise<void>
  refusedBy(changeId: string): Promise<Pick<Card, 'platform' | 'place'>[]>
}

export const createCards = (db: Database, now: () => number): Cards => ({
  add: async ({ changeId, platform, address, place, version = 0 }) => {
    await db.together.run(
      `INSERT INTO cards (change_id, platform, address, place, version, at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (change_id, platform, address) DO NOTHING`,
      [changeId, platform, address, place, version, now()],
    )
  },
  of: (changeId) =>
    db.together.all(
      row,
      `SELECT change_id AS "changeId", platform, address, place, version FROM cards
       WHERE change_id = $1 ORDER BY at, platform, address`,
      [changeId],
    ),
  at: async (platform, address) => {
    const [found] = await db.together.all(
      changeRow,
      'SELECT change_id AS "changeId" FROM cards WHERE address = $1 AND platform = $2 LIMIT 1',
      [address, platform],
    )
    return found?.changeId
  },
  shown: async (changeId, platform, address, version) =>
    (await db.together.run(
      `UPDATE cards SET version = $4
       WHERE change_id = $1 AND platform = $2 AND address = $3 AND version <= $4`,
      [changeId, platform, address, version],
      // A card whose edit is forgotten in a power failure is edited once more.
      'buffered',
    )) === 1,
  remove: async (changeId, platform, address) => {
    await db.together.run('DELETE FROM cards WHERE change_id = $1 AND platform = $2 AND address = $3', [
      changeId,
      platform,
      address,
    ])
  },
  refuse: async (changeId, platform, place) => {
    await db.together.run(
      `INSERT INTO card_refusals (change_id, platform, place) VALUES ($1, $2, $3)
       ON CONFLICT (change_id, platform, place) DO NOTHING`,
      [changeId, platform, place],
    )
  },
  refusedBy: (changeId) =>
    db.together.all(placeRow, 'SELECT platform, place FROM card_refusals WHERE change_id = $1', [changeId]),
})
