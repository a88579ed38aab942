import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Engine } from '../src/lib/sql/database.ts'
import { openDatabases } from './databases.ts'
import type { Proof, ProveOptions } from './proof.ts'
import { createRandom } from './random.ts'

const child = fileURLToPath(new URL('./stream/child.ts', import.meta.url))
const allKills = 50
const sampledKills = 3

type Given = { seq: number; hash: string }

/** A receiver of either kind, and everything that it was given, in the order in which it came. */
type Receiving = { name: string; rule: object; given(): Given[]; close(): Promise<void> }

/** Processes that write and stream the log, killed in the middle of it again and again, on both stores. */
export const proveStream = async ({ sample, many, seed, server, say }: ProveOptions): Promise<Proof> => {
  const startedAt = Date.now()
  const random = createRandom(seed)
  const kills = many ?? (sample ? sampledKills : allKills)
  const databases = await openDatabases({ server })
  const rows: string[][] = []
  const violations: string[] = []
  try {
    for (const engine of databases.engines) {
      for (const open of [intoFile, overHttps]) {
        const { row, found } = await live(engine, await open(random), { databases, kills, random })
        rows.push(row)
        violations.push(...found.map((words) => `${row.slice(0, 2).join(', ')}: ${words}`))
        say(row.join(', '))
      }
    }
  } finally {
    await databases.close()
  }
  const planted = faultsIn(
    [
      { seq: 1, hash: 'a' },
      { seq: 3, hash: 'c' },
    ],
    3,
  )
  return {
    title: 'The stream of the audit log',
    claim:
      'Every entry reaches the receiver, in order and without a gap, however often the process dies; what comes twice has the same number.',
    figures: [
      `${kills} kills with SIGKILL for each receiver and store, at any moment of writing, numbering and giving; over https one answer in four is an error, half of these after the lines were stored.`,
      `A planted fault, a stream that leaves entry 2 out: ${planted.length === 0 ? 'NOT CAUGHT' : `caught (${planted[0]})`}.`,
      `Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
    ],
    tables: [
      {
        caption: 'What the receiver had at the end.',
        head: ['store', 'receiver', 'kills', 'entries', 'lines', 'given again', 'missing or out of order'],
        rows,
      },
    ],
    violations,
  }
}

const live = async (
  engine: Engine,
  receiving: Receiving,
  {
    databases,
    kills,
    random,
  }: { databases: Awaited<ReturnType<typeof openDatabases>>; kills: number; random: () => number },
): Promise<{ row: string[]; found: string[] }> => {
  const place = await databases.fresh(engine)
  const dataDir = place.dataDir ?? mkdtempSync(join(tmpdir(), 'bellhop-stream-'))
  const database = { dataDir, ...(place.url === undefined ? {} : { url: place.url }) }
  const start = (isLast: boolean) => {
    const args = [child, JSON.stringify({ database, rule: receiving.rule, isLast })]
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  try {
    for (let n = 0; n < kills; n += 1) {
      const life = start(false)
      const ended = once(life, 'close')
      await once(life.stdout, 'data')
      await wait(random() * 150)
      life.kill('SIGKILL')
      await ended
    }
    const last = start(true)
    const [said] = await Promise.all([text(last.stdout), once(last, 'close')])
    const entries = Number(/entries (\d+)/.exec(said)?.[1] ?? 0)
    const given = receiving.given()
    const found = entries === 0 ? ['the last process did not end well'] : faultsIn(given, entries)
    const again = given.length - new Set(given.map(({ seq }) => seq)).size
    const row = [engine, receiving.name, kills, entries, given.length, again, found.length].map(String)
    return { row, found }
  } finally {
    await receiving.close()
    await place.remove()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The first time that each number comes, it follows the one before it; and a number always means the same entry. */
const faultsIn = (given: readonly Given[], entries: number): string[] => {
  const hashes = new Map<number, string>()
  const faults: string[] = []
  for (const { seq, hash } of given) {
    const known = hashes.get(seq)
    if (known === undefined && seq !== hashes.size + 1) faults.push(`${seq} came after ${hashes.size}`)
    if (known !== undefined && known !== hash) faults.push(`${seq} is two entries`)
    hashes.set(seq, hash)
  }
  if (hashes.size !== entries) faults.push(`${hashes.size} of ${entries} came`)
  return faults.slice(0, 5)
}

const readLines = (lines: string): Given[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { metadata, unmapped } = JSON.parse(line) as {
        metadata: { sequence: number }
        unmapped: { hash: string }
      }
      return { seq: metadata.sequence, hash: unmapped.hash }
    })

const intoFile = async (): Promise<Receiving> => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-stream-'))
  const file = join(folder, 'audit.jsonl')
  return {
    name: 'file',
    rule: { file, addresses: false },
    given: () => readLines(readFileSync(file, 'utf8')),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

const overHttps = async (random: () => number): Promise<Receiving> => {
  const given: Given[] = []
  const server = createServer(async (request, response) => {
    // A process that dies in the middle of a request leaves half of it.
    const lines = await text(request).catch(() => undefined)
    if (lines === undefined) return
    const lot = random()
    if (lot >= 0.125) given.push(...readLines(lines))
    response.writeHead(lot < 0.25 ? 503 : 200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    name: 'https',
    rule: { https: `http://127.0.0.1:${port}/`, token: { env: 'TOKEN' }, addresses: false },
    given: () => given,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
