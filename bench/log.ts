import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Databases, openDatabases } from '../prove/databases.ts'
import { features } from '../src/features/index.ts'
import { useFeatures } from '../src/kernel/feature.ts'
import { createSequencer } from '../src/kernel/log/sequencer.ts'
import { newSigner } from '../src/kernel/log/signer.ts'
import { verify } from '../src/kernel/log/verify.ts'
import { migrate } from '../src/kernel/store/database/migrate.ts'
import { createStore, type Store } from '../src/kernel/store/store.ts'
import type { Database, Engine } from '../src/lib/sql/database.ts'
import { openDatabase } from '../src/lib/sql/open.ts'
import { sampleEntry } from '../test/storage/sample.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { percentile } from './measure.ts'

const perSecond = 1_000
const minutes = 10
const maxEntries = 1_000_000
const mib = 1024 * 1024

type Log = { engine: Engine; db: Database; store: Store; bytes(): Promise<number>; close(): Promise<void> }
type Loaded = { entries: number; seconds: number; bytesAtMinute: number[]; delays: number[] }

/** The audit log under a steady load: how long an entry waits for its number, how it grows, how long checking it takes. */
export const benchLog = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  const total = Math.round(maxEntries * Math.min(1, scale))
  const logs: Log[] = []
  try {
    for (const engine of databases.engines) logs.push(await openLog(databases, engine))
    const found = await Promise.all(
      logs.map(async (log) => {
        const loaded = await load(log, minutes * scale, say)
        await fillUp(log, total)
        return { ...log, ...loaded }
      }),
    )
    const checked = []
    for (const log of found) checked.push({ ...log, ...(await check(log)) })
    return {
      title: 'The audit log under load',
      what: `${perSecond.toLocaleString('en')} entries a second for ${minutes * scale} minutes, both engines at the same time in one process that also numbers them; then as fast as they go until there are ${total.toLocaleString('en')}, and all of it is verified: every entry, checkpoint and signature.`,
      tables: [
        {
          head: [
            'engine',
            'entries/s written',
            'until numbered and signed: p50, ms',
            'p99, ms',
            'longest, ms',
            'bytes an entry in the first minute',
            'in the last',
            `verifying ${total.toLocaleString('en')}, s`,
            'memory for it, MiB',
          ],
          rows: checked.map(
            ({ engine, entries, seconds, delays, bytesAtMinute, verifySeconds, verifyMib }) => [
              engine,
              (entries / seconds).toFixed(0),
              percentile(delays, 50).toFixed(0),
              percentile(delays, 99).toFixed(0),
              (delays.at(-1) ?? 0).toFixed(0),
              growthAt(bytesAtMinute, 1),
              growthAt(bytesAtMinute, bytesAtMinute.length - 1),
              verifySeconds.toFixed(1),
              verifyMib.toFixed(0),
            ],
          ),
        },
      ],
      goals: checked.flatMap(({ engine, entries, seconds, delays, verifySeconds, verifyMib }) => [
        {
          goal: `${engine}: keeps up with ${perSecond.toLocaleString('en')} a second`,
          measured: (entries / seconds).toFixed(0),
          isMet: entries / seconds > perSecond * 0.98,
        },
        {
          goal: `${engine}: numbered within a second (p99)`,
          measured: `${percentile(delays, 99).toFixed(0)} ms`,
          isMet: percentile(delays, 99) <= 1_000,
        },
        {
          goal: `${engine}: verified within 30 s, in 100 MiB`,
          measured: `${verifySeconds.toFixed(1)} s, ${verifyMib.toFixed(0)} MiB`,
          isMet: verifySeconds <= 30 && verifyMib <= 100,
        },
      ]),
      notes: [],
      figures: {
        found: checked.map(({ db: _, store: __, delays: ___, ...figures }) => figures),
      },
    }
  } finally {
    for (const log of logs) await log.close()
    await databases.close()
  }
}

const openLog = async (databases: Databases, engine: Engine): Promise<Log> => {
  const place = await databases.fresh(engine)
  const db = await openDatabase(place)
  useFeatures(features)
  await migrate(db, { now: Date.now })
  const store = createStore(db, { now: Date.now })
  const sequencer = createSequencer({ store, signer: newSigner(), process: 'bench', warn: console.error })
  sequencer.start()
  const size = z.object({ size: z.coerce.number() })
  return {
    engine,
    db,
    store,
    bytes: async () => {
      if (engine === 'postgres') {
        const [row] = await db.all(size, 'SELECT pg_database_size(current_database()) AS size', [])
        return row?.size ?? 0
      }
      const file = join(place.dataDir ?? '', 'bellhop.sqlite')
      return statSync(file).size + statSync(`${file}-wal`).size
    },
    close: async () => {
      await sequencer.stop()
      await db.close()
      await place.remove()
    },
  }
}

const append = async ({ store }: Log, count: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, () => store.audit.append(sampleEntry())))
}

/** A hundredth of a second's entries at a time, however long the ones before take. */
const load = async (log: Log, forMinutes: number, say: BenchOptions['say']): Promise<Loaded> => {
  const beganAt = performance.now()
  const total = Math.round(perSecond * forMinutes * 60)
  const bytesAtMinute = [await log.bytes()]
  const writing = new Set<Promise<void>>()
  let written = 0
  while (written < total) {
    const due = Math.min(total, ((performance.now() - beganAt) / 1000) * perSecond)
    const some = Math.floor(due - written)
    if (some > 0) {
      const one: Promise<void> = append(log, some).finally(() => writing.delete(one))
      writing.add(one)
      written += some
    }
    if (written >= bytesAtMinute.length * perSecond * 60) {
      bytesAtMinute.push(await log.bytes())
      say(`${log.engine}: ${written} entries, ${Math.round((bytesAtMinute.at(-1) ?? 0) / mib)} MiB`)
    }
    await sleep(10)
  }
  await Promise.all(writing)
  const seconds = (performance.now() - beganAt) / 1000
  await sleep(1_000)
  return { entries: written, seconds, bytesAtMinute, delays: await delaysOf(log) }
}

/** From when an entry was written to the signed checkpoint that covers it, sorted. */
const delaysOf = async ({ store: { auditTree } }: Log): Promise<number[]> => {
  const delays: number[] = []
  let [seq, at] = [0, 0]
  for (;;) {
    const checkpoints = await auditTree.checkpointsAfter(at, 500)
    if (checkpoints.length === 0) return delays.sort((one, other) => one - other)
    for (const checkpoint of checkpoints) {
      for (const row of await auditTree.rowsAfter(seq, checkpoint.size - seq)) {
        delays.push(checkpoint.at - Number(row.at))
      }
      seq = checkpoint.size
    }
    at = seq
  }
}

const fillUp = async (log: Log, total: number): Promise<void> => {
  const { auditTree } = log.store
  const numbered = async () => (await auditTree.state()).frontier.size
  for (let left = total - (await numbered()); left > 0; left -= 500) await append(log, Math.min(500, left))
  while ((await numbered()) < total) await sleep(50)
}

const check = async ({ engine, store }: Log): Promise<{ verifySeconds: number; verifyMib: number }> => {
  const rest = process.memoryUsage().rss
  let most = rest
  const beganAt = performance.now()
  const verdict = await verify(store, {
    progress: () => {
      most = Math.max(most, process.memoryUsage().rss)
    },
  })
  if (!verdict.ok) throw new Error(`${engine}: ${verdict.sentence}`)
  return { verifySeconds: (performance.now() - beganAt) / 1000, verifyMib: (most - rest) / mib }
}

const growthAt = (bytes: readonly number[], minute: number): string => {
  const [before, after] = [bytes[minute - 1], bytes[minute]]
  return before === undefined || after === undefined ? '' : ((after - before) / (perSecond * 60)).toFixed(0)
}
