import { createCommands } from '../commands/index.ts'
import type { Databases, Place } from '../prove/databases.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { type App, type AppDeps, createApp } from '../src/cli/start/app.ts'
import { newKey, pemOf, signerOf } from '../src/kernel/log/signer.ts'
import { migrate } from '../src/kernel/store/database/migrate.ts'
import { createStore } from '../src/kernel/store/store.ts'
import { ticks } from '../src/lib/clock.ts'
import { createAdmission, unboundedPace } from '../src/lib/limits/admission.ts'
import { createLog } from '../src/lib/log.ts'
import { createServices } from '../src/lib/services/client/client.ts'
import type { Database, Engine } from '../src/lib/sql/database.ts'
import { openDatabase } from '../src/lib/sql/open.ts'
import { policyOf } from '../test/harness/app.ts'

/** Replicas of the bot in this process, on one database, with a messenger that takes everything at once. */
export type InProcess = {
  apps: App[]
  place: Place
  /** For another process on the same database. */
  auditKey: string
  sandbox: Sandbox
  /** How often the messenger was called. */
  messages: () => number
  close(): Promise<void>
}

type InProcessOptions = {
  policy: string
  replicas?: number
  onStep?: AppDeps['onStep']
  /** Before anything starts on it. */
  fill?: (db: Database) => Promise<void>
}

export const openInProcess = async (
  databases: Databases,
  engine: Engine,
  { policy, replicas = 1, onStep = () => undefined, fill }: InProcessOptions,
): Promise<InProcess> => {
  const place = await databases.fresh(engine)
  const sandbox = await startSandbox()
  const registry = createCommands()
  const log = createLog('silent')
  const auditKey = newKey()
  const signer = signerOf(() => [auditKey])
  const closing: (() => Promise<unknown>)[] = []
  const apps: App[] = []
  let messages = 0
  const address = async () => String(++messages)
  const start = async (text: string, prepare = async (_db: Database): Promise<void> => undefined) => {
    const db = await openDatabase(place)
    await migrate(db, { now: Date.now })
    await prepare(db)
    const services = createServices(sandbox, { log })
    const app = createApp({
      admission: createAdmission(ticks, unboundedPace),
      registry,
      policy: policyOf(text, registry),
      services,
      store: createStore(db, { now: Date.now }),
      signer,
      log,
      onStep,
    })
    app.join({
      platform: 'slack',
      post: address,
      direct: address,
      edit: async () => {
        messages++
      },
    })
    await app.start()
    const stop = async () => {
      await app.stop(2_000)
      await services.close()
      await db.close()
    }
    return { app, stop }
  }
  for (let at = 0; at < replicas; at++) {
    const { app, stop } = await start(policy, at === 0 ? fill : undefined)
    apps.push(app)
    closing.push(stop)
  }
  return {
    apps,
    place,
    auditKey: pemOf(auditKey),
    sandbox,
    messages: () => messages,
    close: async () => {
      for (const close of closing) await close()
      await sandbox.close()
      await place.remove()
    },
  }
}

export const from = (account: string) => ({ platform: 'slack', account, name: account, groups: [] })

export const room = { channel: 'C0GENERAL', handle: null, direct: false }
