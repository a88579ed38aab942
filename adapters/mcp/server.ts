import {
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import type { Calls } from './calls.ts'
import { fewTools } from './few-tools.ts'
import { askForValues, readAnswers } from './missing-values.ts'
import { changeGetOutput } from './output-schemas.ts'
import { type AgentCaller, type AgentRequests, agentCommands, agentSender, clip } from './requests.ts'
import { readResource, resourcesOf } from './resources.ts'
import { refusedResult } from './results.ts'
import { createdTask, type Era, offerTasks, refusedRequest, takesTasks, taskCapabilities } from './tasks.ts'
import { toToolResult } from './tool-result.ts'
import { callParams, isChangeTool, toolsOf } from './tools.ts'
import { isOpen } from './wait.ts'

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

export type AgentServerDeps = { bot: Bot; calls: Calls; requests: AgentRequests; version: string }

/** Who sent one request: by which revision, and whether it calls a tool. */
export type McpRequest = { agent: AgentCaller; era: Era; isCall: boolean }

const callSchema = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  task: z.looseObject({}).optional(),
})

/** The protocol's side of one request: what this agent is offered, and what it calls. */
export const createAgentServer = (
  { bot, calls, requests, version }: AgentServerDeps,
  { agent, era, isCall }: McpRequest,
): Server => {
  const server = new Server(
    { name: 'bellhop', title: 'Bellhop', version },
    { capabilities: { tools: {}, resources: {}, ...taskCapabilities(era) }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: [...(agent.tools === 'few' ? fewTools : toolsOf(agentCommands(bot, agent))), changeGet],
  }))

  const callTool = async (params: unknown, context: ServerContext): Promise<Result> => {
    const read = callSchema.safeParse(params)
    if (!read.success) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'A call has a name and arguments.')
    }
    const { name, arguments: given, task } = read.data
    const asked = era === 'legacy' && task !== undefined
    const isTask = name === 'run_command' || isChangeTool(bot.registry, name)
    if (asked && !isTask) {
      const words = `${clip(name)} answers at once, and not as a task.`
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, words)
    }
    const answered = readAnswers(context)
    const { signal } = context.mcpReq
    const listener = { signal, tell: progressOf(context), answers: answered?.values }
    const result = await calls.call(agent, name, given, listener)
    const { change, missing } = result
    const [words = ''] = result.words
    const form = missing && answered === undefined ? askForValues(context, missing, words) : undefined
    if (form !== undefined) return form
    if (change !== undefined && isTask && (asked || (takesTasks(context) && isOpen(change)))) {
      return createdTask(era, change, bot.now())
    }
    if (asked) throw refusedRequest(result)
    return toToolResult(result)
  }
  // The package's own handler of this method lets nothing but a finished result through.
  if (isCall) {
    server.fallbackRequestHandler = async ({ method, params }, context) => {
      if (method === 'tools/call') return callTool(params, context)
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
    }
  }
  const refuseTooEarly = () => calls.refuseTooEarly(agent)
  offerTasks(server, { agent, era, requests, now: bot.now, refuseTooEarly })
  server.setRequestHandler('resources/list', () => ({ resources: resourcesOf(agent) }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params }) => {
    const refused = calls.refuseTooEarly(agent)
    if (refused !== undefined) throw refusedRequest(refused)
    const frozen = await bot.agents.refuseFrozen(agentSender(agent))
    if (frozen !== undefined) throw refusedRequest(refusedResult(frozen))
    return readResource(bot, agent, params.uri)
  })
  return server
}

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
