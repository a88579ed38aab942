import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'

const row = z.object({
  id: z.string(),
  person: z.string(),
  via: z.string(),
  at: z.number(),
  endsAt: z.number(),
})

/** A session in the console. `via` is the messenger in which the person asked for it. */
export type Session = z.infer<typeof row>

/** Links to sign in with, and the sessions that they become. Secrets are known by their digests only. */
export type Sessions = {
  offer(link: Session & { digest: string }): Promise<void>
  /** Turns a link into a session with a secret of its own: true exactly once, and only while the link lasts. */
  use(link: string, session: { digest: string; endsAt: number }): Promise<boolean>
  /** The session that has this secret, while it lasts. */
  find(digest: string): Promise<Session | undefined>
  of(person: string): Promise<Session[]>
  /** Ends one session of a person, or all of them with their unused links; returns how many. */
  end(person: string, id: string | 'all'): Promise<number>
  /** Whoever has a session or an unused link. */
  people(): Promise<string[]>
  /** Deletes what ended before the given time; returns how many. */
  prune(before: number): Promise<number>
}

const columns = 'id, person, via, at, ends_at AS "endsAt"'

const personRow = z.object({ person: z.string() })

export const createSessions = (db: Database, now: () => number): Sessions => ({
  offer: async ({ id, digest, person, via, at, endsAt }) => {
    await db.run(
      `INSERT INTO sign_ins (id, digest, kind, person, via, at, ends_at)
       VALUES ($1, $2, 'link', $3, $4, $5, $6)`,
      [id, digest, person, via, at, endsAt],
    )
  },
  use: async (link, { digest, endsAt }) =>
    (await db.run(
      `UPDATE sign_ins SET kind = 'session', digest = $2, at = $3, ends_at = $4
       WHERE digest = $1 AND kind = 'link' AND ends_at > $3`,
      [link, digest, now(), endsAt],
    )) === 1,
  find: async (digest) =>
    (
      await db.all(
        row,
        `SELECT ${columns} FROM sign_ins WHERE digest = $1 AND kind = 'session' AND ends_at > $2`,
        [digest, now()],
      )
    )[0],
  of: (person) =>
    db.all(
      row,
      `SELECT ${columns} FROM sign_ins WHERE person = $1 AND kind = 'session' AND ends_at > $2 ORDER BY at, id`,
      [person, now()],
    ),
  end: (person, id) =>
    id === 'all'
      ? db.run('DELETE FROM sign_ins WHERE person = $1', [person])
      : db.run("DELETE FROM sign_ins WHERE person = $1 AND id = $2 AND kind = 'session'", [person, id]),
  people: async () =>
    (await db.all(personRow, 'SELECT DISTINCT person FROM sign_ins ORDER BY person')).map(
      ({ person }) => person,
    ),
  prune: (before) => db.run('DELETE FROM sign_ins WHERE ends_at < $1', [before]),
})
