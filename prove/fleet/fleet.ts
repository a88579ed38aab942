import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopes } from '../../adapters/slack/manifest.ts'
import { pack as tickets } from '../../examples/tickets/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { serviceSettingsOf } from '../../sandbox/service-settings.ts'
import { pinPacks } from '../../src/cli/packs/lock.ts'
import { createStore, type Store } from '../../src/kernel/store/store.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { type FakeDiscord, startFakeDiscord } from '../../test/discord/fake/discord.ts'
import { type FakeSlack, startFakeSlack } from '../../test/slack/fake/slack.ts'
import { provePolicy } from '../policy.ts'
import { startBalancer } from './balancer.ts'
import { type Replica, startReplica } from './replica.ts'

export const rooms = {
  slack: 'C0ROOM',
  slackApprovals: 'C0APPROVALS',
  discord: '300000000000000001',
  discordApprovals: '300000000000000009',
}

type Tickets = { tickets: { id: string }[]; vouchers: { reason?: string }[] }

/** What the service of the pack has. */
export const ticketsIn = ({ state }: Sandbox): Tickets => (state as unknown as { tickets: Tickets }).tickets

/** Replicas of the bot on one database, behind a balancer, between a Slack, a Discord, the three services and one of a pack from outside. */
export type Fleet = {
  sandbox: Sandbox
  slack: FakeSlack
  discord: FakeDiscord
  store: Store
  replicas: Replica[]
  balancer: string
  /** Adds one; the first to start holds the Discord gateway. On a folder of its own, where one is given. */
  add(own?: { dataDir?: string; url?: string }): Promise<Replica>
  alive(): Replica[]
  /** Everything that must never be written down. */
  secrets: string[]
  close(): Promise<void>
}

export type FleetOptions = {
  /** A PostgreSQL address; without it the embedded database in the folder. */
  url: string
  dataDir?: string
  random: () => number
  env?: Record<string, string>
  policy?: string
}

export const openFleet = async ({
  url,
  dataDir,
  random,
  env = {},
  policy = provePolicy,
}: FleetOptions): Promise<Fleet> => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-fleet-'))
  const file = join(folder, 'bellhop.yml')
  writeFileSync(file, `${policy}packs: [${join(import.meta.dirname, '../../examples/tickets')}]\n`)
  pinPacks({ BELLHOP_CONFIG: file })
  const sandbox = await startSandbox({ packs: [tickets] })
  const slack = await startFakeSlack({ scopes: Object.keys(scopes) })
  const discord = await startFakeDiscord()
  const everybody = ['U0SUPPORT', 'U0SUPPORT2', 'U0FINANCE', 'U0FINANCE2']
  slack.channel(rooms.slack, everybody)
  slack.channel(rooms.slackApprovals, everybody)
  discord.channel(rooms.discord)
  discord.channel(rooms.discordApprovals)
  const replicas: Replica[] = []
  const alive = () => replicas.filter((replica) => replica.isAlive())
  const balancer = await startBalancer(() => alive().map(({ base }) => base), random)
  slack.useHttp(`${balancer.url}/slack/events`)
  discord.useHttp(`${balancer.url}/discord/interactions`)
  const db = await openDatabase({ url, dataDir })
  const settings: Record<string, string> = {
    DATABASE_URL: url,
    DATA_DIR: dataDir ?? folder,
    BELLHOP_CONFIG: file,
    ...serviceSettingsOf(sandbox),
    TICKETS_BASE_URL: sandbox.services.tickets?.baseUrl ?? '',
    TICKETS_API_KEY: sandbox.services.tickets?.apiKey ?? '',
    SLACK_BOT_TOKEN: slack.state.botToken,
    SLACK_SIGNING_SECRET: slack.state.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    DISCORD_TOKEN: discord.state.token,
    DISCORD_APPLICATION_ID: discord.state.applicationId,
    DISCORD_PUBLIC_KEY: discord.state.publicKey,
    DISCORD_API_URL: discord.apiUrl,
    ...env,
  }
  return {
    sandbox,
    slack,
    discord,
    store: createStore(db, { now: Date.now }),
    replicas,
    balancer: balancer.url,
    secrets: Object.entries(settings)
      .filter(([name]) => /(KEY|SECRET|TOKEN)/.test(name) && name !== 'DISCORD_PUBLIC_KEY')
      .map(([, value]) => value),
    alive,
    add: async (own = {}) => {
      const replica = await startReplica({
        ...settings,
        ...(own.dataDir === undefined ? {} : { DATA_DIR: own.dataDir }),
        ...(own.url === undefined ? {} : { DATABASE_URL: own.url }),
      })
      replicas.push(replica)
      return replica
    },
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.kill()))
      await Promise.all([balancer.close(), slack.close(), discord.close(), sandbox.close(), db.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
