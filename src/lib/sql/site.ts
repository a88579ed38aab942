import type { NewConnection, OnConnect } from './connect.ts'

type Site = { system: string; timeline: string | null; written: bigint | null }

/**
 * Which server this is, and how far its log is. After a failover the timeline is another; a server that was put back to a
 * copy is less far than it was.
 */
const question = `SELECT (SELECT system_identifier FROM pg_control_system())::text AS system,
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) END AS timeline,
  CASE WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text END AS written`

/**
 * Looks at each new connection whether behind it is still what was behind the one before, and says what differs. `site` is the
 * same for all who look at one server after one move.
 */
export const createSiteWatch = (
  onMoved: (what: string, site: string) => void,
): OnConnect & { site(): string | undefined } => {
  let known: Site | undefined
  let name: string | undefined
  let isReadable = true
  const look: OnConnect = async (connection) => {
    if (!isReadable || connection.isReadOnly) return
    const found = await siteOf(connection)
    isReadable = found !== undefined
    if (found === undefined) return
    const before = known
    known = found
    const what = before && movedWords(before, found)
    const isPutBack = what !== undefined && before?.timeline === found.timeline
    if (what !== undefined || name === undefined)
      name = [found.system, found.timeline, isPutBack ? 'put back' : ''].join(' ').trim()
    if (what !== undefined) onMoved(what, name)
  }
  return Object.assign(look, { site: () => name })
}

/** Some who run servers for others keep this to themselves. Then what is remembered is compared at each claim alone. */
const siteOf = async ({ query }: Pick<NewConnection, 'query'>): Promise<Site | undefined> => {
  try {
    const { rows } = (await query(question)) as {
      rows: { system: string; timeline: string | null; written: string | null }[]
    }
    const [row] = rows
    return row && { ...row, written: row.written === null ? null : BigInt(row.written) }
  } catch {
    return undefined
  }
}

const movedWords = (before: Site, found: Site): string | undefined => {
  if (before.system !== found.system) return 'another database cluster answers'
  if (before.timeline !== found.timeline) return 'the database has another timeline: a standby was promoted'
  if (before.written !== null && found.written !== null && found.written < before.written)
    return 'the database has written less than before: it was put back to a copy'
  return undefined
}
