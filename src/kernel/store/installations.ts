import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'

const row = z.object({ id: z.string(), sealed: z.string() })

/** What a messenger was given when it was installed in a workspace. It is sealed: only the adapter that wrote it reads it. */
export type Installation = z.infer<typeof row>

export type Installations = {
  all(platform: string): Promise<Installation[]>
  /** In the place of the one before, if there is one. */
  put(platform: string, installation: Installation): Promise<void>
  /** False when there was none. */
  remove(platform: string, id: string): Promise<boolean>
}

export const createInstallations = (db: Database, now: () => number): Installations => ({
  all: (platform) =>
    db.all(row, 'SELECT id, sealed FROM installations WHERE platform = $1 ORDER BY id', [platform]),
  put: async (platform, { id, sealed }) => {
    await db.run(
      `INSERT INTO installations (platform, id, sealed, at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (platform, id) DO UPDATE SET sealed = excluded.sealed, at = excluded.at`,
      [platform, id, sealed, now()],
    )
  },
  remove: async (platform, id) =>
    (await db.run('DELETE FROM installations WHERE platform = $1 AND id = $2', [platform, id])) === 1,
})
