import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { Client } from 'undici'

/** A process of its own that asks as fast as it is answered, and tells how long each answer took. */
export type LoadOrder = {
  url: string
  connections: number
  /** Each is sent with an own number, so that no two are the same delivery. */
  bodies: string[]
  total: number
  contentType: string
  slackSecret?: string
  /** PKCS8 PEM of the key that signs for Discord. */
  discordKey?: string
}
export type LoadReport = { ms: number[]; seconds: number; statuses: Record<string, number> }

process.on('message', async (order: LoadOrder) => {
  process.send?.(await run(order))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

let serial = 0

async function run({
  url,
  connections,
  bodies,
  total,
  contentType,
  ...keys
}: LoadOrder): Promise<LoadReport> {
  const { origin, pathname: path } = new URL(url)
  const run = `${Date.now()}`
  // Signed beforehand: the machine has few cores, and what is measured is the answering.
  const requests = Array.from({ length: total }, (_, at) => {
    const number = `${run}${String(++serial).padStart(7, '0')}`
    const body = (bodies[at % bodies.length] ?? '').replaceAll('{number}', number)
    return { body, headers: { 'content-type': contentType, ...signed(body, keys) } }
  })
  const ms: number[] = []
  const statuses: Record<string, number> = {}
  const clients = await Promise.all(Array.from({ length: connections }, () => connected(origin)))
  const startedAt = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
        const sentAt = performance.now()
        const answer = await client.request({ method: 'POST', path, ...request })
        await answer.body.dump()
        ms.push(performance.now() - sentAt)
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  await Promise.all(clients.map((client) => client.close()))
  return { ms, seconds, statuses }
}

/** The platforms keep their connections; how long one takes to open is not what is asked. */
async function connected(origin: string): Promise<Client> {
  const client = new Client(origin, { pipelining: 1 })
  await (await client.request({ method: 'GET', path: '/' })).body.dump()
  return client
}

function signed(body: string, { slackSecret, discordKey }: Pick<LoadOrder, 'slackSecret' | 'discordKey'>) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  if (slackSecret !== undefined) {
    const hash = createHmac('sha256', slackSecret).update(`v0:${timestamp}:${body}`).digest('hex')
    return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` }
  }
  const key = createPrivateKey(discordKey ?? '')
  const signature = sign(null, Buffer.from(timestamp + body), key).toString('hex')
  return { 'x-signature-timestamp': timestamp, 'x-signature-ed25519': signature }
}
