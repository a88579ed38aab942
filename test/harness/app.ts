import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { type App, type AppDeps, createApp } from '../../src/cli/start/app.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import type { Feature } from '../../src/kernel/feature.ts'
import type { Inbound, Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Platform } from '../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import { formatProblems, loadPolicy } from '../../src/kernel/policy/file/load.ts'
import type { Policy } from '../../src/kernel/policy/policy.ts'
import { createStore, type Store } from '../../src/kernel/store/store.ts'
import { createLog } from '../../src/lib/log.ts'
import { createServices, type Services } from '../../src/lib/services/client/client.ts'
import type { ClientSettings } from '../../src/lib/services/client/settings.ts'
import type { Database, Engine } from '../../src/lib/sql/database.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { commandsWith } from './commands.ts'
import { openTestDatabase } from './database.ts'
import { demoPolicy } from './demo-policy.ts'
import { platforms } from './platforms.ts'
import { sourceOf } from './policy-source.ts'
import { ticksOf } from './ticks.ts'
import { whenDone } from './when-done.ts'

type ServiceConnections = Parameters<typeof createServices>[0]

/** The whole bot without its messengers: the real core, a real store, the sandbox services over HTTP. */
export type TestApp = {
  app: App
  /** As somebody with the database has it. */
  db: Database
  store: Store
  services: Services
  sandbox: Sandbox
  registry: Registry
  /** Says a line as a person of the policy. */
  say(line: string, person?: string): Promise<Reply>
  press(
    verb: Extract<Inbound['intent'], { kind: 'press' }>['verb'],
    id: string,
    person?: string,
    reason?: string,
  ): Promise<Reply>
  handle(inbound: Partial<Inbound> & Pick<Inbound, 'intent'>): Promise<Reply>
  close(): Promise<void>
}

export type TestAppOptions = {
  engine?: Engine
  /** One that has something in it already; an empty one if not given. */
  database?: Awaited<ReturnType<typeof openTestDatabase>>
  /** bellhop.yml; the demo's if not given. */
  policy?: string
  /** The text of the file when it is read again; without it nothing can be taken in. */
  reads?: () => string
  /** Packs from outside, beside the bot's own. */
  packs?: readonly Pack[]
  /** Features from outside, likewise. */
  features?: readonly Feature[]
  settings?: Partial<ClientSettings>
  started?: boolean
  /** The clock of the services; their own if not given. */
  servicesNow?: () => number
  /** Stands between the bot and the sandbox: where the bot is to call instead. */
  front?: (sandbox: Sandbox) => Promise<ServiceConnections>
} & Partial<
  Pick<
    AppDeps,
    | 'now'
    | 'clock'
    | 'ticks'
    | 'newId'
    | 'signer'
    | 'memory'
    | 'lastMove'
    | 'site'
    | 'sent'
    | 'onStep'
    | 'count'
    | 'tasks'
    | 'log'
    | 'timings'
    | 'vouchesFor'
    | 'secretOf'
    | 'members'
    | 'tracing'
  >
>

/** Closed when the test file is done. */
export const openTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const opened = await openApp(options)
  whenDone(opened.close)
  return opened
}

/** A busy machine may stand still for seconds: whoever tests how long a service is waited for says how long. */
const patient = { readDeadlineMs: 60_000, writeDeadlineMs: 60_000, attemptMs: 30_000 }

/** Likewise what is done apart or read besides. */
const patientTimings = {
  threadMs: 900_000,
  patienceMs: { view: 60_000, form: 60_000, recipient: 60_000, names: 60_000 },
}

/** Of all apps together: several may be on one database. */
let deliveries = 0

/** For measurements, which close it themselves. */
export const openApp = async (options: TestAppOptions): Promise<TestApp> => {
  const {
    engine = 'sqlite',
    database = await openTestDatabase(engine),
    policy: text = demoPolicy,
    reads,
    packs = [],
    features,
    settings,
    started = true,
    servicesNow = Date.now,
    front,
    ...deps
  } = options
  const registry = commandsWith(packs, features)
  const store = createStore(database.db, { now: deps.clock?.now ?? deps.now ?? Date.now })
  const sandbox = await startSandbox({ packs, now: servicesNow })
  const log = deps.log ?? createLog('silent')
  const services = createServices(front === undefined ? sandbox.services : await front(sandbox), {
    log,
    settings: { ...patient, ...settings },
    observe: (seen) => deps.tracing?.called(seen),
  })
  const app = createApp({
    registry,
    policy: policyOf(text, registry),
    policySource: reads && sourceOf(text, reads, registry),
    services,
    store,
    log,
    status: async () => ({
      version: 'test',
      startedAt: 0,
      database: engine,
      services: [],
      platforms: [],
      waiting: 0,
      queue: 0,
      ofFeatures: [],
      log: { key: '', entries: 0, checkpointAt: undefined },
    }),
    // A test that sets the clock lets time pass by it, unless it says otherwise.
    ...(deps.now && { ticks: ticksOf(deps.now) }),
    ...deps,
    timings: { ...patientTimings, ...deps.timings },
  })
  if (started) await app.start()
  const handle: TestApp['handle'] = (inbound) =>
    app.handle({
      delivery: `test-${++deliveries}`,
      from: fromOf('p-support'),
      place: { channel: null, handle: null, direct: true },
      forms: false,
      ...inbound,
    })
  return {
    app,
    db: database.db,
    store,
    services,
    sandbox,
    registry,
    handle,
    say: (line, person = 'p-support') => handle({ from: fromOf(person), intent: { kind: 'line', line } }),
    press: async (verb, id, person = 'p-support', reason) =>
      handle({
        from: fromOf(person),
        intent: { kind: 'press', verb, id: await buttonNow(store, id), reason },
      }),
    close: async () => {
      await app.stop(1_000)
      await services.close()
      await sandbox.close()
      await database.close()
    },
  }
}

/** Of the id of a change, that of the buttons of its card as it is; others stay as they are. */
export const buttonNow = async (store: Store, id: string): Promise<string> => {
  const change = id.includes('.') ? null : await store.changes.get(id)
  return change === null ? id : buttonIdOf(change)
}

export const fromOf = (account: string, platform: Platform = 'terminal'): Inbound['from'] => ({
  platform,
  account,
  name: account,
  groups: [],
})

const policies = new WeakMap<Registry, Map<string, Policy>>()

/** Read once for all who have the same commands. */
export const policyOf = (text: string, registry: Registry): Policy => {
  const known = policies.get(registry) ?? new Map<string, Policy>()
  policies.set(registry, known)
  const policy = known.get(text) ?? readPolicy(text, registry)
  known.set(text, policy)
  return policy
}

const readPolicy = (text: string, registry: Registry): Policy => {
  const loaded = loadPolicy(text, { file: 'bellhop.yml', commands: registry.all, platforms })
  if (!loaded.ok) throw new Error(formatProblems('bellhop.yml', loaded.problems).join('\n'))
  return loaded.policy
}

/** What a reply says, as text. */
export const textOf = (reply: Reply): string =>
  'view' in reply ? textOfView(reply.view, { details: true, isWhole: true }) : reply.kind
