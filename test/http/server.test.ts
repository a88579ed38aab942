import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpServer, type HttpServer, markSigned } from '../../src/http/server.ts'
import { until } from '../harness/until.ts'

let server: HttpServer
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

const open = async (most?: number) => {
  server = createHttpServer(most)
  server.post('/signed', (request, response) => {
    markSigned(request)
    response.end('ok')
  })
  server.post('/read', (request, response) => {
    request.on('error', () => undefined).resume()
    request.on('end', () => response.end('ok'))
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
}

const opened = async (): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port: server.port() as number })
  socket.on('error', () => undefined).resume()
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

const post = (socket: Socket, path: string, body: string, length = body.length): void => {
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n${body}`)
}

describe('the HTTP server', () => {
  test('cuts the oldest connection without a signature when there are too many, and none with one', async () => {
    await open(3)
    const signed = await opened()
    post(signed, '/signed', 'x')
    await once(signed, 'data')
    const others: Socket[] = []
    for (let nth = 0; nth < 5; nth++) others.push(await opened())
    await until(() => expect(others.map(({ closed }) => closed)).toEqual([true, true, false, false, false]))
    post(signed, '/signed', 'x')
    await once(signed, 'data')
    expect(signed.closed).toBe(false)
  })

  test('ends a request whose body is unfinished after ten seconds', { timeout: 30_000 }, async () => {
    await open()
    const socket = await opened()
    const started = performance.now()
    post(socket, '/read', 'x', 100)
    await once(socket, 'close')
    const ms = performance.now() - started
    expect(ms).toBeGreaterThan(9_000)
    expect(ms).toBeLessThan(20_000)
  })
})
