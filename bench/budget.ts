import { setTimeout as sleep } from 'node:timers/promises'
import { renderSlack } from '../adapters/slack/render/message.ts'
import { type Databases, openDatabases } from '../prove/databases.ts'
import { provePolicy } from '../prove/policy.ts'
import { buttonIdOf } from '../src/kernel/model/shown.ts'
import type { Engine } from '../src/lib/sql/database.ts'
import { paymentIn } from '../test/pipeline/harness.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { type Counts, openCounters } from './counters.ts'
import { from, openInProcess, room } from './in-process.ts'
import { median } from './measure.ts'

type Spent = Counts & { ms: number; messages: number }
/** By the step's name, in the order in which they happen. */
type Steps = Map<string, Spent[]>

/** What each step of a look-up and of an approval takes, in time and in trips, one after the other on a quiet bot. */
export const benchBudget = async ({ scale }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  const found: Partial<Record<Engine, Steps>> = {}
  try {
    for (const engine of databases.engines) {
      found[engine] = await measure(databases, engine, Math.max(10, Math.round(60 * scale)))
    }
  } finally {
    await databases.close()
  }
  const totals = databases.engines.map((engine) => {
    const approval = [...(found[engine] ?? [])].filter(([step]) => step.startsWith('approval'))
    const sum = (key: keyof Spent) =>
      approval.reduce((total, [, spent]) => total + median(spent.map((one) => one[key])), 0)
    return { engine, trips: sum('trips'), syncs: sum('syncs') }
  })
  return {
    title: 'The budget of each step',
    what: 'One look-up after the other, and one approval after the other, in one process with the stand-ins of the services; medians of each step. Trips are messages to PostgreSQL that wait for an answer, or statements of SQLite; syncs are those of the embedded database’s file (PostgreSQL syncs by itself at each commit); requests go to the services, messages to a messenger that takes them at once. What happens beside a step counts with it.',
    tables: databases.engines.map((engine) => ({
      caption: engine,
      head: ['step', 'ms', 'trips', 'syncs', 'requests', 'messages'],
      rows: [...(found[engine] ?? [])].map(([step, spent]) => [
        step,
        median(spent.map(({ ms }) => ms)).toFixed(1),
        ...(['trips', 'syncs', 'requests', 'messages'] as const).map((key) =>
          String(median(spent.map((one) => one[key]))),
        ),
      ]),
    })),
    goals: totals.map(({ engine, trips, syncs }) => {
      const isHalved = engine === 'sqlite' ? trips <= 33 && syncs <= 3 : trips <= 22
      const goal =
        engine === 'sqlite'
          ? 'an approval: at most 33 statements and 3 syncs (half of 66 and 6)'
          : 'an approval: at most 22 round trips (half of 45)'
      return { goal, measured: engine === 'sqlite' ? `${trips}, ${syncs}` : String(trips), isMet: isHalved }
    }),
    notes: [
      'The claim and the outcome each wait for the disk: nothing is sent before the claim is on it, and nobody hears of an outcome that is not.',
      'A decision reads the services once more, because what people approved must still be what is there.',
    ],
    figures: Object.fromEntries(
      Object.entries(found).map(([engine, steps]) => [engine, Object.fromEntries(steps)]),
    ),
  }
}

const stepNames: Record<string, string> = {
  voted: 'approval: the vote, stored',
  claimed: 'approval: planned again, claimed',
  answered: 'approval: the request to the service',
  stored: 'approval: the outcome, stored',
}

const measure = async (databases: Databases, engine: Engine, count: number): Promise<Steps> => {
  const steps: Steps = new Map()
  let mark = (_step: string, _ms?: number): void => undefined
  const bot = await openInProcess(databases, engine, {
    policy: provePolicy,
    onStep: (step) => {
      const name = stepNames[step]
      if (name !== undefined) mark(name)
    },
  })
  const counters = await openCounters(engine)
  const now = () => ({ ...counters.read(), ms: performance.now(), messages: bot.messages() })
  let last = now()
  let isWarm = false
  mark = (step, ms = now().ms) => {
    const at = { ...now(), ms }
    if (isWarm) {
      const spent = Object.entries(at).map(([key, value]) => [key, value - last[key as keyof Spent]])
      steps.set(step, [...(steps.get(step) ?? []), Object.fromEntries(spent) as Spent])
    }
    last = now()
  }
  const settled = async (step: string, wanted: number): Promise<void> => {
    while (bot.messages() < wanted) await new Promise((resolve) => setImmediate(resolve))
    const { ms } = now()
    // The tasks that are done by this are noted; nobody waits for that.
    await new Promise((resolve) => setTimeout(resolve, 10))
    mark(step, ms)
    await sleep(120)
    last = now()
  }
  const [app] = bot.apps
  if (app === undefined) throw new Error('there is no bot')
  try {
    for (let at = -5; at < count; at++) {
      isWarm = at >= 0
      const delivery = `look-${at}`
      last = now()
      const taking = app.bot.intake.take('slack', delivery, { account: 'U0SUPPORT', payload: { at } })
      const reply = await app.handle({
        delivery,
        storing: taking.then((isFirst) => (isFirst ? 'first' : 'repeated')),
        from: from('U0SUPPORT'),
        place: room,
        forms: true,
        intent: { kind: 'line', line: 'subscriber get ada@example.com' },
      })
      mark('look-up: stored and recorded while the service is asked')
      if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
      JSON.stringify(renderSlack(reply.view))
      mark('look-up: drawn')
      await app.bot.intake.done('slack', delivery)
      mark('look-up: the answer kept, noted as answered')
    }
    for (let at = -5; at < count; at++) {
      isWarm = at >= 0
      const payment = paymentIn(bot.sandbox)
      last = now()
      const before = bot.messages()
      const asked = await app.handle({
        delivery: `ask-${at}`,
        taken: true,
        from: from('U0SUPPORT'),
        place: room,
        forms: true,
        intent: { kind: 'line', line: `refund ${payment} 60` },
      })
      mark('request: planned, judged, stored')
      if (asked.kind !== 'change') throw new Error(JSON.stringify(asked))
      await settled('request: two cards posted', before + 2)
      const id = buttonIdOf(asked.change)
      const done = await app.handle({
        delivery: `approve-${at}`,
        from: from('U0FINANCE'),
        place: room,
        forms: true,
        intent: { kind: 'press', verb: 'approve', id },
      })
      if (done.kind !== 'change' || done.change.state !== 'applied') throw new Error(JSON.stringify(done))
      await settled('approval: two cards edited, the requester told', before + 5)
    }
  } finally {
    counters.close()
    await bot.close()
  }
  return steps
}
