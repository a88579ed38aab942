import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App as Bolt, Receiver, ReceiverEvent } from '@slack/bolt'
import { ticks, wallTime } from '../../../src/lib/clock.ts'
import { defined } from '../../../src/lib/defined.ts'
import { createSignatureVerifier } from '../../../src/lib/http/body-signature.ts'
import { readBody } from '../../../src/lib/http/read-body.ts'
import { answerRequest, type HttpServer, markSigned, sendJson } from '../../../src/lib/http/server.ts'
import type { Log } from '../../../src/lib/log.ts'
import { slackErrorFields } from '../api/errors.ts'
import { limits } from '../api/limits.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { isSlashCommand, isSslCheck, parseBody } from './request-body.ts'

export type HttpReceiverDeps = {
  http: Pick<HttpServer, 'post'>
  deliveryQueue: Pick<DeliveryQueue, 'take'>
  signingSecret: string
  log: Log
  /** Something came that Slack has signed. */
  onSigned(): void
  onRefused(reason: string): void
}

/** Slack over our one HTTP server: the body is read once, verified before it is parsed, and parsed once. */
export const createHttpReceiver = ({
  http,
  deliveryQueue,
  signingSecret,
  log,
  onSigned,
  onRefused,
}: HttpReceiverDeps): Receiver => {
  const verify = createSignatureVerifier(signingSecret, { now: wallTime, ticks })
  let bolt: Bolt | undefined

  const refuse = (response: ServerResponse, status: number, reason: string): void => {
    onRefused(reason)
    answerRequest(response, status, reason)
  }

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, limits.bodyBytes)
    if (body === undefined) return refuse(response, 413, 'too_large')
    const raw = body.toString('utf8')
    const fault = verify({
      timestamp: headerOf(request, 'x-slack-request-timestamp'),
      signature: headerOf(request, 'x-slack-signature'),
      body,
    })
    if (fault === 'unsigned' && isSslCheck(raw)) return void response.writeHead(200).end()
    if (fault !== undefined) return refuse(response, 401, fault)
    markSigned(request)
    onSigned()
    const contentType = request.headers['content-type']
    if (isSlashCommand(raw, contentType)) {
      const { words } = (await deliveryQueue.take(parseBody(raw, contentType) ?? {})) ?? {}
      if (words === undefined) return void response.writeHead(200).end()
      return sendJson(response, 200, { response_type: 'ephemeral', text: words })
    }
    const payload = parseBody(raw, contentType)
    if (payload === undefined) return refuse(response, 400, 'malformed')
    if (payload.ssl_check !== undefined) return void response.writeHead(200).end()
    if (payload.type === 'url_verification') {
      const { challenge } = payload
      if (typeof challenge !== 'string') return refuse(response, 400, 'malformed')
      return sendJson(response, 200, { challenge })
    }
    await pass(request, response, payload)
  }

  const pass = async (
    request: IncomingMessage,
    response: ServerResponse,
    body: Record<string, unknown>,
  ): Promise<void> => {
    const late = setTimeout(() => {
      if (!response.headersSent) response.writeHead(404).end()
      log.warn({ type: kindOf(body) }, 'nobody took a Slack delivery')
    }, limits.ackMs + 1).unref()
    const retryNum = headerOf(request, 'x-slack-retry-num')
    const retryReason = headerOf(request, 'x-slack-retry-reason')
    // What a listener throws goes to Bolt's error handler; what comes back from here is a payload that Bolt could not read.
    const unread = () => {
      clearTimeout(late)
      if (!response.headersSent) refuse(response, 400, 'malformed')
    }
    const event: ReceiverEvent = {
      body,
      ...(retryNum === undefined ? {} : { retryNum: Number(retryNum) }),
      ...defined({ retryReason }),
      ack: async (answer) => {
        clearTimeout(late)
        if (response.headersSent) return
        if (answer === undefined || answer === '') response.writeHead(200).end()
        else if (typeof answer === 'string')
          response.writeHead(200, { 'content-type': 'text/plain' }).end(answer)
        else sendJson(response, 200, answer)
      },
    }
    await bolt?.processEvent(event).catch(unread)
  }

  http.post('/slack/events', (request, response) => {
    receive(request, response).catch((error: unknown) => {
      log.error(slackErrorFields(error), 'a Slack delivery could not be handled')
      if (!response.headersSent) response.writeHead(500).end()
    })
  })
  return {
    init: (app) => {
      bolt = app
    },
    start: async () => undefined,
    stop: async () => undefined,
  }
}

/** A word and nothing else: a payload may hold anything under any name, and the log is not the place for it. */
const kindOf = ({ type = 'command' }: Record<string, unknown>): string =>
  typeof type === 'string' && /^[a-z_]{1,40}$/.test(type) ? type : 'other'

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
