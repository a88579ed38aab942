import { parentPort, workerData } from 'node:worker_threads'

/** In the thread: works on the input, and hands the result back. */
export const serveApart = async <I>(
  work: (input: I, ask: (name: string, about?: unknown) => Promise<unknown>) => Promise<unknown>,
): Promise<void> => {
  const port = parentPort
  if (port === null) throw new Error('this file runs in a thread of the bot')
  const ask = (name: string, about?: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      port.once('message', resolve)
      port.postMessage({ ask: name, about })
    })
  port.postMessage({ result: await work(workerData as I, ask) })
}
