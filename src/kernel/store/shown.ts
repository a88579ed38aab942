import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'
import { type Shown, shownSchema } from '../model/shown.ts'

const row = z.object({ edition: z.number(), digest: z.string() })

/** What each person was last shown of a change. */
export type ShownRecords = {
  /** The newest takes the place of the one before. */
  put(person: string, shown: ReadonlyMap<string, Shown>): Promise<void>
  last(person: string, changeId: string): Promise<Shown | undefined>
  /** Deletes what was shown before the given time; returns how many. */
  prune(before: number): Promise<number>
}

export const createShownRecords = (db: Database, now: () => number): ShownRecords => ({
  put: async (person, shown) => {
    // In one order, so that two of these do not wait for each other.
    const rows = [...shown].toSorted(([one], [other]) => (one < other ? -1 : 1))
    const places = rows.map((_, at) => `($1, $${at * 3 + 3}, $${at * 3 + 4}, $${at * 3 + 5}, $2)`)
    // Whoever is shown something that is forgotten in a power failure is shown it once more.
    await db.together.run(
      `INSERT INTO shown (person, change_id, edition, digest, at) VALUES ${places.join(', ')}
       ON CONFLICT (person, change_id) DO UPDATE SET
         edition = excluded.edition, digest = excluded.digest, at = excluded.at`,
      [person, now(), ...rows.flatMap(([id, { edition, digest }]) => [id, edition, digest])],
      'buffered',
    )
  },
  last: async (person, changeId) => {
    const found = 'SELECT edition, digest FROM shown WHERE person = $1 AND change_id = $2'
    const [last] = await db.together.all(row, found, [person, changeId])
    return last && shownSchema.parse(last)
  },
  prune: (before) => db.run('DELETE FROM shown WHERE at < $1', [before]),
})
