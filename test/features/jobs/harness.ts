import { createApp } from '../../../src/cli/start/app.ts'
import type { Intent, Reply } from '../../../src/kernel/messenger/inbound.ts'
import type { Change, Platform } from '../../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../../src/kernel/model/shown.ts'
import { createStore, type Store } from '../../../src/kernel/store/store.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createServices } from '../../../src/lib/services/client/client.ts'
import type { ClientSettings } from '../../../src/lib/services/client/settings.ts'
import type { Engine } from '../../../src/lib/sql/database.ts'
import type { Verb } from '../../../src/lib/view/view.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { policyOf, textOf } from '../../harness/app.ts'
import { commandsWith } from '../../harness/commands.ts'
import { openTestDatabase } from '../../harness/database.ts'
import { ticksOf } from '../../harness/ticks.ts'
import { whenDone } from '../../harness/when-done.ts'

export const bulkPolicy = ({
  rule = 'require: confirm',
  bulk = '{ chunk: 10, rate: 1000 }',
  annRoles = '[growth]',
} = {}) => `version: 1
people:
  - { id: ann, name: Ann, slack: U1, roles: ${annRoles} }
  - { id: bob, name: Bob, slack: U2, roles: [growth] }
  - { id: eve, name: Eve, slack: U3, roles: [other] }
roles:
  growth: { run: ["*"], approve: ["*"] }
  other: { run: ["subscriber *", "job *"] }
policies:
  - { name: mailing, commands: [campaign send], ${rule} }
bulk: ${bulk}
`

const accounts: Record<string, string> = { ann: 'U1', bob: 'U2', eve: 'U3' }

type HarnessOptions = {
  baseUrl: string
  policy?: string
  engine?: Engine
  now?: () => number
  settings?: Partial<ClientSettings>
  /** Does by itself what is due; otherwise only when told to drain. */
  tasks?: boolean
  /** Several bots on one database are replicas. */
  store?: Store
}

/** The bot with an email service and a messenger that keeps what it is told. */
export const openHarness = async ({
  baseUrl,
  policy = bulkPolicy(),
  engine = 'sqlite',
  ...options
}: HarnessOptions) => {
  const registry = commandsWith()
  const database = options.store === undefined ? await openTestDatabase(engine) : undefined
  const now = options.now ?? Date.now
  const store = options.store ?? createStore((database as NonNullable<typeof database>).db, { now })
  const log = createLog('silent')
  const service = { baseUrl, apiKey: 'key' }
  const services = createServices(
    { email: service, chat: service, billing: { ...service, secretKey: 'secret' } },
    { log, settings: { breaker: { failures: 5, openMs: 300 }, ...options.settings } },
  )
  const app = createApp({
    registry,
    policy: policyOf(policy, registry),
    services,
    store,
    log,
    now,
    ...(options.now && { ticks: ticksOf(options.now) }),
    tasks: options.tasks ?? false,
  })
  const messenger = createFakeMessenger('slack')
  app.join(messenger)
  await app.start()
  let deliveries = 0
  const handle = (intent: Intent, person = 'ann', platform: Platform = 'slack'): Promise<Reply> =>
    app.handle({
      delivery: `${app.core.process}-${++deliveries}`,
      from: { platform, account: accounts[person] ?? person, name: person, groups: [] },
      place: { channel: 'C1', handle: null, direct: false },
      forms: false,
      intent,
    })
  const changeOf = (reply: Reply): Change => {
    if (reply.kind !== 'change') throw new Error(textOf(reply))
    return reply.change
  }
  const harness = {
    app,
    store,
    services,
    messenger,
    handle,
    say: (line: string, person?: string) => handle({ kind: 'line', line }, person),
    withFile: (line: string, content: string | Uint8Array, name = 'people.csv') =>
      handle({ kind: 'line', line, file: { name, bytes: Buffer.from(content) } }),
    /** Of the id of a change alone, the button of its card as it is. */
    press: async (verb: Verb, id: string, person?: string) => {
      const change = await store.changes.get(id)
      return handle({ kind: 'press', verb, id: change === null ? id : buttonIdOf(change) }, person)
    },
    changeOf,
    /** Asks, confirms, and gives the change and the id of its job. */
    async start(line: string, content?: string): Promise<{ change: Change; job: string }> {
      const asked = changeOf(
        content === undefined ? await harness.say(line) : await harness.withFile(line, content),
      )
      const change = changeOf(await harness.press('confirm', asked.id))
      if (change.pinned === undefined) throw new Error('nothing was pinned')
      return { change, job: change.pinned.set }
    },
    close: async () => {
      await app.stop(2_000)
      await services.close()
      await database?.close()
    },
  }
  whenDone(harness.close)
  return harness
}
