import '../../harness/own-services.ts'
import { readFileSync } from 'node:fs'
import { createCommands } from '../../../commands/index.ts'
import { createApp } from '../../../src/cli/start/app.ts'
import { openSigner } from '../../../src/kernel/log/signer.ts'
import { formatProblems, loadPolicy } from '../../../src/kernel/policy/file/load.ts'
import { migrate } from '../../../src/kernel/store/database/migrate.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createServices } from '../../../src/lib/services/client/client.ts'
import { openDatabase } from '../../../src/lib/sql/open.ts'
import { platforms } from '../../harness/platforms.ts'

/**
 * A bot in a process of its own, to be killed. The first one asks for the send and confirms it; those after it find the
 * job and go on. It prints `started <job>` and `ended <state>`.
 */
const [dataDir = '', baseUrl = '', apiKey = '', file = ''] = process.argv.slice(2)

const policyText = `version: 1
people: [{ id: ann, name: Ann, roles: [all] }]
roles: { all: { run: ["*"] } }
bulk: { chunk: 100, concurrency: 4, rate: 1000 }
`

const registry = createCommands()
const loaded = loadPolicy(policyText, { file: 'bellhop.yml', commands: registry.all, platforms })
if (!loaded.ok) throw new Error(formatProblems('bellhop.yml', loaded.problems).join('\n'))
const db = await openDatabase({ dataDir })
await migrate(db, { now: Date.now })
const store = createStore(db, { now: Date.now })
const log = createLog('silent')
const service = { baseUrl, apiKey }
const services = createServices(
  { email: service, chat: service, billing: { ...service, secretKey: 'secret' } },
  { log, settings: { breaker: { failures: 5, openMs: 300 } } },
)
const app = createApp({
  registry,
  policy: loaded.policy,
  services,
  store,
  log,
  signer: await openSigner({ dataDir }, store.auditTree),
  timings: { heartbeatMs: 200, lifeMs: 1_000, idleMs: 200 },
})
await app.start()

const inbound = {
  from: { platform: 'terminal' as const, account: 'ann', name: 'Ann', groups: [] },
  place: { channel: null, handle: null, direct: true },
  forms: false,
}
const jobs = await store.bulk.list(['running', 'paused', 'done'], 1)
const job = jobs[0]?.id ?? (await begin())
process.stdout.write(`started ${job}\n`)

for (;;) {
  const state = (await store.bulk.get(job))?.state
  if (state === 'paused')
    await app.handle({
      ...inbound,
      delivery: crypto.randomUUID(),
      intent: { kind: 'press', verb: 'resume', id: job },
    })
  if (state === 'done' || state === 'stopped') {
    process.stdout.write(`ended ${state}\n`)
    break
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
}
await app.stop(2_000)
await services.close()
await store.close()

async function begin(): Promise<string> {
  const asked = await app.handle({
    ...inbound,
    delivery: 'ask',
    intent: {
      kind: 'line',
      line: 'campaign send cmp_welcome',
      file: { name: 'people.csv', bytes: readFileSync(file) },
    },
  })
  if (asked.kind !== 'change') throw new Error(JSON.stringify(asked))
  const done = await app.handle({
    ...inbound,
    delivery: 'confirm',
    intent: { kind: 'press', verb: 'confirm', id: asked.change.id },
  })
  if (done.kind !== 'change' || done.change.pinned === undefined) throw new Error(JSON.stringify(done))
  return done.change.pinned.set
}
