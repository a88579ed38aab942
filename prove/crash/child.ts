import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { createCommands } from '../../commands/index.ts'
import { createApp } from '../../src/cli/start/app.ts'
import { keysIn, signerOf } from '../../src/kernel/log/signer.ts'
import type { Inbound, Reply } from '../../src/kernel/messenger/inbound.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { createStore, type Store } from '../../src/kernel/store/store.ts'
import { createLog } from '../../src/lib/log.ts'
import { createServices, type ServicesConfig } from '../../src/lib/services/client/client.ts'
import type { ClientSettings } from '../../src/lib/services/client/settings.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { sourceOf } from '../../test/harness/policy-source.ts'
import { createHttpMessenger } from './http-messenger.ts'
import { crashPacks } from './packs.ts'

/** Where a child ends itself with SIGKILL; the parent does it where the request is on the wire. */
export const childKillPoints = [
  'taken',
  'asked',
  'card posted',
  'card shown',
  'voted',
  'claimed',
  'answered',
  'stored',
  'card updated',
] as const

/** Where a child stops itself with SIGSTOP, as a paused machine would; the parent lets it go on. */
export type StopPoint = 'asked' | 'voted' | 'claimed' | 'renewed' | 'answered' | 'stored'

export type ChildSetup = {
  services: ServicesConfig
  chatServerUrl: string
  policy: string
  killAt: (typeof childKillPoints)[number] | 'changed' | null
  /** The first time that it is reached, or a later one. */
  nth?: number
  settings: Partial<ClientSettings>
  stopAt?: StopPoint
  /** A planted fault: the child sends without asking whether its claim is still its own. */
  isUnfenced?: boolean
  /** Another one: it takes every copy of a delivery for the first. */
  isForgetful?: boolean
}

export type ToChild = { call: number; inbound: Inbound }
export type FromChild = { call: number; reply: Reply } | { ready: true }

/** The real core as a process of its own, driven by its parent, with the two platforms on the parent's chat server. */
const setup = JSON.parse(process.env.PROVE_CHILD ?? '{}') as ChildSetup
const log = createLog(process.env.PROVE_LOG ?? 'silent')
let timesLeft = setup.nth ?? 1
const registry = createCommands(crashPacks)
const source = sourceOf(setup.policy, () => setup.policy, registry)
const loaded = source.read()
if (!loaded.ok) throw new Error(loaded.problems.join('\n'))
const db = await openDatabase({ url: process.env.DATABASE_URL, dataDir: process.env.DATA_DIR, log })
await migrate(db, { now: Date.now })
const store = withKillPoints(createStore(db, { now: Date.now }))
const services = createServices(setup.services, { log, settings: setup.settings })
const app = createApp({
  registry,
  policy: loaded.policy,
  policySource: source,
  services,
  store,
  log,
  signer: signerOf(() => keysIn(process.env.AUDIT_KEY ?? '')),
  onStep: reached,
  timings: { asksMs: { first: 300, longest: 2_000 } },
})
for (const platform of ['slack', 'discord'] as const)
  app.join({
    ...createHttpMessenger(setup.chatServerUrl, platform),
    redeliver: async (payload) => {
      await work(payload as Inbound)
    },
  })
await app.start()

process.on('message', async ({ call, inbound }: ToChild) => {
  process.send?.({ call, reply: await take(inbound) } satisfies FromChild)
})
process.on('disconnect', () => process.exit(0))
// The next one finds what this one has compiled, however it dies.
flushCompileCache()
process.send?.({ ready: true } satisfies FromChild)

/** As an adapter does it: a command is stored first, and worked on until it is answered. */
async function take(inbound: Inbound): Promise<Reply> {
  if (inbound.intent.kind === 'press') return app.handle(asDelivered(inbound))
  const { platform, account } = inbound.from
  const isFirst = await app.bot.intake.take(platform, inbound.delivery, { account, payload: inbound })
  if (!isFirst && setup.isForgetful !== true) return { kind: 'repeated' }
  reached('taken')
  return work(inbound)
}

async function work(inbound: Inbound): Promise<Reply> {
  const reply = await app.handle({ ...asDelivered(inbound), taken: true })
  await app.bot.intake.done(inbound.from.platform, inbound.delivery)
  return reply
}

/** The id of a request is made of that of its delivery, so what forgets copies gives each an id of its own. */
function asDelivered(inbound: Inbound): Inbound {
  return setup.isForgetful === true ? { ...inbound, delivery: randomUUID() } : inbound
}

function reached(point: string): void {
  if (point === setup.killAt && --timesLeft === 0) process.kill(process.pid, 'SIGKILL')
  if (point !== setup.stopAt) return
  delete setup.stopAt
  process.kill(process.pid, 'SIGSTOP')
}

/** Cards follow last and a claim is renewed right before its request leaves: no step of the pipeline says that they did. */
function withKillPoints(real: Store): Store {
  const { cards, leases } = real
  return {
    ...real,
    leases: {
      ...leases,
      renew: async (...given) => {
        const isOurs = setup.isUnfenced === true || (await leases.renew(...given))
        reached('renewed')
        return isOurs
      },
    },
    cards: {
      ...cards,
      add: async (card) => {
        reached('card posted')
        await cards.add(card)
        reached('card shown')
      },
      shown: async (changeId, platform, address, version) => {
        const isNewest = await cards.shown(changeId, platform, address, version)
        const change = await real.changes.get(changeId)
        if (change?.outcome !== null) reached('card updated')
        return isNewest
      },
    },
  }
}
