import { parentPort, workerData } from 'node:worker_threads'
import type { Registry } from '../command/registry.ts'
import type { PolicySource } from '../policy/in-force/policy-source.ts'

/** What work in a thread may use; it asks the bot for everything else. */
export type ThreadDeps = {
  registry: Registry
  load: PolicySource['load']
  ask(name: string, about?: unknown): Promise<unknown>
}

/** In the thread: does the work of the file that it is given, and hands the result back. */
export const serveThread = async (deps: Omit<ThreadDeps, 'ask'>): Promise<void> => {
  const port = parentPort
  if (port === null) throw new Error('this file runs in a thread of the bot')
  const ask = (name: string, about?: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      port.once('message', resolve)
      port.postMessage({ ask: name, about })
    })
  const { entry, input } = workerData
  const { work } = await import(entry)
  port.postMessage({ result: await work(input, { ...deps, ask }) })
}
