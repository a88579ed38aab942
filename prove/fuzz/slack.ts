import { createSlack } from '../../adapters/slack/slack.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { createPerson } from '../../test/slack/fake/person.ts'
import { createState } from '../../test/slack/fake/state.ts'
import { type DeliveryKind, encodePayload, signRequest } from '../../test/slack/fake/wire.ts'
import { createRandom, pick } from '../random.ts'
import {
  canaries,
  createFindings,
  createLeakDetectingLog,
  type Fuzzed,
  type FuzzOptions,
} from './findings.ts'
import { openInProcessBot, startStub } from './in-process-bot.ts'
import { mutateText, mutateValue } from './mutate.ts'
import { type Post, postAll } from './post.ts'

type Payload = { kind: DeliveryKind; payload: Record<string, unknown> }

/** Signed requests whose payloads are almost right, to the real Bolt on our own receiver. */
export const fuzzSlack = async ({ cases, seed }: FuzzOptions): Promise<Fuzzed> => {
  const random = createRandom(seed)
  const findings = createFindings('Slack payloads')
  const { log, leaks } = createLeakDetectingLog()
  const api = await startStub(() => ({
    body: {
      ok: true,
      ts: '1.1',
      channel: 'C0ROOM',
      user_id: 'U0BELLHOP',
      bot_id: 'B0',
      team_id: 'T0HOME',
      view: { id: 'V1', hash: 'h' },
    },
  }))
  const sandbox = await startSandbox()
  const { email, chat, billing } = sandbox
  const bot = await openInProcessBot(log, {
    email: email.baseUrl,
    chat: chat.baseUrl,
    billing: billing.baseUrl,
  })
  const http = createHttpServer()
  const slack = await createSlack({
    bot: bot.app.bot,
    http,
    log,
    config: { botToken: canaries.slackToken, signingSecret: canaries.slackSecret, apiUrl: `${api.url}/api/` },
  })
  bot.app.join(slack.messenger)
  await bot.app.start()
  const url = `${await http.listen({ host: '127.0.0.1', port: 0 })}/slack/events`
  await slack.start()
  const payloads = await realPayloads(api.url)
  const signed = new Set<unknown>()
  const next = (): Post => {
    const { kind, payload } = pick(random, payloads)
    const mutated = mutateValue(random, {
      ...payload,
      trigger_id: String(random()),
      event_id: String(random()),
    })
    const { type, body: whole } = encodePayload(
      kind,
      kind === 'slash_commands' ? asFields(mutated) : asRecord(mutated),
    )
    const body = random() < 0.1 ? mutateText(random, whole) : whole
    const contentType = random() < 0.03 ? pick(random, ['text/plain', 'application/json', '']) : type
    const isForged = random() < 0.05
    const signature = signRequest(isForged ? 'somebody else' : canaries.slackSecret, body, Date.now())
    // The same words signed in the same second are a replay, and are refused as one.
    const id = signature['x-slack-signature']
    if (signed.has(id)) return next()
    signed.add(id)
    return { headers: { 'content-type': contentType, ...signature }, body, isForged }
  }
  try {
    // What nobody takes is held for three seconds before it is refused.
    await postAll(url, cases, next, findings, 400)
  } finally {
    await slack.stop()
    await http.close()
    await bot.close()
    await sandbox.close()
    await api.close()
  }
  return findings.done(cases, leaks())
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { value }

/** A form has only texts. */
const asFields = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asRecord(value)).map(([key, each]) => [
      key,
      typeof each === 'string' ? each : (JSON.stringify(each) ?? ''),
    ]),
  )

/** One of each kind, as somebody's clicks and lines make them. */
const realPayloads = async (origin: string): Promise<Payload[]> => {
  const state = { ...createState(), origin: `${origin}/${canaries.responseUrl}` }
  const payloads: Payload[] = []
  const wire = {
    deliver: async (kind: DeliveryKind, payload: Record<string, unknown>) => {
      payloads.push({ kind, payload })
      return { status: 200, body: '', ms: 0 }
    },
    close: async () => undefined,
  }
  state.users.set('U0SUPPORT', {
    id: 'U0SUPPORT',
    name: 'sam',
    team: state.team,
    isDeactivated: false,
    hasClosedDm: false,
  })
  state.channels.set('C0ROOM', {
    id: 'C0ROOM',
    members: new Set(['U0SUPPORT', state.bot]),
    isArchived: false,
  })
  const sam = createPerson(state, () => wire, 'U0SUPPORT')
  for (const line of [
    '/refund pay_1001 20',
    '/refund',
    '/bellhop whoami',
    '/subscriber get ada@example.com',
  ]) {
    await sam.types(line, 'C0ROOM')
  }
  await sam.mentions('bellhop help', 'C0ROOM')
  await sam.writes('bellhop whoami')
  await sam.opensHome()
  await sam.shortcut()
  await sam.looksUp('please ask ada@example.com', 'C0ROOM')
  const common = {
    team: { id: state.team },
    user: { id: 'U0SUPPORT', team_id: state.team },
    trigger_id: '1.1',
    response_url: `${state.origin}/response/R1`,
  }
  for (const verb of ['approve', 'reject', 'confirm', 'cancel', 'share', 'next', 'happened']) {
    payloads.push({
      kind: 'interactive',
      payload: {
        ...common,
        type: 'block_actions',
        channel: { id: 'C0ROOM' },
        container: { type: 'message', message_ts: '1.1', channel_id: 'C0ROOM' },
        actions: [{ type: 'button', action_id: `bh:${verb}:abc.def`, block_id: 'b', action_ts: '1.1' }],
      },
    })
  }
  for (const callback of ['form', 'reason', 'picker']) {
    payloads.push({
      kind: 'interactive',
      payload: {
        ...common,
        type: 'view_submission',
        view: {
          id: 'V1',
          hash: 'h',
          type: 'modal',
          callback_id: callback,
          private_metadata: '{}',
          state: { values: {} },
        },
      },
    })
  }
  return payloads
}
