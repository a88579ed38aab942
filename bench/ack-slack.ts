import { createCommands } from '../commands/index.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { openBenchEnvironment, slackSecret } from './environment.ts'
import { interleave, median, percentile, ratioOf } from './measure.ts'
import { startLoadGenerator, startServer } from './processes.ts'

/** Signed slash commands and how fast they are acknowledged, everything on, against a Bolt app that does nothing. */
export const benchAckSlack = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const environment = await openBenchEnvironment()
  const generator = await startLoadGenerator()
  const bare = await startServer('bench/servers/bare-bolt.ts', { SLACK_SIGNING_SECRET: slackSecret })
  const ours = await startServer('src/main.ts', environment.env.slack)
  const registry = createCommands()
  // Not those that walk everything there is: this bench fills the audit log, and an export is long work.
  const lines = registry.all
    .filter(({ kind, name }) => kind === 'query' && !/ (verify|export|pack)$/.test(name))
    .flatMap(({ examples }) => examples)
  const order = {
    connections: 32,
    bodies: lines.map((line) => bodyOf(line, environment.responseUrl)),
    total: Math.max(200, Math.round(4_000 * scale)),
    contentType: 'application/x-www-form-urlencoded',
    slackSecret,
  }
  const p99: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  const settled: number[] = []
  let expected = 0
  /** Each command has an own response_url, called by its number. */
  const answered = () => [...environment.calls.keys()].filter((name) => /^\d+$/.test(name)).length
  const settle = async () => {
    for (const end = Date.now() + 60_000; answered() < expected && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const measure = (name: 'ours' | 'bare', url: string) => async () => {
    const { ms, seconds, statuses } = await generator.run({ ...order, url })
    if (Object.keys(statuses).join() !== '200')
      throw new Error(`${name} answered ${JSON.stringify(statuses)}`)
    p99[name].push(percentile(ms, 99))
    if (name === 'ours') {
      expected += order.total
      const startedAt = performance.now()
      await settle()
      settled.push(seconds + (performance.now() - startedAt) / 1000)
    }
    say(`${name}: ${(ms.length / seconds).toFixed(0)}/s, p99 ${percentile(ms, 99).toFixed(1)} ms`)
    return ms.length / seconds
  }
  try {
    const warm = { ...order, total: 3 * order.total }
    await generator.run({ ...warm, url: `${bare.base}/slack/events` })
    await generator.run({ ...warm, url: `${ours.base}/slack/events` })
    expected += warm.total
    await settle()
    const rates = await interleave(
      {
        ours: measure('ours', `${ours.base}/slack/events`),
        bare: measure('bare', `${bare.base}/slack/events`),
      },
      7,
    )
    const speed = ratioOf(rates.ours, rates.bare)
    const tail = ratioOf(p99.ours, p99.bare)
    return {
      title: 'Slack: signed slash command to acknowledgement',
      what: `${order.total} distinct signed commands a round over 32 connections from a second process. Bellhop runs with all commands, the policy, dedupe and the audit log on disk, and really runs every command (services and Slack stand in, in a third process); the bare Bolt app (HTTPReceiver, ${registry.nouns.length} commands) acknowledges and does nothing.`,
      tables: [
        {
          head: ['', 'acks a second', 'p99 of the ack, ms'],
          rows: [
            ['Bellhop', median(rates.ours).toFixed(0), median(p99.ours).toFixed(1)],
            ['bare Bolt', median(rates.bare).toFixed(0), median(p99.bare).toFixed(1)],
          ],
        },
      ],
      goals: [
        { goal: 'at least as many a second', measured: `${speed.toFixed(2)}x`, isMet: speed >= 1 },
        { goal: 'at most the same p99', measured: `${tail.toFixed(2)}x`, isMet: tail <= 1 },
      ],
      notes: [
        `Bellhop has answered all ${order.total} commands of a round, in full, ${median(settled).toFixed(1)} s after it began.`,
      ],
      figures: { rates, p99, settled, expected },
    }
  } finally {
    await Promise.all([generator.close(), bare.close(), ours.close()])
    await environment.close()
  }
}

const bodyOf = (line: string, responseUrl: string): string => {
  const [command = '', ...rest] = line.split(' ')
  return new URLSearchParams({
    token: 'legacy',
    team_id: 'T0',
    team_domain: 'home',
    channel_id: 'C0ROOM',
    channel_name: 'general',
    user_id: 'U0SUPPORT',
    user_name: 'sam',
    command: `/${command}`,
    text: rest.join(' '),
    api_app_id: 'A0',
    is_enterprise_install: 'false',
    response_url: responseUrl,
    trigger_id: '{number}',
  })
    .toString()
    .replaceAll('%7Bnumber%7D', '{number}')
}
