import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServiceSettings } from '../services/client/client.ts'
import type { Service } from '../services/endpoints/row.ts'
import { keepState } from './kept-state.ts'
import { createFaults, type FaultRule } from './server/faults.ts'
import { type Bases, createListener, type SandboxContext } from './server/listener.ts'
import type { WireEntry } from './server/wire.ts'
import { type SandboxState, type StandIn, sandboxKeys, seedOf } from './service-sandbox.ts'

export interface SandboxOptions {
  host?: string
  /** One port for all services; 0, the default, takes a free one. */
  port?: number
  /** A port for each service instead. */
  ports?: Readonly<Record<string, number>>
  now?: () => number
  log?: (line: string) => void
  /** Where the state is kept; without it, it ends with the process. */
  file?: string
}

export interface RunningSandbox {
  /** Where each service is, and its keys. */
  readonly services: Readonly<Record<string, ServiceSettings>>
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

/** The stand-ins of these services over HTTP. */
export async function startStandIns(
  standIns: readonly StandIn[],
  options: SandboxOptions = {},
): Promise<RunningSandbox> {
  const { host = '127.0.0.1', port = 0, ports, now = Date.now, log = () => {}, file } = options
  const closing = new AbortController()
  const faults = createFaults(standIns)
  const seed = () => seedOf(standIns)
  const state = seed()
  const wire: WireEntry[] = []
  const kept = file === undefined ? undefined : keepState(file, state, seed)
  const use: SandboxContext['use'] = (isWrite, work) =>
    kept === undefined ? work() : kept.use(isWrite, work)
  const reset = () => {
    use(true, () => Object.assign(state, seed()))
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
    const origin = `http://${host}:${(server.address() as AddressInfo).port}`
    return bases.map(({ standIn, base }) => [standIn.service, `${origin}${base}`] as const)
  }
  const urls = await (ports ? openEach(open, standIns, ports) : openOne(open, standIns, port)).catch(
    async (error: unknown) => {
      await close()
      throw error
    },
  )
  return {
    services: Object.fromEntries(
      urls.map(([service, baseUrl]) => [service.name, { baseUrl, ...sandboxKeys(service) }]),
    ),
    wire,
    fault: faults.add,
    clearFaults: faults.clear,
    get state() {
      return use(false, () => {
        for (const { service, sandbox } of standIns) sandbox.pass?.(state[service.name] as never, now())
        return state
      })
    },
    reset,
    close,
  }
}

type Urls = (readonly [Service, string])[]
type Open = (bases: Bases, port: number) => Promise<Urls>

const openOne = (open: Open, standIns: readonly StandIn[], port: number): Promise<Urls> =>
  open(
    standIns.map((standIn) => ({ standIn, base: `/${standIn.service.name}${standIn.service.prefix ?? ''}` })),
    port,
  )

async function openEach(
  open: Open,
  standIns: readonly StandIn[],
  ports: Readonly<Record<string, number>>,
): Promise<Urls> {
  const urls: Urls = []
  for (const standIn of standIns) {
    const { name, prefix = '' } = standIn.service
    urls.push(...(await open([{ standIn, base: prefix }], ports[name] ?? 0)))
  }
  return urls
}

function listen(listener: RequestListener, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ keepAliveTimeout: 75_000 }, listener)
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
