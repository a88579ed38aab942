import { z } from 'zod'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import type { Database } from '../../lib/sql/database.ts'
import { json } from '../../lib/sql/sql.ts'
import { type Party, partySchema } from '../model/change.ts'

const row = z.object({
  by: json.pipe(partySchema),
  to: z.string().nullable(),
  at: z.number(),
  endsAt: z.number(),
})

/** Somebody who is away for a time, and the person who may vote for them meanwhile. */
export type Absence = { by: Party; to: string | null; at: number; endsAt: number }

export type Absences = {
  /** One for each person: a new one takes the place of the one before. */
  set(absence: Absence): Promise<void>
  /** False when they were not away. */
  end(person: string): Promise<boolean>
  /** Those that have not ended, the next to end first. */
  active(): Promise<Absence[]>
  /** Deletes what ended before the given time; returns how many. */
  prune(before: number): Promise<number>
}

export const createAbsences = (db: Database, now: () => number): Absences => ({
  set: async ({ by, to, at, endsAt }) => {
    await db.run(
      `INSERT INTO absences (person, party, delegate, at, ends_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (person) DO UPDATE SET party = excluded.party, delegate = excluded.delegate,
         at = excluded.at, ends_at = excluded.ends_at`,
      [by.person, canonicalJson(by), to, at, endsAt],
    )
  },
  end: async (person) =>
    (await db.run('DELETE FROM absences WHERE person = $1 AND ends_at > $2', [person, now()])) === 1,
  active: () =>
    db.together.all(
      row,
      `SELECT party AS "by", delegate AS "to", at, ends_at AS "endsAt" FROM absences
       WHERE ends_at > $1 ORDER BY ends_at, person`,
      [now()],
    ),
  prune: (before) => db.run('DELETE FROM absences WHERE ends_at < $1', [before]),
})
