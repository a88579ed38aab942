import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'

const row = z.object({ changeId: z.string(), person: z.string(), at: z.number() })

/** What one person did alone, for as long as nobody else has looked at it. */
export type OpenEmergency = z.infer<typeof row>

export type Emergencies = {
  open(): Promise<OpenEmergency[]>
  /** A change that is signed again is still one use. */
  use(emergency: OpenEmergency): Promise<void>
  reviewed(changeId: string): Promise<void>
}

export const createEmergencies = (db: Database): Emergencies => ({
  open: () => db.all(row, 'SELECT change_id AS "changeId", person, at FROM emergencies ORDER BY at'),
  use: async ({ changeId, person, at }) => {
    await db.run(
      'INSERT INTO emergencies (change_id, person, at) VALUES ($1, $2, $3) ON CONFLICT (change_id) DO NOTHING',
      [changeId, person, at],
    )
  },
  reviewed: async (changeId) => {
    await db.run('DELETE FROM emergencies WHERE change_id = $1', [changeId])
  },
})
