import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { readMcpConfig } from '../../adapters/mcp/config.ts'
import { openAgents } from './harness.ts'

const secret = 'a signing secret of the test'
const team = 'T0HOME'
let clock = Date.now()
const opened = await openAgents({ now: () => clock }, { slackbot: { signingSecret: secret, team } })
const { base, store, press } = opened
afterAll(opened.close)

type Sent = {
  user?: string | null
  at?: string
  seconds?: number
  key?: string
  headers?: Record<string, string>
  /** What arrives, where that is not what was signed. */
  altered?: (body: string) => string
}

let sent = 0

/** As Slack sends it: signed with the secret of the app, and with the person in the message. */
const send = async (method: string, params: object = {}, how: Sent = {}) => {
  const { user = 'U0SAM', at = team, seconds = 0, key = secret, headers = {}, altered = (body) => body } = how
  const slack = user === null ? {} : { _meta: { slack: { user_id: user, team_id: at } } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++sent, method, params: { ...params, ...slack } })
  const timestamp = String(Math.floor(clock / 1000) + seconds)
  const signature = createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex')
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
      ...headers,
    },
    body: altered(body),
  }
  const answer = await fetch(`${base}/mcp`, request)
  const text = await answer.text()
  const line = text
    .split('\n')
    .find((one) => one.startsWith('data: '))
    ?.slice(6)
  const said = JSON.parse(line ?? text)
  return { status: answer.status, result: said.result ?? {}, error: said.error, request }
}

const call = async (name: string, given: object, how?: Sent) =>
  (await send('tools/call', { name, arguments: given }, how)).result.structuredContent

describe('Slackbot', () => {
  it.each(['workflow', 'T2/U0SAM', 'u0sam', 'nobody', 'sam', 'U0SAM\n', ''])(
    'is let in for no %j',
    async (user) => {
      expect((await send('tools/call', { name: 'subscriber_get', arguments: {} }, { user })).status).toBe(401)
    },
  )

  it('looks up and asks for the person whom Slack names, with that person as the requester', async () => {
    expect(await call('subscriber_get', { who: 'ada@example.com' })).toMatchObject({ state: 'answered' })
    const asked = await call('refund', { payment_id: 'pay_1001', amount: 60 })
    expect(asked).toMatchObject({ state: 'pending' })
    const change = await store.changes.get(asked.id)
    expect(change?.requester).toMatchObject({
      person: 'sam',
      name: 'Sam Support (through Slackbot)',
      platform: 'slack',
      account: 'U0SAM',
      agent: 'slack:slackbot',
    })
    expect((await press('approve', asked.id, 'sam')).kind).toBe('refused')
    const done = await press('approve', asked.id, 'fay')
    expect(done.kind === 'change' && done.change.state).toBe('applied')
    const entries = (await store.audit.find({ limit: 50 })).filter(({ changeId }) => changeId === asked.id)
    expect(entries.find(({ kind }) => kind === 'asked')).toMatchObject({
      who: 'sam',
      name: 'Sam Support (through Slackbot)',
    })
  })

  it('confirms and decides nothing, whoever it calls for', async () => {
    const small = await call('refund', { payment_id: 'pay_1002', amount: 20 })
    expect(small).toMatchObject({ state: 'pending', needs: expect.stringContaining('1 approval') })
    for (const user of ['U0SAM', 'U0FAY']) {
      const { result } = await send('tools/list', {}, { user })
      const names = result.tools.map(({ name }: { name: string }) => name)
      expect(names).toContain('refund')
      expect(names.join()).not.toMatch(/approve|reject|resolve|confirm|bellhop_console|bellhop_sessions/)
      for (const tool of ['approval_approve', 'approval_reject', 'bellhop_console']) {
        const refused = await call(tool, { id: small.id, reason: 'x' }, { user })
        expect([tool, refused?.state ?? 'refused']).toEqual([tool, 'refused'])
      }
    }
    expect((await store.changes.get(small.id))?.votes).toEqual([])
  })

  it('has the rights of the person and nothing more, and sees no change of another', async () => {
    expect(await call('audit_find', {})).toMatchObject({ state: 'refused', code: 'may_not_run' })
    expect(await call('audit_find', {}, { user: 'U0FAY' })).toMatchObject({ state: 'answered' })
    const { id } = await call('refund', { payment_id: 'pay_1003', amount: 60 })
    expect((await send('tasks/get', { taskId: id })).result).toMatchObject({ taskId: id, status: 'working' })
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/result']) {
      const { error } = await send(method, { taskId: id }, { user: 'U0FINN' })
      expect([method, error?.code]).toEqual([method, -32602])
    }
    expect((await store.changes.get(id))?.state).toBe('pending')
  })

  it.each<[string, Sent, string]>([
    ['somebody whom the file does not list', { user: 'U0NOBODY' }, 'stranger'],
    ['the same id in another workspace', { at: 'T0OTHER' }, 'stranger'],
  ])('asks nothing for %s', async (_, how, code) => {
    expect(await call('refund', { payment_id: 'pay_1004', amount: 60 }, how)).toMatchObject({ code })
  })

  it.each<[string, Sent]>([
    ['that another secret signed', { key: 'another' }],
    ['that is too old', { seconds: -600 }],
    ['from the future', { seconds: 600 }],
    ['without a time', { headers: { 'x-slack-request-timestamp': '' } }],
    ['with another person than was signed', { altered: (body) => body.replace('U0SAM', 'U0FAY') }],
    ['that names nobody', { user: null }],
  ])('is not believed about a call %s', async (_, how) => {
    const params = { name: 'subscriber_get', arguments: { who: 'ada@example.com' } }
    expect((await send('tools/call', params, how)).status).toBe(401)
  })

  it('is not believed when a call is played back', async () => {
    const { request, status } = await send('tools/list')
    expect(status).toBe(200)
    clock += 2_000
    expect((await fetch(`${base}/mcp`, request)).status).toBe(401)
  })

  it('finds out what there is before it calls for anybody', async () => {
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'slackbot', version: '1' },
    }
    expect((await send('initialize', hello, { user: null })).status).toBe(200)
    const { result } = await send('tools/list', {}, { user: null })
    expect(result.tools.map(({ name }: { name: string }) => name)).toContain('refund')
    expect((await send('resources/read', { uri: 'bellhop://policy' }, { user: null })).status).toBe(401)
    expect((await send('resources/read', { uri: 'bellhop://policy' })).error?.code).toBe(-32602)
  })

  it('is stopped with the agents', async () => {
    await opened.say('freeze agents --reason "Odd requests"', 'finn')
    expect(await call('subscriber_get', { who: 'ada@example.com' })).toMatchObject({ code: 'frozen' })
    const thawed = await opened.say('unfreeze agents', 'finn')
    await press('confirm', thawed.kind === 'change' ? thawed.change.id : '', 'finn')
    expect(await call('subscriber_get', { who: 'ada@example.com' })).toMatchObject({ state: 'answered' })
  })
})

describe('without SLACKBOT=on', () => {
  it('a signature opens nothing', async () => {
    const { base: off } = await openAgents()
    const { request } = await send('tools/list')
    expect((await fetch(`${off}/mcp`, request)).status).toBe(401)
  })

  it.each([
    [{ SLACKBOT: 'on', MCP: 'off', API: 'on', SLACK_SIGNING_SECRET: 'x', SLACK_TEAM_ID: team }, 'MCP=on'],
    [{ SLACKBOT: 'on', MCP: 'on', SLACK_TEAM_ID: team }, 'SLACK_SIGNING_SECRET'],
    [{ SLACKBOT: 'on', MCP: 'on', SLACK_SIGNING_SECRET: 'x' }, 'SLACK_TEAM_ID'],
    [{ SLACKBOT: 'on', MCP: 'on', SLACK_SIGNING_SECRET: 'x', SLACK_TEAM_ID: 'home' }, 'SLACK_TEAM_ID'],
  ])('%j is told what it lacks', (env, words) => {
    const problems: string[] = []
    const reading = {
      env,
      demo: false,
      host: '127.0.0.1',
      port: 3000,
      dataDir: '',
      agents: [],
      asksPasskeys: false,
      demoPolicy: false,
      warnings: [],
      problems,
    }
    readMcpConfig(reading)
    expect(problems.join()).toContain(words)
  })
})
