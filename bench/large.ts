import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Databases, openDatabases } from '../prove/databases.ts'
import { serviceSettingsOf } from '../sandbox/service-settings.ts'
import type { App } from '../src/cli/start/app.ts'
import { createStore } from '../src/kernel/store/store.ts'
import { defined } from '../src/lib/defined.ts'
import type { Database, Engine } from '../src/lib/sql/database.ts'
import { paymentIn } from '../test/pipeline/harness.ts'
import { sampleChange } from '../test/storage/sample.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { from, type InProcess, openInProcess, room } from './in-process.ts'
import { interleave, median, ratioOf } from './measure.ts'
import { startServer } from './processes.ts'

type Size = { waiting: number; entries: number; people: number; rules: number }

const small: Size = { waiting: 100, entries: 1_000, people: 10, rules: 5 }
const large: Size = { waiting: 10_000, entries: 1_000_000, people: 500, rules: 200 }

/** What people wait for, with little and with much of everything. */
export const benchLarge = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  const most = { ...large, entries: Math.round(large.entries * Math.min(1, scale)) }
  const found: Partial<Record<Engine, Record<string, { small: number[]; large: number[] }>>> = {}
  try {
    for (const engine of databases.engines) {
      const bots = {
        small: await openSized(databases, engine, small),
        large: await openSized(databases, engine, most),
      }
      say(`${engine}: filled`)
      try {
        const works = { ...worksOf(bots.small), start: bots.small.start }
        const figures: Record<string, { small: number[]; large: number[] }> = {}
        for (const name of Object.keys(works) as (keyof typeof works)[]) {
          const times = name === 'start' ? 1 : 20
          const run = (size: keyof typeof bots) => async () => {
            const work = name === 'start' ? bots[size].start : worksOf(bots[size])[name]
            const startedAt = performance.now()
            for (let at = 0; at < times; at++) await work()
            return (performance.now() - startedAt) / times
          }
          figures[name] = await interleave({ small: run('small'), large: run('large') }, scale < 1 ? 5 : 11)
          say(`${engine}, ${name}: ${ratioOf(figures[name].large, figures[name].small).toFixed(2)}x`)
        }
        found[engine] = figures
      } finally {
        await bots.small.close()
        await bots.large.close()
      }
    }
  } finally {
    await databases.close()
  }
  const rows = databases.engines.flatMap((engine) =>
    Object.entries(found[engine] ?? {}).map(([name, { small: little, large: much }]) => ({
      name: `${name}, ${engine}`,
      little: median(little),
      much: median(much),
      ratio: ratioOf(much, little),
    })),
  )
  return {
    title: 'Much of everything',
    what: `${most.waiting.toLocaleString('en')} changes that wait, ${most.entries.toLocaleString('en')} audit entries, ${most.people} people and ${most.rules} rules against ${small.waiting}, ${small.entries.toLocaleString('en')}, ${small.people} and ${small.rules}, in turn, in one process with the stand-ins of the services.`,
    tables: [
      {
        head: ['', 'small, ms', 'large, ms', 'ratio'],
        rows: rows.map(({ name, little, much, ratio }) => [
          name,
          little.toFixed(1),
          much.toFixed(1),
          `${ratio.toFixed(2)}x`,
        ]),
      },
    ],
    goals: rows.map(({ name, ratio }) => ({
      goal: `${name}: within 1.2x`,
      measured: `${ratio.toFixed(2)}x`,
      isMet: ratio <= 1.2,
    })),
    notes: [],
    figures: found,
  }
}

type Sized = InProcess & { app: App; start(): Promise<void> }

const openSized = async (databases: Databases, engine: Engine, size: Size): Promise<Sized> => {
  const policy = policyFor(size)
  const bot = await openInProcess(databases, engine, { policy, fill: (db) => fill(db, size) })
  const [app] = bot.apps
  if (app === undefined) throw new Error('there is no bot')
  const file = join(mkdtempSync(join(tmpdir(), 'bellhop-large-')), 'bellhop.yml')
  writeFileSync(file, policy)
  const { url, dataDir } = bot.place
  const start = async () => {
    const env = { ...serviceSettingsOf(bot.sandbox), BELLHOP_CONFIG: file }
    const server = await startServer('src/main.ts', {
      ...env,
      ...defined({ DATABASE_URL: url, DATA_DIR: dataDir }),
      AUDIT_KEY: bot.auditKey,
    })
    await server.close()
  }
  return { ...bot, app, start }
}

const worksOf = ({ app, sandbox }: Sized) => {
  const say = async (line: string, account = 'U0'): Promise<void> => {
    const reply = await app.handle({
      delivery: `bench-${++serial}`,
      from: from(account),
      place: room,
      forms: true,
      intent: { kind: 'line', line },
    })
    if (reply.kind === 'refused') throw new Error(reply.refusal.message)
  }
  const param = app.core.registry.get('approval get')?.params[0]
  return {
    'approval list': () => say('approval list'),
    'approval get': () => say('approval get w7'),
    'audit find': () => say('audit find --who U0'),
    'a look-up': () => say('subscriber get ada@example.com'),
    'policy explain': () => say('policy explain "refund pay_1 20"'),
    'a request and its approval': async () => {
      const asked = await app.handle({
        delivery: `bench-${++serial}`,
        from: from('U1'),
        place: room,
        forms: true,
        intent: { kind: 'line', line: `refund ${paymentIn(sandbox)} 60` },
      })
      if (asked.kind !== 'change') throw new Error(JSON.stringify(asked))
      await say(`approval get ${asked.change.id}`)
      await say(`approval approve ${asked.change.id}`)
    },
    completion: async () => {
      if (param !== undefined) await app.bot.suggest(from('U0'), param, 'w1')
    },
  }
}

let serial = 0

const policyFor = ({ people, rules }: Size): string => `version: 1
people:
${Array.from({ length: people }, (_, at) => `  - { id: p${at}, name: Person ${at}, slack: U${at}, roles: [${at % 10 === 0 ? 'finance' : 'support'}] }`).join('\n')}
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
approvals: { slack: C0APPROVALS }
policies:
${Array.from({ length: rules - 1 }, (_, at) => `  - { name: rule ${at}, commands: ["campaign send"], amount: { upTo: ${at + 1} }, require: confirm }`).join('\n')}
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
budgets:
  - { name: refunds a day, commands: [refund], per: requester, window: 24h, limit: 100000000, then: { approvals: 2, from: [finance] } }
duplicates: { window: 30m }
`

const dayMs = 24 * 3_600_000

const fill = async (db: Database, { waiting, entries, people }: Size): Promise<void> => {
  const store = createStore(db, { now: Date.now })
  const at = Date.now()
  for (let from = 0; from < waiting; from += 500) {
    await store.tx(async (inner) => {
      for (let n = from; n < Math.min(waiting, from + 500); n++) {
        const party = { person: `p${n % people}`, account: `U${n % people}`, name: `Person ${n % people}` }
        const change = sampleChange({
          id: `w${n}`,
          intent: `intent ${n}`,
          createdAt: at - n,
          updatedAt: at - n,
        })
        const requester = { ...change.requester, ...party }
        await inner.changes.insert({ ...change, requester, expiresAt: at + dayMs })
      }
    })
  }
  const leaf = Buffer.alloc(32).toString('base64')
  // In pieces: a statement that takes longer than ten seconds is cut off.
  for (let from = 0; from < entries; from += 50_000) {
    const to = Math.min(entries, from + 50_000)
    await db.run(
      `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
       INSERT INTO audit_log (id, seq, at, kind, who, name, platform, command, noun, change_id, doc, leaf)
       SELECT 'old' || i, i + 1, ${at - 365 * dayMs} + CAST(i AS BIGINT) * 30, 'ran', 'p' || (i % ${people}), 'Ada', 'slack',
         'subscriber get', 'subscriber', NULL, '{"line":"subscriber get ada@example.com"}', '${leaf}' FROM n`,
    )
  }
  await db.run(`UPDATE audit_tree SET base = (SELECT MAX(seq) FROM audit_log), size = 0, frontier = '[]'`)
  if (db.engine === 'postgres') await db.run('ANALYZE')
}
