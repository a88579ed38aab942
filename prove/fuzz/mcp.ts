import { createMcp } from '../../adapters/mcp/mcp.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { provePolicy } from '../policy.ts'
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
import { type Post, postAll } from './post.ts'

const policy = provePolicy.replace(
  'roles:\n',
  `agents:
  - { id: all, name: All, owner: p-asks, roles: [support], token: { env: ALL }, rate: 100000 }
  - { id: few, name: Few, owner: p-asks, roles: [support], token: { env: FEW }, rate: 100000, tools: few }
roles:
`,
)

/** Calls of agents that are almost right, to the real server package on our own endpoint. */
export const fuzzMcp = async ({ cases, seed }: FuzzOptions): Promise<Fuzzed> => {
  const random = createRandom(seed)
  const findings = createFindings('Calls of agents')
  const { log, leaks } = createLeakDetectingLog()
  const { email, chat, billing, close } = await startSandbox()
  const urls = { email: email.baseUrl, chat: chat.baseUrl, billing: billing.baseUrl }
  const { app, close: closeBot } = await openInProcessBot(log, urls, { policy })
  const http = createHttpServer()
  const mcp = createMcp({
    bot: app.bot,
    http,
    log,
    previews: {},
    config: {
      agents: app.core.policy.agents.map((agent) => ({
        ...agent,
        secret: `${canaries.agentToken}-${agent.id}`,
      })),
      publicUrl: 'https://bellhop.example.com',
      issuer: undefined,
      faces: { mcp: true, api: true },
    },
  })
  app.join(mcp.messenger)
  await app.start()
  const url = `${await http.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  const next = (): Post => {
    const isForged = random() < 0.05
    const isModern = random() < 0.5
    const agent = pick(random, ['all', 'few'])
    const message = pick(random, messages(random, isModern))
    const mutated = random() < 0.6 ? withOddArguments(random, message) : mutateValue(random, message)
    const whole = JSON.stringify(mutated) ?? ''
    return {
      headers: {
        'content-type': random() < 0.03 ? pick(random, ['text/plain', '']) : 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${isForged ? 'x'.repeat(40) : `${canaries.agentToken}-${agent}`}`,
        ...(isModern ? modern(mutated) : {}),
      },
      body: random() < 0.1 ? mutateText(random, whole) : whole,
      isForged,
    }
  }
  try {
    await postAll(url, cases, next, findings, 16)
  } finally {
    await mcp.stop()
    await http.close()
    await closeBot()
    await close()
  }
  return findings.done(cases, leaks())
}

/** A message that is right but for what the tool is given. */
const withOddArguments = (random: () => number, message: object): object => {
  const { params } = message as { params?: { arguments?: object } }
  if (params?.arguments === undefined) return message
  return { ...message, params: { ...params, arguments: mutateValue(random, params.arguments) } }
}

/** What the current revision says in its headers. */
const modern = (message: unknown): Record<string, string> => {
  const { method, params } = Object(message) as { method?: unknown; params?: { name?: unknown } }
  return {
    'mcp-protocol-version': '2026-07-28',
    ...(typeof method === 'string' && /^[\x21-\x7e]{1,100}$/.test(method) ? { 'mcp-method': method } : {}),
    ...(typeof params?.name === 'string' && /^[\x21-\x7e]{1,100}$/.test(params.name)
      ? { 'mcp-name': params.name }
      : {}),
  }
}

const messages = (random: () => number, isModern: boolean): object[] => {
  const key = `k${Math.floor(random() * 1_000)}`
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const rpc = (method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id: Math.floor(random() * 1e6),
    method,
    params: isModern ? { ...params, _meta: envelope } : params,
  })
  const call = (name: string, given: object) => rpc('tools/call', { name, arguments: given })
  return [
    rpc('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'fuzz', version: '1' },
    }),
    rpc('server/discover'),
    rpc('tools/list'),
    rpc('resources/list'),
    rpc('resources/read', { uri: pick(random, ['bellhop://policy', 'bellhop://changes/waiting']) }),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    call('subscriber_get', { who: 'ada@example.com' }),
    call('subscriber_find', { search: 'a', tags: ['customer'], page: 1 }),
    call('refund', { payment_id: 'pay_1001', amount: 20, request_key: key, wait_seconds: 0 }),
    call('list_create', { name: 'Fuzz', request_key: key }),
    call('upgrade', { subscription_id: 'sub_1001', plan_id: 'plan_2', request_key: key }),
    call('approval_approve', { id: 'abc' }),
    call('api_call', { service: 'email', method: 'GET', path: '/lists' }),
    call('change_get', { id: 'abc', wait_seconds: 0 }),
    call('search_commands', { query: 'refund' }),
    call('describe_command', { command: 'refund' }),
    call('run_command', { command: 'refund', arguments: { payment_id: 'pay_1001' }, request_key: key }),
  ]
}
