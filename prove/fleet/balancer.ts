import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What stands before the replicas: any request may reach any of them, and one that is not there is passed over. */
export type Balancer = { url: string; close(): Promise<void> }

export const startBalancer = async (targets: () => string[], random: () => number): Promise<Balancer> => {
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    for (const target of shuffled(targets(), random)) {
      const answer = await fetch(target + request.url, {
        method: request.method ?? 'POST',
        headers: passed(request.headers),
        body,
      }).catch((error: { cause?: { code?: string } }) => error.cause?.code ?? 'cut')
      if (answer === 'ECONNREFUSED') continue
      if (typeof answer === 'string') break
      const said = await answer.text().catch(() => undefined)
      if (said === undefined) break
      const type = answer.headers.get('content-type')
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(said)
      return
    }
    response.writeHead(502).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const passed = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^(content-type|x-)/.test(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  )

const shuffled = (items: string[], random: () => number): string[] =>
  items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
