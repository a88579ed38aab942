import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { hookSecret } from '../../../prove/webhooks/hook.ts'
import { whenDone } from '../../harness/when-done.ts'

export type Told = {
  id: string
  type: string
  state: string
  change: string
  version: number
  raw: string
  headers: IncomingHttpHeaders
}

/** Somebody who is told: checks each message with the stock verifier, and answers with the status that `answer` says. */
export const startReceiver = async (
  answer: (told: Told) => number | { status: number; location?: string } = () => 204,
) => {
  const told: Told[] = []
  const taken: Told[] = []
  const verifier = new Webhook(hookSecret)
  const server = createServer(async (request, response) => {
    let raw = ''
    for await (const chunk of request) raw += chunk
    const said = verifier.verify(raw, request.headers as Record<string, string>) as {
      type: string
      data: { id: string; state: string; version: number }
    }
    const one: Told = {
      id: String(request.headers['webhook-id']),
      type: said.type,
      state: said.data.state,
      change: said.data.id,
      version: said.data.version,
      raw,
      headers: request.headers,
    }
    told.push(one)
    const given = answer(one)
    const { status, location } = typeof given === 'number' ? { status: given, location: undefined } : given
    if (status < 300) taken.push(one)
    response.writeHead(status, location === undefined ? {} : { location }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, told, taken }
}
