import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { whenDone } from '../harness/when-done.ts'

/** Current: 2026-07-28. Previous: 2025-11-25, by the same package. Older: 2025-06-18, by the package before it. */
export const clientKinds = ['current', 'previous', 'older'] as const
export type ClientKind = (typeof clientKinds)[number]

export type Told = {
  content: { type: string; text?: string }[]
  structuredContent: Record<string, unknown> & { state: string; id: string }
  isError?: boolean
}

type Tool = {
  name: string
  inputSchema: { properties: Record<string, object>; required?: string[] }
  annotations: Record<string, boolean>
}

export type OfficialClient = {
  version: string
  list(): Promise<Tool[]>
  call(name: string, given?: object, onProgress?: (message: string) => void): Promise<Told>
  resources(): Promise<{ uri: string }[]>
  read(uri: string): Promise<{ contents: { text: string }[] }>
  /** As if its machine had lost its power. */
  kill(): void
}

/** An official client in a process of its own, connected. */
export const startClient = async (kind: ClientKind, url: string, token: string): Promise<OfficialClient> => {
  const child = spawn(process.execPath, ['test/mcp/client-process.ts', kind, url, token], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  whenDone(() => void child.kill('SIGKILL'))
  const waiting = new Map<
    number,
    {
      resolve(value: unknown): void
      reject(error: Error): void
      onProgress?: ((message: string) => void) | undefined
    }
  >()
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const connected = Promise.withResolvers<string>()
  child.on('close', () => {
    const gone = new Error(`the client ended: ${errors}`)
    connected.reject(gone)
    connected.promise.catch(() => undefined)
    for (const { reject } of waiting.values()) reject(gone)
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { version, id, result, error, progress } = JSON.parse(line)
    if (version !== undefined) return connected.resolve(version)
    const asked = waiting.get(id)
    if (progress !== undefined) return asked?.onProgress?.(progress.message)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new Error(error))
  })
  let last = 0
  const ask = <T>(method: string, more: object = {}, onProgress?: (message: string) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress })
      child.stdin.write(`${JSON.stringify({ id, method, ...more })}\n`)
    })
  return {
    version: await connected.promise,
    list: () => ask('list'),
    call: (name, given = {}, onProgress) => ask('call', { name, given }, onProgress),
    resources: () => ask('resources'),
    read: (name) => ask('read', { name }),
    kill: () => void child.kill('SIGKILL'),
  }
}
