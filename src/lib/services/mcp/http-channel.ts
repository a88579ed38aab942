import type { IncomingHttpHeaders } from 'node:http'
import { HttpClient } from '../../undici.ts'
import type { Connection } from '../client/connection.ts'
import { broken, type HttpExchange } from '../client/http-exchange.ts'
import type { Channel, ChannelEvents, Sending } from './channel.ts'
import { createEventReader, isAnswerTo, messageIn, saysToolsChanged } from './messages.ts'
import type { Tokens } from './tokens.ts'

/** A server at a web address, by the transport that the protocol calls streamable HTTP. */
export const openHttpChannel = (
  url: string,
  connection: Connection,
  credentials: Readonly<Record<string, string>>,
  tokens: Tokens | undefined,
  { onToolsChanged, onEnd }: ChannelEvents,
): Channel => {
  const { origin, pathname } = new URL(url)
  let session: string | undefined
  let revision: string | undefined
  let isClosed = false
  let stopListening: (() => Promise<void>) | undefined
  const headersOf = (authorization: Readonly<Record<string, string>>) => ({
    ...authorization,
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...(revision === undefined ? {} : { 'mcp-protocol-version': revision }),
  })

  return {
    async send(message, { effect, limits, fence }: Sending) {
      let authorization: Readonly<Record<string, string>>
      try {
        authorization = (await tokens?.headers(limits.signal)) ?? {}
      } catch (error) {
        return broken(error)
      }
      const { id } = message
      let answer: string | undefined
      const read = createEventReader((text) => {
        const said = messageIn(text)
        if (said === undefined) return
        if (saysToolsChanged(said)) onToolsChanged()
        else if (isAnswerTo(id, said)) answer ??= text
      })
      const takeWhole = (chunk: Buffer, headers: IncomingHttpHeaders) => {
        if (!isStream(headers)) return undefined
        read(chunk)
        return answer === undefined ? undefined : Buffer.from(answer)
      }
      const accept = 'application/json, text/event-stream'
      const wire = {
        method: 'POST',
        path: pathname.endsWith('/') ? '/' : '',
        body: JSON.stringify(message),
        headers: { accept, ...headersOf(authorization) },
      }
      const exchange = await connection.send(wire, effect, { ...limits, takeWhole }, fence)
      if (exchange.end === 'broken') return exchange
      const { status, headers, body } = exchange
      if (status === 401) tokens?.forget()
      if (status === 404 && session !== undefined) onEnd()
      if (status < 200 || status >= 300) return exchange
      const given = headers['mcp-session-id']
      if (typeof given === 'string') session ??= given
      if (id === undefined || body === 'too large') return exchange
      if (answer !== undefined) return exchange
      const said = isStream(headers) ? undefined : messageIn(body.toString('utf8'))
      return said !== undefined && isAnswerTo(id, said) ? exchange : noAnswer(exchange)
    },
    agree(agreed) {
      revision = agreed
      const begin = async () => {
        const authorization = (await tokens?.headers(AbortSignal.timeout(10_000))) ?? {}
        if (isClosed) return
        const headers = { ...credentials, ...headersOf(authorization) }
        stopListening = listen(origin, pathname, headers, onToolsChanged)
      }
      // Every change is preceded by a look at the tools, whether or not anything is heard.
      begin().catch(() => undefined)
    },
    async close() {
      isClosed = true
      await stopListening?.()
    },
  }
}

const isStream = (headers: IncomingHttpHeaders): boolean =>
  String(headers['content-type']).startsWith('text/event-stream')

/** Something came back, and it does not say how the request went. */
const noAnswer = ({ status, headers }: Extract<HttpExchange, { end: 'answered' }>): HttpExchange => ({
  end: 'broken',
  left: true,
  status,
  headers,
  cause: new Error('what came back is not the answer to what was asked'),
})

const longestEvent = 1_000_000

/** Hears what a server says by itself, if it offers that: that its tools have changed is all that counts. */
const listen = (
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  onToolsChanged: () => void,
): (() => Promise<void>) => {
  const client = new HttpClient(origin, { headersTimeout: 30_000, bodyTimeout: 0 })
  const read = createEventReader((text) => {
    const said = messageIn(text)
    if (said !== undefined && saysToolsChanged(said)) onToolsChanged()
  })
  client.dispatch(
    { method: 'GET', path, headers: { ...headers, accept: 'text/event-stream', 'user-agent': 'bellhop' } },
    {
      onRequestStart: () => undefined,
      onResponseStart(controller, status, received) {
        const isOffered = status === 200 && isStream(received as IncomingHttpHeaders)
        if (status >= 200 && !isOffered) controller.abort(new Error('it says nothing by itself'))
      },
      onResponseData(controller, chunk) {
        if (read(chunk) > longestEvent) controller.abort(new Error('an event that does not end'))
      },
      onResponseEnd: () => undefined,
      onResponseError: () => undefined,
    },
  )
  return () => client.destroy()
}
