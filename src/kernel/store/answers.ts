import { z } from 'zod'
import type { Database } from '../../lib/sql/database.ts'
import { json } from '../../lib/sql/sql.ts'

const row = z.object({ id: z.string(), at: z.number(), person: z.string(), doc: json })

/** What a button refers to by its id: a result, or what somebody has typed so far. */
type Answer = z.infer<typeof row>

export type Answers = {
  /** Storing an answer under an existing id replaces it. Who reads waits for what is being stored. */
  put(answer: Answer): Promise<void>
  get(id: string): Promise<Answer | null>
  /** What this person was answered since then, the newest first. */
  recent(person: string, since: number, limit: number): Promise<Answer[]>
  /** Deletes answers from before the given time; returns how many. */
  prune(before: number): Promise<number>
}

export const createAnswers = (db: Database, table: 'answers' | 'drafts'): Answers => {
  const underWay = new Set<Promise<unknown>>()
  const settled = () => Promise.allSettled(underWay)
  return {
    put: async ({ id, at, person, doc }) => {
      const putting = db.together.run(
        `INSERT INTO ${table} (id, at, person, doc) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET at = excluded.at, person = excluded.person, doc = excluded.doc`,
        [id, at, person, JSON.stringify(doc)],
        'buffered',
      )
      underWay.add(putting)
      await putting.finally(() => underWay.delete(putting))
    },
    get: async (id) => {
      await settled()
      const found = `SELECT id, at, person, doc FROM ${table} WHERE id = $1`
      return (await db.together.all(row, found, [id]))[0] ?? null
    },
    recent: async (person, since, limit) => {
      await settled()
      return db.all(
        row,
        `SELECT id, at, person, doc FROM ${table} WHERE at >= $1 AND person = $2 ORDER BY at DESC LIMIT $3`,
        [since, person, limit],
      )
    },
    prune: (before) => db.run(`DELETE FROM ${table} WHERE at < $1`, [before]),
  }
}
