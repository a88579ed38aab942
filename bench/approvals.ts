import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Databases, openDatabases } from '../prove/databases.ts'
import type { App } from '../src/app.ts'
import type { Engine } from '../src/storage/database/database.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { openCounters } from './counters.ts'
import { from, openInProcess, room } from './in-process.ts'

type Figures = {
  engine: Engine
  replicas: number
  atOnce: number
  perSecond: number
  trips: number
  syncs: number
  waits: number
  cpuMs: number
}

const people = Array.from({ length: 16 }, (_, at) => `p${at}`)
/** Every refund needs one approval; the card is mirrored into a channel. */
const policy = `version: 1
people:
${people.map((id) => `  - { id: ${id}, name: Person ${id}, slack: U${id.toUpperCase()}, roles: [support] }`).join('\n')}
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
approvals: { slack: C0APPROVALS }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
`

/** Full approvals: asked for, approved, applied, both cards brought up to date and the requester told. */
export const benchApprovals = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  const found: Figures[] = []
  try {
    for (const engine of databases.engines) {
      for (const replicas of engine === 'sqlite' ? [1] : [1, 3]) {
        for (const atOnce of [1, 8, 32]) {
          const count = Math.max(20, Math.round((atOnce === 1 ? 100 : 400) * scale))
          found.push(await measure(databases, engine, replicas, atOnce, count))
          say(JSON.stringify(found.at(-1)))
        }
      }
    }
  } finally {
    await databases.close()
  }
  const of = (engine: Engine, replicas: number, atOnce: number) =>
    found.find((one) => one.engine === engine && one.replicas === replicas && one.atOnce === atOnce)
  const [one, three] = [of('postgres', 1, 32), of('postgres', 3, 32)]
  return {
    title: 'Full approvals',
    what: 'A refund is asked for, approved by somebody else and applied; both cards are brought up to date and the requester is told. Replicas, services and messengers share one process; trips are messages to PostgreSQL that wait for an answer, or statements of SQLite, with all that runs in the background.',
    tables: [
      {
        head: [
          'engine',
          'replicas',
          'at once',
          'approvals/s',
          'trips or statements each',
          'syncs of the file each',
          'waiting for a lock, on average',
          'CPU ms each',
        ],
        rows: found.map(({ engine, replicas, atOnce, perSecond, trips, syncs, waits, cpuMs }) => [
          engine,
          String(replicas),
          String(atOnce),
          perSecond.toFixed(0),
          trips.toFixed(1),
          engine === 'sqlite' ? syncs.toFixed(1) : '',
          waits.toFixed(2),
          cpuMs.toFixed(1),
        ]),
      },
    ],
    goals: [
      goal('PostgreSQL, 32 at once: at most 15 round trips an approval', one?.trips, (trips) => trips <= 15),
      goal(
        'PostgreSQL, 32 at once: less than one transaction waits for a lock',
        one?.waits,
        (waits) => waits < 1,
      ),
      goal(
        'three replicas no slower than one',
        three && one && three.perSecond / one.perSecond,
        (ratio) => ratio >= 1,
      ),
    ],
    notes: [],
    figures: { found },
  }
}

const goal = (words: string, value: number | undefined, isMet: (value: number) => boolean) => ({
  goal: words,
  measured: value === undefined ? 'not measured' : value.toFixed(2),
  isMet: value !== undefined && isMet(value),
})

const measure = async (
  databases: Databases,
  engine: Engine,
  replicas: number,
  atOnce: number,
  count: number,
): Promise<Figures> => {
  const { apps, place, sandbox, close } = await openInProcess(databases, engine, { policy, replicas })
  const [some] = sandbox.state.billing.transactions
  if (some === undefined) throw new Error('the sandbox has no payments')
  const total = count + atOnce
  for (let at = 0; at < total; at++) {
    sandbox.state.billing.transactions.push({
      ...some,
      id: `pay_b${at}`,
      amount: 10_000,
      refunded_amount: 0,
      status: 'paid',
    })
  }
  let next = 0
  const approve = async (): Promise<void> => {
    const n = next++
    const app = apps[n % apps.length] as App
    const asked = await app.handle({
      delivery: `ask-${n}`,
      from: from(`UP${n % people.length}`),
      place: room,
      forms: false,
      intent: { kind: 'line', line: `refund pay_b${n} 60` },
    })
    if (asked.kind !== 'change') throw new Error(JSON.stringify(asked))
    const done = await app.handle({
      delivery: `approve-${n}`,
      from: from('U0FAY'),
      place: { ...room, channel: 'C0APPROVALS' },
      forms: false,
      intent: { kind: 'press', verb: 'approve', id: asked.change.id },
    })
    if (done.kind !== 'change' || done.change.state !== 'applied') throw new Error(JSON.stringify(done))
  }
  const run = async (until: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < until) await approve()
      }),
    )
    for (const app of apps) await app.drain()
  }
  await run(atOnce)
  const watch = engine === 'postgres' ? await watchLocks(place.url ?? '') : undefined
  const counters = await openCounters(engine)
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await run(total)
  const seconds = (performance.now() - began) / 1000
  const used = process.cpuUsage(cpu)
  const { trips, syncs } = counters.read()
  counters.close()
  const waits = (await watch?.stop()) ?? 0
  await close()
  return {
    engine,
    replicas,
    atOnce,
    perSecond: count / seconds,
    trips: trips / count,
    syncs: syncs / count,
    waits,
    cpuMs: (used.user + used.system) / 1000 / count,
  }
}

/** How many transactions wait for a lock, looked at every few milliseconds from outside. */
const watchLocks = async (url: string): Promise<{ stop(): Promise<number> }> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Bound before trips are counted: these are not the bot's.
  const query = client.query.bind(client)
  const seen: number[] = []
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const { rows } = (await query(
        `SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )) as pg.QueryResult<{ n: string }>
      seen.push(Number(rows[0]?.n ?? 0))
      await sleep(20)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await looking
      await client.end()
      return seen.reduce((sum, n) => sum + n, 0) / Math.max(1, seen.length)
    },
  }
}
