import { z } from 'zod'
import { partySchema } from '../../kernel/model/change.ts'
import type { FeatureTables } from '../../kernel/store/database/migrations.ts'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import type { Database } from '../../lib/sql/database.ts'
import { json } from '../../lib/sql/sql.ts'

const sum = z.object({ value: z.number(), currency: z.string() })

/** What is given, by which rule, within which bounds: the plan of a grant, and what is kept of it. */
export const termsSchema = z.object({
  does: z.enum(['run', 'approve']),
  commands: z.array(z.string()).min(1),
  holder: z.object({ id: z.string(), name: z.string() }),
  endsAt: z.number(),
  rule: z.string(),
  /** Of the rule as it was. */
  digest: z.string(),
  upTo: sum.optional(),
  inAll: sum.optional(),
  times: z.int().optional(),
  payer: z.string().optional(),
  list: z.string().optional(),
  reason: z.string().optional(),
})
export type GrantTerms = z.infer<typeof termsSchema>

/** Those who stand behind a grant: who asked for it in the place of its holder, and who approved it. */
const docSchema = termsSchema.extend({ by: partySchema, approvers: z.array(partySchema) })

const row = z.object({
  id: z.string(),
  doc: json.pipe(docSchema),
  at: z.number(),
  endedAt: z.number().nullable(),
  why: z.string().nullable(),
})

/** A grant has the id of the change that gave it, so none is given twice. */
export type Grant = Omit<z.infer<typeof row>, 'doc'> & z.infer<typeof docSchema>

export type GrantUse = { changeId: string; amount: number; at: number }

export type Grants = {
  add(grant: { id: string; at: number; doc: z.infer<typeof docSchema> }): Promise<void>
  get(id: string): Promise<Grant | undefined>
  /** Those that nothing has ended yet, but perhaps their time; the next to end first. */
  open(): Promise<Grant[]>
  /** False where it has ended before. */
  end(id: string, at: number, why: string): Promise<boolean>
  /** Once for each change, however often. */
  use(id: string, use: GrantUse): Promise<void>
  unuse(changeId: string): Promise<void>
  uses(id: string): Promise<GrantUse[]>
  /** Forgets what ended before the given time; returns how many. */
  prune(before: number): Promise<number>
}

const useRow = z.object({ changeId: z.string(), amount: z.number(), at: z.number() })
const columns = 'id, doc, at, ended_at AS "endedAt", why'

export const createGrants = (db: Database): Grants => {
  const read = async (where: string, values: (string | number)[] = []): Promise<Grant[]> =>
    (await db.all(row, `SELECT ${columns} FROM grants WHERE ${where}`, values)).map(({ doc, ...rest }) => ({
      ...rest,
      ...doc,
    }))
  return {
    add: async ({ id, at, doc }) => {
      await db.run(
        'INSERT INTO grants (id, doc, at, ends_at) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING',
        [id, canonicalJson(doc), at, doc.endsAt],
      )
    },
    get: async (id) => (await read('id = $1', [id]))[0],
    open: () => read('ended_at IS NULL ORDER BY ends_at, id'),
    end: async (id, at, why) =>
      (await db.run('UPDATE grants SET ended_at = $2, why = $3 WHERE id = $1 AND ended_at IS NULL', [
        id,
        at,
        why,
      ])) === 1,
    use: async (id, { changeId, amount, at }) => {
      await db.run(
        `INSERT INTO grant_uses (grant_id, change_id, amount, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (grant_id, change_id) DO NOTHING`,
        [id, changeId, amount, at],
      )
    },
    unuse: async (changeId) => {
      await db.run('DELETE FROM grant_uses WHERE change_id = $1', [changeId])
    },
    uses: (id) =>
      db.all(
        useRow,
        'SELECT change_id AS "changeId", amount, at FROM grant_uses WHERE grant_id = $1 ORDER BY at, change_id',
        [id],
      ),
    prune: async (before) => {
      await db.run('DELETE FROM grant_uses WHERE grant_id IN (SELECT id FROM grants WHERE ended_at < $1)', [
        before,
      ])
      return db.run('DELETE FROM grants WHERE ended_at < $1', [before])
    },
  }
}

export const grantTables: readonly FeatureTables[] = [
  {
    id: 'grants/1',
    sql: [
      `CREATE TABLE grants (
         id TEXT PRIMARY KEY,
         doc TEXT NOT NULL,
         at BIGINT NOT NULL,
         ends_at BIGINT NOT NULL,
         ended_at BIGINT,
         why TEXT)`,
      'CREATE INDEX grants_by_end ON grants (ended_at, ends_at)',
      `CREATE TABLE grant_uses (
         grant_id TEXT NOT NULL,
         change_id TEXT NOT NULL,
         amount DOUBLE PRECISION NOT NULL,
         at BIGINT NOT NULL,
         PRIMARY KEY (grant_id, change_id))`,
      'CREATE INDEX grant_uses_by_change ON grant_uses (change_id)',
    ],
  },
]
