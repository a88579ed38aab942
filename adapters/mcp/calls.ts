import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Command } from '../../src/kernel/command/define.ts'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import type { Agent } from '../../src/kernel/model/agent.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { readCallArguments, readWait } from './arguments.ts'
import { isFewTool, runFewTool } from './few-tools.ts'
import { missingParams, withAnswers } from './missing-values.ts'
import { type AgentRequests, agentCommands, type CallListener, clip, countedAs } from './requests.ts'
import { type CallResult, refusedResult } from './results.ts'
import { commandOfTool } from './tools.ts'

export type Calls = {
  call(
    agent: Agent,
    tool: string,
    given: Record<string, unknown>,
    listener: CallListener,
  ): Promise<CallResult>
  /** Why this call is too early, if it is. */
  refuseTooEarly(agent: Agent): CallResult | undefined
}

/** What each tool does. */
export const createCalls = ({ bot, requests }: { bot: Bot; requests: AgentRequests }): Calls => {
  const run = async (
    agent: Agent,
    command: Command,
    given: Record<string, unknown>,
    listener: CallListener,
  ): Promise<CallResult> => {
    const filled = withAnswers(command, given, listener.answers)
    const read = readCallArguments(command, filled)
    if (!read.ok) return refusedResult(read.refusal)
    const result = await requests.run(agent, command, read.value, listener)
    const { code } = result.data as { code?: string }
    return code === 'missing_arguments' ? { ...result, missing: missingParams(command, filled) } : result
  }

  const changeGet = async (
    agent: Agent,
    { id, wait_seconds: wait, ...rest }: Record<string, unknown>,
    listener: CallListener,
  ): Promise<CallResult> => {
    const seconds = readWait(wait)
    if (!seconds.ok) return refusedResult(seconds.refusal)
    const [surplus] = Object.keys(rest)
    if (surplus !== undefined) {
      return refusedResult(
        refusal('unknown_field', `change_get has no field ${clip(surplus)}.`, {
          next: 'It takes id, wait_seconds.',
        }),
      )
    }
    if (id === undefined)
      return refusedResult(refusal('missing_arguments', 'change_get needs id.', { field: 'id' }))
    return requests.look(agent, id, seconds.value, listener)
  }

  const follow = (
    agent: Agent,
    tool: string,
    given: Record<string, unknown>,
    listener: CallListener,
  ): Promise<CallResult> => {
    if (tool === 'change_get') return changeGet(agent, given, listener)
    if (agent.tools === 'few') {
      if (!isFewTool(tool)) throw noSuchTool(tool)
      return runFewTool(tool, given, {
        commands: agentCommands(bot, agent),
        commandNamed: (name) => commandOfTool(bot.registry, name),
        run: (command, values) => run(agent, command, values, listener),
      })
    }
    const command = commandOfTool(bot.registry, tool)
    // One that this agent may not run goes on: the refusal is recorded where all are.
    if (command === undefined) throw noSuchTool(tool)
    return run(agent, command, given, listener)
  }

  const refuseTooEarly: Calls['refuseTooEarly'] = (agent) => requests.turn(agent).refused

  return {
    refuseTooEarly,
    call: async (agent, tool, given, listener) => {
      const result = refuseTooEarly(agent) ?? (await follow(agent, tool, given, listener))
      const { state, code } = result.data as { state?: string; code?: string }
      const named = tool === 'change_get' || isFewTool(tool) ? tool : commandOfTool(bot.registry, tool)?.name
      bot.agents.count(countedAs(agent), named ?? 'other', code ?? state ?? 'answered')
      return result
    },
  }
}

const noSuchTool = (tool: string) =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${asTyped(clip(tool))} for this agent.`,
  )
