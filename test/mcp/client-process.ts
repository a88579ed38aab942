import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** One of the official clients as a process of its own: requests come in as lines of JSON, and answers go out so. */
type Asked = { id: number; method: 'list' | 'call' | 'read' | 'resources'; name?: string; given?: object }

const [kind = '', url = '', token = ''] = process.argv.slice(2)
const requestInit = { headers: { authorization: `Bearer ${token}` } }
const info = { name: `${kind}-client`, version: '1' }

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)

const connectNew = async (mode: 'legacy' | { pin: string }) => {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return {
    version: client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools,
    call: (name: string, given: object, onprogress: (progress: object) => void) =>
      client.callTool({ name, arguments: { ...given } }, { onprogress }),
    resources: async () => (await client.listResources()).resources,
    read: (uri: string) => client.readResource({ uri }),
  }
}

const connectOlder = async () => {
  const client = new OlderClient(info)
  let version: string | undefined
  const transport = new OlderTransport(new URL(url), { requestInit })
  // The older client tells nobody but its transport which revision was agreed on.
  const set = transport.setProtocolVersion.bind(transport)
  transport.setProtocolVersion = (agreed) => {
    version = agreed
    set(agreed)
  }
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    version,
    list: async () => (await client.listTools()).tools,
    call: (name: string, given: object, onprogress: (progress: object) => void) =>
      client.callTool({ name, arguments: { ...given } }, undefined, { onprogress }),
    resources: async () => (await client.listResources()).resources,
    read: (uri: string) => client.readResource({ uri }),
  }
}

const client = await (kind === 'older'
  ? connectOlder()
  : connectNew(kind === 'current' ? { pin: '2026-07-28' } : 'legacy'))
say({ version: client.version })

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, name = '', given = {} } = JSON.parse(line) as Asked
  const work = {
    list: () => client.list(),
    call: () => client.call(name, given, (progress) => say({ id, progress })),
    resources: () => client.resources(),
    read: () => client.read(name),
  }[method]
  work().then(
    (result) => say({ id, result }),
    (error: Error) => say({ id, error: error.message }),
  )
}
