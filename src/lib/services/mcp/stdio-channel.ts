import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { FenceError, passFence } from '../client/fence.ts'
import { broken, type HttpExchange } from '../client/http-exchange.ts'
import { toShortText } from '../client/service-message.ts'
import { answered, type Channel, type ChannelEvents, type Sending } from './channel.ts'
import { isAnswerTo, messageIn, type RpcMessage, saysToolsChanged } from './messages.ts'
import type { ServerPlace } from './place.ts'

type Command = Extract<ServerPlace, { command: string }>

/**
 * A server that is a process of this machine. It lives as long as the channel; one that has died is started by the next. Of the
 * environment it has what it is given here, and nothing else.
 */
export const openStdioChannel = (
  { command, args, variables }: Command,
  environment: Readonly<Record<string, string>>,
  maxBytes: number,
  { onToolsChanged, onEnd }: ChannelEvents,
): Channel => {
  const child = spawn(command, args, {
    env: { ...environment, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const waiting = new Map<number, (exchange: HttpExchange) => void>()
  const lost = (cause: unknown) => ({ ...broken(cause), left: true }) as HttpExchange
  let gone: Error | undefined
  const end = (cause: Error) => {
    if (gone !== undefined) return
    gone = cause
    for (const settle of waiting.values()) settle(lost(cause))
    waiting.clear()
    onEnd()
  }
  const read = (line: string) => {
    const message = messageIn(line)
    if (message === undefined) return
    if (saysToolsChanged(message)) return onToolsChanged()
    const settle = isAnswerTo(message.id as number, message) ? waiting.get(message.id as number) : undefined
    if (settle !== undefined) return settle(answered(line))
    // Asked for something that nobody said we have. A ping is answered, so that it does not take us for dead.
    if (message.id !== undefined && typeof message.method === 'string' && !child.stdin.destroyed)
      child.stdin.write(`${JSON.stringify(replyTo(message.id, message.method))}\n`)
  }
  readLines(child, maxBytes, read, () => {
    end(new Error('the server wrote a line that is too large'))
    child.kill('SIGKILL')
  })
  const words = lastWordsOf(child)
  child.on('error', (error) => end(error))
  child.on('exit', (code, signal) =>
    end(new Error(`the server has ended (${signal ?? `code ${code}`})${words()}`)),
  )
  child.stdin.on('error', (error) => end(error))

  return {
    async send(message, { effect, limits, fence }: Sending) {
      if (effect !== 'read' && fence !== undefined) {
        try {
          await passFence(fence)
        } catch (error) {
          return broken(error)
        }
        if (!fence.isFresh()) return broken(new FenceError())
      }
      if (gone !== undefined) return broken(gone)
      if (limits.signal.aborted) return broken(new Error('given up', { cause: limits.signal.reason }))
      const { promise, resolve } = Promise.withResolvers<HttpExchange>()
      const { id } = message
      const giveUp = (words: string) => resolve(lost(new Error(words)))
      const timer = setTimeout(() => giveUp(`no answer within ${limits.timeoutMs} ms`), limits.timeoutMs)
      const onAbort = () => giveUp('given up')
      limits.signal.addEventListener('abort', onAbort)
      if (id !== undefined) waiting.set(id, resolve)
      child.stdin.write(`${JSON.stringify(message satisfies RpcMessage)}\n`)
      if (id === undefined) resolve(answered('', 202))
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        limits.signal.removeEventListener('abort', onAbort)
        if (id !== undefined) waiting.delete(id)
      }
    },
    agree: () => undefined,
    async close() {
      end(new Error('shutting down'))
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.stdin.end()
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const isOver = await Promise.race([exited.then(() => true), sleep(patienceMs, false, { ref: false })])
        if (isOver) return
        child.kill(signal)
      }
      await exited
    },
  }
}

/** How long a server may take to end by itself, and then when it is told to. */
const patienceMs = 1_000

const replyTo = (id: unknown, method: string) =>
  method === 'ping'
    ? { jsonrpc: '2.0', id, result: {} }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'not offered here' } }

const readLines = (
  { stdout }: ChildProcessWithoutNullStreams,
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLarge: () => void,
): void => {
  let parts: Buffer[] = []
  let size = 0
  stdout.on('data', (chunk: Buffer) => {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, at)]).toString('utf8')
      parts = []
      size = 0
      from = at + 1
      if (line.trim() !== '') onLine(line)
    }
    const rest = chunk.subarray(from)
    size += rest.length
    if (size > maxBytes) {
      parts = []
      return onTooLarge()
    }
    if (rest.length > 0) parts.push(rest)
  })
}

/** The end of what it wrote for people, for whoever has to find out why it ended. */
const lastWordsOf = ({ stderr }: ChildProcessWithoutNullStreams): (() => string) => {
  let last = ''
  stderr.on('data', (chunk: Buffer) => {
    last = (last + chunk.toString('utf8')).slice(-1_000)
  })
  return () => {
    const words = toShortText(last.trim().split('\n').at(-1) ?? '')
    return words === undefined ? '' : `: ${words}`
  }
}
