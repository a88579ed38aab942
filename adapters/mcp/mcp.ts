import { readFileSync } from 'node:fs'
import { createMcpHandler, preloadSchemas } from '@modelcontextprotocol/server'
import { sendJson } from '../../src/http/server.ts'
import { servedConnection } from '../../src/messenger/connection.ts'
import type { MessengerDeps, RunningMessenger } from '../../src/messenger/definition.ts'
import type { Messenger } from '../../src/messenger/messenger.ts'
import type { Agent } from '../../src/model/agent.ts'
import { plural } from '../../src/view/button-labels.ts'
import { createCallers } from './callers.ts'
import { createCalls } from './calls.ts'
import type { McpConfig } from './config.ts'
import { createEndpoint } from './endpoint.ts'
import { createTurns } from './rate-limit.ts'
import { createAgentServer } from './server.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The Model Context Protocol (streamable HTTP) at /mcp: programs ask here, and people decide elsewhere. */
export const createMcp = ({ bot, http, config, log }: MessengerDeps<McpConfig>): RunningMessenger => {
  const { publicUrl, issuer } = config
  const stopping = new AbortController()
  const requests = servedConnection({ platform: 'mcp', log, now: bot.now })
  const calls = createCalls({ bot, takeTurn: createTurns(bot.now), stopping: stopping.signal })
  const handler = createMcpHandler(
    ({ authInfo }) => createAgentServer({ bot, calls, version }, authInfo?.extra?.agent as Agent),
    { onerror: (error) => log.debug({ err: error }, 'a message of an agent was refused') },
  )
  preloadSchemas()
  const metadataPath = '/.well-known/oauth-protected-resource'
  const metadataUrl = issuer === undefined ? undefined : `${publicUrl}${metadataPath}/mcp`
  const isOwnOrigin = (origin: string) =>
    origin === publicUrl ||
    ['localhost', '127.0.0.1', '[::1]'].some((host) => origin === `http://${host}:${http.port()}`)
  http.mount(
    '/mcp',
    createEndpoint({
      handler,
      findCaller: createCallers(config, bot),
      bot,
      isOwnOrigin,
      metadataUrl,
      onCall: requests.heard,
      log,
    }),
  )
  if (issuer !== undefined) {
    const metadata = {
      resource: `${publicUrl}/mcp`,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'Bellhop',
    }
    for (const path of [metadataPath, `${metadataPath}/mcp`]) {
      http.get(path, (_, response) => sendJson(response, 200, metadata))
    }
  }
  return {
    messenger,
    start: async () => undefined,
    stop: async () => {
      stopping.abort()
      requests.stop()
      await handler.close()
    },
    connections: [requests],
    remark: () => `at /mcp, ${plural(bot.agents.all.length, 'agent')}`,
  }
}

/** Agents learn everything from the answers to their calls: a message that is posted for them is not kept. */
const messenger: Messenger = {
  platform: 'mcp',
  post: async () => 'mcp',
  edit: async () => undefined,
  direct: async () => 'mcp',
}
