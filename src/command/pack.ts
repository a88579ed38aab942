import type { ServiceSandbox, StandIn } from '../sandbox/service-sandbox.ts'
import type { ServiceSettings } from '../services/client/client.ts'
import type { Service } from '../services/endpoints/row.ts'
import type { Definition } from './define.ts'

/** All of one service: what the client knows of it, and what people see of it. */
export type Pack = Service & {
  /** In the order in which help lists them. */
  readonly commands: readonly Definition[]
  /** Lines that call the stand-in by hand, for whoever started it alone. */
  readonly tryIt?: (settings: ServiceSettings) => string[]
  /** The stand-in, loaded only where the environment does not say where the real one is. */
  readonly sandbox: () => Promise<ServiceSandbox>
}

export const standInsOf = (packs: readonly Pack[]): Promise<StandIn[]> =>
  Promise.all(packs.map(async (service) => ({ service, sandbox: await service.sandbox() })))
