import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { keyNamed, readKey } from '../verify.mjs'
import { type App, type AppDeps, createApp } from './app.ts'
import { createLogMemory } from './audit/memory.ts'
import { openSigner } from './audit/signer.ts'
import type { Status } from './command/context.ts'
import { standInsOf } from './command/pack.ts'
import { type Registry, withUsageForExamples } from './command/registry.ts'
import type { Config } from './config.ts'
import { streamState } from './core/stream.ts'
import { witnessStates } from './core/witnesses.ts'
import { defined } from './defined.ts'
import { noTracing, type Tracing } from './http/tracing.ts'
import type { RunningSandbox } from './sandbox/sandbox.ts'
import type { StandIn } from './sandbox/service-sandbox.ts'
import { withSealedPolicy } from './sealed-start.ts'
import { createServices, type ServicesConfig, type ServicesDeps } from './services/client/client.ts'
import type { ServiceName } from './services/endpoints/row.ts'
import type { RowId } from './services/endpoints/tables.ts'
import { ifReadable } from './services/read-answer.ts'
import { openUpToDate } from './storage/database/open-up-to-date.ts'
import { createStore, type Store } from './storage/store.ts'

export type Runtime = {
  /** With the policy that is in force. */
  config: Config
  app: App
  store: Store
  /** Stops the app, giving up after `graceMs` what still waits for a service, and closes everything, once. */
  close(graceMs?: number, stopReceiving?: () => Promise<unknown>): Promise<void>
}

export type RuntimeDeps = {
  registry: Registry
  log: Logger
  /** A sandbox that runs already, in the place of one that is started where the configuration leaves a service out. */
  sandbox?: RunningSandbox
  /** The state of each messenger, for `bellhop status`. */
  platforms?: () => Status['platforms']
  observe?: ServicesDeps['observe']
  databaseWait?: Parameters<typeof openUpToDate>[1]
} & Pick<AppDeps, 'tasks' | 'count' | 'onStep' | 'progress'>

export const version = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** The bot with its database and services but without messengers; every way of starting it uses this. */
export const openRuntime = async (read: Config, deps: RuntimeDeps): Promise<Runtime> => {
  const { registry, log, sandbox: running, platforms = () => [], observe, databaseWait, ...rest } = deps
  const startedAt = Date.now()
  const db = await openUpToDate({ ...read.database, log }, databaseWait)
  const store = createStore(db, { now: Date.now })
  const config = await withSealedPolicy(read, store).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  const sandbox = running ?? (await startSandbox(config, registry))
  const tracing = await tracingOf(config, log)
  const services = createServices(servicesOf(config, sandbox), {
    log,
    observe: (seen) => {
      observe?.(seen)
      tracing.called(seen)
    },
  })
  const signer = await openSigner(config.logKey, store.auditTree, { mustSign: rest.tasks !== false })
  const memory = createLogMemory({
    folder: config.database.dataDir,
    store,
    signer,
    warn: (words, error) => log.error(error === undefined ? {} : { err: error }, words),
  })
  const isMadeUp = Object.values(config.services).every((one) => one === 'sandbox')
  const app = createApp({
    registry: isMadeUp ? registry : withUsageForExamples(registry),
    policy: config.policy,
    policySource: config.policySource,
    secretOf: config.secretOf,
    ...defined({ refusedPolicy: config.refused }),
    services,
    store,
    signer,
    memory,
    log,
    version,
    tracing,
    secret: config.secret,
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
        services: Object.entries(config.services).map(([name, settings]) => ({
          name,
          sandbox: settings === 'sandbox',
          breaker: breakers[name as ServiceName],
          pausedForMs: pauses[name as ServiceName],
        })),
        platforms: platforms(),
        waiting: waiting.pending ?? 0,
        queue: (queue.cards ?? 0) + (queue.tell ?? 0),
        stream: await streamState(store, app.core.policy.stream, Date.now()),
        witnesses: await witnessStates(store, app.core.policy.anchor, Date.now()),
        log: {
          key: nameOfKey(tree),
          entries: tree.base + tree.frontier.size,
          checkpointAt: checkpoint?.at,
        },
      }
    },
  })
  if (config.demo) await introduce(app, await standInsOf(registry.packs))
  let closed: Promise<void> | undefined
  const closeInOrder: Runtime['close'] = async (graceMs, stopReceiving) => {
    await app.stop(graceMs, { giveUp: services.close, ...defined({ stopReceiving }) })
    await sandbox?.close()
    await store.close()
    await tracing.close(tracesWithinMs)
  }
  return {
    config,
    app,
    store,
    close: (graceMs, stopReceiving) => {
      closed ??= closeInOrder(graceMs, stopReceiving)
      return closed
    },
  }
}

/** A demo knows the people whom its stand-ins make up, as a bot that has run for a while does: from their answers. */
const introduce = async (
  { core: { services, store, learner } }: Pick<App, 'core'>,
  standIns: readonly StandIn[],
): Promise<void> => {
  for (const { service, sandbox } of standIns) {
    for (const { teaches, row, input } of sandbox.introduces?.() ?? []) {
      if ((await store.links.kindsOf(teaches)).length > 0) continue
      await ifReadable(services.call(`${service.name}.${row}` as RowId, input))
    }
    await learner.flush()
  }
}

/** The key on record under the name of its log, which older ones were not put on record with. */
const nameOfKey = ({ origin, key }: { origin: string; key: string }): string => {
  const known = readKey(key)
  return known === undefined ? key : keyNamed(origin, known.bytes)
}

/** How long a stop waits for whoever takes the traces. */
const tracesWithinMs = 1_000

/** OpenTelemetry is loaded only where somebody wants traces. */
const tracingOf = async ({ traces }: Config, log: Logger): Promise<Tracing> =>
  traces === undefined ? noTracing : (await import('./http/otlp.ts')).openTracing(traces, { version, log })

/** The stand-ins of the services that the configuration leaves out; loaded only then. */
const startSandbox = async (
  { services, database }: Config,
  { packs }: Registry,
): Promise<RunningSandbox | undefined> => {
  const left = packs.filter(({ name }) => services[name] === 'sandbox')
  if (left.length === 0) return undefined
  const { startStandIns } = await import('./sandbox/sandbox.ts')
  return startStandIns(await standInsOf(left), { file: join(database.dataDir, 'sandbox.sqlite') })
}

const servicesOf = ({ services }: Config, sandbox: RunningSandbox | undefined): ServicesConfig =>
  Object.fromEntries(
    Object.entries(services).flatMap(([name, settings]) => {
      const where = settings === 'sandbox' ? sandbox?.services[name as ServiceName] : settings
      return where === undefined ? [] : [[name, where]]
    }),
  )
