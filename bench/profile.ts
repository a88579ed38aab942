import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabases } from '../prove/databases.ts'
import { defined } from '../src/lib/defined.ts'
import { paymentIn } from '../test/pipeline/harness.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { openBenchEnvironment } from './environment.ts'
import { startServer } from './processes.ts'
import { clickOn, commandOf, createPlatform, next, send } from './slack-driver.ts'

type CpuProfile = {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  /** Microseconds of the clock that `process.hrtime` reads. */
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

const shown = 10
/** V8 looks once a millisecond. */
const longestUs = 1_500

/** What is asked for one after the other, as people type it. */
const lookUps = [
  ['/subscriber', 'get ada@example.com'],
  ['/transaction', 'find cus_1001'],
  ['/person', 'get ada@example.com'],
] as const

/** Where the processor's time goes while people look things up, and while refunds are asked for and approved, function by function. */
export const benchProfile = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  const platform = createPlatform()
  const environment = await openBenchEnvironment(platform.onCall)
  const tables: Bench['tables'] = []
  const figures: Bench['figures'] = {}
  const many = Math.max(50, Math.round(600 * scale))
  try {
    for (const engine of databases.engines) {
      const place = await databases.fresh(engine)
      const folder = mkdtempSync(join(tmpdir(), 'bellhop-profile-'))
      const { DATA_DIR: _, ...env } = environment.env.slack
      const stored = defined({ DATABASE_URL: place.url, DATA_DIR: place.dataDir })
      const bot = await startServer('src/main.ts', { ...env, ...stored }, { profileTo: folder })
      const lookUp = async (at: number) => {
        const [command, text] = lookUps[at % lookUps.length] ?? lookUps[0]
        const number = next()
        const answered = platform.answered(number)
        await Promise.all([send(bot, commandOf(command, text, number, environment)), answered])
      }
      const approval = async () => {
        platform.cards.clear()
        await send(bot, commandOf('/refund', `${paymentIn(environment.sandbox)} 60`, next(), environment))
        await platform.until(() => platform.cards.size === 2)
        const [card] = platform.cards.values()
        if (card === undefined) throw new Error('there is no card')
        await send(bot, clickOn(card, next(), environment))
        await platform.until(() => [...platform.cards.values()].every(({ isSettled }) => isSettled))
      }
      // Whoever has looked a customer up is asked whose payment it is before a card is posted.
      const jobs = [
        { job: 'approval', work: approval, times: many },
        { job: 'look-up', work: lookUp, times: 3 * many },
      ]
      const measured: (Period & { job: string; times: number })[] = []
      for (const { job, work, times } of jobs) {
        for (let at = 0; at < times / 3; at++) await work(at)
        const from = nowUs()
        for (let at = 0; at < times; at++) await work(at)
        measured.push({ job, times, from, to: nowUs() })
      }
      await bot.stop()
      for (const { job, times, ...period } of measured) {
        const whole = profileIn(folder, period)
        say(`${engine}, ${job}: ${(whole.total / times).toFixed(2)} ms each`)
        const share = (ms: number) => `${((100 * ms) / whole.total).toFixed(1)}%`
        const each = (ms: number) => `${(ms / times).toFixed(2)} ms`
        const rowsOf = (some: [name: string, ms: number][]) =>
          some.slice(0, shown).map(([name, ms]) => [name, share(ms), each(ms)])
        const all = ['all of it', '100%', each(whole.total)]
        tables.push(
          {
            head: [`${engine}: function`, 'its own time', `of one ${job}`],
            rows: [all, ...rowsOf(whole.functions)],
          },
          { head: [`${engine}: part`, 'its own time', `of one ${job}`], rows: rowsOf(whole.parts) },
        )
        figures[`${engine} ${job}`] = { functions: whole.functions.slice(0, 60), parts: whole.parts }
      }
      rmSync(folder, { recursive: true, force: true })
      await place.remove()
    }
  } finally {
    await environment.close()
    await databases.close()
  }
  return {
    title: 'Where the time of a look-up and of an approval goes',
    what: `${many} refunds, each asked for by a signed slash command and approved by a signed click, then ${3 * many} look-ups (${lookUps.map((words) => `\`${words.join(' ')}\``).join(', ')} in turn), one after the other, after a third as many that are not counted; the time of the bot's main thread by V8's own profile, without what it was idle. Own time is time in that function itself.`,
    tables,
    goals: [],
    notes: [],
    figures,
  }
}

/** Microseconds of the profile's clock. */
type Period = { from: number; to: number }
const nowUs = (): number => Number(process.hrtime.bigint() / 1_000n)

/** Milliseconds of own time by function and by part within a period, the largest first. */
const profileIn = (folder: string, { from, to }: Period) => {
  const functions = new Map<string, number>()
  const parts = new Map<string, number>()
  let total = 0
  for (const file of readdirSync(folder)) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile
    const { nodes, samples, timeDeltas } = profile
    let now = profile.startTime
    const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
    samples.forEach((id, at) => {
      const frame = byId.get(id)
      const us = timeDeltas[at] ?? 0
      now += us
      const isCounted = now >= from && now <= to
      if (!isCounted || frame === undefined || frame.functionName === '(idle)') return
      // A longer one waited for a processor that somebody else had.
      const ms = Math.min(us, longestUs) / 1000
      total += ms
      const where = placeOf(frame.url)
      const name = `${frame.functionName || 'anonymous'} (${where === '' ? 'V8' : `${where}:${frame.lineNumber + 1}`})`
      functions.set(name, (functions.get(name) ?? 0) + ms)
      const part = partOf(where, frame.functionName)
      parts.set(part, (parts.get(part) ?? 0) + ms)
    })
  }
  const sorted = (map: Map<string, number>) => [...map].toSorted(([, one], [, other]) => other - one)
  return { total, functions: sorted(functions), parts: sorted(parts) }
}

const placeOf = (url: string): string =>
  url.startsWith('file:') ? relative(join(import.meta.dirname, '..'), fileURLToPath(url)) : url

/** A room of ours, a package, or a part of Node. */
const partOf = (where: string, name: string): string => {
  if (where === '') return name.startsWith('(') ? name : 'V8'
  if (where.startsWith('node:')) return where.split('/').slice(0, 2).join('/')
  const [, found] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(where) ?? []
  return found ?? where.split('/').slice(0, 2).join('/')
}
