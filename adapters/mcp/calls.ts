import { createHash, randomUUID } from 'node:crypto'
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Command } from '../../src/command/define.ts'
import { readValues } from '../../src/command/line/parse.ts'
import type { Bot } from '../../src/messenger/bot.ts'
import type { Inbound, Reply, Sender } from '../../src/messenger/inbound.ts'
import { discard } from '../../src/messenger/spool.ts'
import type { Agent } from '../../src/model/agent.ts'
import { canonicalJson } from '../../src/model/canonical-json.ts'
import type { Change } from '../../src/model/change.ts'
import { plural } from '../../src/view/button-labels.ts'
import { refusal } from '../../src/view/refusals.ts'
import { type Call, readCallArguments, readWait } from './arguments.ts'
import { isFewTool, runFewTool } from './few-tools.ts'
import type { TakeTurn } from './rate-limit.ts'
import { answerResult, changeResult, refusedResult } from './results.ts'
import { commandOfTool } from './tools.ts'
import { waitForEnd } from './wait.ts'

export type CallsDeps = { bot: Bot; takeTurn: TakeTurn; stopping: AbortSignal }

/** How one call is followed while it waits. */
export type CallListener = { signal: AbortSignal; tell(words: string): Promise<void> }

export type Calls = {
  call(
    agent: Agent,
    tool: string,
    given: Record<string, unknown>,
    listener: CallListener,
  ): Promise<CallToolResult>
  /** Why this call is too early, if it is. */
  whyTooEarly(agent: Agent): CallToolResult | undefined
}

export const agentSender = ({ id, name }: Agent): Sender => ({
  platform: 'mcp',
  account: id,
  name,
  groups: [],
})

/** What a tool does: everything that people could type goes the way that their lines go. */
export const createCalls = ({ bot, takeTurn, stopping }: CallsDeps): Calls => {
  const waited = async (
    agent: Agent,
    change: Change,
    seconds: number,
    { signal, tell }: CallListener,
  ): Promise<CallToolResult> => {
    const look = () => bot.agents.change(agentSender(agent), change.id)
    const both = AbortSignal.any([signal, stopping])
    const end = await waitForEnd(change, { look, seconds, signal: both, now: bot.now, tell })
    return changeResult(end, bot.now())
  }

  const run = async (
    agent: Agent,
    command: Command,
    given: Record<string, unknown>,
    listener: CallListener,
  ): Promise<CallToolResult> => {
    const read = readCallArguments(command, given)
    if (!read.ok) return refusedResult(read.refusal)
    const inbound = inboundOf(agent, command, read.value)
    const reply = await bot.handle(inbound)
    if (reply.kind !== 'change') return resultOf(reply)
    const isSame = [inbound.place.handle, typedHandle(command, read.value)].includes(
      reply.change.origin.handle,
    )
    if (inbound.changeId !== undefined && !isSame) {
      return refusedResult(refusal('key_reused', 'This request_key was used for another request.'))
    }
    return waited(agent, reply.change, read.value.waitSeconds, listener)
  }

  const changeGet = async (
    agent: Agent,
    { id, wait_seconds: wait, ...rest }: Record<string, unknown>,
    listener: CallListener,
  ): Promise<CallToolResult> => {
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
    const from = agentSender(agent)
    const frozen = await bot.agents.whyFrozen(from)
    if (frozen !== undefined) return refusedResult(frozen)
    const change = typeof id === 'string' ? await bot.agents.change(from, id) : undefined
    if (change === undefined) {
      return refusedResult(
        refusal('no_such_change', `There is no change "${clip(String(id))}" that this agent may see.`, {
          next: 'Use the id that the request was answered with.',
        }),
      )
    }
    await bot.agents.recordRead(from, `change_get ${change.id}`)
    return waited(agent, change, seconds.value, listener)
  }

  const follow = (
    agent: Agent,
    tool: string,
    given: Record<string, unknown>,
    listener: CallListener,
  ): Promise<CallToolResult> | CallToolResult => {
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

  const whyTooEarly: Calls['whyTooEarly'] = (agent) => {
    const waitMs = takeTurn(agent)
    if (waitMs === 0) return undefined
    const wait = plural(Math.ceil(waitMs / 1000), 'second')
    const words = `${agent.name} may make ${plural(agent.rate, 'call')} a minute, and has made them.`
    return refusedResult(refusal('too_many_calls', words, { next: `Wait ${wait}.` }), waitMs)
  }

  return {
    whyTooEarly,
    call: async (agent, tool, given, listener) => {
      const result = whyTooEarly(agent) ?? (await follow(agent, tool, given, listener))
      const { state, code } = Object(result.structuredContent) as { state?: string; code?: string }
      const named = tool === 'change_get' || isFewTool(tool) ? tool : commandOfTool(bot.registry, tool)?.name
      bot.agents.count(agent.id, named ?? 'other', code ?? state ?? 'answered')
      return result
    },
  }
}

/** What this agent may run. */
export const agentCommands = (bot: Bot, agent: Agent): Command[] => {
  const { records } = bot.readsOf(agentSender(agent))
  return bot.registry.all.filter(({ name }) => records.mayRun(name))
}

/**
 * A named request has an id that follows from its name, so that there can be one such change whoever asks again; the
 * handle tells whether it is asked again or something else is asked under its name.
 */
const inboundOf = (agent: Agent, command: Command, { values, requestKey }: Call): Inbound => {
  const isNamed = requestKey !== undefined
  return {
    delivery: randomUUID(),
    from: agentSender(agent),
    place: {
      channel: null,
      handle: isNamed ? handleOf(command, values) : null,
      direct: true,
    },
    ...(isNamed ? { changeId: idOf(`${agent.id}\n${requestKey}`) } : {}),
    forms: false,
    intent: { kind: 'options', command: command.name, values },
  }
}

/** Of what the values mean: 120 and "120" are one request. */
const handleOf = (command: Command, values: Call['values']): string => {
  const read = readValues(command, values)
  return read.ok
    ? digestOf(canonicalJson({ command: command.name, input: read.value.input, at: read.value.at ?? null }))
    : typedHandle(command, { values })
}

/** Of the values as they were typed, which requests of older versions have. */
const typedHandle = (command: Command, { values }: Pick<Call, 'values'>): string =>
  digestOf(canonicalJson({ command: command.name, values: plainOf(values) }))

const resultOf = (reply: Exclude<Reply, { kind: 'change' }>): CallToolResult => {
  switch (reply.kind) {
    case 'answer': {
      const { command, view, file } = reply
      const result = answerResult(command, view, file)
      if (file !== undefined) void discard(file)
      return result
    }
    case 'refused':
      return refusedResult(reply.refusal)
    case 'share':
    case 'form':
    case 'reason':
    case 'repeated':
      return refusedResult(refusal('not_allowed_now', 'Nothing came of this call.', { next: 'Call again.' }))
  }
}

const noSuchTool = (tool: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${clip(tool)}" for this agent.`)

/** Bytes are no JSON. */
const plainOf = (values: Call['values']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && 'bytes' in value
        ? { name: value.name, bytes: Buffer.from(value.bytes).toString('base64') }
        : value,
    ]),
  )

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** As the ids of other changes look. */
const idOf = (text: string): string =>
  [...createHash('sha256').update(text).digest().subarray(0, 16)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('')

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
