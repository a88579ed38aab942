import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'undici'
import { emailOf } from '../test/harness/many-people.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { interleave, median, ratioOf } from './measure.ts'
import { nodeFlags } from './processes.ts'

const width = 4
const delayMs = 20
const maxMegabytes = 150
const maxOnTop = 0.1

type Measured = { phases: Record<string, number>; rest: number; peak: number }

/** Long work: what it takes beyond the service's own time, and how large the process gets. */
export const benchBulk = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const people = Math.round(100_000 * scale)
  const everybody = Math.round(1_000_000 * scale)
  say(`${people} recipients from a file`)
  const send = await inRounds('send', people, sendBare, 3)
  say(`${everybody} subscribers to a file`)
  const pages = await inRounds('export', everybody, readBare, 1)
  const rows = [
    { name: `send to ${count(people)}`, ...send },
    { name: `export of ${count(everybody)}`, ...pages },
  ]
  return {
    title: 'Long work: time on top of the service, and memory',
    what: `Each request takes the service ${delayMs} ms; ${width} are under way at a time. "Bare" sends or reads the same with undici and does nothing else: no storage, no checks, no file. Service and bot are processes of their own; memory is the bot's peak above what it had at rest.`,
    tables: [
      {
        head: ['work', 'bot, s', 'bare, s', 'on top', 'memory above rest, MB'],
        rows: rows.map(({ name, ours, bare, onTop, megabytes }) => [
          name,
          seconds(ours),
          seconds(bare),
          percent(onTop),
          megabytes.toFixed(0),
        ]),
      },
    ],
    goals: rows.flatMap(({ name, onTop, megabytes }) => [
      {
        goal: `${name}: under ${percent(maxOnTop)} on top of the service`,
        measured: percent(onTop),
        isMet: onTop < maxOnTop,
      },
      {
        goal: `${name}: under ${maxMegabytes} MB above rest`,
        measured: `${megabytes.toFixed(0)} MB`,
        isMet: megabytes < maxMegabytes,
      },
    ]),
    notes: [
      `Before the send: reading the file, looking up every address and storing the set took ${seconds(send.last.phases.pin ?? 0)} s, confirming it ${seconds(send.last.phases.confirm ?? 0)} s. The send is the median of three rounds, the export one.`,
    ],
    figures: { send, pages },
  }
}

const inRounds = async (
  work: 'send' | 'export',
  size: number,
  sendsBare: (baseUrl: string, size: number) => Promise<number>,
  rounds: number,
) => {
  const runs: Measured[] = []
  const { ours, bare } = await interleave(
    {
      ours: async () => {
        const run = await withService(size, (baseUrl) => runBot(work, baseUrl, size))
        runs.push(run)
        return run.phases[work] ?? 0
      },
      bare: () => withService(size, (baseUrl) => sendsBare(baseUrl, size)),
    },
    rounds,
  )
  return {
    ours: median(ours),
    bare: median(bare),
    onTop: ratioOf(ours, bare) - 1,
    megabytes: Math.max(...runs.map(({ rest, peak }) => (peak - rest) / 1024 / 1024)),
    last: runs.at(-1) as Measured,
  }
}

const withService = async <T>(subscribers: number, work: (baseUrl: string) => Promise<T>): Promise<T> => {
  const child = start(new URL('bulk-service.ts', import.meta.url), [String(subscribers), String(delayMs)])
  try {
    const [baseUrl] = (await once(child, 'message')) as [string]
    return await work(baseUrl)
  } finally {
    child.kill()
  }
}

const runBot = async (work: 'send' | 'export', baseUrl: string, size: number): Promise<Measured> => {
  const child = start(new URL('bulk-bot.ts', import.meta.url), [work, baseUrl, String(size)])
  const ended = once(child, 'exit')
  const said = once(child, 'message') as Promise<[Measured]>
  const first = await Promise.race([said, ended.then(([code]) => Promise.reject(new Error(`exit ${code}`)))])
  await ended
  return first[0]
}

const start = (file: URL, args: string[]): ChildProcess => fork(file, args, { execArgv: nodeFlags() })

/** As the bot does it: a new connection for what must not be sent twice. */
const sendBare = (baseUrl: string, people: number): Promise<number> => {
  const dispatcher = new Agent({ pipelining: 0, connections: width })
  return timed(Math.ceil(people / 100), dispatcher, async (n) => {
    const emails = Array.from({ length: 100 }, (_, at) => emailOf(n * 100 + at))
    const { body } = await request(`${baseUrl}/campaigns/send-to-individual`, {
      dispatcher,
      method: 'POST',
      body: JSON.stringify({ campaignId: 'cmp_1', emails }),
    })
    await body.json()
  })
}

const readBare = (baseUrl: string, everybody: number): Promise<number> => {
  const dispatcher = new Agent({ connections: width })
  return timed(Math.ceil(everybody / 100), dispatcher, async (n) => {
    const { body } = await request(`${baseUrl}/subscribers?limit=100&page=${n + 1}`, { dispatcher })
    await body.json()
  })
}

const timed = async (
  requests: number,
  dispatcher: Agent,
  work: (n: number) => Promise<void>,
): Promise<number> => {
  const started = performance.now()
  let next = 0
  const lane = async () => {
    for (let n = next++; n < requests; n = next++) await work(n)
  }
  await Promise.all(Array.from({ length: width }, lane))
  await dispatcher.close()
  return performance.now() - started
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const percent = (share: number): string => `${(share * 100).toFixed(0)}%`
const count = (value: number): string => value.toLocaleString('en-US')
