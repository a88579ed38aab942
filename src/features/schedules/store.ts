import { z } from 'zod'
import { type Party, partySchema } from '../../kernel/model/change.ts'
import type { FeatureTables } from '../../kernel/store/database/migrations.ts'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import type { Database } from '../../lib/sql/database.ts'
import { json } from '../../lib/sql/sql.ts'

const row = z.object({
  id: z.string(),
  by: json.pipe(partySchema),
  line: z.string(),
  every: z.string(),
  zone: z.string(),
  channel: z.string().nullable(),
  at: z.number(),
  nextAt: z.number(),
  /** The time of the run that was begun and has not ended. */
  runningAt: z.number().nullable(),
})

/** A look-up that is run again and again, with the rights of whoever set it. */
export type Schedule = Omit<z.infer<typeof row>, 'by'> & { by: Party }

export type Schedules = {
  add(schedule: Omit<Schedule, 'runningAt'>): Promise<void>
  get(id: string): Promise<Schedule | undefined>
  /** Those of a person, or everybody's, the oldest first. */
  list(person?: string): Promise<Schedule[]>
  /** False when there is none. */
  remove(id: string): Promise<boolean>
  /** Takes the run of this time: true for one caller, who alone runs it. */
  begin(id: string, run: { at: number; runningAt: number; nextAt: number }): Promise<boolean>
  /** The run of this time is over, or is known to be lost: true for one caller, who alone says what came of it. */
  end(id: string, runningAt: number): Promise<boolean>
}

const columns =
  'id, party AS "by", line, every, zone, channel, at, next_at AS "nextAt", running_at AS "runningAt"'

export const createSchedules = (db: Database): Schedules => ({
  add: async ({ id, by, line, every, zone, channel, at, nextAt }) => {
    await db.run(
      `INSERT INTO schedules (id, person, party, line, every, zone, channel, at, next_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, by.person, canonicalJson(by), line, every, zone, channel, at, nextAt],
    )
  },
  get: async (id) => (await db.all(row, `SELECT ${columns} FROM schedules WHERE id = $1`, [id]))[0],
  list: (person) =>
    person === undefined
      ? db.all(row, `SELECT ${columns} FROM schedules ORDER BY at, id`)
      : db.all(row, `SELECT ${columns} FROM schedules WHERE person = $1 ORDER BY at, id`, [person]),
  remove: async (id) => (await db.run('DELETE FROM schedules WHERE id = $1', [id])) === 1,
  begin: async (id, { at, runningAt, nextAt }) =>
    (await db.run(
      'UPDATE schedules SET next_at = $3, running_at = $4 WHERE id = $1 AND next_at = $2 AND running_at IS NULL',
      [id, at, nextAt, runningAt],
    )) === 1,
  end: async (id, runningAt) =>
    (await db.run('UPDATE schedules SET running_at = NULL WHERE id = $1 AND running_at = $2', [
      id,
      runningAt,
    ])) === 1,
})

export const scheduleTables: readonly FeatureTables[] = [
  {
    id: 10,
    sql: [
      `CREATE TABLE schedules (
         id TEXT PRIMARY KEY,
         person TEXT NOT NULL,
         party TEXT NOT NULL,
         line TEXT NOT NULL,
         every TEXT NOT NULL,
         zone TEXT NOT NULL,
         channel TEXT,
         at BIGINT NOT NULL,
         next_at BIGINT NOT NULL,
         running_at BIGINT)`,
      'CREATE INDEX schedules_by_person ON schedules (person, at)',
    ],
  },
]
