import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readBody } from '../../src/lib/http/read-body.ts'
import { createHttpServer, type HttpServer } from '../../src/lib/http/server.ts'
import { until } from '../harness/until.ts'

let server: HttpServer
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

const open = async () => {
  server = createHttpServer()
  server.post('/', async (request, response) => {
    const body = await readBody(request, 1_000_000).catch(() => undefined)
    response.writeHead(body === undefined ? 413 : 200).end(String(body?.length))
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
}

/** Sends the head of a request and a part of its body; tells what was answered so far. */
const begin = async (length: number, part: string): Promise<{ socket: Socket; answer(): string }> => {
  const socket = connect({ host: '127.0.0.1', port: server.port() as number })
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n${part}`)
  return { socket, answer: () => answer }
}

test('unfinished bodies hold a bounded sum, and the smallest among them are the last to be cut', async () => {
  await open()
  const command = await begin(2_000, 'x'.repeat(1_000))
  const large = await Promise.all(Array.from({ length: 40 }, () => begin(990_000, 'x'.repeat(900_000))))
  await until(() => {
    const refused = large.filter(({ answer }) => answer().startsWith('HTTP/1.1 413')).length
    expect(refused).toBeGreaterThanOrEqual(40 - 17)
  })
  command.socket.write('x'.repeat(1_000))
  await until(() => expect(command.answer()).toMatch(/^HTTP\/1\.1 200.*\b2000\b/s))
})

test('what was finished or given up no longer counts', async () => {
  await open()
  for (let nth = 0; nth < 40; nth++) {
    const { socket, answer } = await begin(900_000, 'x'.repeat(nth % 2 === 0 ? 900_000 : 500_000))
    if (nth % 2 === 0) await until(() => expect(answer()).toMatch(/^HTTP\/1\.1 200/))
    socket.destroy()
  }
})
