import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { renderMessage as renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { createSandboxState, standIns } from '../../sandbox/sandbox.ts'
import { isConfirmOnly } from '../../src/kernel/law/clauses.ts'
import { isEnded } from '../../src/kernel/law/law.ts'
import type { Inbound, Reply } from '../../src/kernel/messenger/inbound.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import { respondTo } from '../../src/lib/sandbox/server/respond.ts'
import { type StandIn, sandboxKeys } from '../../src/lib/sandbox/service-sandbox.ts'
import { credentialsOf } from '../../src/lib/services/client/credentials.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { lineBy, pressBy } from '../crash/child-bot.ts'
import { createRandom, pick } from '../random.ts'
import {
  canaries,
  createFindings,
  createLeakDetectingLog,
  type Fuzzed,
  type FuzzOptions,
} from './findings.ts'
import { openInProcessBot } from './in-process-bot.ts'
import { mutateText, mutateValue } from './mutate.ts'

/** Nothing stands between the answer of a service and the pipeline: what needs a vote gets one. */
const policy = `version: 1
people:
  - { id: p-asks, name: Sam, slack: U0SUPPORT, roles: [all] }
  - { id: p-decides, name: Fay, slack: U0FINANCE, roles: [all] }
roles: { all: { run: ["*"], approve: ["*"] } }
`

/** Every command against services whose answers are almost right, wrong, cut, huge, or not JSON at all. */
export const fuzzAnswers = async ({ cases, seed }: FuzzOptions): Promise<Fuzzed> => {
  const random = createRandom(seed)
  const findings = createFindings('service answers')
  const { log, leaks } = createLeakDetectingLog()
  const service = await startService(random)
  const bot = await openInProcessBot(log, service.urls, { policy })
  // What asks no service reads no answer.
  const lines = bot.app.core.registry.all
    .filter(({ kind, uses }) => kind === 'switch' || uses.length > 0)
    .flatMap(({ examples }) => examples)
  const handle = async (inbound: Inbound): Promise<Reply> => {
    const reply = await bot.app.handle(inbound)
    const said = reply.kind === 'refused' ? reply.refusal.code : reply.kind
    findings.count(said)
    if (said === 'broken') findings.violate(`${JSON.stringify(inbound.intent)} broke on ${service.last()}`)
    if ('view' in reply) checkRendering(reply, (words) => findings.violate(`${words} on ${service.last()}`))
    return reply
  }
  try {
    while (service.answers() < cases) {
      const before = service.answers()
      const reply = await handle(lineBy('U0SUPPORT', pick(random, lines)))
      if (reply.kind === 'change' && reply.change.state === 'pending') {
        const { clauses } = reply.change
        const id = buttonIdOf(reply.change)
        const decided = await (isConfirmOnly(clauses)
          ? handle(pressBy('U0SUPPORT', 'confirm', id))
          : handle(pressBy('U0FINANCE', 'approve', id)))
        // Nobody has more than so many waiting, and whoever has that many reads no answer any more.
        const isOver = decided.kind === 'change' && isEnded(decided.change.state)
        if (!isOver) await handle(pressBy('U0SUPPORT', 'cancel', id))
      }
      // What the bot answers from its own records asks nobody.
      if (service.answers() === before) service.skip()
      if (random() < 0.01) service.reset()
    }
  } finally {
    await bot.close()
    await service.close()
  }
  return findings.done(service.answers(), leaks())
}

const checkRendering = (reply: Extract<Reply, { view: unknown }>, violate: (words: string) => void): void => {
  try {
    const words = textOfView(reply.view)
    renderSlack(reply.view)
    renderDiscord(reply.view)
    for (const [name, secret] of Object.entries(canaries)) {
      if (words.includes(secret)) violate(`${name} was shown`)
    }
  } catch (error) {
    violate(`a view could not be rendered: ${(error as Error).stack}`)
  }
}

const startService = async (random: () => number) => {
  let state = createSandboxState()
  let answers = 0
  let last = ''
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { status, body: right } = rightAnswer(request, body, state)
    answers++
    last = sendSpoiled(random, response, status, right)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    urls: { email: `${base}/email`, chat: `${base}/chat`, billing: `${base}/billing` },
    answers: () => answers,
    last: () => last,
    /** So that lines which ask no service do not run forever. */
    skip: () => {
      answers++
    },
    reset: () => {
      state = createSandboxState()
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const rightAnswer = (
  request: IncomingMessage,
  body: string,
  state: ReturnType<typeof createSandboxState>,
) => {
  const [path = '', query = ''] = (request.url ?? '/').split('?')
  const name = path.split('/')[1] ?? ''
  const standIn = standIns.find(({ service }) => service.name === name) as StandIn
  return respondTo(
    {
      standIn,
      method: request.method ?? 'GET',
      path: path.slice(name.length + 1),
      query: new URLSearchParams(query),
      headers: {
        ...request.headers,
        ...credentialsOf(standIn.service, sandboxKeys(standIn.service)).headers,
      },
      text: body,
    },
    state,
    Date.now(),
  )
}

/** What a service was sent, and may quote. */
const keys = [
  canaries.emailKey,
  canaries.chatKey,
  canaries.billingKey,
  canaries.billingSecret,
  canaries.billingBasic,
]

/** Sends the answer as something else, and says what it was. */
const sendSpoiled = (
  random: () => number,
  response: ServerResponse,
  status: number,
  right: unknown,
): string => {
  const send = (code: number, type: string, body: string): string => {
    response.writeHead(code, { 'content-type': type }).end(body)
    return `${code} ${type} ${body.slice(0, 600)}`
  }
  const json = 'application/json'
  const dice = random()
  if (dice < 0.15) return send(status, json, JSON.stringify(right))
  if (dice < 0.65) return send(status, json, JSON.stringify(mutateValue(random, right)) ?? 'null')
  if (dice < 0.75) {
    const code = 200 + Math.floor(random() * 399)
    if (code === 204 || code === 304) return send(200, json, '')
    return send(code, json, JSON.stringify(mutateValue(random, right)) ?? 'null')
  }
  if (dice < 0.85) return send(status, json, mutateText(random, JSON.stringify(right)))
  if (dice < 0.9) return send(pick(random, [200, 400, 502]), 'text/html', '<html><script>alert(1)</script>')
  if (dice < 0.95) {
    const message = `the key ${pick(random, keys)} is not valid`
    return send(
      pick(random, [200, 400, 401, 403, 422, 500]),
      json,
      JSON.stringify({ success: false, message, error: message }),
    )
  }
  if (dice < 0.98)
    return send(
      200,
      pick(random, [json, 'application/octet-stream', 'nonsense']),
      mutateText(random, '\u0000\u0001{'),
    )
  response.destroy()
  return 'a cut connection'
}
