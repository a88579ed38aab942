import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'
import { createParams } from '../../lib/sql/sql.ts'

const keyRow = z.object({
  id: z.string(),
  person: z.string(),
  /** What its person calls it. */
  name: z.string(),
  /** COSE, as the authenticator gave it, in base64url. */
  publicKey: z.string(),
  counter: z.number(),
  /** Whether it is kept by a service that copies it to other devices. */
  isCopied: z.number().transform((value) => value === 1),
  madeAt: z.number(),
  /** The change by which it was enrolled, and who approved that; none of it before it is. */
  changeId: z.string().nullable(),
  approvedBy: z.string().nullable(),
  enrolledAt: z.number().nullable(),
})

/** A passkey: made in a browser, and worth nothing until it is enrolled. */
export type Passkey = z.infer<typeof keyRow>
export type MadePasskey = Omit<Passkey, 'changeId' | 'approvedBy' | 'enrolledAt'>
export type EnrolledPasskey = MadePasskey & { changeId: string; approvedBy: string; enrolledAt: number }

const challengeRow = z.object({
  digest: z.string(),
  purpose: z.string(),
  person: z.string().nullable(),
  doc: z.string(),
  endsAt: z.number(),
})

/** What a browser was asked to sign, or a link that starts an enrolment: known by its digest, and good once. */
export type PasskeyChallenge = z.infer<typeof challengeRow>

export type StoredPasskeys = {
  /** False where a key with this id is there already, whoever made it. */
  add(made: MadePasskey): Promise<boolean>
  get(id: string): Promise<Passkey | undefined>
  /** Those that are enrolled, of one person or of all, the oldest first. */
  enrolled(person?: string): Promise<EnrolledPasskey[]>
  /** Whose these keys are, as far as they are enrolled. */
  ownersOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** False where no such key waits. */
  enrol(id: string, how: { changeId: string; approvedBy: string; at: number }): Promise<boolean>
  remove(id: string): Promise<boolean>
  /** What the key's own counter says after a signature. */
  count(id: string, counter: number): Promise<void>
  offer(challenge: PasskeyChallenge): Promise<void>
  find(digest: string, purpose: string): Promise<PasskeyChallenge | undefined>
  /** For a challenge that was not stored when it was offered: true for the first who uses it. */
  spend(digest: string, endsAt: number): Promise<boolean>
  /** True exactly once, and only while it lasts. */
  use(digest: string, purpose: string): Promise<boolean>
  /** Deletes challenges that ended before the given time, and keys that nobody has approved since. */
  prune(before: number, madeBefore: number): Promise<number>
}

const columns = `id, person, name, public_key AS "publicKey", counter, is_copied AS "isCopied", made_at AS "madeAt",
  change_id AS "changeId", approved_by AS "approvedBy", enrolled_at AS "enrolledAt"`

const ownerRow = z.object({ id: z.string(), person: z.string() })

export const createStoredPasskeys = (db: Database, now: () => number): StoredPasskeys => ({
  add: async ({ id, person, name, publicKey, counter, isCopied, madeAt }) =>
    (await db.run(
      `INSERT INTO passkeys (id, person, name, public_key, counter, is_copied, made_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
      [id, person, name, publicKey, counter, isCopied ? 1 : 0, madeAt],
    )) === 1,
  get: async (id) => (await db.all(keyRow, `SELECT ${columns} FROM passkeys WHERE id = $1`, [id]))[0],
  enrolled: async (person) => {
    const [where, values] = person === undefined ? ['', []] : ['AND person = $1', [person]]
    const rows = await db.all(
      keyRow,
      `SELECT ${columns} FROM passkeys WHERE change_id IS NOT NULL ${where} ORDER BY person, enrolled_at, id`,
      values,
    )
    return rows as EnrolledPasskey[]
  },
  ownersOf: async (ids) => {
    if (ids.length === 0) return new Map()
    const { values, add } = createParams()
    const rows = await db.all(
      ownerRow,
      `SELECT id, person FROM passkeys WHERE change_id IS NOT NULL AND id IN (${ids.map((id) => add(id)).join(', ')})`,
      values,
    )
    return new Map(rows.map(({ id, person }) => [id, person]))
  },
  enrol: async (id, { changeId, approvedBy, at }) =>
    (await db.run(
      `UPDATE passkeys SET change_id = $2, approved_by = $3, enrolled_at = $4
       WHERE id = $1 AND change_id IS NULL`,
      [id, changeId, approvedBy, at],
    )) === 1,
  remove: async (id) =>
    (await db.run('DELETE FROM passkeys WHERE id = $1 AND change_id IS NOT NULL', [id])) === 1,
  count: async (id, counter) => {
    await db.run('UPDATE passkeys SET counter = $2 WHERE id = $1', [id, counter])
  },
  offer: async ({ digest, purpose, person, doc, endsAt }) => {
    await db.run(
      'INSERT INTO passkey_challenges (digest, purpose, person, doc, ends_at) VALUES ($1, $2, $3, $4, $5)',
      [digest, purpose, person, doc, endsAt],
    )
  },
  find: async (digest, purpose) =>
    (
      await db.all(
        challengeRow,
        `SELECT digest, purpose, person, doc, ends_at AS "endsAt" FROM passkey_challenges
         WHERE digest = $1 AND purpose = $2 AND ends_at > $3`,
        [digest, purpose, now()],
      )
    )[0],
  spend: async (digest, endsAt) =>
    (await db.run(
      `INSERT INTO passkey_challenges (digest, purpose, person, doc, ends_at) VALUES ($1, 'spent', NULL, '{}', $2)
       ON CONFLICT (digest) DO NOTHING`,
      [digest, endsAt],
    )) === 1,
  use: async (digest, purpose) =>
    (await db.run('DELETE FROM passkey_challenges WHERE digest = $1 AND purpose = $2 AND ends_at > $3', [
      digest,
      purpose,
      now(),
    ])) === 1,
  prune: async (before, madeBefore) =>
    (await db.run('DELETE FROM passkey_challenges WHERE ends_at < $1', [before])) +
    (await db.run('DELETE FROM passkeys WHERE change_id IS NULL AND made_at < $1', [madeBefore])),
})
