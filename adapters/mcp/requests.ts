import { createHash, randomUUID } from 'node:crypto'
import type { Command } from '../../src/kernel/command/define.ts'
import { readValues } from '../../src/kernel/command/line/parse.ts'
import type { PageMark } from '../../src/kernel/messenger/agent-access.ts'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import type { Inbound, Reply, Sender } from '../../src/kernel/messenger/inbound.ts'
import { discard } from '../../src/kernel/messenger/spool.ts'
import type { Agent } from '../../src/kernel/model/agent.ts'
import type { Change, ChangeState } from '../../src/kernel/model/change.ts'
import { namedChangeId } from '../../src/kernel/model/named-change-id.ts'
import { canonicalJson } from '../../src/lib/codecs/canonical-json.ts'
import { defined } from '../../src/lib/defined.ts'
import type { TakeTurn, Turn } from '../../src/lib/limits/call-rate.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import type { Call } from './arguments.ts'
import { answerResult, type CallResult, changeResult, type Face, refusedResult } from './results.ts'
import { isOpen, type WaitingRoom, waitForEnd } from './wait.ts'

/** How one call is followed while it waits. */
export type CallListener = {
  signal: AbortSignal
  tell(words: string): Promise<void>
  /** What somebody has written into a form that the client showed for what was missing. */
  answers?: Record<string, unknown> | undefined
}

/** What agents can ask for, whichever face they call: everything that people could type goes the way that their lines go. */
export type AgentRequests = {
  run(agent: Agent, command: Command, call: Call, listener: CallListener): Promise<CallResult>
  /** How a change of its own stands, by its id. */
  look(agent: Agent, id: unknown, waitSeconds: number, listener: CallListener): Promise<CallResult>
  /** Whether it has asked for this change itself. */
  owns(agent: Agent, change: Change): boolean
  /** Takes a change of its own back; says why not, if it cannot. */
  cancel(agent: Agent, id: string): Promise<CallResult | undefined>
  /** What it has asked for, page by page; `before` is the mark that the page before ended with. */
  list(agent: Agent, page: ListPage): Promise<{ changes: Change[]; next: string | undefined } | CallResult>
  /** Counts this call, and says why it is too early, if it is. */
  turn(agent: Agent): { turn: Turn; refused: CallResult | undefined }
}

type ListPage = { states?: readonly ChangeState[] | undefined; limit: number; before?: string | undefined }

export type RequestsDeps = {
  bot: Bot
  takeTurn: TakeTurn
  /** One for all faces. */
  waiting: WaitingRoom
  stopping: AbortSignal
  face: Face
}

/** Somebody who calls through an assistant of a messenger is no agent of the file, and has the account of that messenger. */
export type AgentCaller = Agent & { sender?: Sender; isNobody?: boolean }

export const agentSender = ({ id, name, sender }: AgentCaller): Sender =>
  sender ?? { platform: 'mcp', account: id, name, groups: [], agent: id }

/** By which name its calls are counted. */
export const countedAs = ({ id, sender }: AgentCaller): string => sender?.through ?? id

export const createRequests = ({ bot, takeTurn, waiting, stopping, face }: RequestsDeps): AgentRequests => {
  const waited = async (
    agent: Agent,
    change: Change,
    seconds: number,
    { signal, tell }: CallListener,
  ): Promise<CallResult> => {
    const isWaiting = seconds > 0 && isOpen(change)
    const leave = isWaiting ? waiting.enter(agent.id) : undefined
    if (isWaiting && leave === undefined) {
      // The caller that would wait for the end alone is told; any other is answered with how it stands.
      return seconds === Number.POSITIVE_INFINITY ? noRoom : changeResult(change, bot.now(), face)
    }
    const look = () => bot.agents.change(agentSender(agent), change.id)
    const both = AbortSignal.any([signal, stopping])
    const end = await waitForEnd(change, {
      look,
      seconds,
      signal: both,
      now: bot.now,
      ticks: bot.ticks,
      tell,
    }).finally(leave)
    // A freeze that came meanwhile holds for what is answered, too.
    const frozen = isWaiting ? await bot.agents.refuseFrozen(agentSender(agent)) : undefined
    return frozen === undefined ? changeResult(end, bot.now(), face) : refusedResult(frozen)
  }
  return {
    run: async (agent, command, call, listener) => {
      const inbound = inboundOf(agent, command, call)
      const reply = await bot.handle(inbound)
      if (reply.kind !== 'change') return resultOf(reply)
      const isSame = [inbound.place.handle, typedHandle(command, call)].includes(reply.change.origin.handle)
      if (inbound.changeId !== undefined && !isSame) return keyReused
      return waited(agent, reply.change, call.waitSeconds, listener)
    },
    look: async (agent, id, seconds, listener) => {
      const from = agentSender(agent)
      const frozen = await bot.agents.refuseFrozen(from)
      if (frozen !== undefined) return refusedResult(frozen)
      const change = typeof id === 'string' ? await bot.agents.change(from, id) : undefined
      if (change === undefined) {
        return refusedResult(
          refusal(
            'no_such_change',
            `There is no change ${asTyped(clip(String(id)))} that this agent may see.`,
            {
              next: 'Use the id that the request was answered with.',
            },
          ),
        )
      }
      await bot.agents.recordRead(from, `change_get ${change.id}`)
      return waited(agent, change, seconds, listener)
    },
    owns: (agent, change) => bot.agents.owns(agentSender(agent), change),
    cancel: async (agent, id) => {
      const reply = await bot.handle({
        delivery: randomUUID(),
        from: agentSender(agent),
        place: { channel: null, handle: null, direct: true },
        forms: false,
        intent: { kind: 'press', verb: 'cancel', id },
      })
      return reply.kind === 'change' ? undefined : resultOf(reply)
    },
    list: async (agent, { states, limit, before }) => {
      const from = agentSender(agent)
      const frozen = await bot.agents.refuseFrozen(from)
      if (frozen !== undefined) return refusedResult(frozen)
      const mark = before === undefined ? undefined : readMark(before)
      if (mark === null) return badMark
      const { changes, more } = await bot.agents.changes(from, { states, limit, before: mark })
      await bot.agents.recordRead(from, 'requests')
      bot.agents.count(countedAs(agent), 'requests', 'answered')
      return { changes, next: more && `${more.updatedAt}.${more.id}` }
    },
    turn: (agent) => {
      const turn = takeTurn(agent)
      if (turn.waitMs === 0) return { turn, refused: undefined }
      const wait = plural(Math.ceil(turn.waitMs / 1000), 'second')
      const words = `${agent.name} may make ${plural(agent.rate, 'call')} a minute, and has made them.`
      const refused = refusal('too_many_calls', words, { next: `Wait ${wait}.` })
      return { turn, refused: refusedResult(refused, turn.waitMs) }
    },
  }
}

const noRoom = refusedResult(
  refusal('too_many_calls', 'As many calls wait here for the end of a change as there is room for.', {
    next: 'Let go of some, or ask with tasks/get how it stands, every few seconds.',
  }),
)

/** Null for what no page ended with. */
const readMark = (text: string): PageMark | null => {
  const [updatedAt = '', id = '', ...rest] = text.split('.')
  const isMark = /^\d+$/.test(updatedAt) && /^\w+$/.test(id) && rest.length === 0
  return isMark && Number.isSafeInteger(Number(updatedAt)) ? { updatedAt: Number(updatedAt), id } : null
}

const badMark = refusedResult(
  refusal('bad_value', 'before takes the mark that the page before ended with.', {
    field: 'before',
    next: 'Give such a value, or leave it out.',
  }),
)

export const keyReused = refusedResult(
  refusal('key_reused', 'This request key was used for another request.'),
)

/** What this agent may run. */
export const agentCommands = (bot: Bot, agent: AgentCaller): Command[] => {
  // What there is, for whoever it may be asked for later.
  if (agent.isNobody) return bot.registry.all.filter(({ kind, personal }) => kind !== 'decision' && !personal)
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
      handle: isNamed ? meaningOf(command, values) : null,
      direct: true,
    },
    ...(isNamed ? { changeId: namedChangeId(agent, requestKey) } : {}),
    forms: false,
    intent: { kind: 'options', command: command.name, values },
  }
}

/** Of all that the values mean, be it beside what the command itself takes: 120 and "120" are one request. */
export const meaningOf = (command: Command, values: Call['values']): string => {
  const read = readValues(command, values)
  if (!read.ok) return typedHandle(command, { values })
  const { command: _, missing: __, given: ___, at = null, ...all } = read.value
  return digestOf(canonicalJson({ command: command.name, at, ...defined(all) }))
}

/** Of the values as they were typed, which requests of older versions have. */
const typedHandle = (command: Command, { values }: Pick<Call, 'values'>): string =>
  digestOf(canonicalJson({ command: command.name, values: plainOf(values) }))

const resultOf = (reply: Exclude<Reply, { kind: 'change' }>): CallResult => {
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

export const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
