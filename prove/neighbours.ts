import { execFileSync, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startSandbox } from '../sandbox/sandbox.ts'
import { serviceSettingsOf } from '../sandbox/service-settings.ts'
import { verify } from '../src/kernel/log/verify.ts'
import { buttonIdOf } from '../src/kernel/model/shown.ts'
import { newestVersion } from '../src/kernel/store/database/migrations.ts'
import { createStore } from '../src/kernel/store/store.ts'
import { openDatabase } from '../src/lib/sql/open.ts'
import { openDatabases } from './databases.ts'
import { provePolicy } from './policy.ts'
import type { Proof, ProveOptions } from './proof.ts'

type Said = {
  n: number
  kind: string
  version?: number
  said?: string
  change?: { id: string; digest: string; state: string }
}
type Neighbour = {
  version: number
  say(account: string, line: string): Promise<Said>
  press(account: string, verb: 'approve', id: string): Promise<Said>
  close(): Promise<void>
}

/** The version before this one, from the history, beside this one on one PostgreSQL: what one is asked the other decides. */
export const proveNeighbours = async ({ server, say }: ProveOptions): Promise<Proof> => {
  const databases = await openDatabases({ server })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-neighbours-'))
  const old = join(folder, 'old')
  const sandbox = await startSandbox()
  const bots: Neighbour[] = []
  const violations: string[] = []
  const rows: string[][] = []
  try {
    if (!databases.engines.includes('postgres')) throw new Error('there is no PostgreSQL on this machine')
    const commit = commitBefore(newestVersion)
    say(`the version before is ${commit.slice(0, 9)}`)
    git('worktree', 'add', '--quiet', '--detach', old, commit)
    symlinkSync(resolve('node_modules'), join(old, 'node_modules'))
    writeFileSync(join(folder, 'bellhop.yml'), provePolicy)
    const place = await databases.fresh('postgres')
    const env = {
      ...serviceSettingsOf(sandbox),
      DATABASE_URL: place.url ?? '',
      DATA_DIR: join(folder, 'data'),
      BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    }
    const before = await startNeighbour(old, env)
    bots.push(before)
    const now = await startNeighbour(resolve('.'), env)
    bots.push(now)
    const sent = () => sandbox.wire.filter(({ row }) => row === 'refundPayment').length
    const ways = [
      ['the version before', before, 'this one', now],
      ['this one', now, 'the version before', before],
    ] as const
    for (const [n, [askedAt, asks, decidedAt, decides]] of ways.entries()) {
      const had = sent()
      const asked = await asks.say('U0SUPPORT', `refund pay_100${n + 1} 12`)
      const { id = '', digest = '' } = asked.change ?? {}
      const decided = await decides.press('U0FINANCE', 'approve', buttonIdOf({ id, digest }))
      const seen = await asks.say('U0SUPPORT', `approval get ${id}`)
      const state = decided.change?.state ?? decided.said ?? decided.kind
      rows.push([askedAt, decidedAt, state, String(sent() - had)])
      if (state !== 'applied' || sent() - had !== 1)
        violations.push(`asked at ${askedAt}: ${state}, ${asked.said}`)
      if (seen.kind === 'refused') violations.push(`${askedAt} no longer reads the change: ${seen.said}`)
    }
    const db = await openDatabase({ url: place.url, dataDir: join(folder, 'data') })
    const log = await verify(createStore(db, { now: Date.now }))
    await db.close()
    if (!log.ok) violations.push('the audit log that both wrote is not whole')
    for (const bot of bots.splice(0)) await bot.close()
    await place.remove()
    return {
      title: 'Neighbouring versions',
      claim:
        'A replica of the version before goes on beside one of this version: what is asked at one is approved at the other, applied once, and the audit log that both write is whole.',
      figures: [
        `The version before: commit ${commit.slice(0, 9)}, the last whose database is of version ${before.version}; this one is of version ${now.version}. Each runs from its own sources, on the packages of this one.`,
        'The older one was started first, on an empty PostgreSQL, and was running while the newer one migrated it.',
      ],
      tables: [{ head: ['asked at', 'approved at', 'state', 'refunds sent'], rows }],
      violations,
    }
  } finally {
    for (const bot of bots) await bot.close()
    await sandbox.close()
    git('worktree', 'remove', '--force', old)
    rmSync(folder, { recursive: true, force: true })
    await databases.close()
  }
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** The last commit whose database is one version older. */
const commitBefore = (newest: number): string => {
  const file = 'src/kernel/store/database/migrations.ts'
  const added = git('log', '--format=%H', '--reverse', `-Sid: ${newest},`, '--', file).split('\n')[0]
  if (!added || !readFileSync(file, 'utf8').includes(`id: ${newest},`))
    throw new Error('the history of this clone does not reach back to the version before')
  return git('rev-parse', `${added}^`)
}

const startNeighbour = async (root: string, env: Record<string, string>): Promise<Neighbour> => {
  const { PATH, HOME } = process.env
  const child = fork(join(import.meta.dirname, 'neighbours/bot.ts'), [root], {
    cwd: root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, PromiseWithResolvers<Said>>()
  const expectReply = (n: number): Promise<Said> => {
    const reply = Promise.withResolvers<Said>()
    waiting.set(n, reply)
    return reply.promise
  }
  child.on('message', (said: Said) => waiting.get(said.n)?.resolve(said))
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  gone.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`the bot in ${root} ended`))
  })
  let asked = 0
  const tell = (account: string, intent: object): Promise<Said> => {
    asked += 1
    child.send({ n: asked, account, intent })
    return expectReply(asked)
  }
  const { version = 0 } = await expectReply(0)
  return {
    version,
    say: (account, line) => tell(account, { kind: 'line', line }),
    press: (account, verb, id) => tell(account, { kind: 'press', verb, id }),
    close: async () => {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}
