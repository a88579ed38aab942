import {
  type CheckResult,
  checkPassed,
  type MessengerDefinition,
} from '../../src/kernel/messenger/definition.ts'
import { type McpConfig, pathsOf, readMcpConfig } from './config.ts'

export const mcpDefinition: MessengerDefinition<McpConfig> = {
  name: 'mcp',
  title: 'Agents',
  variables: [],
  secrets: [],
  switches: ['MCP', 'API', 'SLACKBOT'],
  others: ['MCP_ISSUER'],
  accounts: 'agents',
  turnOn: 'MCP=on or API=on',
  readConfig: readMcpConfig,
  check,
  create: async (deps) => (await import('./mcp.ts')).createMcp(deps),
}

async function check({ agents, publicUrl, issuer, faces, slackbot }: McpConfig): Promise<CheckResult[]> {
  return [
    checkPassed(
      'mcp',
      `on; agents call ${pathsOf(faces)
        .map((path) => publicUrl + path)
        .join(' and ')}.`,
    ),
    ...agents.map((agent) =>
      checkPassed(
        'mcp',
        `${agent.name} (${agent.id}) of ${agent.owner}: roles ${agent.roles.join(', ') || 'none'}, at most ${agent.rate} calls a minute, token ${'client' in agent ? 'from the issuer' : 'set'}.`,
      ),
    ),
    ...(slackbot === undefined
      ? []
      : [
          checkPassed(
            'mcp',
            `Slackbot asks for the people of ${slackbot.team}; nobody has tried that with Slack itself.`,
          ),
        ]),
    ...(issuer === undefined ? [] : [await (await import('./issuer.ts')).checkIssuer(issuer)]),
  ]
}
