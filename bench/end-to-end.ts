import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { openDatabases } from '../prove/databases.ts'
import { cardsOf, isApprove, peopleOf } from '../prove/fleet/conversation.ts'
import { type Fleet, openFleet, rooms } from '../prove/fleet/fleet.ts'
import { defined } from '../src/lib/defined.ts'
import { paymentIn } from '../test/pipeline/harness.ts'
import { buttonsIn } from '../test/slack/fake/reading.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { median, percentile } from './measure.ts'

type Spent = { whole: number[]; bare: number[] }

/** From the delivery to what people see, less what the services took: one after the other on a quiet bot. */
export const benchEndToEnd = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const databases = await openDatabases({ durable: true })
  const rows: string[][] = []
  const found: Record<string, { query: Spent; approval: Spent }> = {}
  try {
    for (const engine of databases.engines) {
      const place = await databases.fresh(engine)
      const fleet = await openFleet({
        url: place.url ?? '',
        random: Math.random,
        ...defined({ dataDir: place.dataDir }),
        env: { DISCORD_GATEWAY: 'off' },
      })
      try {
        const { base } = await fleet.add()
        fleet.slack.useHttp(`${base}/slack/events`)
        await sleep(1_000)
        const query = await queries(fleet, Math.max(20, 300 * scale))
        say(`${engine}: look-ups ${beyond(query, 50).toFixed(1)} ms`)
        const approval = await approvals(fleet, Math.max(10, 100 * scale))
        say(`${engine}: approvals ${beyond(approval, 50).toFixed(1)} ms`)
        found[engine] = { query, approval }
        rows.push(rowOf(`look-up, ${engine}`, query), rowOf(`approval, ${engine}`, approval))
      } finally {
        await fleet.close()
        await place.remove()
      }
    }
  } finally {
    await databases.close()
  }
  const { query, approval } = found.sqlite ?? { query: none, approval: none }
  return {
    title: 'End to end, beyond the services',
    what: 'Look-up: a signed slash command to the rendered reply at its response_url. Approval: a signed click to the moment when every copy of the card, in Slack and in Discord, shows the outcome (vote, claim, the request to the service, outcome, edits). What a bare client takes for the same request, asked in turn, is taken off. The platforms stand in, in a second process.',
    tables: [{ head: ['', 'p50, ms', 'p99, ms', 'the service alone, p50'], rows }],
    goals: [
      {
        goal: 'look-up under 5 ms (p50, SQLite)',
        measured: beyond(query, 50).toFixed(1),
        isMet: beyond(query, 50) < 5,
      },
      {
        goal: 'approval under 10 ms (p50, SQLite)',
        measured: beyond(approval, 50).toFixed(1),
        isMet: beyond(approval, 50) < 10,
      },
    ],
    notes: [
      'An approval waits for the disk twice, one after the other: for the claim before the request leaves, for the outcome before anybody hears of it.',
    ],
    figures: found,
  }
}

const none: Spent = { whole: [], bare: [] }

const beyond = ({ whole, bare }: Spent, percent: number): number => percentile(whole, percent) - median(bare)

const rowOf = (name: string, spent: Spent): string[] => [
  name,
  beyond(spent, 50).toFixed(1),
  beyond(spent, 99).toFixed(1),
  median(spent.bare).toFixed(1),
]

/** What the service takes by itself: the same request by a client that does nothing else. */
const timed = async (method: 'GET' | 'POST', url: string, key: string, body?: object): Promise<number> => {
  const startedAt = performance.now()
  const answer = await request(url, {
    method,
    headers: { authorization: key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await answer.body.dump()
  if (answer.statusCode !== 200)
    throw new Error(`the service answered a bare client with ${answer.statusCode}`)
  return performance.now() - startedAt
}

const queries = async (fleet: Fleet, count: number): Promise<Spent> => {
  const { asks } = peopleOf(fleet)
  const { baseUrl, apiKey } = fleet.sandbox.email
  const spent: Spent = { whole: [], bare: [] }
  for (let at = 0; at < count + 10; at++) {
    const bare = await timed('GET', `${baseUrl}/subscribers/ada%40example.com`, `Bearer ${apiKey}`)
    const startedAt = performance.now()
    const delivered = asks.slack.types('/subscriber get ada@example.com', rooms.slack)
    const line = [...fleet.slack.state.responseUrls.values()].at(-1)
    await delivered
    await until(() => (line?.uses ?? 0) > 0)
    // The first ones warm the process up.
    if (at >= 10) note(spent, performance.now() - startedAt, bare)
    await sleep(5)
  }
  return spent
}

const approvals = async (fleet: Fleet, count: number): Promise<Spent> => {
  const { asks, decides } = peopleOf(fleet)
  const { baseUrl, apiKey, secretKey } = fleet.sandbox.billing
  const key = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
  const spent: Spent = { whole: [], bare: [] }
  const payment = paymentIn(fleet.sandbox)
  for (let at = 0; at < count + 5; at++) {
    await asks.slack.types(`/refund ${payment} 1 --description "bench ${at}"`, rooms.slack)
    const change = await soon(
      async () => (await fleet.store.changes.list({ states: ['pending'], limit: 1 }))[0],
    )
    const cards = await soon(async () => {
      const { slack, discord } = cardsOf(fleet, change.id) ?? {}
      return slack && discord ? { slack, discord } : undefined
    })
    await sleep(50)
    const copies = fleet.slack.state.messages
      .filter(({ blocks }) => JSON.stringify(blocks).includes(change.id))
      .map((copy) => ({ copy, before: copy.blocks }))
    const edits = cards.discord.edits
    const bare = await timed('POST', `${baseUrl}/transaction/refund/${payment}`, key, { amount: 1 })
    fleet.sandbox.wire.length = 0
    const startedAt = performance.now()
    await decides.slack.clicks('Approve', { on: cards.slack })
    await until(
      () =>
        fleet.sandbox.wire.length > 0 &&
        cards.discord.edits > edits &&
        copies.every(
          ({ copy, before }) =>
            copy.blocks !== before && !buttonsIn(copy.blocks).some(({ label }) => isApprove(label)),
        ),
    )
    if (at >= 5) note(spent, performance.now() - startedAt, bare)
    await sleep(20)
  }
  return spent
}

const note = (spent: Spent, whole: number, bare: number): void => {
  spent.whole.push(whole)
  spent.bare.push(bare)
}

const until = async (isTrue: () => boolean): Promise<void> => {
  for (const end = Date.now() + 10_000; !isTrue(); await new Promise((resolve) => setImmediate(resolve))) {
    if (Date.now() > end) throw new Error('it did not happen within ten seconds')
  }
}

const soon = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (const end = Date.now() + 10_000; Date.now() < end; await sleep(5)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error('it did not appear within ten seconds')
}
