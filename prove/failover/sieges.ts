import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  crashCluster,
  createFolder,
  findPostgres,
  haltCluster,
  startCluster,
  stopCluster,
} from '../../test/harness/postgres.ts'
import { startReplicated } from '../../test/harness/replication.ts'
import { cardsOf, converse, peopleOf } from '../fleet/conversation.ts'
import type { ProveOptions } from '../proof.ts'
import { createRandom } from '../random.ts'
import type { Table } from '../report.ts'
import { openLoad } from './load.ts'
import { waitForAnswer } from './people.ts'

type Row = {
  what: string
  times: number
  sent: number
  twice: number
  unknown: number
  waited: number
  violations: string[]
}

const siegeMs = 20_000

/** What else befalls a database, under the same load. */
export const proveSieges = async ({
  seed,
  say,
}: ProveOptions): Promise<{ table: Table; violations: string[] }> => {
  const rows: Row[] = []
  for (const siege of [endConnections, restart, fillDisk, twoPrimaries]) {
    const row = await siege(createRandom(seed + 100 + rows.length))
    if (row === undefined) continue
    rows.push(row)
    say(`${row.what}: ${row.sent} sent, ${row.violations.length} violations`)
  }
  return {
    table: {
      caption: 'What else befalls a database, under the same load',
      head: ['what', 'times', 'sent', 'sent twice', 'unknown, said so', 'answered again after, at most'],
      rows: rows.map(({ what, times, sent, twice, unknown, waited }) => [
        ...[what, String(times), String(sent), String(twice), String(unknown)],
        `${(waited / 1_000).toFixed(1)} s`,
      ]),
    },
    violations: rows.flatMap(({ what, violations }) => violations.map((each) => `${what}: ${each}`)),
  }
}

type Siege = (random: () => number) => Promise<Row | undefined>
type Server = { bin: string; folder: string; url: string }

/** One server, load on it, and what is done to it meanwhile. */
const besiege = async (
  what: string,
  { random, folder = createFolder() }: { random: () => number; folder?: string },
  attack: (server: Server, settle: () => Promise<void>) => Promise<number>,
): Promise<Row | undefined> => {
  const bin = findPostgres()?.bin
  if (bin == null) return undefined
  const url = new URL(await startCluster(bin, folder, { grows: true }))
  await ask(url.href, 'postgres', 'CREATE DATABASE bellhop TEMPLATE template0')
  url.pathname = '/bellhop'
  const load = await openLoad({ url: url.href, random, lanes: 4 })
  try {
    let waited = 0
    const violations: string[] = []
    const times = await attack({ bin, folder, url: url.href }, async () => {
      const ms = await waitForAnswer(load.fleet, 60_000)
      if (ms === undefined) violations.push('nobody was answered within a minute')
      waited = Math.max(waited, ms ?? 60_000)
    })
    const end = await load.finish()
    return {
      ...{ what, times, waited, sent: end.sent.size },
      twice: [...end.sent.values()].filter((n) => n > 1).length,
      unknown: end.changes.filter(({ state }) => state === 'unknown').length,
      violations: [...violations, ...end.violations],
    }
  } finally {
    await load.close()
    await stopCluster(folder)
  }
}

const endConnections: Siege = (random) =>
  besiege('all connections ended (pg_terminate_backend)', { random }, async ({ url }, settle) => {
    let times = 0
    for (const end = Date.now() + siegeMs; Date.now() < end; times++) {
      await ask(
        url,
        'postgres',
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'bellhop' AND pid <> pg_backend_pid()",
      )
      await sleep(50 + random() * 400)
    }
    await settle()
    return times
  })

const restart: Siege = (random) =>
  besiege('the server killed, and started again', { random }, async ({ bin, folder }, settle) => {
    const times = 10
    for (let n = 0; n < times; n++) {
      await sleep(1_000 + random() * 1_000)
      haltCluster(bin, folder)
      await sleep(random() * 500)
      crashCluster(bin, folder)
      await settle()
    }
    return times
  })

/** A disk of its own, as small as it takes; only whoever may mount one can try that. */
const fillDisk: Siege = async (random) => {
  const folder = createFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  mkdirSync(join(folder, 'server'))
  try {
    return await besiege(
      'the disk of the server full',
      { random, folder: join(folder, 'server') },
      async ({ bin, folder: server }, settle) => {
        const times = 3
        const ballast = join(folder, 'ballast')
        for (let n = 0; n < times; n++) {
          await sleep(2_000)
          try {
            for (let at = 0; ; at++) {
              mkdirSync(ballast, { recursive: true })
              writeFileSync(join(ballast, String(at)), Buffer.alloc(at < 290 ? 1_000_000 : 4_096))
            }
          } catch {}
          await sleep(4_000)
          rmSync(ballast, { recursive: true, force: true })
          // A server that could not write its log has ended.
          crashCluster(bin, server)
          await settle()
        }
        return times
      },
    )
  } finally {
    try {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
    } catch {}
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A standby is promoted while its primary lives on: one replica stays with the old one, the other goes to the new one, and on
 * both of them the same cards are approved. They share a folder, as two on one machine do.
 */
const twoPrimaries: Siege = async (random) => {
  const servers = await startReplicated({ isSynchronous: false })
  const load = await openLoad({ url: servers.url, random, lanes: 0, sharesFolder: true })
  try {
    const { fleet, places } = load
    const [first] = places
    if (first === undefined) return undefined
    // This one knows but the primary of now, and not the address behind which another will stand.
    await first.replica.kill()
    first.replica = await fleet.add({ dataDir: first.dataDir, url: servers.ownUrl() })
    const people = peopleOf(fleet)
    const times = 10
    const asked: string[] = []
    for (let n = 1; n <= times; n++) {
      const { change } = await converse(fleet, people, {
        number: n,
        random,
        patienceMs: 10_000,
        isAsked: true,
      })
      if (change !== undefined) asked.push(change.id)
    }
    await servers.caughtUp()
    await servers.cutReplication()
    await servers.failOver({ primaryLives: true })
    const began = performance.now()
    // As they are now: somebody may still see them so when they are brought up to date.
    const cards = asked.map((id) => structuredClone(cardsOf(fleet, id)))
    for (const { replica } of places) {
      fleet.slack.useHttp(`${replica.base}/slack/events`)
      fleet.discord.useHttp(`${replica.base}/discord/interactions`)
      await Promise.all(
        cards.map(async (card) => {
          if (card?.slack !== undefined)
            await people.decides.slack.clicks('Approve', { on: card.slack }).catch(() => undefined)
        }),
      )
      await sleep(3_000)
    }
    const waited = performance.now() - began
    const sent = load.sent()
    const violations = [...sent].filter(([, n]) => n > 1).map(([words, n]) => `${words} was sent ${n} times`)
    if (sent.size === 0) violations.push('nothing was sent: nothing was tried')
    return {
      ...{
        what: 'two servers take writes, one folder, each card approved on both',
        times: asked.length,
        waited,
      },
      ...{ sent: sent.size, twice: violations.length, unknown: 0, violations },
    }
  } finally {
    await load.close()
    await servers.close()
  }
}

const ask = async (url: string, database: string, text: string): Promise<void> => {
  const address = new URL(url)
  address.pathname = `/${database}`
  const client = new pg.Client({ connectionString: address.href })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
