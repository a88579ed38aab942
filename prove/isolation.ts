import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Replica, startReplica } from './fleet/replica.ts'
import { createOthers, signIn, type Waited } from './isolation/others.ts'
import { agentToken, flooder, isolationPolicy } from './isolation/people.ts'
import { startSite } from './isolation/site-thread.ts'
import type { Proof, ProveOptions } from './proof.ts'
import { createRandom, sampleOf } from './random.ts'

const maxMs = 1_000
const maxHeldMs = 200
const maxMegabytes = 700
/** The tests share their machine: they look whether answers come at all, and what a few of the inputs hold. */
const sampled = 2
const patience = { maxMs: 20_000, maxHeldMs: 1_000 }

/** One person floods each way into a running bot with the worst that it takes, while others ask, decide and freeze. */
export const proveIsolation = async ({ sample, seed, say }: ProveOptions): Promise<Proof> => {
  const startedAt = Date.now()
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-isolation-'))
  writeFileSync(join(folder, 'bellhop.yml'), isolationPolicy)
  const site = await startSite()
  const settings = await site('settings')
  const bot = await startReplica(
    {
      ...settings,
      CONSOLE: 'on',
      MCP: 'on',
      GREEDY_TOKEN: agentToken,
      DATA_DIR: join(folder, 'data'),
      BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    },
    new URL('./isolation/loop-probe.ts', import.meta.url),
  )
  const violations: string[] = []
  const rows: string[][] = []
  let alone = 0
  try {
    await site('connect', bot.base, bot.process.pid as number)
    const others = await createOthers({
      base: bot.base,
      site,
      signingSecret: settings.SLACK_SIGNING_SECRET,
      workedMs: () => workedBy(bot),
    })
    const cookie = await signIn(bot.base, await site('signIn', flooder.slack))
    const floods = await site('prepare', bot.base, cookie)
    const rounds = sample ? 1 : 4
    // The first ones load what the bot has not needed before.
    await others()
    await others()
    const quiet = await many(rounds, others)
    alone = longestOf(quiet, 'ms')
    const limit = sample ? patience.maxMs : maxMs
    rows.push(['nobody', 'nothing', '0', '-', ...waits(quiet), `${megabytesOf(bot)} MB`])
    for (const { door, name } of sample ? sampleOf(createRandom(seed), floods, sampled) : floods) {
      const named = `${door}: ${name}`
      const held = await heldBy(bot, () => site('once', named))
      await site('start', named)
      const waited = await many(rounds, others)
      const sent = await site('stop')
      const longest = longestOf(waited, 'worked')
      const memory = megabytesOf(bot)
      const most = sample ? patience.maxHeldMs : maxHeldMs
      if (longest > limit)
        violations.push(`${named}: somebody else waited for ${Math.round(longest)} ms of work`)
      if (held > most) violations.push(`${named}: one of them held the bot for ${Math.round(held)} ms`)
      if (memory > maxMegabytes) violations.push(`${named}: the bot came to hold ${memory} MB`)
      rows.push([door, name, String(sent), `${Math.round(held)} ms`, ...waits(waited), `${memory} MB`])
      say(rows.at(-1)?.join(', ') ?? '')
    }
    if (!bot.isAlive()) violations.push('the bot ended')
  } catch (error) {
    violations.push(String((error as Error).stack))
  } finally {
    await bot.kill()
    await site('close')
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    title: 'Isolation',
    claim: `Whatever one person or agent sends, nothing of it holds the bot for longer than ${maxHeldMs} ms, others ask, decide and freeze without waiting longer than ${maxMs / 1_000} s, and memory stays below ${maxMegabytes} MB.`,
    figures: [
      'The bot in a process of its own with Slack, Discord, the console, agents and SQLite; one person floods it from a thread of its own, in which the services and the messengers run too; the others ask from a third.',
      `How long they waited: how much the bot's own thread worked meanwhile, which is what they wait where nothing else runs, and behind it the time on the clock. Nobody sending anything, their longest wait on the clock was ${Math.round(alone)} ms; the load of the machine was ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors at the end.`,
      'Held: time of the processor in the longest turn of the event loop while one of these is sent alone.',
      `Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
    ],
    tables: [
      {
        head: [
          'through',
          'one person sends',
          'sent',
          'one alone held',
          'ask',
          'decide',
          'freeze, unfreeze',
          'memory, at most',
        ],
        rows,
      },
    ],
    violations,
  }
}

const many = async (rounds: number, others: () => Promise<Waited[]>): Promise<Waited[]> => {
  const waited: Waited[] = []
  for (let round = 0; round < rounds; round++) waited.push(...(await others()))
  return waited
}

const longestOf = (waited: readonly Waited[], by: 'ms' | 'worked'): number =>
  Math.max(0, ...waited.map((one) => one[by]))

/** The longest wait of each kind: the work of the bot meanwhile, and the time on the clock. */
const waits = (waited: readonly Waited[]): string[] =>
  [['ask'], ['approve', 'reject'], ['freeze', 'unfreeze']].map((kinds) => {
    const of = waited.filter(({ what }) => kinds.includes(what))
    return `${Math.round(longestOf(of, 'worked'))} ms (${Math.round(longestOf(of, 'ms'))} ms)`
  })

/** The second time: the first loads and compiles what it needs. */
const heldBy = async (bot: Replica, send: () => Promise<void>): Promise<number> => {
  await send()
  await longestTurn(bot)
  await send()
  // What follows from it, such as an answer that is drawn and posted.
  await sleep(200)
  return longestTurn(bot)
}

const longestTurn = async ({ process: child }: Replica): Promise<number> => {
  const told = once(child, 'message')
  child.send('longest')
  const [ms] = (await told) as [number]
  return ms
}

const megabytesOf = ({ process: { pid } }: Replica): number => {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}

/** What its main thread has worked, as the kernel counts it. */
const workedBy = ({ process: { pid } }: Replica): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
