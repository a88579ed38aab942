import { Worker } from 'node:worker_threads'
import type { Site } from './site.ts'

/** Asks the thread in which the rest of the site runs. */
export type SiteThread = <K extends keyof Site>(ask: K, ...args: Parameters<Site[K]>) => ReturnType<Site[K]>

export const startSite = async (): Promise<SiteThread> => {
  const worker = new Worker(new URL('./site.ts', import.meta.url))
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  const ready = Promise.withResolvers<unknown>()
  asked.set(0, ready)
  let last = 0
  worker.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    if (error === undefined) asked.get(id)?.resolve(value)
    else asked.get(id)?.reject(new Error(error))
    asked.delete(id)
  })
  worker.on('error', (error) => {
    for (const { reject } of asked.values()) reject(error)
  })
  await ready.promise
  return ((ask, ...args) => {
    const answer = Promise.withResolvers<unknown>()
    asked.set(++last, answer)
    worker.postMessage({ id: last, ask, args })
    return ask === 'close' ? answer.promise.finally(() => worker.terminate()) : answer.promise
  }) as SiteThread
}
