import { type Databases, openDatabases } from '../prove/databases.ts'
import { features } from '../src/features/index.ts'
import { transition } from '../src/kernel/change/transition.ts'
import { useFeatures } from '../src/kernel/feature.ts'
import { type Change, effectiveStates } from '../src/kernel/model/change.ts'
import { migrate } from '../src/kernel/store/database/migrate.ts'
import { createStore, type Store } from '../src/kernel/store/store.ts'
import { defaultTimings } from '../src/kernel/timings.ts'
import { ok } from '../src/lib/result.ts'
import type { Database, Engine } from '../src/lib/sql/database.ts'
import { openDatabase } from '../src/lib/sql/open.ts'
import { partyOf, sampleChange, sampleEntry } from '../test/storage/sample.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { median } from './measure.ts'

const dayMs = 24 * 3_600_000

type Speeds = {
  size: number
  claims: number
  claimsAtOnce: number
  appends: number
  /** Milliseconds of the reads that every request for a change makes. */
  policyReadsMs: number
  listMs: number
  deliveryMs: number
}

/** Claims, audit entries and the reads of a request, on tables that grow. */
export const benchStorage = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const sizes = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= 1_000_000 * scale)
  const databases = await openDatabases({ durable: true })
  const found: Partial<Record<Engine, Speeds[]>> = {}
  try {
    for (const engine of databases.engines) {
      found[engine] = await measureAll(databases, engine, { sizes, scale }, say)
    }
  } finally {
    await databases.close()
  }
  const engines = databases.engines
  const flatness = engines.map((engine) => {
    const [first, last] = [found[engine]?.[0], found[engine]?.at(-1)]
    return {
      engine,
      claims: ratio(last?.claims, first?.claims),
      appends: ratio(last?.appends, first?.appends),
    }
  })
  return {
    title: 'Storage: claims and audit entries, from small to large',
    what: `A claim is the whole transition (read, law, audit entry, swap, follow-up tasks) in one durable transaction. Each table holds the number of rows in the first column: changes with their names, audit entries, deliveries.`,
    tables: engines.map((engine) => ({
      caption: engine,
      head: [
        'rows',
        'claims/s, one by one',
        'claims/s, 16 at once',
        'audit entries/s',
        'budget and duplicate look-up, ms',
        'open requests, ms',
        'delivery seen before?, ms',
      ],
      rows: (found[engine] ?? []).map((speeds) => [
        speeds.size.toLocaleString('en'),
        speeds.claims.toFixed(0),
        speeds.claimsAtOnce.toFixed(0),
        speeds.appends.toFixed(0),
        speeds.policyReadsMs.toFixed(2),
        speeds.listMs.toFixed(2),
        speeds.deliveryMs.toFixed(2),
      ]),
    })),
    goals: flatness.map(({ engine, claims, appends }) => ({
      goal: `flat on ${engine}: at the largest size at least 0.7x of the speed at 1,000 rows`,
      measured: `claims ${claims.toFixed(2)}x, audit ${appends.toFixed(2)}x`,
      isMet: claims >= 0.7 && appends >= 0.7,
    })),
    notes: ['Both engines wait for the disk at every commit (SQLite synchronous=FULL, PostgreSQL fsync on).'],
    figures: { sizes, ...found },
  }
}

/** A database of each size, measured in turn: what else the machine does falls on all of them. */
const measureAll = async (
  databases: Databases,
  engine: Engine,
  { sizes, scale }: { sizes: number[]; scale: number },
  say: (line: string) => void,
): Promise<Speeds[]> => {
  const open: { size: number; store: Store; remove(): Promise<void> }[] = []
  try {
    for (const size of sizes) {
      say(`${engine}, filling ${size} rows`)
      const place = await databases.fresh(engine)
      const db = await openDatabase(place)
      const remove = async () => {
        await db.close()
        await place.remove()
      }
      open.push({ size, store: createStore(db, { now: Date.now }), remove })
      useFeatures(features)
      await migrate(db, { now: Date.now })
      // In pieces: a statement that takes longer than ten seconds is cut off.
      for (let from = 0; from < size; from += 50_000) {
        await fill(db, engine, from, Math.min(size, from + 50_000), size)
      }
    }
    const rounds = new Map<number, Omit<Speeds, 'size'>[]>()
    for (let round = 0; round < Math.max(1, Math.round(7 * scale)); round++) {
      for (const { size, store } of round % 2 === 0 ? open : open.toReversed()) {
        rounds.set(size, [...(rounds.get(size) ?? []), await measure(store)])
      }
    }
    return sizes.map((size) => ({ size, ...mediansOf(rounds.get(size) ?? []) }))
  } finally {
    for (const { remove } of open) await remove()
  }
}

const mediansOf = (rounds: Omit<Speeds, 'size'>[]): Omit<Speeds, 'size'> => {
  const of = (key: keyof Omit<Speeds, 'size'>) => median(rounds.map((round) => round[key]))
  return {
    claims: of('claims'),
    claimsAtOnce: of('claimsAtOnce'),
    appends: of('appends'),
    policyReadsMs: of('policyReadsMs'),
    listMs: of('listMs'),
    deliveryMs: of('deliveryMs'),
  }
}

/** Ended changes of a year by fifty people, with their names, audit entries and deliveries. */
const fill = async (db: Database, engine: Engine, from: number, to: number, size: number): Promise<void> => {
  const yearAgo = Date.now() - 365 * dayMs
  const at = `${yearAgo} + CAST(i AS BIGINT) * ${Math.floor((364 * dayMs) / size)}`
  const numbers = `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`
  const doc = JSON.stringify(sampleChange()).replaceAll("'", "''")
  const leaf = Buffer.alloc(32).toString('base64')
  for (const sql of [
    `${numbers} INSERT INTO changes (id, version, state, requester, intent, amount, expires_at, updated_at, doc)
     SELECT 'old' || i, 5, 'applied', 'p' || (i % 50), 'intent' || i, 20, 0, ${at}, '${doc}' FROM n`,
    `${numbers} INSERT INTO change_names (name, change_id) SELECT 'refund', 'old' || i FROM n`,
    `${numbers} INSERT INTO audit_log (id, seq, at, kind, who, name, platform, command, noun, change_id, doc, leaf)
     SELECT 'old' || i, i + 1, ${at}, 'applied', 'p' || (i % 50), 'Ada', 'slack', 'refund', 'refund',
       'old' || i, '{"line":"refund pay_1 20"}', '${leaf}' FROM n`,
    `UPDATE audit_tree SET base = (SELECT MAX(seq) FROM audit_log), size = 0, frontier = '[]'`,
    `${numbers} INSERT INTO deliveries (id, at) SELECT 'slack:old' || i, ${at} FROM n`,
    ...(engine === 'postgres' ? ['ANALYZE'] : []),
  ]) {
    await db.run(sql)
  }
}

let made = 0

const measure = async (store: Store): Promise<Omit<Speeds, 'size'>> => {
  const world = {
    store,
    policy: { digest: 'bench' },
    now: Date.now,
    timings: defaultTimings,
    process: 'bench',
    wake: () => undefined,
    takesOwn: () => false,
    begin: () => undefined,
    count: () => undefined,
    newest: {},
  }
  const claim = async (id: string) => {
    const done = await transition(world, id, async ({ votes, clauses }) =>
      ok({ kind: 'claim', process: 'bench', weighed: { votes, lapsed: [] }, clauses, at: Date.now() }),
    )
    if (!done.ok) throw new Error(done.refusal.message)
  }
  const claims = await perSecond(await approved(store, 100), claim, 1)
  const claimsAtOnce = await perSecond(await approved(store, 200), claim, 16)
  const appends = await perSecond(times(200), () => store.audit.append(sampleEntry()), 1)
  const policyReadsMs = await millisecondsOf(times(100), async (at) => {
    await store.changes.spent({
      requester: `p${at % 50}`,
      names: ['refund'],
      since: Date.now() - dayMs,
      states: effectiveStates,
    })
    await store.changes.sameIntent(`intent${at}`, Date.now() - 1_800_000)
  })
  const listMs = await millisecondsOf(times(200), () =>
    store.changes.list({ states: ['pending'], limit: 20 }),
  )
  const deliveryMs = await millisecondsOf(times(100), () => store.deliveries.first(`slack:new${++made}`))
  return { claims, claimsAtOnce, appends, policyReadsMs, listMs, deliveryMs }
}

const approved = async (store: Store, count: number): Promise<string[]> => {
  const changes: Change[] = times(count).map(() =>
    sampleChange({
      id: `new${++made}`,
      state: 'approved',
      intent: `new${made}`,
      votes: [{ by: { ...partyOf('bob'), roles: ['finance'] }, at: 2_000, digest: 'd1' }],
      updatedAt: Date.now(),
    }),
  )
  for (const change of changes) await store.changes.insert(change)
  return changes.map(({ id }) => id)
}

const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

const perSecond = async <T>(
  items: T[],
  work: (item: T) => Promise<unknown>,
  atOnce: number,
): Promise<number> => {
  const waiting = items.toReversed()
  const startedAt = performance.now()
  await Promise.all(
    times(atOnce).map(async () => {
      for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
    }),
  )
  return (items.length * 1000) / (performance.now() - startedAt)
}

const millisecondsOf = async (items: number[], work: (at: number) => Promise<unknown>): Promise<number> => {
  const spent: number[] = []
  for (const at of items) {
    const startedAt = performance.now()
    await work(at)
    spent.push(performance.now() - startedAt)
  }
  return median(spent)
}

const ratio = (last = Number.NaN, first = Number.NaN): number => last / first
