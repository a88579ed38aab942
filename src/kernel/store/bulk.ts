import { z } from 'zod'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import type { Database } from '../../lib/sql/database.ts'
import { createParams, json } from '../../lib/sql/sql.ts'
import type { Tasks } from './tasks.ts'

/** The states of a job; in `collecting` and `pinned` it is a set that has not been started yet. */
const jobStates = ['collecting', 'pinned', 'running', 'paused', 'waiting', 'done', 'stopped'] as const

const job = z.object({
  id: z.string(),
  changeId: z.string().nullable(),
  state: z.enum(jobStates),
  /** How many items, in how many chunks. */
  total: z.number(),
  chunks: z.number(),
  /** Digest of the items in order. */
  digest: z.string(),
  /** Chunks from this number on wait until somebody resumes the job. */
  upto: z.number(),
  /** Why it is paused, or what it waits for. */
  reason: z.string().nullable(),
  /** When the job last started or resumed, and how many items were done then: the basis of the rate. */
  since: z.number(),
  sinceDone: z.number(),
  /** When its progress message was last updated. */
  shownAt: z.number(),
  /** Where its progress message is, and the one with its result. */
  progressMessage: z.string().nullable(),
  summaryMessage: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

/** `different`: done, but the service shows other values than those that were sent. */
const trouble = z.object({
  item: z.string(),
  outcome: z.enum(['failed', 'unknown', 'different']),
  why: z.string(),
})

const chunkStates = ['pending', 'sending', 'sent', 'failed', 'unknown'] as const

const chunk = z.object({
  jobId: z.string(),
  n: z.number(),
  state: z.enum(chunkStates),
  items: json.pipe(z.array(z.unknown())),
  /** Results of items so far; a chunk that is put back keeps them. */
  done: z.number(),
  failed: z.number(),
  unknown: z.number(),
  owner: z.string().nullable(),
  error: z.string().nullable(),
  /** Single items that failed in a chunk that otherwise succeeded. */
  troubles: json.pipe(z.array(trouble)),
  at: z.number(),
})

const sendingRow = chunk.pick({ jobId: true, n: true, owner: true, at: true })

export type Job = z.infer<typeof job>
export type JobState = Job['state']
export type Chunk = z.infer<typeof chunk>
export type Trouble = z.infer<typeof trouble>

/** Items by result; `due` are those of `left` that can run without being resumed. */
export type Figures = {
  done: number
  failed: number
  unknown: number
  left: number
  due: number
  sending: number
  /** Chunks with something to tell about single items. */
  noted: number
}

/** The complete result of a chunk; `pending` puts `items` back to be tried again. */
export type Finish = {
  state: 'pending' | 'sent' | 'failed' | 'unknown'
  items?: readonly unknown[] | undefined
  done: number
  failed: number
  unknown: number
  error: string | null
  troubles: readonly Trouble[]
}

/** Sets of items in chunks, and the jobs that process them. */
export type Bulk = {
  /** Starts a set. */
  open(id: string): Promise<void>
  addChunks(id: string, from: number, chunks: readonly (readonly unknown[])[]): Promise<void>
  /** Closes a set: it cannot change any more. */
  pin(id: string, set: { total: number; chunks: number; digest: string }): Promise<void>
  /** The set that a change is about from now on; one that it was about before is nobody's. */
  attach(id: string, changeId: string): Promise<void>
  get(id: string): Promise<Job | null>
  ofChange(changeId: string): Promise<Job | null>
  list(among: readonly JobState[], limit: number): Promise<Job[]>
  /** Moves a job to another state; false if it was in none of the `from` states. */
  move(
    id: string,
    from: readonly JobState[],
    to: JobState,
    more?: { reason?: string | null; upto?: number; sinceDone?: number },
  ): Promise<boolean>
  shown(id: string, at: number): Promise<void>
  setMessage(id: string, kind: 'progress' | 'summary', address: string): Promise<void>
  /** Claims the next chunk of a running job and stores that it is being sent; null if none is left. */
  claim(id: string, owner: string): Promise<Chunk | null>
  /** Whether a chunk is still the owner's to send; it then stays so for a while. */
  renew(chunk: Pick<Chunk, 'jobId' | 'n'>, owner: string): Promise<boolean>
  /** Only the owner finishes a chunk; one given up as unknown meanwhile is still told what really happened, but not put back. */
  finish(chunk: Pick<Chunk, 'jobId' | 'n'>, owner: string, end: Finish): Promise<boolean>
  figures(id: string): Promise<Figures>
  /** Chunks that are being sent, or were when their process died. */
  sending(limit: number): Promise<Pick<Chunk, 'jobId' | 'n' | 'owner' | 'at'>[]>
  /** Marks a chunk as unknown. False when its owner has renewed it since then. */
  lose(chunk: Pick<Chunk, 'jobId' | 'n' | 'owner'>, why: string, since: number): Promise<boolean>
  /** Those of these chunks that would be sent, with how many items. */
  due(id: string, among: readonly number[]): Promise<{ n: number; size: number }[]>
  /** Marks a chunk as unknown that would be sent, and was sent before; false if it would not be. */
  loseDue(chunk: Pick<Chunk, 'jobId' | 'n'>, why: string): Promise<boolean>
  /** The chunks after the given one, in order. */
  chunks(id: string, after: number, limit: number): Promise<Chunk[]>
  /** Deletes sets that were never started, and jobs that ended long ago. */
  prune(before: { unused: number; ended: number }): Promise<number>
}

const jobColumns = `id, change_id AS "changeId", state, total, chunks, digest, upto, reason, since,
  since_done AS "sinceDone", shown_at AS "shownAt", progress_message AS "progressMessage",
  summary_message AS "summaryMessage", created_at AS "createdAt", updated_at AS "updatedAt"`
const chunkColumns = `job_id AS "jobId", n, state, items, done, failed, unknown, owner, error, troubles, at`

const figuresRow = z.object({
  done: z.number(),
  failed: z.number(),
  unknown: z.number(),
  left: z.number(),
  due: z.number(),
  sending: z.number(),
  noted: z.number(),
})
const idRow = z.object({ id: z.string() })
const dueRow = z.object({ n: z.number(), size: z.number() })

/** What is shown of a job is brought up to date: whoever moves it or a part of it says so. */
export const putProgress = (
  { tasks }: { tasks: Pick<Tasks, 'put'> },
  id: string,
  dueAt: number,
): Promise<void> => tasks.put({ kind: 'progress', key: `progress:${id}`, doc: { id }, dueAt })

export const createBulk = (db: Database, now: () => number): Bulk => {
  const first = async (condition: string, value: string): Promise<Job | null> =>
    (await db.all(job, `SELECT ${jobColumns} FROM bulk_jobs WHERE ${condition} = $1`, [value]))[0] ?? null

  return {
    open: async (id) => {
      await db.run(
        `INSERT INTO bulk_jobs (id, state, total, chunks, digest, upto, since, since_done, shown_at, created_at, updated_at)
         VALUES ($1, 'collecting', 0, 0, '', 0, 0, 0, 0, $2, $2)`,
        [id, now()],
      )
    },

    addChunks: async (id, from, chunks) => {
      if (chunks.length === 0) return
      const { values, add } = createParams()
      const rows = chunks.map(
        (items, at) =>
          `(${add(id)}, ${add(from + at)}, 'pending', ${add(canonicalJson(items))}, ${add(items.length)}, 0, 0, 0, '[]', ${add(now())})`,
      )
      await db.run(
        `INSERT INTO bulk_chunks (job_id, n, state, items, size, done, failed, unknown, troubles, at) VALUES ${rows.join(', ')}`,
        values,
      )
    },

    pin: async (id, { total, chunks, digest }) => {
      await db.run(
        `UPDATE bulk_jobs SET state = 'pinned', total = $2, chunks = $3, upto = $3, digest = $4, updated_at = $5
         WHERE id = $1 AND state = 'collecting'`,
        [id, total, chunks, digest, now()],
      )
    },

    attach: async (id, changeId) => {
      await db.run('UPDATE bulk_jobs SET change_id = NULL WHERE change_id = $2 AND id <> $1', [id, changeId])
      await db.run('UPDATE bulk_jobs SET change_id = $2 WHERE id = $1', [id, changeId])
    },

    get: (id) => first('id', id),
    ofChange: (changeId) => first('change_id', changeId),

    list: (among, limit) => {
      const { values, add, addAll } = createParams()
      return db.all(
        job,
        `SELECT ${jobColumns} FROM bulk_jobs WHERE state IN (${addAll(among)}) ORDER BY updated_at DESC LIMIT ${add(limit)}`,
        values,
      )
    },

    move: async (id, from, to, { reason = null, upto, sinceDone } = {}) => {
      const { values, add, addAll } = createParams()
      const at = now()
      return (
        (await db.run(
          `UPDATE bulk_jobs SET state = ${add(to)}, reason = ${add(reason)}, updated_at = ${add(at)}
             ${upto === undefined ? '' : `, upto = ${add(upto)}`}
             ${sinceDone === undefined ? '' : `, since = ${add(at)}, since_done = ${add(sinceDone)}`}
           WHERE id = ${add(id)} AND state IN (${addAll(from)})`,
          values,
        )) === 1
      )
    },

    shown: async (id, at) => {
      await db.run('UPDATE bulk_jobs SET shown_at = $2 WHERE id = $1', [id, at])
    },

    setMessage: async (id, kind, address) => {
      await db.run(`UPDATE bulk_jobs SET ${kind}_message = $2 WHERE id = $1`, [id, address])
    },

    claim: async (id, owner) => {
      const [claimed] = await db.all(
        chunk,
        `WITH next AS MATERIALIZED (
           SELECT n FROM bulk_chunks
           WHERE state = 'pending' AND job_id = $1
             AND n < (SELECT upto FROM bulk_jobs WHERE id = $1 AND state = 'running')
           ORDER BY n LIMIT 1 FOR UPDATE SKIP LOCKED)
         UPDATE bulk_chunks SET state = 'sending', owner = $2, at = $3
         WHERE job_id = $1 AND n IN (SELECT n FROM next) AND state = 'pending'
         RETURNING ${chunkColumns}`,
        [id, owner, now()],
      )
      return claimed ?? null
    },

    renew: async ({ jobId, n }, owner) =>
      (await db.run(
        `UPDATE bulk_chunks SET at = $4 WHERE job_id = $1 AND n = $2 AND owner = $3 AND state = 'sending'`,
        [jobId, n, owner, now()],
        'buffered',
      )) === 1,

    finish: async ({ jobId, n }, owner, { state, items, done, failed, unknown, error, troubles }) => {
      const { values, add } = createParams()
      const rest =
        items === undefined
          ? ''
          : `, items = ${add(canonicalJson(items))}, size = CAST(${add(items.length)} AS BIGINT)`
      return (
        (await db.run(
          `UPDATE bulk_chunks SET state = ${add(state)}, error = ${add(error)}, at = ${add(now())},
             troubles = ${add(canonicalJson(troubles))}, done = CAST(${add(done)} AS BIGINT),
             failed = CAST(${add(failed)} AS BIGINT), unknown = CAST(${add(unknown)} AS BIGINT) ${rest}
           WHERE job_id = ${add(jobId)} AND n = ${add(n)} AND owner = ${add(owner)} AND state IN ('sending'${state === 'pending' ? '' : ", 'unknown'"})`,
          values,
        )) === 1
      )
    },

    figures: async (id) => {
      const [sums] = await db.all(
        figuresRow,
        `SELECT ${sum('done')} AS done, ${sum('failed')} AS failed, ${sum('unknown')} AS unknown,
           ${sum("CASE WHEN state = 'pending' THEN size ELSE 0 END")} AS "left",
           ${sum("CASE WHEN state = 'pending' AND n < (SELECT upto FROM bulk_jobs WHERE id = $1) THEN size ELSE 0 END")} AS due,
           ${sum("CASE WHEN state = 'sending' THEN size ELSE 0 END")} AS sending,
           ${sum("CASE WHEN troubles <> '[]' THEN 1 ELSE 0 END")} AS noted
         FROM bulk_chunks WHERE job_id = $1`,
        [id],
      )
      return sums as Figures
    },

    sending: (limit) =>
      db.all(
        sendingRow,
        `SELECT job_id AS "jobId", n, owner, at FROM bulk_chunks WHERE state = 'sending' ORDER BY job_id, n LIMIT $1`,
        [limit],
      ),

    lose: async ({ jobId, n, owner }, why, since) =>
      (await db.run(
        `UPDATE bulk_chunks SET state = 'unknown', unknown = unknown + size, error = $4, at = $5
         WHERE job_id = $1 AND n = $2 AND owner = $3 AND state = 'sending' AND at <= $6`,
        [jobId, n, owner, why, now(), since],
      )) === 1,

    due: async (id, among) => {
      if (among.length === 0) return []
      const { values, add, addAll } = createParams()
      return db.all(
        dueRow,
        `SELECT n, size FROM bulk_chunks WHERE job_id = ${add(id)} AND state = 'pending' AND n IN (${addAll(among)}) ORDER BY n`,
        values,
      )
    },

    loseDue: async ({ jobId, n }, why) =>
      (await db.run(
        `UPDATE bulk_chunks SET state = 'unknown', unknown = unknown + size, error = $3, at = $4
         WHERE job_id = $1 AND n = $2 AND state = 'pending'`,
        [jobId, n, why, now()],
      )) === 1,

    chunks: (id, after, limit) =>
      db.all(
        chunk,
        `SELECT ${chunkColumns} FROM bulk_chunks WHERE job_id = $1 AND n > $2 ORDER BY n LIMIT $3`,
        [id, after, limit],
      ),

    prune: async ({ unused, ended }) => {
      const old = await db.all(
        idRow,
        `SELECT id FROM bulk_jobs WHERE state IN ('done', 'stopped') AND updated_at < $1
         UNION ALL
         SELECT bulk_jobs.id FROM bulk_jobs LEFT JOIN changes ON changes.id = bulk_jobs.change_id
         WHERE bulk_jobs.state IN ('collecting', 'pinned') AND bulk_jobs.updated_at < $2
           AND (changes.id IS NULL OR changes.state NOT IN ('pending', 'approved', 'applying'))`,
        [ended, unused],
      )
      for (const { id } of old) {
        await db.tx(async (inner) => {
          await inner.run('DELETE FROM bulk_chunks WHERE job_id = $1', [id])
          await inner.run('DELETE FROM bulk_jobs WHERE id = $1', [id])
        })
      }
      return old.length
    },
  }
}

/** PostgreSQL returns a sum of integers as a decimal, and both engines return null for a sum of no rows. */
const sum = (what: string): string => `CAST(COALESCE(SUM(${what}), 0) AS BIGINT)`
