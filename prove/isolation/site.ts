import type { Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { scopes } from '../../adapters/slack/manifest.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { serviceSettingsOf } from '../../sandbox/service-settings.ts'
import { startFakeDiscord } from '../../test/discord/fake/discord.ts'
import { countTimeOf } from '../../test/harness/own-time.ts'
import { until } from '../../test/harness/until.ts'
import { buttonsIn, textOfMessage } from '../../test/slack/fake/reading.ts'
import { startFakeSlack } from '../../test/slack/fake/slack.ts'
import { isApprove } from '../fleet/conversation.ts'
import { rooms } from '../fleet/fleet.ts'
import { type Flood, floodsOf } from './floods.ts'
import { flooder } from './people.ts'

/**
 * A thread of its own with everything but the bot and those who must not wait: the services, Slack, Discord, and the one person
 * who floods the bot. So what it costs to flood is no part of what the others wait.
 */
const sandbox = await startSandbox()
const slack = await startFakeSlack({ scopes: Object.keys(scopes) })
const discord = await startFakeDiscord()
const everybody = ['U0SUPPORT', 'U0SUPPORT2', 'U0FINANCE', 'U0FINANCE2']
for (const room of [rooms.slack, rooms.slackApprovals]) slack.channel(room, everybody)
for (const room of [rooms.discord, rooms.discordApprovals]) discord.channel(room)
const people = new Map(everybody.map((id) => [id, slack.person(id)]))
const fay = people.get('U0FINANCE') ?? slack.person('U0FINANCE')

let floods: Flood[] = []
let running: { stop(): Promise<number> } | undefined
let over = new AbortController()
const sockets = new Set<Socket>()

const signIn = async (user: string): Promise<string> => {
  const person = people.get(user) ?? slack.person(user)
  await person.types('/bellhop console', rooms.slack)
  return until(() => {
    const said = textOfMessage(person.finds('/console/sign-in#'))
    const [, link] = /sign-in#([\w-]{43})/.exec(said) ?? []
    if (link === undefined) throw new Error(`no link in ${said}`)
    return link
  })
}

const settings = {
  ...serviceSettingsOf(sandbox),
  SLACK_BOT_TOKEN: slack.state.botToken,
  SLACK_SIGNING_SECRET: slack.state.signingSecret,
  SLACK_API_URL: slack.apiUrl,
  DISCORD_TOKEN: discord.state.token,
  DISCORD_APPLICATION_ID: discord.state.applicationId,
  DISCORD_PUBLIC_KEY: discord.state.publicKey,
  DISCORD_API_URL: discord.apiUrl,
}

const floodNamed = (named: string): Flood => {
  const flood = floods.find(({ door, name }) => `${door}: ${name}` === named)
  if (flood === undefined) throw new Error(`there is no flood ${named}`)
  return flood
}

/** What the other thread may ask for. */
export type Site = typeof site
const site = {
  settings: async () => settings,
  connect: async (base: string, pid: number) => {
    countTimeOf(pid)
    slack.useHttp(`${base}/slack/events`)
    discord.useHttp(`${base}/discord/interactions`)
  },
  signIn,
  prepare: async (base: string, cookie: string) => {
    const person = discord.person(flooder.discord, flooder.name)
    const own = people.get(flooder.slack) ?? slack.person(flooder.slack)
    const inDiscord = { fake: discord, person }
    floods = floodsOf({ base, cookie, slack: own, discord: inDiscord, sockets, isOver: () => over.signal })
    return floods.map(({ door, name }) => ({ door, name }))
  },
  /** A payment that nobody has asked about. */
  payment: async (number: number) => {
    const { transactions } = sandbox.state.billing
    const [first] = transactions
    if (first === undefined) throw new Error('the sandbox has no payments')
    const id = `pay_isolation_${number}`
    transactions.push({ ...first, id, amount: 1_000, refunded_amount: 0 })
    return id
  },
  once: async (named: string) => {
    await floodNamed(named)
      .send(0)
      .catch(() => undefined)
  },
  start: async (named: string) => {
    const { atOnce, send } = floodNamed(named)
    over = new AbortController()
    let sent = 0
    const senders = Array.from({ length: atOnce }, async () => {
      // What the bot refuses or cuts is the sender's own loss.
      while (!over.signal.aborted) await send(sent++).catch(() => undefined)
    })
    running = {
      stop: async () => {
        over.abort()
        for (const socket of sockets) socket.destroy()
        sockets.clear()
        await Promise.all(senders)
        return sent
      },
    }
  },
  stop: async () => running?.stop() ?? 0,
  /** The Approve button of the card that has these words, once it stands in the approvals channel. */
  approveButton: (words: string) =>
    until(() => {
      const { blocks, ts, channel } = fay.finds(words, rooms.slackApprovals)
      const button = buttonsIn(blocks).find(({ label }) => isApprove(label))
      if (button === undefined) throw new Error(`no Approve beside ${words}`)
      return {
        ...button,
        ts,
        channel,
        team: slack.state.team,
        responseUrl: `${slack.state.origin}/response/none`,
      }
    }),
  close: async () => {
    await Promise.all([slack.close(), discord.close(), sandbox.close()])
  },
}

parentPort?.on('message', async ({ id, ask, args }: { id: number; ask: keyof Site; args: never[] }) => {
  try {
    const value = await (site[ask] as (...args: never[]) => Promise<unknown>)(...args)
    parentPort?.postMessage({ id, value })
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message })
  }
})
parentPort?.postMessage({ id: 0, value: 'ready' })
