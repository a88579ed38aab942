import { z } from 'zod'
import type { Database } from './database.ts'

const row = z.object({ standbys: z.number(), confirming: z.string(), commit: z.string() })

/**
 * What is lost with this server, as far as it says: what has standbys that do not confirm loses its newest commits with a
 * failover. Undefined where it has none, as with copies of its disk, of which it knows nothing.
 */
export const replicationOf = async (
  db: Database,
): Promise<{ isConfirmed: boolean; words: string } | undefined> => {
  if (db.engine === 'sqlite') return undefined
  const [found] = await db.all(
    row,
    `SELECT (SELECT COUNT(*) FROM pg_stat_replication WHERE state IS NULL OR state = 'streaming') AS standbys,
       current_setting('synchronous_standby_names') AS confirming, current_setting('synchronous_commit') AS commit`,
  )
  if (found === undefined || found.standbys === 0) return undefined
  const { standbys, confirming, commit } = found
  const many = standbys === 1 ? 'a standby' : `${standbys} standbys`
  if (confirming === '')
    return {
      isConfirmed: false,
      words: `PostgreSQL has ${many}, and waits for none: a failover loses what was decided last. Set synchronous_standby_names on the server.`,
    }
  return {
    isConfirmed: true,
    words: `${many} of PostgreSQL ${standbys === 1 ? 'confirms' : 'confirm'} each commit (synchronous_commit = ${commit === 'off' || commit === 'local' ? 'on, for the transactions of Bellhop' : commit}).`,
  }
}
