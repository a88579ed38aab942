import type { Database } from '../../lib/sql/database.ts'
import { type Freeze, freezeSchema } from '../model/freeze.ts'

export type Freezes = {
  all(): Promise<Freeze[]>
  /** Freezing a frozen area updates who and why. */
  set(freeze: Freeze): Promise<void>
  /** False when the area was not frozen. */
  clear(area: Freeze['area']): Promise<boolean>
}

export const createFreezes = (db: Database): Freezes => ({
  all: () =>
    db.together.all(freezeSchema, 'SELECT area, person AS "by", name, reason, at FROM freezes ORDER BY area'),
  set: async ({ area, by, name, reason, at }) => {
    await db.run(
      `INSERT INTO freezes (area, person, name, reason, at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (area) DO UPDATE SET person = excluded.person, name = excluded.name,
         reason = excluded.reason, at = excluded.at`,
      [area, by, name, reason, at],
    )
  },
  clear: async (area) => (await db.run('DELETE FROM freezes WHERE area = $1', [area])) === 1,
})
