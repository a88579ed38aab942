import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommands } from '../commands/index.ts'
import { createApp } from '../src/cli/start/app.ts'
import type { Intent, Reply } from '../src/kernel/messenger/inbound.ts'
import { discard } from '../src/kernel/messenger/spool.ts'
import { buttonIdOf } from '../src/kernel/model/shown.ts'
import { loadPolicy } from '../src/kernel/policy/file/load.ts'
import { migrate } from '../src/kernel/store/database/migrate.ts'
import { createStore } from '../src/kernel/store/store.ts'
import { createLog } from '../src/lib/log.ts'
import { createServices } from '../src/lib/services/client/client.ts'
import { keepHeapSmall } from '../src/lib/small-heap.ts'
import { openDatabase } from '../src/lib/sql/open.ts'
import { csvOf, emailOf } from '../test/harness/many-people.ts'
import { platforms } from '../test/harness/platforms.ts'

/** The bot of the bulk bench, in a process of its own: does one piece of long work, and says how long it took and how large it got. */
const [work = '', baseUrl = '', count = '0'] = process.argv.slice(2)

const policyText = `version: 1
people: [{ id: ann, name: Ann, roles: [all] }]
roles: { all: { run: ["*"] } }
bulk: { chunk: 100, concurrency: 4, rate: 1000 }
`
const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'))
const registry = createCommands()
const loaded = loadPolicy(policyText, { file: 'bellhop.yml', commands: registry.all, platforms })
if (!loaded.ok) throw new Error('the policy of the bench is wrong')
const db = await openDatabase({ dataDir: folder })
await migrate(db, { now: Date.now })
const store = createStore(db, { now: Date.now })
const log = createLog('silent')
const service = { baseUrl, apiKey: 'key' }
const services = createServices(
  { email: service, chat: service, billing: { ...service, secretKey: 'secret' } },
  { log },
)
const app = createApp({ registry, policy: loaded.policy, services, store, log, tasks: false })
await app.start()
keepHeapSmall()

const rest = process.memoryUsage().rss
let peak = rest
const watching = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 20)
const phases = work === 'send' ? await send() : await exportAll()
clearInterval(watching)
process.send?.({ phases, rest, peak })
await app.stop(1_000)
await services.close()
await store.close()
rmSync(folder, { recursive: true, force: true })

async function send(): Promise<Record<string, number>> {
  const bytes = Buffer.from(csvOf(Array.from({ length: Number(count) }, (_, n) => emailOf(n))))
  const started = performance.now()
  const asked = await handle({
    kind: 'line',
    line: 'campaign send cmp_1',
    file: { name: 'people.csv', bytes },
  })
  if (asked.kind !== 'change') throw new Error(JSON.stringify(asked))
  const pinned = performance.now()
  const done = await handle({ kind: 'press', verb: 'confirm', id: buttonIdOf(asked.change) })
  if (done.kind !== 'change' || done.change.pinned === undefined) throw new Error(JSON.stringify(done))
  const confirmed = performance.now()
  await app.run(done.change.pinned.set)
  const sent = performance.now()
  const figures = await store.bulk.figures(done.change.pinned.set)
  if (figures.done !== Number(count)) throw new Error(JSON.stringify(figures))
  return { pin: pinned - started, confirm: confirmed - pinned, send: sent - confirmed }
}

async function exportAll(): Promise<Record<string, number>> {
  const started = performance.now()
  const reply = await handle({ kind: 'line', line: 'subscriber export' })
  const ended = performance.now()
  if (reply.kind !== 'answer' || reply.file === undefined) throw new Error(JSON.stringify(reply))
  await discard(reply.file)
  return { export: ended - started }
}

function handle(intent: Intent): Promise<Reply> {
  return app.handle({
    delivery: crypto.randomUUID(),
    from: { platform: 'terminal', account: 'ann', name: 'Ann', groups: [] },
    place: { channel: null, handle: null, direct: true },
    forms: false,
    intent,
  })
}
