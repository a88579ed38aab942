import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Databases, openDatabases } from '../prove/databases.ts'
import type { App } from '../src/cli/start/app.ts'
import { buttonIdOf } from '../src/kernel/model/shown.ts'
import { defined } from '../src/lib/defined.ts'
import type { Engine } from '../src/lib/sql/database.ts'
import { paymentIn } from '../test/pipeline/harness.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { openCounters } from './counters.ts'
import { openBenchEnvironment } from './environment.ts'
import { from, openInProcess, room } from './in-process.ts'
import { median, ratioOf } from './measure.ts'
import { startServer } from './processes.ts'
import { clickOn, commandOf, cpuOf, createPlatform, next, type Server, send } from './slack-driver.ts'

type Timed = {
  engine: Engine | 'none'
  replicas: number
  atOnce: number
  code: 'before' | 'now' | 'by hand'
  /** How long the service takes for a refund. */
  serviceMs: number
  round: number
  perSecond: number
  waits: number
  cpuMs: number
}
type Counted = { engine: Engine; atOnce: number; trips: number; syncs: number }

/** A service as slow as this is what eight approvals at once wait for, and not the processor. */
const slowMs = 800
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
export const benchApprovals = async ({ scale, beside, say }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  const counted: Counted[] = []
  const timed: Timed[] = []
  const told = <T>(one: T): T => {
    say(JSON.stringify(one))
    return one
  }
  try {
    for (const engine of databases.engines) {
      for (const atOnce of [1, 8, 32]) {
        counted.push(told(await count(databases, engine, atOnce, Math.max(20, Math.round(200 * scale)))))
      }
      for (const replicas of engine === 'sqlite' ? [1] : [1, 3]) {
        for (const atOnce of [1, 8, 32]) {
          // In turn, so that whatever else the machine does is the same for all.
          for (let round = 0; round < 3; round++) {
            const many = Math.max(16, Math.round((atOnce === 1 ? 40 : 160) * scale))
            const measure = async (what: Pick<Timed, 'engine' | 'code'>) => {
              const same = { ...what, replicas, atOnce, serviceMs: 0 }
              timed.push(told({ ...same, round, ...(await time(databases, same, many, beside)) }))
            }
            if (beside !== undefined) await measure({ engine, code: 'before' })
            await measure({ engine, code: 'now' })
            if (engine === 'postgres' && replicas === 1) await measure({ engine: 'none', code: 'by hand' })
          }
        }
        // Where the service and not the two cores is what they wait for, each replica has as much under way as one had.
        for (let round = 0; engine === 'postgres' && round < 3; round++) {
          const slow = { engine, code: 'now' as const, replicas, atOnce: 8 * replicas, serviceMs: slowMs }
          const many = Math.max(16, Math.round(80 * scale)) * replicas
          timed.push(told({ ...slow, round, ...(await time(databases, slow, many, beside)) }))
        }
      }
    }
  } finally {
    await databases.close()
  }
  const rounds = (wanted: Partial<Timed>) =>
    timed.filter((one) => Object.entries(wanted).every(([key, value]) => one[key as keyof Timed] === value))
  const figure = (wanted: Partial<Timed>, key: 'perSecond' | 'waits' | 'cpuMs') =>
    median(rounds(wanted).map((one) => one[key]))
  const rows = Object.values(
    Object.groupBy(timed, ({ engine, replicas, atOnce, code, serviceMs }) =>
      [engine, replicas, atOnce, code, serviceMs].join(' '),
    ),
  ).flatMap((same) => same?.[0] ?? [])
  const now = { engine: 'postgres' as const, atOnce: 32, code: 'now' as const, serviceMs: 0 }
  const of32 = counted.find(({ engine, atOnce }) => engine === 'postgres' && atOnce === 32)
  const ratio = (ours: Partial<Timed>, theirs: Partial<Timed>) =>
    ratioOf(
      rounds(ours).map((one) => one.perSecond),
      rounds(theirs).map((one) => one.perSecond),
    )
  const faster = (wanted: Partial<Timed>) =>
    ratio({ ...wanted, code: 'now', serviceMs: 0 }, { ...wanted, code: 'before', serviceMs: 0 })
  return {
    title: 'Full approvals',
    what: `A refund is asked for by a signed slash command, approved by a signed click of somebody else and applied; it is over when both cards show the outcome. Each replica is a process; the database, services and Slack share the two cores with them.${beside === undefined ? '' : ' Before is the first version, in its own checkout, in turn with this one.'} With a slow service each replica has 8 approvals under way. By hand is the app of the same job below, without a database, policy or audit log: what these two cores can do at all. Trips and syncs were counted in one process, with all that runs in the background: trips are messages to PostgreSQL that wait for an answer, or statements of SQLite.`,
    tables: [
      {
        head: [
          'engine',
          'replicas',
          'at once',
          'code',
          'service, ms',
          'approvals/s',
          'waiting for a lock, on average',
          'CPU ms each',
        ],
        rows: rows.map(({ engine, replicas, atOnce, code, serviceMs }) => {
          const same = { engine, replicas, atOnce, code, serviceMs }
          return [
            engine,
            String(replicas),
            String(atOnce),
            code,
            String(serviceMs),
            figure(same, 'perSecond').toFixed(0),
            engine !== 'postgres' ? '' : figure(same, 'waits').toFixed(2),
            figure(same, 'cpuMs').toFixed(1),
          ]
        }),
      },
      {
        head: ['engine', 'at once', 'trips or statements each', 'syncs of the file each'],
        rows: counted.map(({ engine, atOnce, trips, syncs }) => [
          engine,
          String(atOnce),
          trips.toFixed(1),
          engine === 'sqlite' ? syncs.toFixed(1) : '',
        ]),
      },
    ],
    goals: [
      ...(beside === undefined
        ? []
        : [
            goal(
              'PostgreSQL, 32 at once: at least 4x as many',
              faster({ engine: 'postgres', replicas: 1, atOnce: 32 }),
              (ratio) => ratio >= 4,
            ),
          ]),
      goal(
        'PostgreSQL at least 0.85x of SQLite, 32 at once',
        ratio({ ...now, replicas: 1 }, { ...now, engine: 'sqlite', replicas: 1 }),
        (value) => value >= 0.85,
      ),
      goal(
        'three replicas no slower than one, 32 at once, all on the two cores',
        ratio({ ...now, replicas: 3 }, { ...now, replicas: 1 }),
        (value) => value >= 1,
      ),
      goal(
        'three replicas at least 1.5x of one, where the service is what they wait for',
        ratio({ replicas: 3, serviceMs: slowMs }, { replicas: 1, serviceMs: slowMs }),
        (value) => value >= 1.5,
      ),
      goal('PostgreSQL, 32 at once: at most 15 round trips', of32?.trips, (trips) => trips <= 15),
      goal(
        'PostgreSQL, 32 at once: less than one transaction waits for a lock',
        figure({ ...now, replicas: 1 }, 'waits'),
        (waits) => waits < 1,
      ),
    ],
    notes: [],
    figures: { timed, counted },
  }
}

const goal = (words: string, value: number | undefined, isMet: (value: number) => boolean) => ({
  goal: words,
  measured: value === undefined ? 'not measured' : value.toFixed(2),
  isMet: value !== undefined && isMet(value),
})

/** In processes of their own, as people run it. */
const time = async (
  databases: Databases,
  {
    engine,
    replicas,
    atOnce,
    code,
    serviceMs,
  }: Pick<Timed, 'engine' | 'replicas' | 'atOnce' | 'code' | 'serviceMs'>,
  many: number,
  beside: string | undefined,
): Promise<Pick<Timed, 'perSecond' | 'waits' | 'cpuMs'>> => {
  const platform = createPlatform()
  const environment = await openBenchEnvironment(platform.onCall)
  const place = await databases.fresh(engine === 'none' ? 'sqlite' : engine)
  const { DATA_DIR: _, ...env } = environment.env.slack
  const stored = defined({ DATABASE_URL: place.url, DATA_DIR: place.dataDir })
  const file = code === 'by hand' ? 'bench/servers/by-hand.ts' : 'src/main.ts'
  const root = code === 'before' ? beside : undefined
  const servers: Server[] = []
  const times = Number.POSITIVE_INFINITY
  if (serviceMs > 0) environment.sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: serviceMs, times })
  try {
    for (let at = 0; at < replicas; at++) {
      servers.push(await startServer(file, { ...env, ...stored }, { root }))
    }
    const approve = async (server: Server): Promise<void> => {
      const payment = paymentIn(environment.sandbox)
      const cards = () => [...platform.cards.values()].filter(({ about }) => about === payment)
      await send(server, commandOf('/refund', `${payment} 60`, next(), environment))
      await platform.until(() => cards().length === 2)
      const [card] = cards()
      if (card === undefined) throw new Error('there is no card')
      await send(server, clickOn(card, next(), environment))
      await platform.until(() => cards().every(({ isSettled }) => isSettled))
      for (const { ts } of cards()) platform.cards.delete(ts)
    }
    const run = async (total: number): Promise<void> => {
      let left = total
      await Promise.all(
        Array.from({ length: Math.min(atOnce, total) }, async () => {
          while (left-- > 0) await approve(servers[left % replicas] as Server)
        }),
      )
    }
    // Until the code is warm.
    await run(Math.max(2 * atOnce, 2 * many))
    const watch = engine === 'postgres' ? await watchLocks(place.url ?? '') : undefined
    const cpu = () => servers.reduce((sum, server) => sum + cpuOf(server), 0)
    const [began, before] = [performance.now(), cpu()]
    await run(many)
    const seconds = (performance.now() - began) / 1000
    const waits = (await watch?.stop()) ?? 0
    return { perSecond: many / seconds, waits, cpuMs: (cpu() - before) / many }
  } finally {
    await Promise.all(servers.map((server) => server.close()))
    await environment.close()
    await place.remove()
  }
}

const count = async (
  databases: Databases,
  engine: Engine,
  atOnce: number,
  many: number,
): Promise<Counted> => {
  const { apps, sandbox, close } = await openInProcess(databases, engine, { policy })
  const [some] = sandbox.state.billing.transactions
  if (some === undefined) throw new Error('the sandbox has no payments')
  const total = many + atOnce
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
      intent: { kind: 'press', verb: 'approve', id: buttonIdOf(asked.change) },
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
  const counters = await openCounters(engine)
  await run(total)
  const { trips, syncs } = counters.read()
  counters.close()
  await close()
  return { engine, atOnce, trips: trips / many, syncs: syncs / many }
}

/** How many transactions wait for a lock, looked at every few milliseconds from outside. */
const watchLocks = async (url: string): Promise<{ stop(): Promise<number> }> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const seen: number[] = []
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const { rows } = (await client.query(
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
