import { describe, expect, it } from 'vitest'
import { readMcpConfig } from '../../adapters/mcp/config.ts'
import type { Agent } from '../../src/kernel/model/agent.ts'

const agent = (id: string, token: Agent['token'] = { env: `${id.toUpperCase()}_TOKEN` }): Agent => ({
  id,
  name: id,
  owner: 'ann',
  roles: [],
  token,
  rate: 120,
  tools: 'all',
})
const long = 'a-good-token-of-more-than-32-characters'

const read = (env: Record<string, string>, agents: Agent[], more: object = {}) => {
  const problems: string[] = []
  const warnings: string[] = []
  const config = readMcpConfig({
    env,
    agents,
    demo: false,
    asksPasskeys: false,
    demoPolicy: false,
    host: '127.0.0.1',
    port: 3000,
    dataDir: './data',
    problems,
    warnings,
    ...more,
  })
  return { config, problems, warnings }
}

describe('the configuration of agents', () => {
  it('is off unless it is turned on, and on in the demo unless it is turned off', () => {
    expect(read({}, [agent('one')]).config).toBeUndefined()
    expect(read({ MCP: 'off', API: 'off' }, [agent('one')], { demo: true }).config).toBeUndefined()
    expect(read({}, [], { demo: true }).config).toBeDefined()
    expect(read({ MCP: 'on', ONE_TOKEN: long }, [agent('one')])).toMatchObject({
      config: { agents: [{ id: 'one', secret: long }], publicUrl: 'http://127.0.0.1:3000' },
      problems: [],
    })
  })

  it.each([
    ['is missing', {}, /ONE_TOKEN, the token of the agent one, is missing/],
    ['is short', { ONE_TOKEN: 'x'.repeat(31) }, /ONE_TOKEN, the token of the agent one, is too short/],
    ['holds a space', { ONE_TOKEN: `${'x'.repeat(20)} ${'x'.repeat(20)}` }, /holds a space/],
  ])('stops the start when a token %s, and says how to make one', (_, env, words) => {
    const { problems } = read({ MCP: 'on', ...env }, [agent('one')])
    expect(problems).toEqual([expect.stringMatching(words)])
    expect(problems[0]).toContain('openssl rand -hex 32')
    expect(problems[0]).not.toContain('xxx')
  })

  it('stops the start when two agents share a token', () => {
    const env = { MCP: 'on', ONE_TOKEN: long, TWO_TOKEN: long }
    expect(read(env, [agent('one'), agent('two')]).problems).toEqual([
      'The agents one and two have the same token: give each of them its own.',
    ])
  })

  it('wants an issuer for a client id, and an address that is safe', () => {
    const client = agent('one', { client: 'c-1' })
    expect(read({ MCP: 'on' }, [client]).problems[0]).toContain(
      'MCP_ISSUER must say who gives out its tokens',
    )
    for (const issuer of ['x', 'http://id.example.com', 'https://id.example.com/?a=1']) {
      expect(read({ MCP: 'on', MCP_ISSUER: issuer }, [client]).problems[0]).toContain('MCP_ISSUER must be')
    }
    expect(read({ MCP: 'on', MCP_ISSUER: 'https://id.example.com' }, [client]).problems).toEqual([])
  })

  it('warns when there is nobody to call it', () => {
    expect(read({ MCP: 'on' }, []).warnings[0]).toContain('lists no agents')
  })
})
