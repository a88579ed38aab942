import { createCommands } from '../commands/index.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { openBenchEnvironment } from './environment.ts'
import { interleave, median, percentile, ratioOf } from './measure.ts'
import { startLoadGenerator, startServer } from './processes.ts'

/** Signed interactions and how fast they are answered, everything on, against a handler that verifies and answers. */
export const benchAckDiscord = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const environment = await openBenchEnvironment()
  const generator = await startLoadGenerator()
  const bare = await startServer('bench/servers/bare-discord.ts', environment.env.discord)
  const ours = await startServer('src/main.ts', environment.env.discord)
  const discordKey = environment.discord.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const order = {
    connections: 32,
    bodies: bodies(),
    total: Math.max(200, Math.round(2_000 * scale)),
    contentType: 'application/json',
    discordKey,
  }
  const p99: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  let expected = 0
  const answered = () => environment.calls.get('@original') ?? environment.calls.get('%40original') ?? 0
  const settle = async () => {
    for (const end = Date.now() + 60_000; answered() < expected && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const measure = (name: 'ours' | 'bare', base: string, total: number) => async () => {
    const url = `${base}/discord/interactions`
    const { ms, seconds, statuses } = await generator.run({ ...order, total, url })
    if (Object.keys(statuses).join() !== '200')
      throw new Error(`${name} answered ${JSON.stringify(statuses)}`)
    if (name === 'ours') {
      expected += total
      await settle()
    }
    p99[name].push(percentile(ms, 99))
    say(`${name}: ${(ms.length / seconds).toFixed(0)}/s, p99 ${percentile(ms, 99).toFixed(1)} ms`)
    return ms.length / seconds
  }
  try {
    await measure('bare', bare.base, 3 * order.total)()
    await measure('ours', ours.base, 3 * order.total)()
    p99.ours = []
    p99.bare = []
    const rates = await interleave(
      { ours: measure('ours', ours.base, order.total), bare: measure('bare', bare.base, order.total) },
      7,
    )
    const speed = ratioOf(rates.ours, rates.bare)
    return {
      title: 'Discord: signed interaction to first answer',
      what: `${order.total} distinct signed interactions a round over 32 connections from a second process, against a bare node:http handler with discord-interactions' verifyKey that answers at once and does nothing. Bellhop runs every command in full.`,
      tables: [
        {
          head: ['', 'answers a second', 'p99, ms'],
          rows: [
            ['Bellhop', median(rates.ours).toFixed(0), median(p99.ours).toFixed(1)],
            ['bare handler', median(rates.bare).toFixed(0), median(p99.bare).toFixed(1)],
          ],
        },
      ],
      goals: [{ goal: 'at least 0.7x', measured: `${speed.toFixed(2)}x`, isMet: speed >= 0.7 }],
      notes: [],
      figures: { rates, p99 },
    }
  } finally {
    await Promise.all([generator.close(), bare.close(), ours.close()])
    await environment.close()
  }
}

/** Look-ups that need no options, so that one body fits each. */
const bodies = (): string[] =>
  createCommands()
    .all.filter(
      ({ kind, name, params }) =>
        kind === 'query' && !params.some(({ required }) => required) && !/ (verify|export|pack)$/.test(name),
    )
    .map(({ name }) => {
      const [noun = '', verb] = name.split(' ')
      return JSON.stringify({
        id: '{number}',
        application_id: '700000000000000001',
        type: 2,
        token: 'token-{number}',
        version: 1,
        channel_id: '300000000000000001',
        channel: { id: '300000000000000001', type: 0 },
        guild_id: '600000000000000001',
        member: { user: { id: '400000000000000001', username: 'sam' }, roles: [], permissions: '0' },
        data: {
          id: '1',
          name: noun,
          type: 1,
          options: verb === undefined ? [] : [{ type: 1, name: verb, options: [] }],
        },
        locale: 'en-US',
        entitlements: [],
        authorizing_integration_owners: {},
      })
    })
