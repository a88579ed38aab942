import { createServer } from 'node:http'
import { verifyKey } from 'discord-interactions'

/** What verifying and answering costs when nothing else is done: a PONG, or a deferred answer. */
const publicKey = process.env.DISCORD_PUBLIC_KEY ?? ''
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const body = Buffer.concat(chunks)
    const signature = String(request.headers['x-signature-ed25519'])
    const timestamp = String(request.headers['x-signature-timestamp'])
    if (!(await verifyKey(body, signature, timestamp, publicKey))) return void response.writeHead(401).end()
    const { type } = JSON.parse(body.toString()) as { type: number }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(type === 1 ? { type: 1 } : { type: 5, data: { flags: 64 } }))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`Server http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
})
