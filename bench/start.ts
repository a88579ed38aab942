import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, BenchOptions } from './bench.ts'
import { openBenchEnvironment, slackSecret } from './environment.ts'
import { interleave, median } from './measure.ts'
import { startLoadGenerator, startServer } from './processes.ts'

/** From the start of the process to ready, memory at rest and after a hundred thousand commands. */
export const benchStart = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const environment = await openBenchEnvironment()
  const both = { ...environment.env.slack, ...environment.env.discord }
  const timed = (env: Record<string, string>) => async () => {
    const startedAt = performance.now()
    const server = await startServer('src/main.ts', env)
    const ms = performance.now() - startedAt
    const mapped = readFileSync(`/proc/${server.process.pid}/maps`, 'utf8')
    await server.close()
    if (mapped === '') throw new Error('the process was gone')
    return ms
  }
  try {
    // Compiled code is kept for the next start a second after the first.
    const before = await startServer('src/main.ts', both)
    await sleep(2_000)
    await before.close()
    const ready = await interleave(
      {
        both: timed(both),
        slack: timed(environment.env.slack),
        none: timed(withoutChat(environment.env.slack)),
      },
      scale < 1 ? 3 : 9,
    )
    const memory = await grow(environment, both, Math.round(100_000 * scale), say)
    const [rest = 0, first = 0] = memory.map(({ mib }) => mib)
    const last = memory.at(-1)?.mib ?? 0
    return {
      title: 'Start and memory',
      what: 'Process start to "ready" (listening, migrated, adapters on), and the resident memory of the process at rest and while it runs commands. The same version was started once before, as any but the first start after an update.',
      tables: [
        {
          head: ['start to ready', 'ms (median)'],
          rows: [
            ['both adapters', median(ready.both).toFixed(0)],
            ['Slack alone', median(ready.slack).toFixed(0)],
            ['no adapter', median(ready.none).toFixed(0)],
          ],
        },
        {
          head: ['commands so far', 'resident memory, MiB'],
          rows: memory.map(({ commands, mib }) => [commands.toLocaleString('en'), mib.toFixed(0)]),
        },
      ],
      goals: [
        {
          goal: 'ready within 700 ms with both adapters',
          measured: `${median(ready.both).toFixed(0)} ms`,
          isMet: median(ready.both) <= 700,
        },
        {
          goal: 'SDKs loaded only when their adapter is on',
          measured: `${(median(ready.both) - median(ready.none)).toFixed(0)} ms less without them`,
          isMet: median(ready.none) < median(ready.slack) && median(ready.slack) < median(ready.both),
        },
        {
          goal: 'at rest at most 120 MiB',
          measured: `${rest.toFixed(1)} MiB`,
          isMet: rest <= 120,
        },
        {
          goal: 'flat: after all of them at most 40 MiB over the first tenth',
          measured: `${rest.toFixed(0)} at rest, ${first.toFixed(0)} after a tenth, ${last.toFixed(0)} in the end`,
          isMet: last - first <= 40,
        },
      ],
      notes: [],
      figures: { ready, memory },
    }
  } finally {
    await environment.close()
  }
}

const withoutChat = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SLACK')))

const grow = async (
  environment: Awaited<ReturnType<typeof openBenchEnvironment>>,
  env: Record<string, string>,
  total: number,
  say: (line: string) => void,
): Promise<{ commands: number; mib: number }[]> => {
  const generator = await startLoadGenerator()
  const server = await startServer('src/main.ts', env)
  try {
    // At rest: soon after the start the bot frees what only the start needed.
    await sleep(6_000)
    const memory = [{ commands: 0, mib: residentOf(server.process.pid) }]
    for (let tenth = 1; tenth <= 10; tenth++) {
      const many = Math.round(total / 10)
      await generator.run({
        url: `${server.base}/slack/events`,
        connections: 8,
        bodies: [bodyOf(environment.responseUrl)],
        total: many,
        contentType: 'application/x-www-form-urlencoded',
        slackSecret,
      })
      for (const end = Date.now() + 300_000; answered(environment) < many * tenth && Date.now() < end; )
        await sleep(200)
      await sleep(1_000)
      memory.push({ commands: many * tenth, mib: residentOf(server.process.pid) })
      say(`${many * tenth} commands, ${memory.at(-1)?.mib.toFixed(0)} MiB`)
    }
    return memory
  } finally {
    await generator.close()
    await server.close()
  }
}

const answered = ({ calls }: Awaited<ReturnType<typeof openBenchEnvironment>>): number =>
  [...calls.keys()].filter((name) => /^\d+$/.test(name)).length

const residentOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const bodyOf = (responseUrl: string): string =>
  new URLSearchParams({
    team_id: 'T0',
    channel_id: 'C0ROOM',
    user_id: 'U0SUPPORT',
    user_name: 'sam',
    command: '/bellhop',
    text: 'whoami',
    response_url: responseUrl,
    trigger_id: '{number}',
  })
    .toString()
    .replaceAll('%7Bnumber%7D', '{number}')
