import { readFileSync } from 'node:fs'
import { createMcpHandler, preloadSchemas } from '@modelcontextprotocol/server'
import { servedConnection } from '../../src/kernel/messenger/connection.ts'
import type { MessengerDeps, RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import type { Messenger } from '../../src/kernel/messenger/messenger.ts'
import { sendJson } from '../../src/lib/http/server.ts'
import { createTurns } from '../../src/lib/limits/call-rate.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { createApi } from './api/api.ts'
import { createCallers } from './callers.ts'
import { createCalls } from './calls.ts'
import { type McpConfig, pathsOf } from './config.ts'
import { createEndpoint } from './endpoint.ts'
import { createRequests } from './requests.ts'
import type { Face } from './results.ts'
import { createAgentServer, type McpRequest } from './server.ts'
import { createSlackbot } from './slackbot.ts'
import { createWaitingRoom } from './wait.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Programs ask here, by the Model Context Protocol (streamable HTTP) at /mcp or by plain HTTP at /api, and people decide elsewhere. */
export const createMcp = ({ bot, http, config, log }: MessengerDeps<McpConfig>): RunningMessenger => {
  const { publicUrl, issuer, faces } = config
  const stopping = new AbortController()
  const connection = servedConnection({ platform: 'mcp', log, now: bot.now, ticks: bot.ticks })
  const takeTurn = createTurns(bot.ticks)
  const waiting = createWaitingRoom()
  const requestsBy = (face: Face) =>
    createRequests({ bot, takeTurn, waiting, stopping: stopping.signal, face })
  const isOwnOrigin = (origin: string) =>
    origin === publicUrl ||
    ['localhost', '127.0.0.1', '[::1]'].some((host) => origin === `http://${host}:${http.port()}`)
  const metadataPath = '/.well-known/oauth-protected-resource'
  const guardOf = (path: '/mcp' | '/api') => ({
    findCaller: createCallers(config, bot, path),
    bot,
    isOwnOrigin,
    metadataUrl: issuer === undefined ? undefined : `${publicUrl}${metadataPath}${path}`,
    onCall: connection.heard,
    log,
  })
  const closeMcp = faces.mcp ? serveMcp() : undefined
  if (faces.api) {
    http.mount('/api', createApi({ ...guardOf('/api'), requests: requestsBy('api'), publicUrl }))
  }
  if (issuer !== undefined) {
    const metadataOf = (path: string) => ({
      resource: `${publicUrl}${path}`,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'Bellhop',
    })
    const paths = pathsOf(faces)
    for (const path of paths) {
      http.get(`${metadataPath}${path}`, (_, response) => sendJson(response, 200, metadataOf(path)))
    }
    const [first = '/mcp'] = paths
    http.get(metadataPath, (_, response) => sendJson(response, 200, metadataOf(first)))
  }
  return {
    messenger,
    start: async () => undefined,
    stop: async () => {
      stopping.abort()
      connection.stop()
      await closeMcp?.()
    },
    connections: [connection],
    remark: () => `at ${pathsOf(faces).join(' and ')}, ${plural(bot.agents.all.length, 'agent')}`,
  }

  function serveMcp(): () => Promise<void> {
    const requests = requestsBy('mcp')
    const deps = { bot, requests, calls: createCalls({ bot, requests }), version }
    const handler = createMcpHandler(
      ({ authInfo, era }) => {
        const { extra = {} } = authInfo ?? {}
        return createAgentServer(deps, { ...(extra as Omit<McpRequest, 'era'>), era })
      },
      { onerror: (error) => log.debug({ err: error }, 'a message of an agent was refused') },
    )
    preloadSchemas()
    const slackbot = config.slackbot && createSlackbot(config.slackbot, bot)
    http.mount('/mcp', createEndpoint({ ...guardOf('/mcp'), handler, slackbot }))
    return () => handler.close()
  }
}

/** Agents learn everything from the answers to their calls: a message that is posted for them is not kept. */
const messenger: Messenger = {
  platform: 'mcp',
  post: async () => 'mcp',
  edit: async () => undefined,
  direct: async () => 'mcp',
}
