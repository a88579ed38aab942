import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export const hookSecret = `whsec_${Buffer.from('a secret of thirty-two bytes here').toString('base64')}`

export type HookMessage = { id: string; type: string; change: string; version: number }

/** Somebody who is told, checks each message with the stock verifier, and does not take every nineteenth. */
export const startHook = async (): Promise<{ url: string; taken: HookMessage[]; close(): Promise<void> }> => {
  const taken: HookMessage[] = []
  const verifier = new Webhook(hookSecret)
  let count = 0
  const server = createServer(async (request, response) => {
    let raw = ''
    for await (const chunk of request) raw += chunk
    const { type, data } = verifier.verify(raw, request.headers as Record<string, string>) as {
      type: string
      data: { id: string; version: number }
    }
    const isTaken = ++count % 19 !== 0
    const id = String(request.headers['webhook-id'])
    if (isTaken) taken.push({ id, type, change: data.id, version: data.version })
    response.writeHead(isTaken ? 204 : 503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
