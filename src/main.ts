import { flushCompileCache } from 'node:module'
import type { Logger } from 'pino'
import { messengers } from '../adapters/index.ts'
import type { App } from './cli/start/app.ts'
import { bannerOf } from './cli/start/banner.ts'
import { type Config, ConfigError } from './cli/start/config.ts'
import { ownEnvironment } from './cli/start/environment.ts'
import { serveHealth } from './cli/start/health.ts'
import { loadCommands } from './cli/start/load-commands.ts'
import { createMetrics } from './cli/start/metrics.ts'
import { openRuntime } from './cli/start/runtime.ts'
import { readStart } from './cli/start/sealed-start.ts'
import { readAll } from './kernel/command/registry.ts'
import { allFeatures, toldByFeatures } from './kernel/feature.ts'
import type { Bot } from './kernel/messenger/bot.ts'
import { messengerReport } from './kernel/messenger/connection.ts'
import type { Previews, RunningMessenger } from './kernel/messenger/definition.ts'
import { LogKeyError } from './kernel/model/checkpoint.ts'
import { messengerWords } from './kernel/model/connection.ts'
import { toolLine } from './kernel/tool-words.ts'
import { createHttpServer, type HttpServer } from './lib/http/server.ts'
import { createLog } from './lib/log.ts'
import { keepHeapSmall } from './lib/small-heap.ts'
import { DatabaseError } from './lib/sql/database.ts'

/** How long a start waits for a database that is not there yet. */
const databaseWaitMs = 60_000

/** How long a stop may take before the process leaves regardless, and how much of it is for what runs to finish. */
const stopWithinMs = 9_500
const finishWithinMs = 7_000

try {
  await run()
} catch (error) {
  giveUp(error)
}

function giveUp(error: unknown): void {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exit(1)
}

async function run(): Promise<void> {
  const databaseWait = {
    waitMs: databaseWaitMs,
    onWait: () => {
      process.stderr.write(
        `The database does not answer. Waiting for it, at most ${databaseWaitMs / 1000} seconds.\n`,
      )
    },
  }
  const registry = await loadCommands(messengers, ownEnvironment(), { databaseWait })
  const read = await readStart(ownEnvironment(), registry.all, messengers, databaseWait)
  const log = createLog(read.logLevel)
  const metrics = createMetrics()
  const adapters: (RunningMessenger & { name: string })[] = []
  const platforms = () => adapters.map((adapter) => messengerReport(adapter.name, adapter))
  const runtime = await openRuntime(read, {
    registry,
    log,
    platforms,
    count: metrics.count,
    observe: metrics.observe,
    databaseWait,
  })
  const { config } = runtime
  if (config.refused !== undefined)
    process.stderr.write(`${config.refused}\nThe policy that was in force stays in force.\n`)
  const http = createHttpServer({ watch: runtime.app.core.eventLoopWatch.begin })
  let isStopping = false
  serveHealth(http, {
    store: runtime.store,
    services: runtime.app.core.services,
    measured: () => toldByFeatures(({ measure }) => measure?.(runtime.app.core)),
    platforms,
    metrics,
    isStopping: () => isStopping,
  })
  for (const { name, serve } of allFeatures()) serve?.(runtime.app.core, http, config.settings[name])
  adapters.push(...(await startable(config, runtime.app.bot, http, log)))
  for (const { messenger } of adapters) runtime.app.join(messenger)

  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    const stopReceiving = () =>
      Promise.allSettled([...adapters.map((adapter) => adapter.stop()), http.close()])
    await runtime.close(finishWithinMs, stopReceiving)
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => {
    reload(runtime.app, log).catch((error: unknown) =>
      log.error({ err: error }, 'the policy could not be taken in'),
    )
  })
  // The terminal that it was started in is gone.
  process.stdout.on('error', stop)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection was not handled'))

  await runtime.app.start()
  const base = await http.listen(config.http)
  await Promise.all(adapters.map((adapter) => adapter.start()))
  process.stdout.write(
    bannerOf(
      config,
      base,
      messengers.map(({ name, title, turnOn }) => {
        const running = adapters.find((adapter) => adapter.name === name)
        const state = running && messengerWords(messengerReport(name, running))
        return { title, turnOn, state, address: running?.address?.(base) }
      }),
    ),
  )
  keepHeapSmall()
  setImmediate(() => {
    try {
      for (const warning of config.warnings()) log.warn({}, warning)
      readAll(registry)
    } catch (error) {
      giveUp(error)
    }
  })
  setTimeout(metrics.load, 300).unref()
  // What was compiled is there for the next start, however this one ends.
  setTimeout(flushCompileCache, 1_000).unref()
}

/** A broken file is told line by line, and the old one stays in force. */
async function reload(app: App, log: Logger): Promise<void> {
  const reading = await app.reload()
  if (reading === undefined) return
  const warnings = reading.ok ? reading.warnings() : []
  const told = reading.ok
    ? [`The policy ${reading.policy.digest.slice(0, 12)} is in force.`, ...warnings]
    : [...reading.problems, 'The policy file is refused, and the old one stays in force.']
  for (const line of reading.ok ? warnings : reading.problems) log.warn({}, line)
  process[reading.ok ? 'stdout' : 'stderr'].write(`${told.join('\n')}\n`)
}

/** The messengers that are on. Each SDK is loaded only when its platform is. */
function startable(config: Config, bot: Bot, http: HttpServer, log: Logger) {
  const previews: Previews = Object.fromEntries(
    messengers.flatMap(({ title, preview }) => (preview === undefined ? [] : [[title, preview]])),
  )
  const on = messengers.filter(({ name }) => config.messengers[name] !== undefined)
  return Promise.all(
    on.map(async ({ name, create }) => ({
      name,
      ...(await create({ config: config.messengers[name], bot, http, log, previews })),
    })),
  )
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof LogKeyError) return error.message
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'EADDRINUSE') {
    return `Port ${ownEnvironment().PORT ?? 3000} is in use. Stop what runs there, or choose another with PORT=3001 ${toolLine('start')}.`
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    return `HOST=${ownEnvironment().HOST} is no address of this machine. Leave it out, or set it to one that is, such as 127.0.0.1 or 0.0.0.0.`
  }
  if (error instanceof DatabaseError)
    return `${message}. Look at DATABASE_URL or DATA_DIR; ${toolLine('doctor')} says more.`
  if (code === 'EACCES') return `This address may not be used here: choose another PORT or HOST. (${message})`
  return `Bellhop could not start: ${message ?? String(error)}`
}
