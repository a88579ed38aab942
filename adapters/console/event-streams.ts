import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Conversation, ConversationEvent } from './conversation.ts'
import { toMessageJson } from './message-json.ts'

export type EventStreams = {
  /** It ends when `isLasting` says no. */
  open(request: FastifyRequest, reply: FastifyReply, person: string, isLasting: () => Promise<boolean>): void
  count(): number
  close(): void
}

const heartbeatMs = 15_000
const mostStreams = 200
/** A page that reads this slowly is disconnected; it connects again and gets what it missed. */
const mostUnreadBytes = 4_000_000

/** The live connection: server-sent events, resumed from the last one that a page saw. */
export const createEventStreams = (conversation: Conversation, beatMs = heartbeatMs): EventStreams => {
  const closers = new Set<() => void>()
  return {
    open: (request, reply, person, isLasting) => {
      if (closers.size >= mostStreams) {
        reply.code(503).send({ message: 'Too many pages are open.' })
        return
      }
      const { raw } = reply
      reply.hijack()
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      })
      const write = (chunk: string): void => {
        raw.write(chunk)
        if (raw.writableLength > mostUnreadBytes) raw.destroy()
      }
      const tell = ({ id, message }: ConversationEvent) =>
        write(toText('message', id, toMessageJson(message)))
      const resumed = conversation.resume(person, lastEventOf(request))
      write('retry: 1000\n\n')
      if (resumed.kind === 'missed') resumed.events.forEach(tell)
      else write(toText('all', resumed.id, resumed.messages.map(toMessageJson)))
      const leave = conversation.listen(person, tell)
      const heartbeat = setInterval(async () => {
        if (await isLasting().catch(() => false)) write(': here\n\n')
        else close()
      }, beatMs)
      const close = (): void => {
        clearInterval(heartbeat)
        leave()
        closers.delete(close)
        raw.end()
      }
      closers.add(close)
      raw.on('close', close)
      raw.on('error', close)
    },
    count: () => closers.size,
    close: () => {
      for (const close of closers) close()
    },
  }
}

const lastEventOf = ({ headers }: FastifyRequest): string | undefined => {
  const id = headers['last-event-id']
  return Array.isArray(id) ? id[0] : id
}

/** JSON holds no raw line break, so one data line is enough. */
const toText = (event: string, id: string, data: unknown): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
