import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Result,
  type Server,
  type ServerContext,
  type TaskStatus,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Agent } from '../../src/kernel/model/agent.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import type { AgentRequests } from './requests.ts'
import { type CallResult, progressText } from './results.ts'
import { toToolResult } from './tool-result.ts'
import { isOpen } from './wait.ts'

/** Tasks are a part of the revision 2025-11-25, and an extension of the current one with other names and fewer methods. */
export type Era = 'legacy' | 'modern'

const extension = 'io.modelcontextprotocol/tasks'
const required = { extensions: { [extension]: {} } }

export const taskCapabilities = (era: Era) =>
  era === 'modern' ? required : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }

/** People take minutes, and a service seconds. */
const pollMs = { pending: 5_000, approved: 1_000, applying: 1_000 }
const pageSize = 50

/** What the client of this request says about itself; the revisions before say it once, to whoever was asked first. */
export const declaredBy = ({ mcpReq }: ServerContext): ClientCapabilities | undefined =>
  (mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ]

export const takesTasks = (context: ServerContext): boolean =>
  declaredBy(context)?.extensions?.[extension] !== undefined

/** A task is a change seen by the client that asked for it, and has no state of its own: any replica can tell it. */
export const createdTask = (era: Era, change: Change, now: number): Result =>
  era === 'modern' ? { resultType: 'task', ...taskOf(era, change, now) } : { task: taskOf(era, change, now) }

const taskOf = (era: Era, change: Change, now: number) => {
  const { id, state, createdAt, updatedAt } = change
  const interval = state in pollMs ? pollMs[state as keyof typeof pollMs] : pollMs.applying
  return {
    taskId: id,
    status: statusIn(era, change),
    statusMessage: progressText(change, now),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ...(era === 'modern' ? { ttlMs: null, pollIntervalMs: interval } : { ttl: null, pollInterval: interval }),
  }
}

/** Whatever people said is a result. That nothing could be done is one too in the current revision, and a failure before. */
const statusIn = (era: Era, change: Change): TaskStatus => {
  if (isOpen(change)) return 'working'
  if (change.state === 'cancelled') return 'cancelled'
  return change.state === 'failed' && era === 'legacy' ? 'failed' : 'completed'
}

type TaskDeps = {
  agent: Agent
  era: Era
  requests: AgentRequests
  now(): number
  /** Why this call is too early, if it is. */
  refuseTooEarly(): CallResult | undefined
}

export const offerTasks = (server: Server, { agent, era, requests, now, refuseTooEarly }: TaskDeps): void => {
  const check = (context: ServerContext): void => {
    if (era === 'modern' && !takesTasks(context)) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: required })
    }
    const refused = refuseTooEarly()
    if (refused !== undefined) throw refusedRequest(refused)
  }
  /** A task belongs to its agent alone, whatever else that agent may see. */
  const find = async (id: string, context: ServerContext, seconds = 0) => {
    const listener = { signal: context.mcpReq.signal, tell: async () => undefined }
    const result = await requests.look(agent, id, seconds, listener)
    const { change } = result
    if (change !== undefined && requests.owns(agent, change)) return { change, result }
    const { code } = result.data as { code?: string }
    throw change === undefined && code !== 'no_such_change' ? refusedRequest(result) : noSuchTask()
  }
  const byId = { params: z.looseObject({ taskId: z.string().max(200) }) }

  server.setRequestHandler('tasks/get', byId, async ({ taskId }, context) => {
    check(context)
    const { change, result } = await find(taskId, context)
    const task = taskOf(era, change, now())
    const isTold = era === 'modern' && task.status === 'completed'
    return isTold ? { ...task, result: toToolResult(result) } : task
  })

  server.setRequestHandler('tasks/cancel', byId, async ({ taskId }, context) => {
    check(context)
    await find(taskId, context)
    const refused = await requests.cancel(agent, taskId)
    if (era === 'modern') return {}
    if (refused !== undefined) throw refusedRequest(refused, ProtocolErrorCode.InvalidParams)
    return taskOf(era, (await find(taskId, context)).change, now())
  })

  if (era === 'modern') {
    // Nothing is asked of a client once a task is made, so no answer is waited for.
    server.setRequestHandler('tasks/update', byId, async ({ taskId }, context) => {
      check(context)
      await find(taskId, context)
      return {}
    })
    return
  }

  server.setRequestHandler('tasks/result', byId, async ({ taskId }, context) => {
    check(context)
    // Whoever may see a change of another waits for nothing here.
    await find(taskId, context)
    const { change, result } = await find(taskId, context, Number.POSITIVE_INFINITY)
    if (isOpen(change)) throw new ProtocolError(ProtocolErrorCode.InternalError, 'The bot stops: ask again.')
    return { ...toToolResult(result), _meta: { [RELATED_TASK_META_KEY]: { taskId } } }
  })

  const page = { params: z.looseObject({ cursor: z.string().max(200).optional() }) }
  server.setRequestHandler('tasks/list', page, async ({ cursor }, context) => {
    check(context)
    const listed = await requests.list(agent, { limit: pageSize, before: cursor })
    if ('data' in listed) throw refusedRequest(listed, ProtocolErrorCode.InvalidParams)
    const { changes, next } = listed
    return {
      tasks: changes.map((change) => taskOf(era, change, now())),
      ...(next === undefined ? {} : { nextCursor: next }),
    }
  })
}

/** These methods have no result for a refusal, so it is an error with the same words and data. */
export const refusedRequest = (
  { words, data }: CallResult,
  code: ProtocolErrorCode = ProtocolErrorCode.InvalidRequest,
) => new ProtocolError(code, words.join(' '), data)

const noSuchTask = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task of this agent.')
