import { expect, it } from 'vitest'
import { mcpDefinition } from '../../adapters/mcp/definition.ts'
import { createMcp } from '../../adapters/mcp/mcp.ts'
import { createApp } from '../../src/cli/start/app.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { openConsoleHarness } from '../console/harness.ts'
import { textOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'
import { agentPolicy, joinAgents, openAgents, tokenOf } from './harness.ts'

const rpc = (name: string, given: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })

const call = async (base: string, name: string, given: object) => {
  const answer = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokenOf('helper')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: rpc(name, given),
  })
  const text = await answer.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent
}

it('status, the doctor and the console name every agent with its owner', async () => {
  const { app, say, base, page } = await openConsoleHarness({ policy: agentPolicy })
  expect(textOf(await say('bellhop status', 'sam'))).toContain(
    'Helper (of Sam Support), Clerk (of Fay Finance), Frugal (of Sam Support)',
  )
  const checks = await mcpDefinition.check(
    {
      agents: app.core.policy.agents.map((agent) => ({ ...agent, secret: tokenOf(agent.id) })),
      publicUrl: 'https://bellhop.example.com',
      issuer: undefined,
      faces: { mcp: true, api: true },
    },
    app.core.registry,
    { channels: [], groups: [] },
  )
  expect(checks.map(({ ok, words }) => [ok, words])).toEqual([
    [true, 'on; agents call https://bellhop.example.com/mcp and https://bellhop.example.com/api.'],
    [true, 'Helper (helper) of sam: roles support, at most 120 calls a minute, token set.'],
    [true, 'Clerk (clerk) of fay: roles support, at most 120 calls a minute, token set.'],
    [true, 'Frugal (frugal) of sam: roles support, at most 5 calls a minute, token set.'],
  ])
  expect(new URL(page()).origin).toBe(base)
  const { agents } = (await (await fetch(`${base}/console/api/start`)).json()) as { agents: object[] }
  expect(agents).toContainEqual({ name: 'Clerk', owner: 'Fay Finance' })
})

it('with MCP_ISSUER the metadata says who gives out tokens, and a refusal says where the metadata is', async () => {
  const { app } = await openAgents()
  const http = createHttpServer()
  const mcp = createMcp({
    bot: app.bot,
    http,
    log: app.core.log,
    previews: {},
    config: {
      agents: [],
      publicUrl: 'https://bellhop.example.com',
      issuer: 'https://id.example.com',
      faces: { mcp: true, api: false },
    },
  })
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  whenDone(async () => {
    await mcp.stop()
    await http.close()
  })
  for (const path of ['', '/mcp']) {
    const answer = await fetch(`${base}/.well-known/oauth-protected-resource${path}`)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        resource: 'https://bellhop.example.com/mcp',
        authorization_servers: ['https://id.example.com'],
        bearer_methods_supported: ['header'],
        resource_name: 'Bellhop',
      },
    ])
  }
  const refused = await fetch(`${base}/mcp`, { method: 'POST', body: '{}' })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toContain(
    'resource_metadata="https://bellhop.example.com/.well-known/oauth-protected-resource/mcp"',
  )
})

eachEngine('a request_key', (engine) => {
  it('makes the same call to several replicas one request with one effect', async () => {
    const { app, store, registry, services, sandbox, base } = await openAgents({ engine })
    const second = createApp({ registry, services, store, policy: app.core.policy, log: app.core.log })
    const http = createHttpServer()
    const mcp = joinAgents({ app: second, http })
    second.join(mcp.messenger)
    await second.start()
    const bases = [base, await http.listen({ host: '127.0.0.1', port: 0 })]
    const calls = Array.from({ length: 12 }, (_, at) =>
      call(bases[at % 2] as string, 'list_create', {
        name: 'Autumn',
        request_key: 'autumn',
        wait_seconds: 20,
      }),
    )
    const told = (await Promise.all(calls)) as { id: string; state: string }[]
    expect(told.map(({ id, state }) => [id, state])).toEqual(calls.map(() => [told[0]?.id, 'applied']))
    expect(await store.changes.list({ limit: 10 })).toHaveLength(1)
    expect(
      sandbox.wire.filter(({ method, path }) => method === 'POST' && path.endsWith('/lists')),
    ).toHaveLength(1)
    await mcp.stop()
    await http.close()
    await second.stop(0)
  })

  it('gives a copy the answer of the first, even when what the first did would forbid the copy', async () => {
    const { sandbox, base } = await openAgents({ engine })
    const create = () =>
      call(base, 'list_create', { name: 'Winter', request_key: 'winter', wait_seconds: 20 })
    sandbox.fault({ service: 'email', row: 'listsAndSegments', kind: 'delay', ms: 1_500 })
    const slow = create()
    await expect.poll(() => sandbox.wire.map(({ row }) => row)).toContain('listsAndSegments')
    const fast = await create()
    expect(fast.state).toBe('applied')
    expect(await slow).toEqual(fast)
  })
})
