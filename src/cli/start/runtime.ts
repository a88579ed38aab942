import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { keyNamed, readKey } from '../../../verify.mjs'
import { createSentLog } from '../../kernel/claims/sent-log.ts'
import type { Status } from '../../kernel/command/context.ts'
import { standInsOf } from '../../kernel/command/pack.ts'
import { type Registry, withUsageForExamples } from '../../kernel/command/registry.ts'
import { allFeatures, toldByFeatures } from '../../kernel/feature.ts'
import { createLogMemory } from '../../kernel/log/memory.ts'
import { openSigner } from '../../kernel/log/signer.ts'
import type { DatabaseMove } from '../../kernel/loss/others.ts'
import { openUpToDate } from '../../kernel/store/database/open-up-to-date.ts'
import { createStore, type Store } from '../../kernel/store/store.ts'
import { noTracing, type Tracing } from '../../kernel/watch/tracing.ts'
import { ticks, wallTime } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { closeOwnFiles } from '../../lib/private-files.ts'
import type { RunningSandbox } from '../../lib/sandbox/sandbox.ts'
import type { StandIn } from '../../lib/sandbox/service-sandbox.ts'
import {
  createServices,
  type Services,
  type ServicesConfig,
  type ServicesDeps,
} from '../../lib/services/client/client.ts'
import type { ServiceName } from '../../lib/services/endpoints/row.ts'
import { allServices, type RowId } from '../../lib/services/endpoints/tables.ts'
import { isToolsChanged } from '../../lib/services/mcp/connection.ts'
import { ifReadable } from '../../lib/services/read-answer.ts'
import { replicationOf } from '../../lib/sql/replication.ts'
import { openSharedClock } from '../../lib/sql/shared-clock.ts'
import { createSiteWatch } from '../../lib/sql/site.ts'
import { type App, type AppDeps, createApp } from './app.ts'
import type { Config } from './config.ts'
import { withSealedPolicy } from './sealed-start.ts'

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
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** The bot with its database and services but without messengers; every way of starting it uses this. */
export const openRuntime = async (read: Config, deps: RuntimeDeps): Promise<Runtime> => {
  const { registry, log, sandbox: running, platforms = () => [], observe, databaseWait, ...rest } = deps
  const startedAt = wallTime()
  closeOwnFiles(read.database.dataDir)
  let lastMove: DatabaseMove | undefined
  const onConnect = createSiteWatch((what, site) => {
    // With a standby that confirms nothing is forgotten, and nobody waits.
    if (!isConfirmed) lastMove = { at: ticks(), site }
    doubt(what)
  })
  let isConfirmed = false
  const db = await openUpToDate({ ...read.database, log, onConnect }, databaseWait)
  let doubted: App | undefined
  const doubt = (why: string): void => {
    log.warn({ why }, 'the database is compared with what is remembered of it')
    doubted?.core.doubtStore().catch((error: unknown) => log.error({ err: error }, 'that comparison failed'))
  }
  const clock = await openSharedClock(db)
  const replication = await replicationOf(db)
  isConfirmed = replication?.isConfirmed === true
  if (replication?.isConfirmed === false) log.warn({}, replication.words)
  const store = createStore(db, { now: clock.now })
  const config = await withSealedPolicy(read, store).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  const sandbox = running ?? (await startSandbox(config, registry))
  const tracing = await tracingOf(config, log)
  const services = createServices(servicesOf(config, sandbox), {
    log,
    inherited: config.inherited,
    observe: (seen) => {
      observe?.(seen)
      tracing.called(seen)
    },
  })
  void warnOfTools(services, log)
  const signer = await openSigner(config.logKey, store.auditTree, { mustSign: rest.tasks !== false })
  const memory = createLogMemory({
    folder: config.database.dataDir,
    store,
    signer,
    warn: (words, error) => log.error(error === undefined ? {} : { err: error }, words),
    onLost: () => doubt('the audit log does not continue what is remembered of it'),
  })
  const isMadeUp = Object.values(config.services).every((one) => one === 'sandbox')
  const app = createApp({
    registry: isMadeUp ? registry : withUsageForExamples(registry),
    policy: config.policy,
    policySource: config.policySource,
    secretOf: config.secretOf,
    members: allFeatures()
      .find(({ outsideGroups }) => outsideGroups)
      ?.outsideGroups?.open({ settings: config.settings, log }),
    ...defined({ refusedPolicy: config.refused }),
    services,
    store,
    signer,
    memory,
    lastMove: () => lastMove,
    site: onConnect.site,
    sent: createSentLog(config.database.dataDir),
    clock,
    log,
    version,
    tracing,
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
        ofFeatures: await toldByFeatures(({ status }) => status?.(app.core)),
        log: {
          key: nameOfKey(tree),
          entries: tree.base + tree.frontier.size,
          checkpointAt: checkpoint?.at,
        },
      }
    },
  })
  doubted = app
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

/** Whoever runs the bot reads at its start what an MCP server says otherwise, before anybody is refused for it. */
const warnOfTools = async (services: Services, log: Logger): Promise<void> => {
  for (const { name, mcp } of allServices()) {
    const wrong = mcp && (await services.look(name).catch(() => undefined))
    if (wrong !== undefined && isToolsChanged(wrong))
      log.warn(
        { service: name, changes: wrong.cause.changes },
        'an MCP server is refused: its tools have changed',
      )
  }
}

/** The key on record under the name of its log, which older ones were not put on record with. */
const nameOfKey = ({ origin, key }: { origin: string; key: string }): string => {
  const known = readKey(key)
  return known === undefined ? key : keyNamed(origin, known.bytes)
}

/** How long a stop waits for whoever takes the traces. */
const tracesWithinMs = 1_000

const tracingOf = async ({ settings }: Config, log: Logger): Promise<Tracing> => {
  for (const { trace } of allFeatures()) {
    const tracing = await trace?.({ settings, version, log })
    if (tracing !== undefined) return tracing
  }
  return noTracing
}

/** The stand-ins of the services that the configuration leaves out; loaded only then. */
const startSandbox = async (
  { services, database }: Config,
  { packs }: Registry,
): Promise<RunningSandbox | undefined> => {
  const left = packs.filter(({ name }) => services[name] === 'sandbox')
  if (left.length === 0) return undefined
  const { startStandIns } = await import('../../lib/sandbox/sandbox.ts')
  return startStandIns(await standInsOf(left), { file: join(database.dataDir, 'sandbox.sqlite') })
}

const servicesOf = ({ services }: Config, sandbox: RunningSandbox | undefined): ServicesConfig =>
  Object.fromEntries(
    Object.entries(services).flatMap(([name, settings]) => {
      const where = settings === 'sandbox' ? sandbox?.services[name as ServiceName] : settings
      return where === undefined ? [] : [[name, where]]
    }),
  )
