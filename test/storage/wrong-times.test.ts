import { expect, it } from 'vitest'
import { createAudit } from '../../src/kernel/store/audit.ts'
import type { Database } from '../../src/lib/sql/database.ts'
import { eachEngine, openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'

const entries = 30_000
const start = Date.UTC(2026, 0, 1)
const everyMs = 10_000
const timeOf = (seq: number) => start + seq * everyMs
const day = 24 * 3_600_000

/** A log of which some entries were written by a clock that was wrong, by their numbers. */
const openLog = async (engine: 'sqlite' | 'postgres', wrong: Readonly<Record<number, number>>) => {
  const { db, close } = await openTestDatabase(engine)
  whenDone(close)
  await db.run('DELETE FROM audit_log')
  const padded = engine === 'sqlite' ? "printf('%023d', n)" : "lpad(n::text, 23, '0')"
  const cases = Object.entries(wrong).map(([seq, at]) => `WHEN ${seq} THEN ${at}`)
  await db.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${entries})
     INSERT INTO audit_log (id, seq, at, kind, who, name, platform, command, noun, change_id, doc, leaf)
     SELECT ${padded}, n, CASE n ${cases.join(' ')} ELSE ${start} + CAST(n AS BIGINT) * ${everyMs} END, 'asked',
       CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'often' END, 'N', 'terminal', 'refund', 'refund', NULL, '{}', ''
     FROM numbers`,
  )
  const read = { rows: 0, statements: 0 }
  const counted: Database = {
    ...db,
    all: async (...asked) => {
      const rows = await db.all(...asked)
      read.rows += rows.length
      read.statements++
      return rows
    },
  }
  return { audit: createAudit(counted, Date.now), read }
}

const gather = async (from: AsyncIterable<{ seq: number | null }>) => {
  const found: (number | null)[] = []
  for await (const { seq } of from) found.push(seq)
  return found
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

eachEngine('a log with entries of a wrong clock', (engine) => {
  const wrong = {
    5: timeOf(entries) + 365 * day,
    6: timeOf(entries - 50),
    20000: 0,
    [entries - 10]: timeOf(entries) + day,
    [entries - 20]: timeOf(1_000),
  }

  it('is read from a time on without reading all of it, and nothing of that time is left out', async () => {
    const { audit, read } = await openLog(engine, wrong)
    const since = timeOf(entries - 100)
    expect(await gather(audit.stream({ since }))).toEqual([5, 6, ...range(entries - 100, entries + 1)])
    expect(read.rows).toBeLessThan(1_000)
    read.rows = 0
    const found = (await audit.find({ since, limit: 500 })).map(({ seq }) => seq)
    const inTime = range(entries - 100, entries + 1).filter((seq) => seq !== entries - 20)
    expect(found).toEqual([...inTime.toReversed(), 6, 5])
    expect(read.rows).toBeLessThan(1_000)
  })

  it('is read for a period in the middle, with what has its time and stands elsewhere', async () => {
    const { audit, read } = await openLog(engine, wrong)
    const [since, until] = [timeOf(950), timeOf(1_050)]
    expect(await gather(audit.stream({ since, until }))).toEqual([...range(950, 1_050), entries - 20])
    expect(read.rows).toBeLessThan(1_000)
    const found = (await audit.find({ since, until, limit: 500 })).map(({ seq }) => seq)
    expect(found).toEqual([entries - 20, ...range(950, 1_050).toReversed()])
    // What somebody did rarely is looked for in windows: no statement reads all of a long time.
    read.statements = 0
    expect(
      await audit.find({ who: 'rare', since: timeOf(100), until: timeOf(entries - 100), limit: 50 }),
    ).toHaveLength(28)
    expect(read.statements).toBeGreaterThan(5)
  })

  it('goes on beyond a long stretch that a wrong clock wrote', async () => {
    const stretch = Object.fromEntries(range(4_000, 4_900).map((seq) => [seq, timeOf(seq) + 300 * day]))
    const { audit } = await openLog(engine, stretch)
    const since = timeOf(entries - 10)
    expect(await gather(audit.stream({ since }))).toEqual([
      ...range(4_000, 4_900),
      ...range(entries - 10, entries + 1),
    ])
  })
})
