import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import { parseBounded } from '../../../src/lib/codecs/bounded-json.ts'
import { readBody } from '../../../src/lib/http/read-body.ts'
import { createReplayGuard } from '../../../src/lib/http/replay-guard.ts'
import { answerRequest, type HttpServer, markSigned } from '../../../src/lib/http/server.ts'
import type { Log } from '../../../src/lib/log.ts'
import { answerType, interactionType } from '../protocol/codes.ts'
import { discordLimits } from '../protocol/limits.ts'
import { type Interaction, interactionSchema } from '../protocol/payload.ts'
import type { Respond } from './interaction-responder.ts'
import { publicKeyOf, signatureProblem } from './signature.ts'

export type EndpointDeps = {
  http: HttpServer
  publicKey: string
  bot: Pick<Bot, 'countRefused' | 'now' | 'ticks'>
  log: Log
  /** Something came that Discord has signed. */
  onSigned(): void
  handle(interaction: Interaction, respond: Respond): Promise<void>
}

/** `/discord/interactions`: nothing of a request is read before its signature is right. */
export const serveInteractions = ({ http, publicKey, bot, log, onSigned, handle }: EndpointDeps): void => {
  const key = publicKeyOf(publicKey)
  const isReplay = createReplayGuard(discordLimits.signatureWindowMs, bot.ticks)
  const refuse = (response: ServerResponse, status: number, reason: string): void => {
    bot.countRefused('discord', reason)
    answerRequest(response, status, { error: reason })
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, discordLimits.bodyBytes)
    if (body === undefined) return refuse(response, 413, 'too_large')
    const signature = headerOf(request, 'x-signature-ed25519')
    const timestamp = headerOf(request, 'x-signature-timestamp')
    const forged = await signatureProblem(key, { signature, timestamp, body }, bot.now())
    if (forged !== undefined) return refuse(response, 401, forged)
    if (isReplay(`${signature}`)) return refuse(response, 401, 'replayed')
    markSigned(request)
    onSigned()
    const payload = toJson(body)
    if ((payload as { type?: unknown } | undefined)?.type === interactionType.ping) {
      return send(response, 200, { type: answerType.pong })
    }
    const read = interactionSchema.safeParse(payload)
    if (!read.success) return refuse(response, 400, 'unreadable')
    await handle(read.data, (answer) => send(response, 200, answer))
    // Whatever went wrong, Discord is not left waiting.
    if (!response.writableEnded) await send(response, 500, { error: 'broken' })
  }
  http.post('/discord/interactions', (request, response) => {
    serve(request, response).catch((error: unknown) => {
      log.warn(
        { error: error instanceof Error ? error.name : 'error' },
        'a request to the Discord endpoint broke off',
      )
      response.destroy()
    })
  })
}

/** Resolves when the answer has left, so that what follows it comes second. */
const send = (response: ServerResponse, status: number, answer: object): Promise<void> => {
  const text = JSON.stringify(answer)
  return new Promise((resolve) => {
    response.once('close', resolve)
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text, () => resolve())
  })
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const toJson = (body: Buffer): unknown => {
  try {
    return parseBounded(body.toString('utf8'))
  } catch {
    return undefined
  }
}
