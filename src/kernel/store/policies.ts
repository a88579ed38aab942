import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'

const row = z.object({
  n: z.int(),
  digest: z.string(),
  at: z.number(),
  /** The person who had it taken in, or the bot itself. */
  who: z.string(),
  name: z.string(),
  /** The file that it was read from. */
  source: z.string(),
})

/** A version of the policy file that came into force, counted from 1. */
export type PolicyVersion = z.infer<typeof row>

export type Policies = {
  /** Keeps the text of a version under its digest. */
  keep(digest: string, text: string, at: number): Promise<void>
  text(digest: string): Promise<string | undefined>
  newest(): Promise<PolicyVersion | undefined>
  /** Inside a transaction that holds the lock of the policy. */
  add(version: PolicyVersion): Promise<void>
  /** The newest first. */
  list(page: { skip: number; limit: number }): Promise<PolicyVersion[]>
}

const textRow = z.object({ text: z.string() })

export const createPolicies = (db: Database): Policies => {
  const list: Policies['list'] = ({ skip, limit }) =>
    db.all(
      row,
      'SELECT n, digest, at, who, name, source FROM policy_versions ORDER BY n DESC LIMIT $1 OFFSET $2',
      [limit, skip],
    )
  return {
    keep: async (digest, text, at) => {
      await db.run(
        'INSERT INTO policy_texts (digest, text, at) VALUES ($1, $2, $3) ON CONFLICT (digest) DO NOTHING',
        [digest, text, at],
      )
    },
    text: async (digest) =>
      (await db.all(textRow, 'SELECT text FROM policy_texts WHERE digest = $1', [digest]))[0]?.text,
    newest: async () => (await list({ skip: 0, limit: 1 }))[0],
    add: async ({ n, digest, at, who, name, source }) => {
      await db.run(
        'INSERT INTO policy_versions (n, digest, at, who, name, source) VALUES ($1, $2, $3, $4, $5, $6)',
        [n, digest, at, who, name, source],
      )
    },
    list,
  }
}
