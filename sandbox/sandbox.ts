import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServiceName } from '../src/services/endpoints/row.ts'
import { applyDueChanges } from '../packs/billing/sandbox/plan-change.ts'
import { keepState } from '../src/sandbox/kept-state.ts'
import { createSandboxState, type SandboxState } from './seed/state.ts'
import { sandboxKeys } from '../src/sandbox/server/api-keys.ts'
import { createFaults, type FaultRule } from '../src/sandbox/server/faults.ts'
import { type Bases, createListener, type SandboxContext } from '../src/sandbox/server/listener.ts'
import type { WireEntry } from '../src/sandbox/server/wire.ts'

export interface SandboxOptions {
  host?: string
  /** One port for all three services; 0, the default, takes a free one. */
  port?: number
  /** A port for each service instead. */
  ports?: Record<ServiceName, number>
  now?: () => number
  log?: (line: string) => void
  /** Where the state is kept; without it, it ends with the process. */
  file?: string
}

export interface Sandbox {
  email: { baseUrl: string; apiKey: string }
  chat: { baseUrl: string; apiKey: string }
  billing: { baseUrl: string; apiKey: string; secretKey: string }
  /** Every request in the order of arrival, the last 10,000. */
  readonly wire: WireEntry[]
  fault(rule: FaultRule): void
  clearFaults(): void
  /** The live data. */
  readonly state: SandboxState
  /** Back to the seed: state, wire and faults. */
  reset(): void
  close(): Promise<void>
}

const versions = { email: '/api/v2', chat: '/api/v1', billing: '/api/v1' } as const

const services = ['email', 'chat', 'billing'] as const

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, ports, now = Date.now, log = () => {}, file } = options
  const closing = new AbortController()
  const faults = createFaults()
  const state = createSandboxState()
  const wire: WireEntry[] = []
  const kept = file === undefined ? undefined : keepState(file, state)
  const use: SandboxContext['use'] = (isWrite, work) =>
    kept === undefined ? work() : kept.use(isWrite, work)
  const reset = () => {
    use(true, () => Object.assign(state, createSandboxState()))
    wire.length = 0
    faults.clear()
  }
  const context: SandboxContext = { state, use, faults, wire, now, log, reset, closing: closing.signal }
  const servers: Server[] = []
  const close = async () => {
    closing.abort()
    await Promise.all(servers.map(stop))
    kept?.close()
  }
  const open = async (bases: Bases, at: number) => {
    const server = await listen(createListener(context, bases), host, at)
    servers.push(server)
    return `http://${host}:${(server.address() as AddressInfo).port}`
  }
  const urls = await (ports ? openEach(open, ports) : openOne(open, port)).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    email: { baseUrl: urls.email, ...sandboxKeys.email },
    chat: { baseUrl: urls.chat, ...sandboxKeys.chat },
    billing: { baseUrl: urls.billing, ...sandboxKeys.billing },
    wire,
    fault: faults.add,
    clearFaults: faults.clear,
    get state() {
      return use(false, () => {
        applyDueChanges(state.billing, now())
        return state
      })
    },
    reset,
    close,
  }
}

type Open = (bases: Bases, port: number) => Promise<string>
type Urls = Record<ServiceName, string>

async function openOne(open: Open, port: number): Promise<Urls> {
  const bases = Object.fromEntries(services.map((name) => [name, `/${name}${versions[name]}`])) as Urls
  const origin = await open(bases, port)
  return Object.fromEntries(services.map((name) => [name, `${origin}${bases[name]}`])) as Urls
}

async function openEach(open: Open, ports: Record<ServiceName, number>): Promise<Urls> {
  const urls: Partial<Urls> = {}
  for (const name of services) {
    urls[name] = `${await open({ [name]: versions[name] }, ports[name])}${versions[name]}`
  }
  return urls as Urls
}

function listen(listener: RequestListener, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(listener)
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
