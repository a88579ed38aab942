import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommands } from '../../commands/index.ts'
import { type App, createApp } from '../../src/cli/start/app.ts'
import type { Log } from '../../src/kernel/core.ts'
import { loadPolicy } from '../../src/kernel/policy/file/load.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { ticks } from '../../src/lib/clock.ts'
import { createAdmission, unboundedPace } from '../../src/lib/limits/admission.ts'
import { createServices, type ServicesConfig } from '../../src/lib/services/client/client.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { platforms } from '../../test/harness/platforms.ts'
import { provePolicy } from '../policy.ts'
import { canaries } from './findings.ts'

export type InProcessBot = { app: App; close(): Promise<void> }

type Keys = {
  email: { apiKey: string }
  chat: { apiKey: string }
  billing: { apiKey: string; secretKey: string }
}

const canaryKeys: Keys = {
  email: { apiKey: canaries.emailKey },
  chat: { apiKey: canaries.chatKey },
  billing: { apiKey: canaries.billingKey, secretKey: canaries.billingSecret },
}

/** Nothing here is about the disk, and a hundred thousand cases would wait for it. */
const memory = '/dev/shm'

/** The bot in this process with an own database, the given services, and keys that must never be seen unless told otherwise. */
export const openInProcessBot = async (
  log: Log,
  urls: Record<'email' | 'chat' | 'billing', string>,
  { policy = provePolicy, keys = canaryKeys }: { policy?: string; keys?: Keys } = {},
): Promise<InProcessBot> => {
  const dataDir = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'bellhop-fuzz-'))
  const registry = createCommands()
  const loaded = loadPolicy(policy, { file: 'bellhop.yml', commands: registry.all, platforms })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const db = await openDatabase({ dataDir })
  await migrate(db, { now: Date.now })
  const config: ServicesConfig = {
    email: { baseUrl: urls.email, apiKey: keys.email.apiKey },
    chat: { baseUrl: urls.chat, apiKey: keys.chat.apiKey },
    billing: { ...keys.billing, baseUrl: urls.billing },
  }
  const services = createServices(config, {
    log,
    settings: { retries: 0, breaker: { failures: Number.MAX_SAFE_INTEGER, openMs: 1 } },
  })
  const status = async () => ({
    version: 'fuzz',
    startedAt: 0,
    database: 'sqlite' as const,
    services: [],
    platforms: [],
    waiting: 0,
    queue: 0,
    ofFeatures: [],
    log: { key: '', entries: 0, checkpointAt: undefined },
  })
  const app = createApp({
    admission: createAdmission(ticks, unboundedPace),
    registry,
    policy: loaded.policy,
    services,
    store: createStore(db, { now: Date.now }),
    log,
    status,
    tasks: false,
  })
  return {
    app,
    close: async () => {
      await app.stop(2_000)
      await services.close()
      await db.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** An HTTP server on a free port that answers everything with one function of path and body. */
export const startStub = async (
  answer: (path: string, body: string) => { status?: number; body: unknown },
): Promise<{ url: string; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const { status = 200, body: said } = answer(request.url ?? '', body)
      response.writeHead(status, status === 204 ? {} : { 'content-type': 'application/json' })
      response.end(status === 204 ? undefined : JSON.stringify(said))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
