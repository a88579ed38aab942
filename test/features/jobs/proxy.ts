import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { listen } from '../../harness/listen.ts'
import type { Fate, Sent } from '../../harness/many-people.ts'

/** Stands before a service and spoils sends as told; what has an effect is really done behind it. */
export const startProxy = async (target: string, fate: () => Fate) => {
  const sends: Sent[] = []
  const { origin, pathname: base } = new URL(target)
  const dispatcher = new Agent({ connections: 8 })

  const forward = async (incoming: IncomingMessage, body: string) => {
    const answer = await request(`${origin}${incoming.url}`, {
      dispatcher,
      method: incoming.method as 'GET',
      headers: { authorization: incoming.headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    return { status: answer.statusCode, body: await answer.body.text() }
  }
  const say = (
    response: ServerResponse,
    status: number,
    body: string,
    headers: Record<string, string> = {},
  ) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(incoming)
    const isSend = incoming.url === `${base}/campaigns/send-to-individual`
    const chosen = isSend ? fate() : 'ok'
    if (isSend) sends.push({ emails: (JSON.parse(body) as { emails: string[] }).emails, fate: chosen })
    if (chosen === 'drop_before') return void response.destroy()
    if (chosen === 'error_before') return void say(response, 503, '<html>busy</html>')
    if (chosen === 'limit') return void say(response, 429, '{"success":false}', { 'retry-after': '0.05' })
    if (chosen === 'refuse') return void say(response, 400, '{"success":false,"message":"badly formatted"}')
    const answer = await forward(incoming, body)
    if (chosen === 'drop_after') response.destroy()
    else if (chosen === 'error_after') say(response, 500, '{"success":false}')
    else say(response, answer.status, answer.body)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })
  const { origin: ownOrigin, close } = await listen(server)
  return {
    baseUrl: `${ownOrigin}${base}`,
    sends,
    close: async () => {
      await close()
      await dispatcher.close()
    },
  }
}

export const hasEffect = (fate: Fate): boolean =>
  fate === 'ok' || fate === 'drop_after' || fate === 'error_after'
