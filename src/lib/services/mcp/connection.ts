import { z } from 'zod'
import { after, longAgo, type Tick, type Ticks } from '../../clock.ts'
import type { Connection } from '../client/connection.ts'
import { broken, type HttpExchange, type Limits } from '../client/http-exchange.ts'
import type { ClientSettings } from '../client/settings.ts'
import { isRecord, type OpenRecord } from '../read-answer.ts'
import type { Channel, ChannelEvents } from './channel.ts'
import { messageIn, type RpcMessage, revision } from './messages.ts'
import { type McpTool, toolChanges, toolSchema } from './tool.ts'

/** Nothing was sent: the server says of its tools what nobody has looked at. */
export class ToolsChangedError extends Error {
  override readonly name = 'ToolsChangedError'
  readonly changes: readonly string[]
  constructor(changes: readonly string[]) {
    const more = changes.length - 1
    super(`${changes[0] ?? ''}${more > 0 ? ` And ${more} more.` : ''}`)
    this.changes = changes
  }
}

export const isToolsChanged = (
  exchange: HttpExchange,
): exchange is Extract<HttpExchange, { end: 'broken' }> & { cause: ToolsChangedError } =>
  exchange.end === 'broken' && exchange.cause instanceof ToolsChangedError

export type McpConnection = Connection & {
  /** All tools that the server lists now, or how asking for them ended. */
  list(): Promise<McpTool[] | HttpExchange>
}

type Session = { channel: Channel; tools: McpTool[]; lookedAt: Tick; isStale: boolean; isOver: boolean }

type Deps = {
  pinned: readonly McpTool[]
  open(events: ChannelEvents): Channel
  settings: ClientSettings
  ticks: Ticks
  closing: AbortSignal
}

/** A look at the tools holds so long: for what changes something, from the look before its claim until it is sent. */
const looksHoldMs = { read: 300_000, write: 3_000, claim: 0 }
const openMs = 30_000
const maxPages = 50

/** The client of an MCP server, in the place of the connection that other services have: a call of a tool is one request. */
export const createMcpConnection = ({ pinned, open, settings, ticks, closing }: Deps): McpConnection => {
  let current: Promise<Session | HttpExchange> | undefined
  let lastId = 0
  const message = (method: string, params: OpenRecord): RpcMessage & { id: number } => ({
    jsonrpc: '2.0',
    id: ++lastId,
    method,
    params,
  })
  const limits = (timeoutMs: number): Limits => ({ timeoutMs, maxBytes: settings.maxBytes, signal: closing })
  const ask = (channel: Channel, method: string, params: OpenRecord) =>
    channel.send(message(method, params), { effect: 'read', limits: limits(openMs) })

  const begin = async (): Promise<Session | HttpExchange> => {
    const session: Omit<Session, 'channel'> = { tools: [], lookedAt: longAgo, isStale: false, isOver: false }
    const channel = open({
      onToolsChanged: () => {
        session.isStale = true
      },
      onEnd: () => {
        session.isOver = true
      },
    })
    const whole = Object.assign(session, { channel })
    const failed = async (exchange: HttpExchange) => {
      await channel.close()
      return exchange
    }
    const hello = await ask(channel, 'initialize', {
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: 'bellhop', version: '1' },
    })
    const result = resultIn(hello)
    if (typeof result?.protocolVersion !== 'string') return failed(asFailure(hello))
    channel.agree(result.protocolVersion)
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const
    const taken = await channel.send(initialized, { effect: 'read', limits: limits(openMs) })
    if (taken.end === 'broken' || taken.status >= 300) return failed(asFailure(taken))
    const wrong = await look(whole)
    return wrong === undefined ? whole : failed(wrong)
  }

  /** Asks for the tools once more. */
  const look = async (session: Session): Promise<HttpExchange | undefined> => {
    session.isStale = false
    const at = ticks()
    const tools: McpTool[] = []
    let cursor: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const exchange = await ask(session.channel, 'tools/list', cursor === undefined ? {} : { cursor })
      const read = pageSchema.safeParse(resultIn(exchange))
      if (!read.success) return asFailure(exchange)
      tools.push(...(read.data.tools as McpTool[]))
      cursor = read.data.nextCursor
      if (cursor === undefined) break
    }
    session.tools = tools
    session.lookedAt = at
    return undefined
  }

  /** A session whose tools were looked at just now, or how it was not to be had. */
  const session = async (holdMs: number): Promise<Session | HttpExchange> => {
    closing.throwIfAborted()
    for (let tries = 0; ; tries++) {
      if (current === undefined) {
        const begun = begin()
        current = begun
        const forget = () => {
          if (current === begun) current = undefined
        }
        void begun.then((one) => ('end' in one ? forget() : undefined), forget)
      }
      const begun = current
      const one = await begun
      if ('end' in one) return one
      const isKnown = !one.isStale && after(one.lookedAt, holdMs) > ticks()
      if (isKnown && !one.isOver) return one
      const wrong = one.isOver ? broken(new Error('the session is over')) : await look(one)
      if (wrong === undefined) return one
      // The server has forgotten the session, or its process has ended: there is one more to be had.
      if (current === begun) current = undefined
      await one.channel.close()
      if (tries > 0) return wrong
    }
  }

  const ready = async (holdMs: number): Promise<Session | HttpExchange> => {
    const one = await session(holdMs).catch((error: unknown) => broken(error))
    if ('end' in one) return one
    const changes = toolChanges(pinned, one.tools)
    return changes.length === 0 ? one : broken(new ToolsChangedError(changes))
  }

  return {
    async send({ path, body }, effect, within, fence) {
      const one = await orGivenUp(ready(effect === 'read' ? looksHoldMs.read : looksHoldMs.write), within)
      if ('end' in one) return one
      const args = body === undefined ? {} : JSON.parse(body)
      const call = message('tools/call', { name: path.slice(1), arguments: args })
      return one.channel.send(call, { effect, limits: within, fence })
    },
    expect: () => undefined,
    async look() {
      const one = await ready(looksHoldMs.claim)
      return 'end' in one ? one : undefined
    },
    async list() {
      const one = await session(looksHoldMs.write).catch((error: unknown) => broken(error))
      return 'end' in one ? one : one.tools
    },
    async close() {
      const one = await current?.catch(() => undefined)
      current = undefined
      if (one !== undefined && !('end' in one)) await one.channel.close()
    },
  }
}

const pageSchema = z.object({
  tools: z.array(toolSchema).max(2_000),
  nextCursor: z.string().min(1).max(4_000).optional(),
})

const resultIn = (exchange: HttpExchange): OpenRecord | undefined => {
  if (exchange.end === 'broken' || exchange.status >= 300 || exchange.body === 'too large') return undefined
  const result = messageIn(exchange.body.toString('utf8'))?.result
  return isRecord(result) ? result : undefined
}

/** Of what comes before a call, nothing has left that could have done anything. */
const asFailure = (exchange: HttpExchange): HttpExchange =>
  exchange.end === 'answered' && isRefusal(exchange.status)
    ? exchange
    : broken(exchange.end === 'broken' ? exchange.cause : new Error('it does not speak MCP'))

/** As the client reads it: that nothing was done, whatever was asked for. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408

const orGivenUp = async <T>(work: Promise<T>, { timeoutMs, signal }: Limits): Promise<T | HttpExchange> => {
  const { promise, resolve } = Promise.withResolvers<HttpExchange>()
  const giveUp = (words: string) => resolve(broken(new Error(words)))
  const timer = setTimeout(() => giveUp('the server was not ready in time'), timeoutMs)
  const onAbort = () => giveUp('given up')
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
