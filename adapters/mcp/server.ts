import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server'
import type { Bot } from '../../src/messenger/bot.ts'
import type { Agent } from '../../src/model/agent.ts'
import type { Calls } from './calls.ts'
import { fewTools } from './few-tools.ts'
import { changeGetOutput } from './output-schemas.ts'
import { agentCommands, agentSender } from './requests.ts'
import { readResource, resources } from './resources.ts'
import { type CallResult, refusedResult } from './results.ts'
import { toToolResult } from './tool-result.ts'
import { callParams, toolsOf } from './tools.ts'

const instructions =
  'Look-ups answer at once. A change is asked for, and people decide about it in their messengers: the answer has its id and what it needs. Give each change a request_key of your own, so that a repeated call is the same request; change_get tells how it stands.'

const changeGet = {
  name: 'change_get',
  title: 'change get',
  description: 'Tell how a change stands that this agent asked for, and wait for its end if told to.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      id: { type: 'string', description: 'The id that the request was answered with' },
      wait_seconds: callParams.wait_seconds,
    },
    required: ['id'],
    additionalProperties: false,
  },
  outputSchema: changeGetOutput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

export type AgentServerDeps = { bot: Bot; calls: Calls; version: string }

/** The protocol's side of one request: what this agent is offered, and what it calls. */
export const createAgentServer = ({ bot, calls, version }: AgentServerDeps, agent: Agent): Server => {
  const server = new Server(
    { name: 'bellhop', title: 'Bellhop', version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: [...(agent.tools === 'few' ? fewTools : toolsOf(agentCommands(bot, agent))), changeGet],
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const listener = { signal: context.mcpReq.signal, tell: progressOf(context) }
    return toToolResult(await calls.call(agent, params.name, params.arguments ?? {}, listener))
  })
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params }) => {
    const refused = calls.whyTooEarly(agent)
    if (refused !== undefined) throw refusedRead(refused)
    const frozen = await bot.agents.whyFrozen(agentSender(agent))
    if (frozen !== undefined) throw refusedRead(refusedResult(frozen))
    return readResource(bot, agent, params.uri)
  })
  return server
}

/** A read has no result for a refusal, so it is an error with the same words and data. */
const refusedRead = ({ words, data }: CallResult) =>
  new ProtocolError(ProtocolErrorCode.InvalidRequest, words.join(' '), data)

/** Nothing for a client that did not ask for progress, or is gone. */
const progressOf = ({ mcpReq }: ServerContext) => {
  const progressToken = mcpReq._meta?.progressToken
  let progress = 0
  return async (message: string): Promise<void> => {
    if (progressToken === undefined) return
    const params = { progressToken, progress: ++progress, message }
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
