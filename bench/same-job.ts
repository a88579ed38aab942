import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabases } from '../prove/databases.ts'
import { defined } from '../src/lib/defined.ts'
import { paymentIn } from '../test/pipeline/harness.ts'
import type { Bench, BenchOptions, Goal } from './bench.ts'
import { type BenchEnvironment, openBenchEnvironment } from './environment.ts'
import { median, ratioOf } from './measure.ts'
import { startServer } from './processes.ts'
import { clickOn, commandOf, cpuOf, createPlatform, next, type Server, send } from './slack-driver.ts'

/** What one contender took in each round. */
type Rounds = {
  lookUp: number[]
  rate: number[]
  approval: number[]
  lookUpCpu: number[]
  approvalCpu: number[]
}

/** The same two jobs in full, by Bellhop with everything on and by a Bolt app that was written for just these two. */
export const benchSameJob = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  const platform = createPlatform()
  const environment = await openBenchEnvironment(platform.onCall)
  const found = new Map<string, Rounds>()
  const ratios = new Map<string, Record<keyof Rounds, number>>()
  try {
    for (const engine of databases.engines) {
      const place = await databases.fresh(engine)
      const { DATA_DIR: _, ...env } = environment.env.slack
      const stored = defined({ DATABASE_URL: place.url, DATA_DIR: place.dataDir })
      const byHand = await startServer('bench/servers/by-hand.ts', env)
      const bellhop = await startServer('src/main.ts', { ...env, ...stored })
      const servers = { byHand, bellhop }
      const rounds = { byHand: noRounds(), bellhop: noRounds() }
      try {
        for (let round = -1; round < Math.max(3, Math.round(9 * scale)); round++) {
          const order = round % 2 === 0 ? (['byHand', 'bellhop'] as const) : (['bellhop', 'byHand'] as const)
          for (const name of order) {
            const one = await measure(servers[name], platform, environment, scale)
            // The first round warms both up.
            if (round >= 0) for (const [key, value] of entriesOf(one)) rounds[name][key].push(value)
          }
        }
      } finally {
        await Promise.all([byHand.close(), bellhop.close()])
        await place.remove()
      }
      found.set(`by hand (beside ${engine})`, rounds.byHand)
      found.set(`Bellhop, ${engine}`, rounds.bellhop)
      const ratio = entriesOf(rounds.bellhop).map(([key, ours]) => [key, ratioOf(ours, rounds.byHand[key])])
      ratios.set(engine, Object.fromEntries(ratio) as Record<keyof Rounds, number>)
      say(`${engine}: ${ratio.map(([key, value]) => `${key} ${Number(value).toFixed(2)}x`).join(', ')}`)
    }
  } finally {
    await environment.close()
    await databases.close()
  }
  const figure = (values: readonly number[], digits: number) => median(values).toFixed(digits)
  return {
    title: 'The same job as a bot written by hand',
    what: 'A Bolt app written for one look-up and one approved refund, without policy, storage or audit log (bench/servers/by-hand.ts), and Bellhop with everything on do the same jobs in turn, round by round. A look-up: signed slash command to the answer at its response_url. An approval: signed click to both copies of the card showing the outcome. Services and Slack stand in, in the process that measures. CPU is that of the bot’s process, whoever waits for it, with everything that follows.',
    tables: [
      {
        head: [
          '',
          'look-up p50, ms',
          'look-ups/s, 32 at once',
          'approval p50, ms',
          'CPU ms a look-up',
          'CPU ms an approval',
        ],
        rows: [...found].map(([name, { lookUp, rate, approval, lookUpCpu, approvalCpu }]) => [
          name,
          figure(lookUp, 1),
          figure(rate, 0),
          figure(approval, 1),
          figure(lookUpCpu, 1),
          figure(approvalCpu, 1),
        ]),
      },
    ],
    goals: [...ratios].flatMap(([engine, { lookUp, rate, approval }]): Goal[] => [
      { goal: `look-up at most 1.1x (${engine})`, measured: `${lookUp.toFixed(2)}x`, isMet: lookUp <= 1.1 },
      {
        goal: `look-ups a second at least 1x (${engine})`,
        measured: `${rate.toFixed(2)}x`,
        isMet: rate >= 1,
      },
      { goal: `approval at most 2x (${engine})`, measured: `${approval.toFixed(2)}x`, isMet: approval <= 2 },
    ]),
    notes: [],
    figures: { found: Object.fromEntries(found), ratios: Object.fromEntries(ratios) },
  }
}

const noRounds = (): Rounds => ({ lookUp: [], rate: [], approval: [], lookUpCpu: [], approvalCpu: [] })
const entriesOf = <T>(record: Record<keyof Rounds, T>) => Object.entries(record) as [keyof Rounds, T][]

const measure = async (
  server: Server,
  platform: ReturnType<typeof createPlatform>,
  environment: BenchEnvironment,
  scale: number,
): Promise<Record<keyof Rounds, number>> => {
  const lookUp = async (): Promise<number> => {
    const number = next()
    const answered = platform.answered(number)
    const startedAt = performance.now()
    await Promise.all([
      send(server, commandOf('/subscriber', 'get ada@example.com', number, environment)),
      answered,
    ])
    return performance.now() - startedAt
  }
  const alone: number[] = []
  for (let at = 0; at < 40; at++) alone.push(await lookUp())
  const many = Math.max(96, Math.round(640 * scale))
  const cpu = cpuOf(server)
  const startedAt = performance.now()
  let left = many
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (left-- > 0) await lookUp()
    }),
  )
  const rate = (many / (performance.now() - startedAt)) * 1000
  await sleep(100)
  const lookUpCpu = (cpuOf(server) - cpu) / many
  const approvals: number[] = []
  const approvalCpu: number[] = []
  for (let at = 0; at < 15; at++) {
    platform.cards.clear()
    const number = next()
    await send(server, commandOf('/refund', `${paymentIn(environment.sandbox)} 60`, number, environment))
    await platform.until(() => platform.cards.size === 2)
    // The copies are stored, and nothing else is under way.
    await sleep(60)
    const before = cpuOf(server)
    const [card] = platform.cards.values()
    if (card === undefined) throw new Error('there is no card')
    const clickedAt = performance.now()
    await Promise.all([
      send(server, clickOn(card, next(), environment)),
      platform.until(() => [...platform.cards.values()].every(({ isSettled }) => isSettled)),
    ])
    approvals.push(performance.now() - clickedAt)
    await sleep(60)
    approvalCpu.push(cpuOf(server) - before)
  }
  return {
    lookUp: median(alone),
    rate,
    approval: median(approvals),
    lookUpCpu,
    approvalCpu: approvalCpu.reduce((sum, ms) => sum + ms, 0) / approvalCpu.length,
  }
}
