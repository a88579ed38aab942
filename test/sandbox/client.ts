import { beforeEach } from 'vitest'
import { type Sandbox, type OwnName as ServiceName, startSandbox } from '../../sandbox/sandbox.ts'
import { whenDone } from '../harness/when-done.ts'

export interface SandboxAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely, on purpose without the types of the code under test
  body: any
}

export type SandboxClient = (
  service: ServiceName,
  method: string,
  path: string,
  body?: unknown,
) => Promise<SandboxAnswer>

/** Asks as any HTTP client would, with the keys the sandbox gave out. */
export const createSandboxClient =
  (sandbox: Sandbox): SandboxClient =>
  async (service, method, path, body) => {
    const response = await fetch(`${sandbox[service].baseUrl}${path}`, {
      method,
      headers: {
        authorization: authorization(sandbox, service),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

export function authorization(sandbox: Sandbox, service: ServiceName): string {
  if (service !== 'billing') return `Bearer ${sandbox[service].apiKey}`
  const { apiKey, secretKey } = sandbox.billing
  return `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
}

export const november = Date.UTC(2026, 10, 15, 12)

/** A sandbox in November for the tests of a file, as new before each. */
export const openSandbox = async (): Promise<{ sandbox: Sandbox; ask: SandboxClient }> => {
  const sandbox = await startSandbox({ now: () => november })
  beforeEach(() => sandbox.reset())
  whenDone(() => sandbox.close())
  return { sandbox, ask: createSandboxClient(sandbox) }
}
