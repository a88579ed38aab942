import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { answerRequest, createHttpServer, type HttpServer, markSigned } from '../../src/lib/http/server.ts'
import { until } from '../harness/until.ts'

let server: HttpServer
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

const open = async (limits?: Parameters<typeof createHttpServer>[0]) => {
  server = createHttpServer(limits)
  server.post('/signed', (request, response) => {
    markSigned(request)
    response.end('ok')
  })
  server.post('/read', (request, response) => {
    request.on('error', () => undefined).resume()
    request.on('end', () => response.end('ok'))
  })
  server.post('/refused', (_, response) => answerRequest(response, 413, { message: 'too long' }))
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
    await open({ most: 3 })
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

  test('cuts those of whoever has opened the most, and nobody who came before them', async () => {
    await open({ most: 6 })
    const from = (localAddress: string) => {
      const socket = connect({ host: '127.0.0.1', port: server.port() as number, localAddress })
      sockets.push(socket)
      return once(socket, 'connect').then(() => socket)
    }
    const early = [await from('127.0.0.2'), await from('127.0.0.3')]
    const many: Socket[] = []
    for (let nth = 0; nth < 20; nth++) many.push(await from('127.0.0.4'))
    const late = await from('127.0.0.2')
    await until(() => expect(many.filter(({ closed }) => !closed)).toHaveLength(3))
    for (const socket of [...early, late]) {
      post(socket, '/signed', 'x')
      await once(socket, 'data')
      expect(socket.closed).toBe(false)
    }
  })

  test.each(['/refused', '/nowhere'])(
    'lets whoever sends more than is read have the whole answer, and no reset: %s',
    async (path) => {
      await open()
      const socket = connect({ host: '127.0.0.1', port: server.port() as number })
      sockets.push(socket)
      const faults: Error[] = []
      socket.on('error', (fault) => faults.push(fault))
      // Nothing is read before everything is sent, as a caller in one thread does it.
      post(socket, path, 'x'.repeat(4_000_000), 5_000_000)
      await once(socket, 'drain')
      let answer = ''
      socket.on('data', (piece) => {
        answer += piece
      })
      await until(() => expect(answer).toMatch(/^HTTP\/1\.1 4\d\d .*"message":"[^"]+"\}$/s))
      expect(faults).toEqual([])
    },
  )

  test('ends a request whose body is unfinished when its time is over, and not before', async () => {
    await open({ withinMs: 300 })
    const socket = await opened()
    const started = performance.now()
    post(socket, '/read', 'x', 100)
    await once(socket, 'close')
    expect(performance.now() - started).toBeGreaterThan(290)
  })
})
