import type { McpConfig } from '../../adapters/mcp/config.ts'
import { createMcp } from '../../adapters/mcp/mcp.ts'
import type { App } from '../../src/cli/start/app.ts'
import type { RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import type { Inbound } from '../../src/kernel/messenger/inbound.ts'
import { createHttpServer, type HttpServer } from '../../src/lib/http/server.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../harness/app.ts'
import { approvalsPlaces, peopleOf } from '../harness/team-policy.ts'
import { whenDone } from '../harness/when-done.ts'

/** Long enough, and told apart by its first word. */
export const tokenOf = (agent: string): string => `${agent}-token-0123456789-0123456789-0123456789`

/** Fay asks through an agent too, so that its owner is somebody who may approve. */
export const agentPolicy = `
version: 1
people:
${peopleOf({ sam: 'support', fay: 'finance', finn: 'finance' })}
agents:
  - { id: helper, name: Helper, owner: sam, roles: [support], token: { env: HELPER_TOKEN } }
  - { id: clerk, name: Clerk, owner: fay, roles: [support], token: { env: CLERK_TOKEN } }
  - { id: frugal, name: Frugal, owner: sam, roles: [support], token: { env: FRUGAL_TOKEN }, tools: few, rate: 5 }
roles:
  support: { run: ["subscriber *", "list *", refund, "transaction refunds"] }
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
${approvalsPlaces}
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
  - { name: lists, commands: [list create], require: none }
budgets:
  - { name: refunds a day, commands: [refund], per: requester, window: 24h, limit: 200, then: { approvals: 2, from: [finance] } }
duplicates: { window: 30m }
`

export const agentOf = (account: string): Inbound['from'] => ({
  platform: 'mcp',
  account,
  name: account,
  groups: [],
})

/** The endpoint for the agents of the policy, each with a token of its own. */
export const joinAgents = (
  { app, http }: { app: App; http: HttpServer },
  more: Partial<McpConfig> = {},
): RunningMessenger =>
  createMcp({
    bot: app.bot,
    http,
    log: app.core.log,
    previews: {},
    config: {
      agents: app.core.policy.agents.map((agent) => ({ ...agent, secret: tokenOf(agent.id) })),
      publicUrl: 'https://bellhop.example.com',
      issuer: undefined,
      faces: { mcp: true, api: true },
      ...more,
    },
  })

/** The bot with nothing but agents. */
export const openAgents = async (
  options: TestAppOptions = {},
  more: Partial<McpConfig> = {},
): Promise<TestApp & { base: string; http: HttpServer; close(): Promise<void> }> => {
  const opened = await openTestApp({ policy: agentPolicy, ...options, started: false })
  const http = createHttpServer()
  const mcp = joinAgents({ app: opened.app, http }, more)
  opened.app.join(mcp.messenger)
  await opened.app.start()
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await mcp.stop()
    await http.close()
  }
  whenDone(stop)
  return {
    ...opened,
    base,
    http,
    close: async () => {
      await stop()
      await opened.close()
    },
  }
}
