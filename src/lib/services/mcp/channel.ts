import type { Fence } from '../client/fence.ts'
import type { HttpExchange, Limits } from '../client/http-exchange.ts'
import type { Effect } from '../endpoints/row.ts'
import type { RpcMessage } from './messages.ts'

export type Sending = { effect: Effect; limits: Limits; fence?: Fence | undefined }

/** The way to one server for one session. */
export type Channel = {
  /**
   * Sends a message, and waits for its answer where it has an id: the body of the exchange is that answer. Of what is not read,
   * the fence is passed right before bytes leave, and nothing is sent twice.
   */
  send(message: RpcMessage, sending: Sending): Promise<HttpExchange>
  /** The server has said which revision it speaks. */
  agree(revision: string): void
  close(): Promise<void>
}

export type ChannelEvents = {
  /** The server says that its tools are others now. */
  onToolsChanged(): void
  /** Nothing more can be sent here: the process has ended, or the server has forgotten the session. */
  onEnd(): void
}

export const answered = (text: string, status = 200): HttpExchange => ({
  end: 'answered',
  status,
  headers: {},
  body: Buffer.from(text),
})
