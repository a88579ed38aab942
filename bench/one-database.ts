import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { homeView } from '../adapters/slack/home/home-view.ts'
import { type Databases, openDatabases } from '../prove/databases.ts'
import { cardsOf, converse, peopleOf } from '../prove/fleet/conversation.ts'
import { openFleet } from '../prove/fleet/fleet.ts'
import { createRandom } from '../prove/random.ts'
import type { Table } from '../prove/report.ts'
import { serviceSettingsOf } from '../sandbox/service-settings.ts'
import { backUp } from '../src/cli/backup/back-up.ts'
import { sequenceAll } from '../src/kernel/log/sequencer.ts'
import { verify } from '../src/kernel/log/verify.ts'
import { leafOf } from '../src/kernel/model/audit-entry.ts'
import { createStore } from '../src/kernel/store/store.ts'
import { canonicalJson } from '../src/lib/codecs/canonical-json.ts'
import type { Database } from '../src/lib/sql/database.ts'
import { sampleChange, sampleEntry } from '../test/storage/sample.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { from, type InProcess, openInProcess, room } from './in-process.ts'
import { median } from './measure.ts'
import { startServer } from './processes.ts'

const most = 1_000_000
const serviceMs = 800

/** What one PostgreSQL carries: more replicas while the service takes its time, and what people wait for when there is much in it. */
export const benchOneDatabase = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  try {
    if (!databases.engines.includes('postgres')) throw new Error('there is no PostgreSQL on this machine')
    const much = Math.round(most * Math.min(1, scale))
    const replicas = await withReplicas(databases, Math.max(12, Math.round(120 * Math.min(1, scale))), say)
    const [little, large] = [
      await waitsWith(databases, Math.max(100, Math.round(much / 1_000)), say),
      await waitsWith(databases, much, say),
    ]
    return {
      title: 'One database for many',
      what: `PostgreSQL with fsync on. First so many replicas as processes of their own, and a service that takes ${serviceMs} ms for a refund: refunds that wait are approved by one click each, twenty at a time. Then ${much.toLocaleString('en')} changes and as many entries of the log, against a thousandth of both.`,
      tables: [replicas, tableOf(much, little, large)],
      goals: [],
      notes: [],
      figures: { little, large },
    }
  } finally {
    await databases.close()
  }
}

const withReplicas = async (databases: Databases, many: number, say: BenchOptions['say']): Promise<Table> => {
  const rows: string[][] = []
  for (const size of [1, 3, 6]) {
    const place = await databases.fresh('postgres')
    const random = createRandom(size)
    const fleet = await openFleet({ url: place.url ?? '', random, env: { LOG_LEVEL: 'error' } })
    try {
      for (let at = 0; at < size; at++) await fleet.add()
      const people = peopleOf(fleet)
      const ids: string[] = []
      for (let number = 1; ids.length < many; number++) {
        // Vouchers of the pack are asked for with every third number.
        if (number % 3 === 2) continue
        const asked = await converse(fleet, people, { number, random, patienceMs: 20_000, isAsked: true })
        if (asked.change !== undefined) ids.push(asked.change.id)
      }
      fleet.sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: serviceMs, times: many })
      const before = await statsOf(place.url ?? '')
      const began = performance.now()
      const waiting = [...ids]
      const waits: number[] = []
      const press = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          const at = performance.now()
          let again = at
          while ((await fleet.store.changes.get(id))?.state !== 'applied') {
            const now = performance.now()
            if (now - at > 240_000) throw new Error(`${id} was not applied`)
            // Whoever reads that it was not counted presses again.
            const on = now >= again ? cardsOf(fleet, id)?.slack : undefined
            if (on !== undefined) {
              again = now + 10_000
              await people.decides.slack.clicks('Approve', { on }).catch(() => undefined)
            }
            await sleep(25)
          }
          waits.push(performance.now() - at)
        }
      }
      await Promise.all(Array.from({ length: 20 }, press))
      const seconds = (performance.now() - began) / 1_000
      const after = await statsOf(place.url ?? '')
      say(`${size} replicas: ${(ids.length / seconds).toFixed(1)} a second`)
      rows.push([
        String(size),
        (ids.length / seconds).toFixed(1),
        `${(median(waits) / 1_000).toFixed(2)} s`,
        ((after.commits - before.commits) / seconds).toFixed(0),
        String(after.connections),
      ])
    } finally {
      await fleet.close()
      await place.remove()
    }
  }
  return {
    caption: `Replicas, with a service of ${serviceMs} ms`,
    head: [
      'replicas',
      'approved and done a second',
      'click to outcome, median',
      'commits a second',
      'connections',
    ],
    rows,
  }
}

const statsOf = async (url: string): Promise<{ commits: number; connections: number }> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ commits: number; connections: number }>(
      'SELECT xact_commit::int AS commits, numbackends AS connections FROM pg_stat_database WHERE datname = current_database()',
    )
    return rows[0] ?? { commits: 0, connections: 0 }
  } finally {
    await client.end()
  }
}

type Waits = Record<string, string>

const tableOf = (much: number, little: Waits, large: Waits): Table => ({
  caption: `Changes and entries of the log: ${Math.max(100, Math.round(much / 1_000)).toLocaleString('en')} and ${much.toLocaleString('en')} of each`,
  head: ['', 'little', 'much'],
  rows: Object.keys(large).map((name) => [name, little[name] ?? '', large[name] ?? '']),
})

const policy = `version: 1
people:
  - { id: p0, name: Fay Finance, slack: U0, roles: [finance] }
  - { id: p1, name: Sam Support, slack: U1, roles: [support] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
`

const waitsWith = async (databases: Databases, many: number, say: BenchOptions['say']): Promise<Waits> => {
  const bot = await openInProcess(databases, 'postgres', { policy, fill: (db) => fill(db, many) })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-much-'))
  try {
    say(`${many} of each are there`)
    return await measured(bot, folder)
  } finally {
    await bot.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Changes that ended, a hundred that wait, and entries of the log whose hashes are right. */
const fill = async (db: Database, many: number): Promise<void> => {
  const store = createStore(db, { now: Date.now })
  const at = Date.now()
  const insert = (over: Parameters<typeof sampleChange>[0]) =>
    store.tx((inner) => inner.changes.insert(sampleChange({ createdAt: at, updatedAt: at, ...over })))
  await insert({ id: 'x0', state: 'applied' })
  for (let n = 0; n < 100; n++)
    await insert({ id: `w${n}`, intent: `waits ${n}`, expiresAt: at + 86_400_000 })
  for (let next = 1; next <= many; next += page) {
    const end = Math.min(many, next + page - 1)
    const numbers = `generate_series(${next}, ${end}) AS n`
    await db.run(
      `INSERT INTO changes (id, version, state, requester, intent, amount, expires_at, updated_at, doc)
       SELECT 'x' || n, version, state, requester, 'intent ' || n, amount, expires_at, updated_at - n::bigint * 30000,
         replace(doc, '"x0"', '"x' || n || '"') FROM changes, ${numbers} WHERE id = 'x0'`,
    )
    await db.run(`INSERT INTO change_names (change_id, name) SELECT 'x' || n, 'refund' FROM ${numbers}`)
    const rows = Array.from({ length: end - next + 1 }, (_, nth) => {
      const n = next + nth
      const { doc, ...entry } = sampleEntry({ changeId: `x${n}` })
      const row = { id: `e${n}`, at: at - (many - n) * 30_000, ...entry, doc: canonicalJson(doc) }
      return { ...row, leaf: leafOf(row).toString('base64') }
    })
    await db.run(
      `INSERT INTO audit_log (id, at, kind, who, name, platform, command, noun, change_id, doc, leaf)
       SELECT id, at, kind, who, name, platform, command, command, "changeId", doc, leaf
       FROM json_to_recordset($1::json) AS rows(id text, at bigint, kind text, who text, name text, platform text,
         command text, "changeId" text, doc text, leaf text)`,
      [JSON.stringify(rows)],
    )
  }
  await db.run('ANALYZE')
}

const page = 10_000

const measured = async ({ apps, place, auditKey, sandbox }: InProcess, folder: string): Promise<Waits> => {
  const [app] = apps
  if (app === undefined) throw new Error('there is no bot')
  const { store, signer } = app.core
  const numbering = performance.now()
  await sequenceAll(store.auditTree, signer)
  const numbered = performance.now() - numbering
  const ms = async (work: () => Promise<unknown>, times = 15): Promise<string> => {
    const waits: number[] = []
    for (let n = 0; n < times; n++) {
      const began = performance.now()
      await work()
      waits.push(performance.now() - began)
    }
    const middle = median(waits)
    return middle < 1_000 ? `${middle.toFixed(1)} ms` : `${(middle / 1_000).toFixed(1)} s`
  }
  let serial = 0
  const say = async (line: string): Promise<void> => {
    const reply = await app.handle({
      delivery: `much-${++serial}`,
      from: from('U0'),
      place: room,
      forms: true,
      intent: { kind: 'line', line },
    })
    if (reply.kind === 'refused') throw new Error(reply.refusal.message)
  }
  const file = join(folder, 'bellhop.backup')
  const database = { url: place.url ?? '', dataDir: folder }
  const config = join(folder, 'bellhop.yml')
  writeFileSync(config, policy)
  const start = async (): Promise<void> => {
    const server = await startServer('src/main.ts', {
      ...serviceSettingsOf(sandbox),
      DATABASE_URL: place.url ?? '',
      DATA_DIR: folder,
      AUDIT_KEY: auditKey,
      BELLHOP_CONFIG: config,
    })
    await server.close()
  }
  const backup = () => {
    rmSync(file, { force: true })
    const files = { 'bellhop.yml': '', 'bellhop.yml.sig': '', 'packs.lock': '' }
    const from = {
      database,
      logKey: { dataDir: folder, given: auditKey },
      policyFile: '',
      files,
      passphrase: undefined,
    }
    return backUp(file, from, { version: 'bench', at: Date.now(), sealFor: undefined })
  }
  return {
    'start of the process to ready': await ms(start, 3),
    'approval list': await ms(() => say('approval list')),
    'approval list --state applied': await ms(() => say('approval list --state applied')),
    'Home tab of Slack': await ms(() => homeView(app.bot.readsOf(from('U0')))),
    'audit find': await ms(() => say('audit find')),
    'report refunds of the last 30 days': await ms(() => say('report refunds --since 30d'), 3),
    'audit verify': await ms(() => verify(store), 1),
    'all entries numbered':
      numbered < 1_000 ? `${numbered.toFixed(1)} ms` : `${(numbered / 1_000).toFixed(1)} s`,
    backup: await ms(backup, 1),
    'size of the backup': `${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`,
  }
}
