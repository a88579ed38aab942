import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConsoleMessage, Conversation, ConversationEvent } from './conversation.ts'
import { toMessageJson } from './message-json.ts'
import type { Sight } from './sight.ts'

export type EventStreams = {
  /** It ends when `isLasting` says no. */
  open(request: FastifyRequest, reply: FastifyReply, person: string, isLasting: () => Promise<boolean>): void
  count(): number
  close(): void
}

const heartbeatMs = 15_000
/** For each person, so that nobody's pages close anybody else's. */
const maxStreams = 8
/** A page that reads this slowly is disconnected; it connects again and gets what it missed. */
const maxUnread = 1_200
const letGoWords = 'This page was let go because newer ones are open. Load it again to go on here.'
/** A page that is let go has so long to read why. */
const lastWordsMs = 5_000

/** The live connection: server-sent events, resumed from the last one that a page saw. */
export const createEventStreams = (
  conversation: Conversation,
  sight: Sight,
  beatMs = heartbeatMs,
): EventStreams => {
  const closers = new Map<string, ((words?: string) => void)[]>()
  return {
    open: (request, reply, person, isLasting) => {
      const { raw } = reply
      reply.hijack()
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      })
      /** What this page shows: of what it may no longer see it learns that it is gone. */
      const shown = new Set<string>()
      const unread: ConversationEvent[] = []
      let sending: Promise<void> | undefined
      let isOver = false
      /** Waits for a page that reads slowly, so that only what it has not read yet is held, as the messages themselves. */
      const write = async (chunk: string): Promise<void> => {
        if (raw.destroyed || raw.write(chunk)) return
        const { promise, resolve } = Promise.withResolvers<void>()
        const freed = () => resolve()
        raw.once('drain', freed).once('close', freed)
        await promise
        raw.off('drain', freed).off('close', freed)
      }
      const start = async (): Promise<void> => {
        const resumed = conversation.resume(person, lastEventOf(request))
        await write('retry: 1000\n\n')
        if (resumed.kind === 'missed') {
          unread.unshift(...resumed.events)
          return
        }
        const seen = await sight(person, resumed.messages)
        await write(`event: all\nid: ${resumed.id}\ndata: [`)
        for (const [at, message] of seen.entries()) {
          if (isOver) break
          shown.add(message.id)
          await write(`${at === 0 ? '' : ','}${JSON.stringify(toMessageJson(message))}`)
        }
        await write(']\n\n')
      }
      const send = async ({ id, message }: ConversationEvent): Promise<void> => {
        if (!(await isLasting())) return close()
        const [seen] = message.removed ? [] : await sight(person, [message])
        if (seen === undefined && !shown.delete(message.id)) return
        if (seen !== undefined) shown.add(message.id)
        await write(toText('message', id, seen === undefined ? goneOf(message) : toMessageJson(seen)))
      }
      const sendAll = async (): Promise<void> => {
        for (let event = unread.shift(); event !== undefined && !isOver; event = unread.shift())
          await send(event)
      }
      const pump = (first?: Promise<void>): void => {
        sending ??= Promise.resolve(first)
          .then(sendAll)
          .catch(() => {
            raw.destroy()
          })
          .finally(() => {
            sending = undefined
            if (unread.length > 0 && !isOver) pump()
          })
      }
      const leave = conversation.listen(person, (event) => {
        unread.push(event)
        if (unread.length > maxUnread) raw.destroy()
        else pump()
      })
      const heartbeat = setInterval(async () => {
        if (await isLasting().catch(() => false)) raw.write(': here\n\n')
        else close()
      }, beatMs)
      const close = (words?: string): void => {
        if (isOver) return
        isOver = true
        clearInterval(heartbeat)
        leave()
        const others = (closers.get(person) ?? []).filter((one) => one !== close)
        if (others.length === 0) closers.delete(person)
        else closers.set(person, others)
        // Not into the middle of an event.
        void Promise.resolve(sending).then(() =>
          raw.end(words === undefined ? undefined : toText('closed', '', words)),
        )
        setTimeout(() => raw.destroy(), lastWordsMs).unref()
      }
      raw.on('close', () => close())
      raw.on('error', () => close())
      const open = [...(closers.get(person) ?? []), close]
      closers.set(person, open)
      for (const letGo of open.slice(0, -maxStreams)) letGo(letGoWords)
      pump(start())
    },
    count: () => [...closers.values()].reduce((sum, open) => sum + open.length, 0),
    close: () => {
      for (const close of [...closers.values()].flat()) close()
    },
  }
}

const goneOf = ({ id, at }: ConsoleMessage) => ({ id, at, removed: true })

const lastEventOf = ({ headers }: FastifyRequest): string | undefined => {
  const id = headers['last-event-id']
  return Array.isArray(id) ? id[0] : id
}

/** JSON holds no raw line break, so one data line is enough. */
const toText = (event: string, id: string, data: unknown): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
