import { createCommands } from '../../commands/index.ts'
import { createApp } from '../../src/app.ts'
import { createLog } from '../../src/log.ts'
import type { Intent } from '../../src/messenger/inbound.ts'
import { loadPolicy } from '../../src/policy/file/load.ts'
import { createServices, type ServicesConfig } from '../../src/services/client/client.ts'
import { migrate } from '../../src/storage/database/migrations.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { createStore } from '../../src/storage/store.ts'
import { platforms } from '../harness/platforms.ts'
import { policy } from './policy.ts'

/** A bot in a process of its own, which dies without a word when it reaches the step KILL_AT. */
const { DATABASE_URL: url, DATA_DIR: dataDir, SERVICES = '{}', KILL_AT } = process.env
const registry = createCommands()
const loaded = loadPolicy(policy, { file: 'bellhop.yml', commands: registry.all, platforms })
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
const db = await openDatabase({ url, dataDir })
await migrate(db, { now: Date.now })
const log = createLog('silent')
const app = createApp({
  registry,
  policy: loaded.policy,
  services: createServices(JSON.parse(SERVICES) as ServicesConfig, { log }),
  store: createStore(db, { now: Date.now }),
  log,
  timings: { heartbeatMs: 100, lifeMs: 800, idleMs: 50, applyGraceMs: 300, leaseMs: 1_000 },
  onStep: (step) => {
    if (step === KILL_AT) process.kill(process.pid, 'SIGKILL')
  },
})
await app.start()

process.on('message', async (message: { person: string; intent: Intent } | 'drain') => {
  if (message === 'drain') {
    await app.drain()
    process.send?.('drained')
    return
  }
  const { person, intent } = message
  const reply = await app.handle({
    delivery: crypto.randomUUID(),
    from: { platform: 'terminal', account: person, name: person, groups: [] },
    place: { channel: null, handle: null, direct: true },
    forms: false,
    intent,
  })
  process.send?.(reply)
})
process.send?.('ready')
