import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { keyNamed, readKey } from '../verify.mjs'
import { type App, type AppDeps, createApp } from './app.ts'
import { createLogMemory } from './audit/memory.ts'
import { openSigner } from './audit/signer.ts'
import type { Status } from './command/context.ts'
import { type Registry, withUsageForExamples } from './command/registry.ts'
import type { Config } from './config.ts'
import { witnessStates } from './core/witnesses.ts'
import { defined } from './defined.ts'
import { createServices, type ServicesConfig, type ServicesDeps } from './services/client/client.ts'
import { openUpToDate } from './storage/database/open-up-to-date.ts'
import { createStore, type Store } from './storage/store.ts'

export type Runtime = {
  app: App
  store: Store
  /** Stops the app, giving up after `graceMs` what still waits for a service, and closes everything, once. */
  close(graceMs?: number, stopReceiving?: () => Promise<unknown>): Promise<void>
}

/** Where the stand-in of the three services listens, and how to stop it. */
type RunningSandbox = ServicesConfig & { close(): Promise<void> }

export type RuntimeDeps = {
  registry: Registry
  log: Logger
  /** Starts the stand-in of the services with its data in this folder; called when the configuration leaves a service out. */
  startSandbox: (dataDir: string) => Promise<RunningSandbox>
  /** The state of each messenger, for `bellhop status`. */
  platforms?: () => Status['platforms']
  observe?: ServicesDeps['observe']
  databaseWait?: Parameters<typeof openUpToDate>[1]
} & Pick<AppDeps, 'tasks' | 'count' | 'onStep' | 'progress'>

export const version = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** The bot with its database and services but without messengers; every way of starting it uses this. */
export const openRuntime = async (config: Config, deps: RuntimeDeps): Promise<Runtime> => {
  const { registry, log, startSandbox, platforms = () => [], observe, databaseWait, ...rest } = deps
  const startedAt = Date.now()
  const db = await openUpToDate({ ...config.database, log }, databaseWait)
  const store = createStore(db, { now: Date.now })
  const sandbox = Object.values(config.services).includes('sandbox')
    ? await startSandbox(config.database.dataDir)
    : undefined
  const services = createServices(servicesOf(config, sandbox), {
    log,
    ...defined({ observe }),
  })
  const signer = await openSigner(config.logKey, store.auditTree, { mustSign: rest.tasks !== false })
  const memory = createLogMemory({
    folder: config.database.dataDir,
    store,
    signer,
    warn: (words, error) => log.error(error === undefined ? {} : { err: error }, words),
  })
  const isSandbox = (name: 'email' | 'chat' | 'billing') => config.services[name] === 'sandbox'
  const isMadeUp = Object.values(config.services).every((one) => one === 'sandbox')
  const app = createApp({
    registry: isMadeUp ? registry : withUsageForExamples(registry),
    policy: config.policy,
    policySource: config.policySource,
    services,
    store,
    signer,
    memory,
    log,
    // In the terminal everybody is whoever they say; the demo is for trying that out.
    vouchesFor: (platform) => config.demo || platform !== 'terminal',
    ...rest,
    status: async () => {
      const [waiting, queue, tree, checkpoint] = await Promise.all([
        store.changes.countByState(['pending']),
        store.tasks.pending(),
        store.auditTree.state(),
        store.auditTree.checkpoint(),
      ])
      const breakers = services.breakers()
      const pauses = services.pauses()
      return {
        version,
        startedAt,
        database: db.engine,
        services: (['email', 'chat', 'billing'] as const).map((name) => ({
          name,
          sandbox: isSandbox(name),
          breaker: breakers[name],
          pausedForMs: pauses[name],
        })),
        platforms: platforms(),
        waiting: waiting.pending ?? 0,
        queue: (queue.cards ?? 0) + (queue.tell ?? 0),
        witnesses: await witnessStates(store, app.core.policy.anchor, Date.now()),
        log: {
          key: nameOfKey(tree),
          entries: tree.base + tree.frontier.size,
          checkpointAt: checkpoint?.at,
        },
      }
    },
  })
  let closed: Promise<void> | undefined
  const closeInOrder: Runtime['close'] = async (graceMs, stopReceiving) => {
    await app.stop(graceMs, { giveUp: services.close, ...defined({ stopReceiving }) })
    await sandbox?.close()
    await store.close()
  }
  return {
    app,
    store,
    close: (graceMs, stopReceiving) => {
      closed ??= closeInOrder(graceMs, stopReceiving)
      return closed
    },
  }
}

/** The key on record under the name of its log, which older ones were not put on record with. */
const nameOfKey = ({ origin, key }: { origin: string; key: string }): string => {
  const known = readKey(key)
  return known === undefined ? key : keyNamed(origin, known.bytes)
}

const servicesOf = ({ services }: Config, sandbox: RunningSandbox | undefined): ServicesConfig => {
  const { email, chat, billing } = { ...sandbox, ...set(services) } as ServicesConfig
  return { email, chat, billing }
}

const set = (services: Config['services']) =>
  Object.fromEntries(Object.entries(services).filter(([, one]) => one !== 'sandbox'))
